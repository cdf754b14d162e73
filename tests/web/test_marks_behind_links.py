"""What a sentence or a chat program leaves behind a link that was sent is no part of it."""

from __future__ import annotations

from urllib.parse import quote, urljoin

from app.rules.presets import PRESETS, write_code
from tests.told import told
from tests.web.conftest import NewPhone
from tests.web.evenings import links_to_send
from tests.web.phone import Phone, writes


def lead(phone: Phone, address: str) -> str:
    """Follow an address and what it leads on to; return the one whose page is shown."""
    for _ in range(3):
        phone.answer = phone.client.get(address, headers=phone.headers)
        if phone.answer.status_code != 302:
            break
        address = phone.answer.headers["Location"]
    assert phone.answer.status_code == 200, address
    return address


@told
def test_a_table_is_found(keeper: Phone, below: str, marks: list[str]) -> None:
    """It is the same page, and what a chat program has put into the query goes along."""
    address = f"{keeper.table}{below}"
    for mark in marks:
        assert lead(keeper, f"{address}{quote(mark)}?fbclid=x") == f"{address}?fbclid=x"


def test_a_link_of_another_instance_keeps_its_name(keeper: Phone) -> None:
    """Its full stop is none of a sentence."""
    answer = keeper.client.get(f"/t/a.{'x' * 22}.")
    assert answer.headers["Location"] == f"/t/a.{'x' * 22}"


@told
def test_every_link_that_is_sent_is_found(keeper: Phone, new_phone: NewPhone, mark: str) -> None:
    """One that gives the pen, a recovery link, one that takes tables along, and one with rules."""
    for path, taken in links_to_send(keeper):
        other = new_phone()
        assert lead(other, path + quote(mark)) == path
        other.open(path)
        other.press(taken)
        assert writes(other, keeper.table)
    code = write_code("vanlig", PRESETS["vanlig"])
    lead(keeper, f"/r/{code}{quote(mark)}")


def test_so_is_a_page_of_no_table(phone: Phone) -> None:
    """Somebody may send that too."""
    for page in ("/rules", "/how", "/how/pagat", "/files", "/transfer"):
        assert lead(phone, f"{page}.") == page


@told
def test_no_address_leads_to_another_site(phone: Phone, path: str) -> None:
    """It leads on below our own, or nowhere."""
    answer = phone.client.get("/", environ_overrides={"PATH_INFO": path})
    leads_to = urljoin("http://localhost/", answer.headers.get("Location", "/"))
    assert leads_to.startswith("http://localhost/")

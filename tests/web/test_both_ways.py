"""Every address that htmx requests answers plain requests with pages, and htmx with parts."""

from __future__ import annotations

import pytest

from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Page
from tests.web.phone import HTMX, Phone

PARTS = [
    "",
    "/hand/2/four_of_a_kind",
    "/tie",
    "/player/1",
    "/more",
    "/comings",
    "/rare",
    "/evening",
]


def fetch_fragment(phone: Phone, address: str) -> Page:
    """Return the part that htmx gets from an address."""
    answer = phone.client.get(address, headers=phone.headers | HTMX)
    assert answer.status_code == 200
    return Page(answer.text)


def labels(page: Page) -> set[str]:
    """Return the labels of all buttons and links."""
    return {button.label for button in page.buttons} | {link.label for link in page.links}


@pytest.mark.parametrize("part", PARTS)
def test_a_page_holds_the_part_that_htmx_gets(keeper: Phone, part: str) -> None:
    """The whole page offers everything that its part does: one template draws both."""
    whole, alone = keeper.open(keeper.table + part), fetch_fragment(keeper, keeper.table + part)
    assert whole.whole
    assert not alone.whole
    assert alone.text
    assert alone.text in whole.text
    assert labels(alone) == labels(whole)
    # Without scripts every link and form leads to the address of its htmx request.
    assert all(link.htmx in (None, link.href) for link in whole.links)
    for button in whole.buttons:
        assert button.htmx in (None, button.action)
        assert button.form.method == "post"


def test_the_start_page_holds_the_form_that_htmx_gets(phone: Phone) -> None:
    """The part with the form for a new table holds the same fields as the whole page."""
    whole, alone = phone.open("/"), fetch_fragment(phone, "/")
    assert (whole.whole, alone.whole) == (True, False)
    # Each form has an idempotency key of its own.
    alone_fields, whole_fields = (
        [field for field in page.form("/").fields if field.name != "key"] for page in (alone, whole)
    )
    assert alone_fields == whole_fields


def test_a_page_brought_back_by_the_browser_is_whole(keeper: Phone) -> None:
    """An htmx request that restores a page from the history gets the whole page."""
    headers = {**keeper.headers, **HTMX, "HX-History-Restore-Request": "true"}
    for address in (keeper.table, "/", "/t/nowhere"):
        assert Page(keeper.client.get(address, headers=headers).text).whole


@pytest.mark.parametrize(
    ("happened", "where"), [("nobody", "/undo"), ("nobody, settled", "/games")]
)
def test_a_write_is_answered_both_ways(
    new_phone: NewPhone, seat: Seat, happened: str, where: str
) -> None:
    """A plain form is redirected to the table with status 303; htmx gets the table itself."""
    plain, quick = seat(new_phone(), happened), seat(new_phone(htmx=True), happened)
    for phone in (plain, quick):
        phone.submit(phone.page.to(where))
    assert plain.answer.status_code == 303
    assert plain.answer.headers["Location"] == plain.table
    assert plain.page.whole
    assert quick.answer.status_code == 200
    assert not quick.page.whole
    assert quick.page.text in plain.page.text


@pytest.mark.parametrize(("status", "told"), [(401, "only reads"), (404, "nothing here")])
def test_a_refusal_without_a_table_is_answered_both_ways(
    reader: Phone, status: int, told: str
) -> None:
    """A request without the pen, or for a missing table, is refused with a page or a part."""
    address = reader.table if status == 401 else "/t/nowhere"
    for headers in ({}, HTMX):
        answer = reader.client.post(f"{address}/undo", headers=reader.headers | headers)
        assert answer.status_code == status
        page = Page(answer.text)
        assert page.whole is not bool(headers)
        assert told in page.announcement
        assert page.has("To the start page")

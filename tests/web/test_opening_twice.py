"""The start form sent twice opens one table, and the phone writes at it."""

from __future__ import annotations

from app.store.database import Pool
from tests.web.conftest import NewPhone
from tests.web.pages import Page
from tests.web.phone import Phone

NAMES = ["Anna", "Bo", "Cilla", ""]


def filled_in(phone: Phone) -> Phone:
    """Fill the start form in."""
    phone.open("/").form("/").fill_each("player", NAMES)
    return phone


def opened(pool: Pool) -> int:
    """Return how many tables there are."""
    return int(pool.connection.execute("SELECT COUNT(*) FROM tables").fetchone()[0])


def test_a_form_sent_twice_opens_one_table(phone: Phone, pool: Pool) -> None:
    """A second tap while the first is on its way leads to the same table."""
    before = opened(pool)
    button = filled_in(phone).page.button("Start the game")
    phone.submit(button)
    first = phone.table
    phone.submit(button)
    assert phone.table == first
    assert opened(pool) == before + 1
    assert phone.page.button("Anna: Pair").data


def test_of_two_answers_either_gives_the_pen(new_phone: NewPhone, pool: Pool) -> None:
    """A phone that was never here has no pen to send along, and may lose either answer."""
    first, again = filled_in(new_phone()), new_phone()
    button, before = first.page.button("Start the game"), opened(pool)
    first.submit(button)
    again.submit(button)
    assert again.table == first.table
    assert opened(pool) == before + 1
    for phone in (first, again):
        assert phone.page.button("Anna: Pair").data


def test_the_same_names_again_open_another_table(phone: Phone) -> None:
    """From a page that was opened anew, or with something changed."""
    filled_in(phone).press("Start the game")
    first = phone.table
    filled_in(phone)
    start: Page = phone.page
    phone.press("Start the game")
    second = phone.table
    start.form("/").fill("stake", "2")
    phone.submit(start.button("Start the game"))
    assert len({first, second, phone.table}) == 3


def test_a_guessed_key_opens_nobody_s_table(new_phone: NewPhone) -> None:
    """A short key is no page's own, and is not looked at."""
    form = {"player": NAMES, "preset": "vanlig", "key": "1"}
    phones = [new_phone(), new_phone()]
    for phone in phones:
        phone.send("/", form)
    assert phones[0].table != phones[1].table

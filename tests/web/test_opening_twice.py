"""The start form sent twice opens one table, and the phone writes at it."""

from __future__ import annotations

from app.store.database import Database
from tests.web.conftest import NewPhone
from tests.web.phone import Phone

NAMES = ["Anna", "Bo", "Cilla", ""]


def filled_in(phone: Phone) -> Phone:
    """Fill in the start form."""
    phone.open("/").form("/").fill_each("player", NAMES)
    return phone


def opened(db: Database) -> int:
    """Return the number of tables."""
    return int(db.connection.execute("SELECT COUNT(*) FROM tables").fetchone()[0])


def test_a_form_sent_twice_opens_one_table(phone: Phone, db: Database) -> None:
    """A second tap before the first answer leads to the same table."""
    before = opened(db)
    button = filled_in(phone).page.button("Start the game")
    phone.submit(button)
    first = phone.table
    phone.submit(button)
    assert phone.table == first
    assert opened(db) == before + 1
    assert phone.page.button("Anna: Pair").data


def test_a_guessed_key_opens_nobody_s_table(new_phone: NewPhone) -> None:
    """A key that is too short comes from no page, and is ignored."""
    form = {"player": NAMES, "preset": "vanlig", "key": "1"}
    phones = [new_phone(), new_phone()]
    for phone in phones:
        phone.send("/", form)
    assert phones[0].table != phones[1].table

"""What was done on a phone without a network stands on the server, exactly once."""

from __future__ import annotations

import pytest

from app.services import tables
from tests.services.keeper import best_hand
from tests.sync.conftest import NewPhone
from tests.sync.phones import Phone

PLAYERS = ["Anna", "Bo", "Cilla"]


def test_a_replica_goes_on_without_the_server(phone: Phone) -> None:
    """What was opened on the server is played on here, and then handed over."""
    opened = phone.there.post("/", data={"player": PLAYERS, "stake": "1"})
    link = opened.headers["Location"].removeprefix("/t/")
    phone.refresh()
    assert phone.sheet(link) == phone.server_sheet(link)
    phone.tap(link, best_hand("Bo"))
    assert phone.hand_over() == [200]
    assert phone.server_sheet(link) == phone.sheet(link)
    phone.refresh()
    assert phone.server_sheet(link) == phone.sheet(link)


def test_a_link_that_a_deleted_table_had_opens_no_other(phone: Phone, new_phone: NewPhone) -> None:
    """Whoever read at that table would read at a stranger's."""
    link = phone.open_table(PLAYERS)
    phone.hand_over()
    other = new_phone()
    other.open_table(PLAYERS)
    (batch,) = other.outbox()
    phone.there.post(f"/t/{link}/forget", data={"what": "table", "sure": "1"})
    answer = other.deliver({**batch, "link": link})
    assert (answer.status_code, answer.mimetype) == (404, "application/json")
    with pytest.raises(tables.NotFound):
        phone.server_sheet(link)

"""A full table: reported in words on the page and by the API."""

from __future__ import annotations

import pytest

from app.services import tables
from tests.web.conftest import Seat
from tests.web.phone import Phone


def test_a_full_table_says_so(either: Phone, seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows the table as it stands, and the API returns the same message."""
    seat(either, "nobody")
    monkeypatch.setattr(tables, "MAX_ENTRIES", 1)
    either.press("Anna: Pair")
    assert either.answer.status_code == 422
    words = "This table is full: it holds 1 entries; start a new table for the next evening."
    assert either.page.announcement == words
    assert either.home().seq == "2"
    answer = either.client.post(
        f"/api{either.table.replace('/t/', '/tables/')}/events", json={"event": "no_best_hand"}
    )
    assert answer.status_code == 422
    assert answer.get_json()["error"] == {"code": "not_allowed", "message": words}

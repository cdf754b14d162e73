"""A refused form of a sheet comes back as that sheet, with the typed text and the reason."""

from __future__ import annotations

import pytest

from tests.web.conftest import PLAYERS, Seat
from tests.web.phone import Phone

MISTYPED = {"seq": "1", "event": "correction", "player": "Bo", "points": "seven"}


def test_a_refused_correction_is_its_sheet_again(either: Phone, seat: Seat) -> None:
    """The field keeps its text, is marked, and is described by the reason; it can be resent."""
    seat(either)
    page = either.send(f"{either.table}/events", MISTYPED)
    assert either.answer.status_code == 422
    assert page.whole is not either.htmx
    [field] = page.elements("input[name=points]")
    assert (field["value"], field["aria-invalid"]) == ("seven", "true")
    [reason] = page.elements(f"#{field['aria-describedby']}")
    assert reason
    assert page.seq == "1"
    assert page.elements("#ask-title")[0].get("autofocus") is None
    either.fill(points="7")
    either.press("Save")
    assert "correction Bo +7" in either.home().to("/undo").label


@pytest.mark.parametrize(
    ("filled", "at_fault"),
    [({"tied": ["Bo", "Dan"]}, "hand"), ({}, "hand"), ({"hand": "pair", "tied": "Bo"}, "tied")],
)
def test_a_refused_tie_is_its_sheet_again(
    either: Phone, seat: Seat, filled: dict[str, object], at_fault: str
) -> None:
    """The question at fault is marked and has the focus; the choices stay."""
    seat(either)
    event = {"seq": "1", "event": "no_best_hand", **filled}
    page = either.send(f"{either.table}/events", event)
    assert either.answer.status_code == 422
    chosen = {each["value"] for each in page.elements("input[checked]")}
    assert chosen == {name for name in ("pair", *PLAYERS) if name in str(filled)}
    [focus] = page.elements("[autofocus]")
    assert focus["name"] == at_fault
    assert page.elements("[aria-invalid]")


def test_a_form_that_came_too_late_keeps_what_was_typed(either: Phone, seat: Seat) -> None:
    """Status 409 with the sheet at the newest version: pressed again, it is recorded."""
    seat(either, {"event": "no_best_hand"})
    page = either.send(f"{either.table}/events", {**MISTYPED, "points": "7"})
    assert either.answer.status_code == 409
    assert "Somebody else got there first" in page.announcement
    assert page.elements("input[name=points]")[0]["value"] == "7"
    assert not page.elements("[aria-invalid]")
    either.press("Save")
    assert "correction Bo +7" in either.home().to("/undo").label


@pytest.mark.parametrize("name", ["", "Eva", "9" * 5000])
def test_a_correction_of_nobody_is_refused_at_the_table(
    either: Phone, seat: Seat, name: str
) -> None:
    """A player who is not in the game has no sheet."""
    seat(either)
    page = either.send(f"{either.table}/events", {**MISTYPED, "points": "7", "player": name})
    assert either.answer.status_code == 422
    assert "is not one of the players" in page.announcement
    assert page.elements("#table")

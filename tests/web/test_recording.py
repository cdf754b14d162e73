"""Every event is recorded by taps on the pages: stories complete the golden evenings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from app.rules.events import EVENTS
from tests.rules.table import write_facts
from tests.web.conftest import Seat, serve
from tests.web.phone import Phone
from tests.web.test_stories import STORIES

EVENINGS = Path(__file__).parents[1] / "evenings"


def tapped_in_stories() -> Iterator[tuple[str, str]]:
    """Yield every key of the last event of each story of recording."""
    stories = json.loads((STORIES / "recording.json").read_text(encoding="utf-8"))
    for story in stories.values():
        event = write_facts(story["game"]["events"][-1])[-1]
        yield from ((str(event["event"]), key) for key in event)


def pressed_on_evenings() -> Iterator[tuple[str, str]]:
    """Yield every key of every event that a golden evening records by a button."""
    for evening in EVENINGS.glob("*.json"):
        for step in json.loads(evening.read_text(encoding="utf-8"))["steps"]:
            pressed = step.get("press")
            if isinstance(pressed, dict):
                yield from ((str(pressed["event"]), key) for key in pressed)
            elif pressed in EVENTS:
                yield from ((pressed, key) for key in ("event", *step.get("fields", ())))


def test_every_key_of_every_event_can_be_tapped() -> None:
    """Apart from remarks; other rules come by the page that changes the game."""
    tapped, remarks = {*tapped_in_stories(), *pressed_on_evenings()}, {"id", "name", "at", "note"}
    for kind, cls in EVENTS.items():
        for key in {"event", *cls.__struct_fields__} - remarks if kind != "rules" else ():
            assert (kind, key) in tapped, f"Nothing taps {key} of {kind}."


def test_every_dimmed_button_says_why(seat: Seat, phone: Phone) -> None:
    """On every dialog and at every step of a deal, a dimmed button has an answer."""
    parts, count = ("", "/comings", "/rare", "/player/1", "/player/2", "/hand/2/pair"), 0
    for happened in ("", "nobody", "no hands", "Bo leaves"):
        seat(phone, happened, rules={"preset": "pagat", "illegal_exchange": "zeroed"})
        for part in parts:
            for button in [b for b in phone.open(phone.table + part).buttons if b.dimmed]:
                page = phone.send(button.action, button.data)
                assert phone.answer.status_code == 422
                assert len(page.announcement) > 10
                count += 1
    assert count > 10


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    """A restarted server knows the phone and its steps: its first request may be a tap."""
    database = tmp_path / "chicago.db"
    phone = Phone(serve(database).test_client())
    phone.send("/", {"player": ["Anna", "Bo"], "dealer": "0", "stake": "1"})
    phone.press("Anna: Pair")
    for step, seq in (("/undo", "3"), ("/redo", "4")):
        phone.client.application = serve(database)
        phone.submit(phone.page.to(step))
        assert (phone.answer.status_code, phone.page.seq) == (303, seq)

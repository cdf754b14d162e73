"""Every event is recorded by taps on the pages; the cases here complete the golden evenings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import msgspec
import pytest

from app.rules.events import EVENTS
from tests.rules.table import write_facts
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import without_times
from tests.web.phone import Phone

EVENINGS = Path(__file__).parents[1] / "evenings"
Event = dict[str, object]

RARE = "Four of a kind or better …"
BID = "Anna 15, no hands, Anna chicago"


@dataclass
class Case:
    """A case: rules, events, the tap, and the game file after it."""

    taps: list[str]
    event: str
    rules: Event = field(default_factory=lambda: {"preset": "huvudregler"})
    happened: str = ""


BREAKER: Event = {"preset": "pagat", "chicago_breaker_bonus": 8}
TWOS: Event = {"preset": "pagat", "last_trick_with_two": 10, "chicago_with_two": 30}
TRICK_AFTER: Event = {"preset": "pagat", "chicago_last_trick": "if_lost", "last_trick_with_two": 10}
ONE_VICTIM: Event = {"preset": "huvudregler", "zeroing_victims": "one"}
ALWAYS: Event = {"preset": "huvudregler", "zeroing": {"four_of_a_kind": "always"}}
ALWAYS_ONE: Event = {**ONE_VICTIM, "zeroing": {"four_of_a_kind": "always"}}
STOP_AT_ONCE: Event = {"illegal_exchange": "zeroed", "exchange_stop_when": "at_once"}

CASES = {
    "a best hand that zeroes as well": Case(
        [RARE, "Bo: Four of a kind (8 and zero)"],
        "Bo four_of_a_kind",
        ALWAYS,
    ),
    "four of a kind, zeroing one": Case(
        [RARE, "Bo: Four of a kind (zeroes)", "Zero Dan"],
        "Bo zeroes Dan",
        ONE_VICTIM,
    ),
    "four of a kind that scores and zeroes one": Case(
        [RARE, "Bo: Four of a kind (8 and zero)", "8 points, and zero Anna"],
        "Bo four_of_a_kind Anna",
        ALWAYS_ONE,
    ),
    "royal flush in hearts where it differs": Case(
        [RARE, "Anna: Royal flush in hearts (60)"],
        "Anna royal_flush_hearts",
        {"preset": "pagat", "hand_points": {"royal_flush_hearts": 60}},
    ),
    "a last trick with a two": Case(
        ["Bo: … with a two"],
        "Bo trick with_two",
        TWOS,
        "no hands",
    ),
    "a Chicago made with a two": Case(
        ["Made with a two +30 15 → 45"],
        "made with_two",
        TWOS,
        BID,
    ),
    "a Chicago broken by somebody": Case(
        ["Broken … −15 15 → 0", "Dan: Broken by (+8)"],
        "broken Dan",
        BREAKER,
        BID,
    ),
    "a last trick after a lost Chicago": Case(
        ["Bo: Last trick"],
        "Bo trick",
        TRICK_AFTER,
        f"{BID}, broken",
    ),
    "an illegal exchange": Case(
        ["Bo", "Exchanged despite the stop: zero"],
        "Bo exchanges",
        STOP_AT_ONCE,
        "Bo 47",
    ),
    "a false claim": Case(
        ["Cilla", "False claim: out"],
        "Cilla claims",
        {"preset": "pagat"},
    ),
    "somebody joins": Case(
        [
            "Menu",
            "Somebody comes, goes or stops",
            "Somebody joins…",
            "name=Eva",
            "after=Bo",
            "begins=7",
            "Sit down",
        ],
        "Eva joins Bo 7",
    ),
    "a correction down": Case(
        ["Anna", "points=\N{MINUS SIGN}5", "Save"],
        "Anna -5",
        happened="Anna 9",
    ),
}


def tap(phone: Phone, what: str) -> None:
    """Press a button, follow a link, or fill in a field (`name=value`)."""
    name, equals, value = what.partition("=")
    if equals:
        phone.fill(**{name: value})
    elif what in [button.label for button in phone.page.buttons]:
        phone.press(what)
    else:
        phone.follow(what)


def game_file(phone: Phone) -> dict[str, list[Event]]:
    """Return the data of the game in progress, from the file for download."""
    phone.open(f"{phone.table}/protocol")
    phone.open(phone.page.link("Keep the game as a file").href)
    return without_times(msgspec.json.decode(phone.answer.data))


@pytest.mark.parametrize(("name", "htmx"), [*zip(CASES, cycle((False, True)), strict=False)])
def test_it_is_recorded_by_tapping(new_phone: NewPhone, seat: Seat, name: str, htmx: bool) -> None:
    """The taps append exactly this event to the file; every second case uses scripts."""
    case, phone = CASES[name], new_phone(htmx=htmx)
    seat(phone, case.happened, rules=case.rules)
    if htmx:
        phone.page = phone.home()
    for what in case.taps:
        tap(phone, what)
    assert phone.answer.status_code == (200 if htmx else 303)
    assert phone.page.whole is not htmx
    assert game_file(phone)["events"] == write_facts(case.happened, case.event)


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
    """The cases above and the golden evenings cover all of them, apart from remarks."""
    tapped = {
        (str(event["event"]), key)
        for case in CASES.values()
        for event in write_facts(case.event)
        for key in event
    }
    tapped |= {*pressed_on_evenings()}
    remarks = {"id", "name", "at", "note"}
    # Other rules come by the page that changes the game.
    for kind, cls in (each for each in EVENTS.items() if each[0] != "rules"):
        for key in {"event", *cls.__struct_fields__} - remarks:
            assert (kind, key) in tapped, f"Nothing taps {key} of {kind}."

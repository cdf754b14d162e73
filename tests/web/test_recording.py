"""Every event of a game file is recorded by tapping what the pages offer, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import cycle

import msgspec
import pytest

from app.rules.events import EVENTS
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone
from tests.web.test_game_file import without_times

Event = dict[str, object]

NOBODY: Event = {"event": "no_best_hand"}
TO_THE_PLAY = (NOBODY, NOBODY)


def best_hand(player: str, hand: str, **more: object) -> Event:
    """Return the event that a hand is best."""
    return {"event": "best_hand", "player": player, "hand": hand, **more}


def points(player: str, number: int) -> Event:
    """Return the event that lets a player stand at so many points."""
    return {"event": "correction", "player": player, "points": number}


def last_trick(player: str, **more: object) -> Event:
    """Return the event that somebody took the last trick."""
    return {"event": "last_trick", "player": player, **more}


def chicago(player: str, **more: object) -> Event:
    """Return a bid."""
    return {"event": "chicago", "player": player, **more}


@dataclass
class Case:
    """What is played, what has happened, what is tapped, and what is then in the game file."""

    taps: list[str]
    event: Event
    rules: Event = field(default_factory=lambda: {"preset": "huvudregler"})
    happened: tuple[Event, ...] = ()


WIKIPEDIA: Event = {"preset": "wikipedia"}
BREAKER: Event = {"preset": "pagat", "chicago_breaker_bonus": 8}
TWOS: Event = {"preset": "pagat", "last_trick_with_two": 10, "chicago_with_two": 30}
TRICK_AFTER: Event = {"preset": "pagat", "chicago_last_trick": "if_lost", "last_trick_with_two": 10}
ONE_VICTIM: Event = {"preset": "huvudregler", "zeroing_victims": "one"}
ALWAYS: Event = {"preset": "huvudregler", "zeroing": {"four_of_a_kind": "always"}}
ALWAYS_ONE: Event = {**ONE_VICTIM, "zeroing": {"four_of_a_kind": "always"}}
STOP_AT_ONCE: Event = {"illegal_exchange": "zeroed", "exchange_stop_when": "at_once"}
FOUR_ENDS: Event = {"preset": "pagat", "four_of_a_kind_ends_deal": True}

CASES = {
    "a best hand": Case(["Anna: Pair"], best_hand("Anna", "pair")),
    "a best hand that wins": Case(
        ["Dan: Royal flush", "Dan wins the game with 52 points"], best_hand("Dan", "royal_flush")
    ),
    "a best hand that zeroes as well": Case(
        ["Bo: Four of a kind", "8 points, and zero all the others"],
        best_hand("Bo", "four_of_a_kind"),
        ALWAYS,
    ),
    "four of a kind, scored": Case(
        ["Bo: Four of a kind", "8 points"], best_hand("Bo", "four_of_a_kind")
    ),
    "four of a kind, zeroing": Case(
        ["Bo: Four of a kind", "Zero all the others"],
        best_hand("Bo", "four_of_a_kind", choose="zero"),
    ),
    "four of a kind, zeroing one": Case(
        ["Bo: Four of a kind", "Zero Dan"],
        best_hand("Bo", "four_of_a_kind", choose="zero", victim="Dan"),
        ONE_VICTIM,
    ),
    "four of a kind that scores and zeroes one": Case(
        ["Bo: Four of a kind", "8 points, and zero Anna"],
        best_hand("Bo", "four_of_a_kind", victim="Anna"),
        ALWAYS_ONE,
    ),
    "royal flush in hearts where it differs": Case(
        ["Anna: Royal flush in hearts"],
        best_hand("Anna", "royal_flush_hearts"),
        {"preset": "pagat", "hand_points": {"royal_flush_hearts": 60}},
    ),
    "nobody": Case(["Nobody"], NOBODY),
    "a tie": Case(
        ["Tie", "hand=flush", "tied=Anna", "tied=Cilla", "Record the tie"],
        {"event": "no_best_hand", "hand": "flush", "tied": ["Anna", "Cilla"]},
    ),
    "a last trick": Case(["Bo: Last trick"], last_trick("Bo"), happened=TO_THE_PLAY),
    "a last trick with a two": Case(
        ["Bo: … with a two"],
        {"event": "last_trick", "player": "Bo", "with_two": True},
        TWOS,
        TO_THE_PLAY,
    ),
    "a Chicago": Case(
        ["Anna: Chicago"], chicago("Anna"), happened=(points("Anna", 15), *TO_THE_PLAY)
    ),
    "a blind Chicago": Case(["Anna: Blind Chicago"], chicago("Anna", blind=True), WIKIPEDIA),
    "a Chicago made": Case(
        ["Chicago made"],
        {"event": "chicago_result", "won": True},
        happened=(points("Anna", 15), *TO_THE_PLAY, chicago("Anna")),
    ),
    "a Chicago made with a two": Case(
        ["Chicago made with a two"],
        {"event": "chicago_result", "won": True, "with_two": True},
        TWOS,
        (points("Anna", 15), *TO_THE_PLAY, chicago("Anna")),
    ),
    "a Chicago broken": Case(
        ["Chicago broken"],
        {"event": "chicago_result", "won": False},
        happened=(points("Anna", 15), *TO_THE_PLAY, chicago("Anna")),
    ),
    "a Chicago broken by somebody": Case(
        ["Dan: Broken by (+8)"],
        {"event": "chicago_result", "won": False, "broken_by": "Dan"},
        BREAKER,
        (points("Anna", 15), *TO_THE_PLAY, chicago("Anna")),
    ),
    "a last trick after a lost Chicago": Case(
        ["Bo: Last trick"],
        {"event": "last_trick", "player": "Bo"},
        TRICK_AFTER,
        (
            points("Anna", 15),
            *TO_THE_PLAY,
            chicago("Anna"),
            {"event": "chicago_result", "won": False},
        ),
    ),
    "an illegal exchange": Case(
        ["Bo", "Exchanged in spite of the stop: zero"],
        {"event": "illegal_exchange", "player": "Bo"},
        STOP_AT_ONCE,
        (points("Bo", 47),),
    ),
    "a false claim": Case(
        ["Cilla", "Claimed falsely: out"],
        {"event": "false_claim", "player": "Cilla"},
        {"preset": "pagat"},
    ),
    "somebody leaves": Case(["Dan", "Leaves the game"], {"event": "leaves", "player": "Dan"}),
    "somebody joins": Case(
        ["More", "Somebody joins…", "name=Eva", "after=Bo", "begins=7", "Sit down"],
        {"event": "joins", "player": "Eva", "after": "Bo", "points": 7},
    ),
    "a correction up": Case(["Anna", "points=12", "Correct"], points("Anna", 12)),
    "a correction down": Case(
        ["Anna", "points=\N{MINUS SIGN}5", "Correct"],
        points("Anna", -5),
        happened=(points("Anna", 9),),
    ),
    "a game broken off and settled": Case(
        ["More", "Break off the game – the standing counts"], {"event": "break_off", "settle": True}
    ),
    "a game broken off and void": Case(
        ["More", "Break off the game – nobody pays"], {"event": "break_off", "settle": False}
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
    """Return the game being played, as the file that can be kept."""
    phone.open(f"{phone.table}/protocol")
    phone.open(phone.page.link("Keep the game as a file").href)
    return without_times(msgspec.json.decode(phone.answer.data))


@pytest.mark.parametrize(("name", "htmx"), [*zip(CASES, cycle((False, True)), strict=False)])
def test_it_is_recorded_by_tapping(new_phone: NewPhone, seat: Seat, name: str, htmx: bool) -> None:
    """Each other case with scripts, the taps lead to exactly this event at the end of the file."""
    case, phone = CASES[name], new_phone(htmx=htmx)
    seat(phone, *case.happened, rules=case.rules)
    if htmx:
        phone.page = phone.home()
    for what in case.taps:
        tap(phone, what)
    assert phone.answer.status_code == (200 if htmx else 303)
    assert phone.page.whole is not htmx
    assert game_file(phone)["events"] == [*case.happened, case.event]


def test_every_kind_of_event_can_be_tapped() -> None:
    """The cases above leave no event out."""
    assert {str(case.event["event"]) for case in CASES.values()} == set(EVENTS)


def test_every_key_of_every_event_can_be_tapped() -> None:
    """The cases above leave no key of any event out, apart from remarks."""
    tapped = {(case.event["event"], key) for case in CASES.values() for key in case.event}
    remarks = {"id", "name", "at", "note"}
    for kind, cls in EVENTS.items():
        for key in set(cls.__struct_fields__) - remarks:
            assert (kind, key) in tapped, f"Nothing taps {key} of {kind}."


def test_a_tie_break_is_played_by_the_tied_alone(either: Phone, seat: Seat) -> None:
    """Who sits out is still there, dimmed, and the tied play on."""
    tied = (points("Anna", 52), points("Bo", 52), *TO_THE_PLAY)
    rules: Event = {"preset": "gamerules", "last_trick": 0}
    seat(either, *tied, rules=rules)
    either.press("Cilla: Last trick")
    either.press("Nobody")
    assert "Equal at the top: Anna and Bo play on alone" in either.page.text
    assert either.page.button("Cilla: Pair").dimmed
    assert not either.page.button("Bo: Pair").dimmed
    either.press("Bo: Pair")
    assert "Tie-break between Anna and Bo." in either.page.text
    assert game_file(either)["events"][-1] == best_hand("Bo", "pair")

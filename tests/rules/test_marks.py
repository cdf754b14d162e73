"""The marks of a score sheet: what stands in whose column, and the fact that it came from."""

from collections.abc import Mapping

import pytest

from app.rules.gamefile import read_game
from app.rules.protocol import DealSheet, Mark, assemble
from app.rules.rights import Verdict
from app.rules.state import Effect
from tests.long_games import long_game

Event = dict[str, object]
PASS: Event = {"event": "no_best_hand"}
FOUR: Event = {"event": "best_hand", "player": "Anna", "hand": "four_of_a_kind"}
LOST: Event = {"event": "chicago_result", "won": False}
WON: Event = {"event": "chicago_result", "won": True}


def points(player: str, number: int) -> Event:
    """Record a correction."""
    return {"event": "correction", "player": player, "points": number}


def bid(player: str, *, blind: bool = False) -> Event:
    """Record a Chicago."""
    return {"event": "chicago", "player": player, "blind": blind}


def trick(player: str) -> Event:
    """Record the last trick."""
    return {"event": "last_trick", "player": player}


def sheets_of(*events: Event, **rules: object) -> list[DealSheet]:
    """Lay out a game of three under `huvudregler`, or as told."""
    raw: Event = {
        "format": "chicago-game/1",
        "players": ["Anna", "Bo", "Cilla"],
        "events": list(events),
    }
    game = read_game({**raw, "rules": {"preset": "huvudregler", **rules}})
    return assemble(game.states(), game.events)


def marks_of(sheet: DealSheet) -> list[tuple[str, str, int]]:
    """Tell who has which mark, and from which event."""
    return [(mark.player, mark.code, mark.index) for mark in sheet.marks]


def test_a_stop_begins_with_the_deal_after_and_stands_until_it_no_longer_holds() -> None:
    """It comes from the points that reached it, however long ago."""
    deal = [PASS, PASS, trick("Bo"), PASS]
    begun = [PASS, points("Anna", 44), points("Anna", 2), *deal[1:]]
    one, two, three, four, five = sheets_of(*begun, *deal, *deal, points("Anna", -9), *deal)
    assert marks_of(one) == []
    assert marks_of(two) == [("Anna", "stop_begins", 2)]
    assert marks_of(three) == [("Anna", "stopped", 2)]
    assert marks_of(four) == marks_of(five) == []
    verdict = Verdict(False, "exchange_stop", {"player": "Anna", "score": 46, "limit": 45})
    assert [mark.why for mark in two.marks] == [verdict]
    assert two.inherited() == list(two.marks)


def test_a_stop_that_begins_with_a_correction_between_deals_is_of_the_deal_to_come() -> None:
    """The mark leads to the correction; the deal after is under the stop (reading 21)."""
    deal = [PASS, PASS, trick("Bo"), PASS]
    one, two, three = sheets_of(*deal, points("Anna", 46), *deal)
    assert (marks_of(one), one.stopped) == ([], ())
    assert (marks_of(two), two.stopped) == ([("Anna", "stop_begins", 4)], ("Anna",))
    assert (marks_of(three), three.stopped) == ([("Anna", "stopped", 4)], ("Anna",))


def test_a_stop_that_is_lifted_in_mid_deal_stays_marked() -> None:
    """The deal began under it; who is corrected ahead of a deal does not begin under it."""
    begun = [points("Anna", 46), PASS, PASS, trick("Bo"), PASS, PASS, points("Anna", -9)]
    *_, sheet = sheets_of(*begun)
    assert (marks_of(sheet), sheet.stopped) == ([("Anna", "stopped", 0)], ("Anna",))


def test_a_stop_that_holds_at_once_is_marked_in_its_deal() -> None:
    """With the fact that reached it; the deal after is under it."""
    deal = [PASS, trick("Bo"), PASS]
    one, two = sheets_of(
        points("Anna", 44), PASS, points("Anna", 2), *deal, exchange_stop_when="at_once"
    )
    assert marks_of(one) == [("Anna", "stop_begins", 2)]
    assert one.inherited() == []
    assert marks_of(two) == [("Anna", "stopped", 2)]


def test_a_zeroing_marks_the_hand_that_did_it_and_all_who_lost_points() -> None:
    """Whoever had none has no mark."""
    sheet, _ = sheets_of(points("Bo", 9), {**FOUR, "choose": "zero"})
    assert marks_of(sheet) == [("Anna", "zeroes", 1), ("Bo", "zeroed", 1)]
    assert [mark.why for mark in sheet.marks if isinstance(mark.why, Effect)][1].by == "Anna"


def test_a_zeroing_that_a_chicago_cancels_is_not_marked() -> None:
    """Nobody was zeroed."""
    rules = {"after_zeroing": "deal_goes_on", "zeroing_and_chicago": "chicago_voids_zeroing"}
    events = [points("Cilla", 20), PASS, PASS, {**FOUR, "choose": "zero"}, bid("Cilla")]
    (sheet,) = sheets_of(*events, **rules)
    assert marks_of(sheet) == [("Cilla", "bid", 4)]


@pytest.mark.parametrize(
    ("blind", "result", "code"),
    [
        (False, None, "bid"),
        (False, WON, "chicago_won"),
        (False, LOST, "chicago_lost"),
        (True, None, "blind_bid"),
        (True, WON, "blind_won"),
        (True, LOST, "blind_lost"),
    ],
)
def test_a_chicago_is_marked_as_it_went_and_a_blind_one_apart(
    *, blind: bool, result: Event | None, code: str
) -> None:
    """Said until it is known, then made or lost."""
    start = [] if blind else [PASS, PASS]
    more = [result] if result else []
    blind_chicago = {"points": 30, "penalty": 30, "with_two": None, "minimum": None}
    rules: Mapping[str, object] = {"blind_chicago": blind_chicago, "chicago_minimum": None}
    sheet, *_ = sheets_of(*start, bid("Bo", blind=blind), *more, **rules)
    assert marks_of(sheet) == [("Bo", code, len(start) + len(more))]


def test_who_lacks_the_chicago_is_marked_as_zeroed_for_it() -> None:
    """Both come from the fact that ended the deal."""
    sheet, *_ = sheets_of(PASS, points("Anna", 60), PASS, trick("Bo"), PASS)
    assert marks_of(sheet) == [("Anna", "zeroed", 4), ("Anna", "requirement_unmet", 4)]


def test_who_sits_down_or_goes_is_marked() -> None:
    """Whoever claims falsely goes too."""
    joins: Event = {"event": "joins", "player": "Dan", "after": "Anna", "points": 0}
    events: list[Event] = [
        joins,
        {"event": "leaves", "player": "Bo"},
        {"event": "false_claim", "player": "Dan"},
    ]
    (sheet,) = sheets_of(*events, false_claim_loses=True)
    assert marks_of(sheet) == [("Dan", "joins", 0), ("Bo", "out", 1), ("Dan", "out", 2)]


def test_a_deal_is_of_whom_it_was_handed_on_to() -> None:
    """Who went ahead of it neither deals nor plays it."""
    (sheet,) = sheets_of({"event": "leaves", "player": "Cilla"}, PASS)
    assert (sheet.dealer, sheet.playing) == ("Anna", ("Anna", "Bo"))
    (sheet,) = sheets_of(PASS, {"event": "leaves", "player": "Cilla"})
    assert (sheet.dealer, sheet.playing) == ("Cilla", ("Anna", "Bo", "Cilla"))


def test_a_tie_break_marks_those_who_play_it() -> None:
    """In each of its deals, as told by the deal that tied them."""
    chicago: Event = {"win_needs_chicago": "no", "tied_winners": "tie_break"}
    deal = [PASS, PASS, trick("Cilla"), PASS]
    tied = [points("Anna", 60), points("Bo", 60), *deal]
    *_, sheet = sheets_of(*tied, **chicago)
    assert marks_of(sheet)[-2:] == [("Anna", "tie_break", 5), ("Bo", "tie_break", 5)]
    (why,) = [mark.why for mark in sheet.inherited() if mark.code == "tie_break"]
    assert why == Effect("tie_break_begins", players=("Anna", "Bo"))


def test_some_deals_are_laid_out_as_in_the_whole() -> None:
    """Whichever they are, marks from deals before included."""
    game = read_game(long_game(["Anna", "Bo", "Cilla", "Dan"], 40))
    states, whole = game.states(), assemble(game.states(), game.events)
    assert {mark.code for sheet in whole for mark in sheet.marks} >= {"stopped", "zeroed"}
    for first in range(1, 42):
        for last in (first, first + 9, None):
            expected = whole[first - 1 : last]
            assert assemble(states, game.events, first, last) == expected


def test_every_mark_is_of_its_deal_and_leads_to_an_event() -> None:
    """Of a player who is there, from a fact that was recorded by then."""
    game = read_game(long_game(["Anna", "Bo", "Cilla", "Dan"], 40))
    for sheet in assemble(game.states(), game.events):
        last = sheet.rows[-1].index if sheet.rows else len(game.events) - 1
        assert all(_stands(mark, sheet, last) for mark in sheet.marks)


def _stands(mark: Mark, sheet: DealSheet, last: int) -> bool:
    return mark.player in sheet.scores and 0 <= mark.index <= last

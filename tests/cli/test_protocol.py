"""The protocol as data: the rows of a game, and their cells for each player."""

from app.rules.gamefile import read_game
from app.rules.protocol import Cell, DealSheet, Row, assemble
from tests.cli.games import (
    Event,
    best,
    bid,
    break_off,
    chicago_result,
    correct,
    game_of,
    nobody,
    trick,
)

GOES_ON = {"preset": "huvudregler", "after_zeroing": "deal_goes_on"}


def sheets_of(*events: Event, **setup: object) -> list[DealSheet]:
    """Lay out a game."""
    game = read_game(game_of(*events, **setup))
    return assemble(game.states(), game.events)


def only_row(*events: Event, **setup: object) -> Row:
    """Return the last row of a game, which is the only one of its event."""
    *_, view = [view for view in sheets_of(*events, **setup) if view.rows]
    (row,) = [row for row in view.rows if row.index == len(events) - 1]
    return row


def codes(view: DealSheet) -> list[str]:
    """Return the codes of the rows of a deal."""
    return [row.code for row in view.rows]


def test_a_game_without_events_is_one_empty_deal() -> None:
    """The current deal is there, with its dealer and nobody stopped."""
    (view,) = sheets_of(dealer="Bo")
    assert (view.number, view.dealer, view.rows) == (1, "Bo", ())
    assert (view.playing, view.stopped) == (("Anna", "Bo", "Cilla"), ())
    assert view.scores == {"Anna": 0, "Bo": 0, "Cilla": 0}


def test_a_correction_shows_what_it_really_changed() -> None:
    """A score stops at 0, and so does the change."""
    row = only_row(correct("Bo", 2), correct("Bo", -5))
    assert row.cells == (Cell("Bo", "correction", -2, 0),)


def test_a_zeroing_that_waits_strikes_in_a_row_of_its_own() -> None:
    """The row stands at the moment of the zeroing, with its player; the trick comes after it."""
    events = [correct("Bo", 9), nobody(), nobody()]
    events += [best("Anna", "four_of_a_kind", choose="zero"), trick("Bo")]
    first, _ = sheets_of(*events, rules={**GOES_ON, "zeroing_and_chicago": "zeroing_last"})
    assert codes(first)[-3:] == ["zeroes", "zeroed", "last_trick"]
    assert [first.rows[-2].by, first.rows[-2].cell("Bo")] == ["Anna", Cell("Bo", "zeroed", -9, 0)]
    assert first.rows[-1].cells == (Cell("Bo", "last_trick", 5, 5),)


def test_all_whose_chicagos_are_taken_away_share_a_row() -> None:
    """The row follows the zeroing, with a cell for each victim who lost a Chicago."""
    rules = {**GOES_ON, "zeroing_takes_chicagos": True, "chicago_minimum": None}
    deals: list[Event] = []
    for name in ("Anna", "Bo"):
        deals += [nobody(), nobody(), bid(name), chicago_result(won=False)]
    *_, view = sheets_of(*deals, best("Cilla", "four_of_a_kind", choose="zero"), rules=rules)
    assert codes(view) == ["zeroes", "chicagos_taken"]
    assert [cell.player for cell in view.rows[1].cells] == ["Anna", "Bo"]


def test_a_hand_that_always_zeroes_scores_in_the_row_before() -> None:
    """Scoring and zeroing are two rows of one event."""
    rules = {"preset": "pagat", "zeroing": {"flush": "always"}}
    first, _ = sheets_of(correct("Bo", 9), best("Anna", "flush"), rules=rules)
    assert codes(first) == ["correction", "hand", "zeroed"]
    assert {row.index for row in first.rows[1:]} == {1}


def test_all_who_lack_the_chicago_share_a_row() -> None:
    """The end of the deal has its row after that of the last fact, and continues its scores."""
    events = [correct("Anna", 50), correct("Bo", 53), nobody(), nobody(), trick("Anna"), nobody()]
    first, _ = sheets_of(*events, rules={"preset": "huvudregler"})
    assert codes(first)[-2:] == ["nobody", "requirement_unmet"]
    assert first.rows[-1].cells == (
        Cell("Anna", "requirement_unmet", -55, 0),
        Cell("Bo", "requirement_unmet", -53, 0),
    )


def test_a_game_that_is_over_has_no_deal_to_come() -> None:
    """The last row has the end of the game."""
    (view,) = sheets_of(correct("Bo", 3), break_off())
    assert (view.rows[-1].code, view.rows[-1].players) == ("broken_off_settled", ("Bo",))

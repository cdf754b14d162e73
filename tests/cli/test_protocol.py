"""The protocol as data: which rows a game gives, and what they say of whom."""

from app.rules.gamefile import read_game
from app.rules.protocol import Cell, DealSheet, Row, assemble
from app.rules.state import Step
from tests.cli.games import (
    Event,
    best,
    bid,
    broken_off,
    correct,
    game_of,
    leaves,
    nobody,
    played,
    trick,
)

GOES_ON = {"preset": "huvudregler", "after_zeroing": "deal_goes_on"}


def sheets_of(*events: Event, **setup: object) -> list[DealSheet]:
    """Lay out a game."""
    game = read_game(game_of(*events, **setup))
    return assemble(game.states(), game.events)


def only_row(*events: Event, **setup: object) -> Row:
    """Return the last row of a game, which is the only one of its event."""
    *_, sheet = [sheet for sheet in sheets_of(*events, **setup) if sheet.rows]
    (row,) = [row for row in sheet.rows if row.index == len(events) - 1]
    return row


def codes(sheet: DealSheet) -> list[str]:
    """Tell what the rows of a deal are about."""
    return [row.code for row in sheet.rows]


def test_a_game_without_events_is_one_empty_deal() -> None:
    """The deal now being played is there, with its dealer and nobody stopped."""
    (sheet,) = sheets_of(dealer="Bo")
    assert (sheet.number, sheet.dealer, sheet.rows) == (1, "Bo", ())
    assert (sheet.playing, sheet.stopped, sheet.scores) == (("Anna", "Bo", "Cilla"), (), (0, 0, 0))


def test_a_deal_ends_with_its_last_fact() -> None:
    """The final hand belongs to its deal; what follows to the next."""
    deal = [best("Anna", "pair"), nobody(), trick("Bo"), best("Cilla", "flush")]
    first, second = sheets_of(*deal, best("Bo", "pair"))
    assert codes(first) == ["hand", "nobody", "last_trick", "hand"]
    assert codes(second) == ["hand"]
    assert (first.scores, second.scores) == ((1, 5, 5), (1, 6, 5))
    assert [row.step for row in first.rows] == [
        Step.HAND_1,
        Step.HAND_2,
        Step.PLAY,
        Step.FINAL_HAND,
    ]


def test_a_scored_hand_is_a_cell_with_change_and_score() -> None:
    """The row knows the hand, its cell the points and the running score."""
    row = only_row(correct("Anna", 12), best("Anna", "pair"))
    assert row.cells == (Cell("Anna", "hand", 1, 13),)
    assert row.cell("Bo") is None
    assert (row.hand, row.index) == ("pair", 1)


def test_a_tie_marks_those_who_tied() -> None:
    """Nobody scores, and the cells say who shared the best hand."""
    row = only_row({"event": "no_best_hand", "hand": "pair", "tied": ["Cilla", "Anna"]})
    assert row.code == "tied"
    assert row.cells == (Cell("Cilla", "tied", 0, 0), Cell("Anna", "tied", 0, 0))


def test_a_correction_shows_what_it_really_changed() -> None:
    """Where scores stop at 0, so does the change."""
    row = only_row(correct("Bo", 2), correct("Bo", -5))
    assert row.cells == (Cell("Bo", "correction", -2, 0),)


def test_a_zeroing_and_its_victims_are_one_row() -> None:
    """The holder's cell and those of the zeroed stand side by side."""
    events = [correct("Bo", 9), best("Anna", "four_of_a_kind", choose="zero")]
    row = only_row(*events, rules={"preset": "huvudregler"})
    assert (row.code, row.hand) == ("zeroes", "four_of_a_kind")
    assert row.cells == (
        Cell("Anna", "zeroes", 0, 0),
        Cell("Bo", "zeroed", -9, 0),
        Cell("Cilla", "zeroed", 0, 0),
    )


def test_a_zeroing_that_waits_strikes_in_a_row_of_its_own() -> None:
    """What it strikes is told where it strikes, with who zeroes; the trick comes after."""
    events = [correct("Bo", 9), nobody(), nobody()]
    events += [best("Anna", "four_of_a_kind", choose="zero"), trick("Bo")]
    first, _ = sheets_of(*events, rules={**GOES_ON, "zeroing_and_chicago": "zeroing_last"})
    assert codes(first)[-3:] == ["zeroes", "zeroed", "last_trick"]
    assert [first.rows[-2].by, first.rows[-2].cell("Bo")] == ["Anna", Cell("Bo", "zeroed", -9, 0)]
    assert first.rows[-1].cells == (Cell("Bo", "last_trick", 5, 5),)


def test_a_hand_that_always_zeroes_scores_in_the_row_before() -> None:
    """Scoring and zeroing are two facts of one event."""
    rules = {"preset": "pagat", "zeroing": {"flush": "always"}}
    first, _ = sheets_of(correct("Bo", 9), best("Anna", "flush"), rules=rules)
    assert codes(first) == ["correction", "hand", "zeroed"]
    assert {row.index for row in first.rows[1:]} == {1}


def test_all_who_lack_the_chicago_share_a_row() -> None:
    """The end of the deal comes after the fact that ended it, with the score running on."""
    events = [correct("Anna", 50), correct("Bo", 53), nobody(), nobody(), trick("Anna"), nobody()]
    first, _ = sheets_of(*events, rules={"preset": "huvudregler"})
    assert codes(first)[-2:] == ["nobody", "requirement_unmet"]
    assert first.rows[-1].cells == (
        Cell("Anna", "requirement_unmet", -55, 0),
        Cell("Bo", "requirement_unmet", -53, 0),
    )


def test_a_lost_chicago_and_its_breaker_are_two_rows() -> None:
    """Declarer and breaker have a row each; the breaker's names the declarer."""
    rules = {"preset": "pagat", "chicago_breaker_bonus": 8}
    events = [correct("Anna", 15), nobody(), nobody(), bid("Anna")]
    first, _ = sheets_of(*events, played(won=False, broken_by="Bo"), rules=rules)
    *_, lost, broken = first.rows
    assert lost.cells == (Cell("Anna", "chicago_lost", -15, 0),)
    assert (broken.by, broken.cells) == ("Anna", (Cell("Bo", "breaker", 8, 8),))


def test_the_stopped_are_those_of_the_whole_deal() -> None:
    """Whoever reached the limit is stopped from the next deal (reading 5)."""
    events = [correct("Bo", 46), nobody(), nobody(), trick("Anna"), nobody()]
    first, second = sheets_of(*events)
    assert (first.stopped, second.stopped) == ((), ("Bo",))


def test_a_tie_break_is_played_by_the_tied() -> None:
    """The row that begins it speaks of players together; its deals know who plays."""
    events = [correct("Anna", 47), correct("Cilla", 52), nobody(), nobody(), trick("Anna")]
    first, second = sheets_of(*events, nobody(), rules={"preset": "gamerules"})
    assert first.rows[-1].code == "tie_break_begins"
    assert (first.rows[-1].players, first.rows[-1].cells) == (("Anna", "Cilla"), ())
    assert (first.tie_break, second.tie_break) == (False, True)
    assert second.playing == ("Anna", "Cilla")


def test_who_left_plays_no_more() -> None:
    """The deal in which a player leaves had begun with everybody."""
    first, second = sheets_of(leaves("Anna"), nobody(), nobody(), trick("Bo"), nobody())
    assert first.rows[0].cells == (Cell("Anna", "leaves", 0, 0),)
    assert (first.playing, second.playing) == (("Anna", "Bo", "Cilla"), ("Bo", "Cilla"))


def test_a_game_that_is_over_has_no_deal_to_come() -> None:
    """The last row says how it ended."""
    (sheet,) = sheets_of(correct("Bo", 3), broken_off())
    assert (sheet.rows[-1].code, sheet.rows[-1].players) == ("broken_off_settled", ("Bo",))

"""Everybody's own hand, equal best hands, and the hand as dealt: what the keeper taps for them."""

from __future__ import annotations

import json

from tests.rules.table import Rules, cases
from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone

EVERYBODYS: Rules = {"preset": "pagat", "scored_hands": {"1": "everyone", "play": "everyone"}}
EQUAL: Rules = {"preset": "pagat", "scored_hands": {"1": "equal", "2": "best", "play": "best"}}


def question(phone: Phone) -> str:
    """Return the question of the step."""
    (heading,) = phone.page.soup.select(".asks h1")
    return words(heading)


def wide(phone: Phone) -> list[str]:
    """Return what the cells across all columns say."""
    return [words(cell) for cell in phone.page.soup.select(".row.wide .cell")]


def closed(phone: Phone, player: str) -> list[str]:
    """Return the cells of a player that may not be tapped, by their names."""
    names = [str(cell["aria-label"]) for cell in phone.page.soup.select(".cell[aria-disabled]")]
    return [name for name in names if name.startswith(f"{player}:")]


def test_everybodys_own_hand_takes_a_tap_each(either: Phone, seat: Seat) -> None:
    """The grid stays until the rest have nothing; whose hand is told has a quiet column."""
    seat(either, rules=EVERYBODYS)
    assert question(either) == "What does each player have?"
    assert wide(either) == ["Four of a kind or better …", "Nobody has anything"]
    either.press("Anna: Pair")
    either.press("Bo: Flush")
    assert question(either) == "What does each player have?"
    assert closed(either, "Anna")[:2] == ["Anna: Pair (✓)", "Anna: Two pairs"]
    assert "Bo: Flush (✓)" in closed(either, "Bo")
    assert closed(either, "Cilla") == []
    either.press("Done")
    assert question(either) == "Exchange 3, then play"


def test_who_has_told_a_hand_is_marked_where_the_hand_is_chosen_first(
    phone: Phone, seat: Seat
) -> None:
    """Seven and more have no columns to go quiet."""
    seven = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fred", "Gun"]
    seat(phone, "Bo flush", rules=EVERYBODYS, players=seven)
    assert [words(name) for name in phone.page.soup.select(".whom .heard")] == ["Bo"]


def test_undo_takes_the_last_hand_back(either: Phone, seat: Seat) -> None:
    """It is open again, and the others stay."""
    seat(either, "Anna pair, Bo flush", rules=EVERYBODYS)
    either.press("Undo Bo flush")
    assert closed(either, "Bo") == []
    assert len(closed(either, "Anna")) == 6


def test_the_last_of_them_goes_on_by_itself(either: Phone, seat: Seat) -> None:
    """Where all have told a hand nothing is left to say."""
    seat(either, "Anna pair, Bo flush, Cilla pair", rules=EVERYBODYS)
    either.press("Dan: Straight")
    assert question(either) == "Exchange 3, then play"


def test_who_has_nothing_more_to_say_is_told_apart(either: Phone, seat: Seat) -> None:
    """Nobody else is not nobody."""
    seat(either, "Anna pair, nobody", rules=EVERYBODYS)
    either.page.button("Undo nobody else has a hand")
    either.open(f"{either.table}/protocol")
    assert "nobody else has a hand" in either.page.text
    either.open(f"{either.table}/games/1/entries/1")
    assert "Nobody else has a hand" in either.page.title
    seat(either, "nobody", rules=EVERYBODYS)
    either.page.button("Undo nobody has anything")


def test_the_sheet_of_a_tie_says_that_each_scores(either: Phone, seat: Seat) -> None:
    """What each of them gets stands beside the hand, where equal ones score and only there."""
    seat(either, rules=EQUAL)
    either.open(f"{either.table}/tie")
    assert "Tie: each of them scores" in either.page.text
    assert "Two pairs 2" in either.page.text
    seat(either, "nobody", rules=EQUAL)
    either.open(f"{either.table}/tie")
    assert "Tie: nobody scores" in either.page.text
    assert "Two pairs 2" not in either.page.text


def test_equal_hands_stand_in_the_strip_and_on_the_score_sheet(either: Phone, seat: Seat) -> None:
    """With whose they were, and what each got."""
    seat(either, "tie pair Bo Dan", rules=EQUAL)
    (first, *_) = either.page.soup.select(".strip em")
    assert words(first) == "B=D 1"
    either.open(f"{either.table}/protocol")
    assert "Bo scores pair: +1" in either.page.text
    assert "Dan scores pair: +1" in either.page.text


def test_the_declarer_is_not_asked_about_where_the_others_hands_score(
    either: Phone, seat: Seat
) -> None:
    """Not by a cell, and not as one of the tied."""
    rules: Rules = {"preset": "pagat", "chicago_hand": "others", "chicago_minimum": None}
    seat(either, "no hands, Bo chicago, made", rules=rules)
    assert len(closed(either, "Bo")) == 6
    either.open(f"{either.table}/tie")
    tied = [str(box["value"]) for box in either.page.soup.select("input[name=tied]")]
    assert tied == ["Anna", "Cilla", "Dan"]


@cases(
    ("rules", "happened", "first", "asked"),
    [
        ({"scored_hands": {"dealt": "best"}}, "", "dealt", "Best hand as dealt?"),
        ({"scored_hands": {"dealt": "everyone"}}, "", "dealt", "What does each player have?"),
        ({"scored_hands": {}}, "", "Exch. 1", "Exchange 3, then play"),
        ({"exchanges": "by_players"}, "nobody", "Exch. 1", "Exchange 2, then play"),
    ],
)
def test_a_deal_begins_with_its_first_step(
    either: Phone, seat: Seat, rules: Rules, happened: str, first: str, asked: str
) -> None:
    """The strip has as many steps as the rules, and the question is that of the step."""
    seat(either, happened, rules={"preset": "pagat", **rules})
    assert words(either.page.soup.select(".strip li")[0]).split(" ·")[0] == first
    assert question(either) == asked


@cases(
    ("rules", "happened", "says"),
    [
        # The trick ends the game, or a hand is still to come.
        ({"win_when": "every_booking"}, "Anna 48, no hands", "Anna: Last trick (53 wins)"),
        ({}, "Anna 48, no hands", "Anna: Last trick (53)"),
        ({}, "Anna 48, no hands, Bo trick", "Anna: Full house (54 wins)"),
    ],
)
def test_a_cell_says_wins_where_the_tap_ends_the_game(
    either: Phone, seat: Seat, rules: Rules, happened: str, says: str
) -> None:
    """The score alone where more is to come."""
    seat(either, happened, rules={"preset": "pagat", **rules})
    either.page.button(says)


def test_a_chicago_that_wins_says_so(either: Phone, seat: Seat) -> None:
    """Beside the row where it does for all who may bid, else in the cell; and on the button."""
    seat(either, "Bo 40, no hands", rules={"preset": "pagat", "chicago_minimum": None})
    assert words(either.page.soup.select("#row-chicago .fact")[0]) == "Chicago +15"
    either.page.button("Bo: Chicago (bid 2nd)")
    seat(
        either,
        "Bo 40, no hands",
        rules={"preset": "pagat", "chicago_minimum": None, "chicago_hand": "never"},
    )
    either.page.button("Bo: Chicago (bid 2nd wins)")
    rules: Rules = {"preset": "pagat", "chicago_wins": "made", "chicago_minimum": None}
    seat(either, "no hands", rules=rules)
    assert words(either.page.soup.select("#row-chicago .fact")[0]) == "Chicago wins"
    either.press("Anna: Chicago (bid 1st)")
    either.page.button("Made wins 0 → 15")


def test_a_bid_that_strikes_says_what_the_chicago_gives(either: Phone, seat: Seat) -> None:
    """What the bid strikes is gone by then, as on the button for a Chicago made."""
    rules: Rules = {"preset": "pagat", "chicago_hand": "struck", "chicago_minimum": None}
    seat(either, "Anna flush, nobody", rules=rules)
    either.press("Anna: Chicago (bid 1st)")
    either.page.button("Made +15 0 → 15")


def test_a_row_says_its_points_where_all_who_may_would_win(either: Phone, seat: Seat) -> None:
    """What it gives stands beside the row, and what each wins with in the cell."""
    rules: Rules = {"preset": "pagat", "win_when": "every_booking"}
    seat(either, "Anna 48, Bo 49, no hands", rules=rules, players=["Anna", "Bo"])
    assert words(either.page.soup.select("#row-trick .fact")[0]) == "Last trick 5"
    either.page.button("Bo: Last trick (54 wins)")


def test_an_entry_of_everybodys_own_hands_is_none_that_ends_the_step(
    either: Phone, seat: Seat
) -> None:
    """For a hand that was none it did not happen; where the rest have nothing, that is offered."""
    seat(either, "Anna pair, Bo flush, nobody", rules=EVERYBODYS)
    for entry, closes in enumerate([[], [], ["Done"]]):
        either.open(f"{either.table}/games/1/entries/{entry}")
        assert wide(either) == ["Four of a kind or better …", *closes]


def test_the_preview_of_an_edit_tells_that_the_rest_have_nothing(phone: Phone, seat: Seat) -> None:
    """Nobody has the best hand only where one hand scores."""
    seat(phone, "Anna pair, Bo flush, nobody", rules=EVERYBODYS)
    flush = {"event": "best_hand", "player": "Cilla", "hand": "flush"}
    form = {"seq": phone.home().seq, "operations": json.dumps([["change", 2, flush]]), "do": "look"}
    page = phone.send(f"{phone.table}/games/1/edit", form)
    assert words(page.soup.select(".edits li div")[0]).endswith(
        "nobody else has a hand → Cilla flush"
    )
    seat(phone, "nobody, Anna pair")
    form["operations"] = json.dumps([["change", 0, flush]])
    page = phone.send(f"{phone.table}/games/1/edit", {**form, "seq": phone.home().seq})
    assert words(page.soup.select(".edits li div")[0]).endswith(
        "nobody has the best hand → Cilla flush"
    )


def test_a_tie_of_two_needs_no_names(either: Phone, seat: Seat) -> None:
    """Where only two may have one, both are ticked."""
    seat(either, players=["Anna", "Bo"], rules={"preset": "pagat"})
    either.open(f"{either.table}/tie")
    assert len(either.page.soup.select("input[name=tied][checked]")) == 2
    rules: Rules = {"preset": "pagat", "chicago_hand": "others", "chicago_minimum": None}
    seat(either, "no hands, Bo chicago, made", rules=rules, players=["Anna", "Bo", "Cilla"])
    either.open(f"{either.table}/tie")
    assert len(either.page.soup.select("input[name=tied][checked]")) == 2
    seat(either, rules={"preset": "pagat"})
    either.open(f"{either.table}/tie")
    assert not either.page.soup.select("input[name=tied][checked]")

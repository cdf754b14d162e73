"""House rules that are shown to the players and change no score."""

import pytest

from app.rules.gamefile import write_result
from app.rules.rights import may_exchange
from tests.rules.table import (
    Happening,
    bid,
    broken,
    deal_with_trick_to,
    gets,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
    trick,
)

A_GAME: tuple[Happening, ...] = (
    gets(Anna=46, Bo=30),
    *deal_with_trick_to("Cilla"),
    *(pair("Anna"), tie("flush", "Bo", "Cilla"), bid("Bo"), broken("Cilla")),
    *(*to_the_play(), trick("Anna"), nobody()),
)


def changes_nothing(**rules: object) -> bool:
    """Tell whether a whole game has the same result with and without these house rules."""
    with_them, without = play(*A_GAME, **rules), play(*A_GAME)
    assert without.winners == ("Anna",)
    return write_result(with_them.states) == write_result(without.states)


@pytest.mark.rule("exchange_stop_style", "no_exchange", "six_cards")
@pytest.mark.parametrize("style", ["no_exchange", "six_cards"])
def test_the_way_a_player_is_stopped_changes_no_score(style: str) -> None:
    """`exchange_stop_style` says what who is stopped does instead of exchanging."""
    assert changes_nothing(exchange_stop_style=style)


@pytest.mark.rule("max_exchange")
@pytest.mark.parametrize("cards", [1, 2, 3, 4, 5])
def test_the_number_of_cards_is_part_of_the_answer(cards: int) -> None:
    """`max_exchange` is told to who may exchange, and changes no score."""
    assert changes_nothing(max_exchange=cards)
    assert may_exchange(play(max_exchange=cards).state, "Anna").values["cards"] == cards


@pytest.mark.rule("chicago_lead", "declarer", "eldest")
@pytest.mark.parametrize("who", ["declarer", "eldest"])
def test_who_leads_in_a_chicago_changes_no_score(who: str) -> None:
    """`chicago_lead` says who plays the first card."""
    assert changes_nothing(chicago_lead=who)


@pytest.mark.rule("chicago_priority", "eldest_first", "overbid")
@pytest.mark.parametrize("how", ["eldest_first", "overbid"])
def test_who_gets_the_bid_changes_no_score(how: str) -> None:
    """`chicago_priority` says whose bid stands when several want it."""
    assert changes_nothing(chicago_priority=how)


@pytest.mark.rule("chicago_breaker", "taker", "first_over")
@pytest.mark.parametrize("who", ["taker", "first_over"])
def test_who_is_named_as_breaker_changes_no_score(who: str) -> None:
    """`chicago_breaker` says whom the keeper names."""
    assert changes_nothing(chicago_breaker=who)


@pytest.mark.rule("open_card", True, False)
@pytest.mark.parametrize("offered", [True, False])
def test_an_open_card_changes_no_score(*, offered: bool) -> None:
    """`open_card` says whether a card may be taken face up."""
    assert changes_nothing(open_card=offered)


@pytest.mark.rule("redeal_low_hand", None, "below_ten", "ten_or_below")
@pytest.mark.parametrize("what", [None, "below_ten", "ten_or_below"])
def test_a_redeal_of_low_hands_changes_no_score(what: str | None) -> None:
    """`redeal_low_hand` says which hand may be thrown in for a new one."""
    assert changes_nothing(redeal_low_hand=what)


@pytest.mark.rule("lay_aside", True, False)
@pytest.mark.parametrize("aside", [True, False])
def test_laying_aside_changes_no_score(*, aside: bool) -> None:
    """`lay_aside` says whether broken combinations are laid aside face down."""
    assert changes_nothing(lay_aside=aside)


@pytest.mark.rule("first_dealer_by", "random", "lowest_card")
@pytest.mark.parametrize("how", ["random", "lowest_card"])
def test_the_choice_of_the_first_dealer_changes_no_score(how: str) -> None:
    """`first_dealer_by` says how it is found out who deals first."""
    assert changes_nothing(first_dealer_by=how)

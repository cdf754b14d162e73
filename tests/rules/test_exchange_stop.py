"""The exchange stop: its players, an illegal exchange, and the hands to show."""

from app.rules.facts import EXCHANGE, exchange_ahead, facts, may_exchange_now
from app.rules.gamefile import GameResult, write_result
from app.rules.rights import is_stopped, may_exchange, must_show
from app.rules.state import BEFORE_PLAY, GameState, Step
from tests.rules.table import Rules, cases, golden_games, play, reading, rule

AT_ONCE: Rules = {"exchange_stop_when": "at_once", "illegal_exchange": "zeroed"}
ANY_TIME: Rules = {"chicago_when": "any_time", "chicago_minimum": None}


@rule("exchange_stop", None)
@rule("exchange_stop_when", "deal_end", "at_once")
@reading(5, 21)
@cases(
    ("text", "rules", "may"),
    [
        ("Anna 46, deal Bo", {}, False),
        ("Anna 45, deal Bo", {}, True),
        ("Anna 46, deal Bo", {"exchange_stop": None}, True),
        ("nobody, Anna 46", {"exchange_stop_when": "deal_end"}, True),
        ("nobody, Anna 46", AT_ONCE, False),
        # A player who reaches the limit with the last trick is stopped from the next deal on.
        ("Anna 41, no hands, Anna trick", {}, True),
        ("Anna 41, no hands, Anna trick, nobody", {}, False),
        # Reading 21: a correction between deals counts for the end of the last deal, up or down.
        ("deal Bo, Anna 46", {}, False),
        ("deal Bo, Anna 46, Anna -1", {}, True),
        ("deal Bo, Anna 46, Anna -1, nobody, Anna 1", {}, True),
        ("Bo pair, Anna 46", {}, True),
        ("Bo chicago, Anna 46", ANY_TIME, True),
    ],
)
def test_who_is_stopped(text: str, rules: Rules, *, may: bool) -> None:
    """A player at the limit at the start of a deal is stopped, or at once where so agreed."""
    assert may_exchange(play(text, **rules).state, "Anna").ok == may


@rule("illegal_exchange", "refused", "zeroed")
@rule("exchange_stop_when", "at_once")
@cases(
    ("text", "rules", "refusal"),
    [
        ("Anna 46, deal Bo", {"illegal_exchange": "refused"}, "illegal_exchange_refused"),
        ("Anna 46, deal Bo", {"illegal_exchange": "zeroed"}, None),
        ("nobody, Anna 46", {"illegal_exchange": "zeroed"}, "not_stopped"),
        ("nobody, Anna 46", AT_ONCE, None),
    ],
)
def test_an_illegal_exchange(text: str, rules: Rules, refusal: str | None) -> None:
    """Only a stopped player can exchange illegally, at the cost of all points."""
    table = play(text, **rules)
    assert table.refusal("Anna exchanges") == refusal
    if refusal is None:
        after = table.then("Anna exchanges")
        assert (after["Anna"], after.state.deal) == (0, table.state.deal)


@reading(16)
@cases(
    ("text", "rules", "shown"),
    [
        (
            "Anna full_house, Anna pair, tie pair Anna Bo",
            {"scored_exchanges": [1, 2, 3]},
            {"Anna": ("full_house", "pair"), "Bo": ("pair",)},
        ),
        ("Anna pair, tie flush Anna Bo, Anna leaves", {}, {"Bo": ("flush",)}),
        ("Anna 46, deal Bo, Anna pair, tie flush Anna Bo", {}, {"Bo": ("flush",)}),
        # After the stop is lifted the hand must still be shown.
        ("Anna 46, deal Bo, Anna pair, Anna -2", {}, {"Anna": ("pair",)}),
    ],
)
def test_what_must_be_shown(text: str, rules: Rules, shown: dict[str, tuple[str, ...]]) -> None:
    """A player who may exchange shows each hand once, in the order booked."""
    state = play(text, **rules).state
    hands = {name: must_show(state, name) for name in state.players}
    assert {name: each for name, each in hands.items() if each} == shown


def test_all_answers_about_the_exchange_agree() -> None:
    """The facts on the head and on the reader's card, the rights and the result agree."""
    seen = set[tuple[str, Step]]()
    golden = [states[: end + 1] for _, states in golden_games() for end in range(len(states))]
    for states in golden:
        state, answers = states[-1], write_result(states)
        for name in state.players:
            seen |= {(code, state.deal.step) for code in agreed(state, name, answers)}
    assert {step for _, step in seen} == {*BEFORE_PLAY, Step.PLAY, Step.CHICAGO_PLAY}
    assert {code for code, _ in seen} == set(EXCHANGE)


def agreed(state: GameState, name: str, result: GameResult) -> list[str]:
    """Compare all answers about one player's exchange; its code is returned, if it is told."""
    codes = {fact.code for fact in facts(state, name)}
    told = [code for code in EXCHANGE if code in codes]
    may, ahead = may_exchange(state, name).ok, exchange_ahead(state)
    assert result["may_exchange"][name] == may
    assert may_exchange_now(state, name).ok == (may and ahead)
    assert len(told) == (ahead and name in state.playing)
    assert not told or told[0].startswith("exchanges") == may
    assert not told or (told[0] == "exchanges_last") == ("stopped_next_deal" in codes)
    if is_stopped(state, name):
        assert not codes & {"must_show", "stopped_next_deal"}
    return list(told)

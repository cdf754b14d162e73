"""Best hands and the last trick: their points, and the steps at which they are due."""

from app.rules.game import begin
from app.rules.gamefile import read_setup
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.outcome import announcements
from app.rules.presets import SCALES, read_rules, write_value
from tests.rules.table import Rules, cases, play, reading, rule

ROYAL_WINS: Rules = {"winning_hands": ["royal_flush"]}
ROYAL_RAISES: Rules = {"raising_hands": ["royal_flush"]}


@rule("hand_points")
@rule("winning_hands")
@rule("raising_hands")
@reading(3, 8)
@cases(
    ("text", "rules", "stands"),
    [
        *[
            (f"Bo {hand}", {}, f"1 hand_2: 0 {points} 0")
            for hand, points in zip(Hand, (1, 2, 3, 4, 5, 6, 7, 8, 52, 52), strict=True)
        ],
        ("Bo royal_flush_hearts", {"hand_points": {"royal_flush": 9}}, "1 hand_2: 0 9 0"),
        ("Bo royal_flush", {"hand_points": {"royal_flush_hearts": 30}}, "1 hand_2: 0 52 0"),
        ("Bo royal_flush_hearts", {"hand_points": {"royal_flush_hearts": 0}}, "1 hand_2: 0 0 0"),
        ("Anna 1, Anna royal_flush_hearts", ROYAL_RAISES, "1 hand_2: 52 0 0"),
        ("Anna 60, Anna royal_flush", ROYAL_RAISES, "1 hand_2: 60 0 0"),
        ("Anna 30, Anna straight_flush", ROYAL_RAISES, "1 hand_2: 38 0 0"),
        (
            "Anna -10, Anna royal_flush",
            {**ROYAL_RAISES, "target": 51, "negative_scores": True},
            "1 hand_2: 51 0 0",
        ),
        ("Bo 10, Anna royal_flush", ROYAL_WINS, "won Anna: 52 10 0"),
        ("nobody, Anna royal_flush", ROYAL_WINS, "won Anna: 52 0 0"),
        ("no hands, Anna royal_flush", ROYAL_WINS, "won Anna: 52 0 0"),
        ("no hands, Bo trick, Anna royal_flush", ROYAL_WINS, "won Anna: 52 5 0"),
        ("Anna royal_flush", {"winning_hands": []}, "1 hand_2: 52 0 0"),
        ("Anna pair", {"winning_hands": ["pair"]}, "2 hand_1: 1 0 0"),
        ("Anna 51, Anna pair", {"winning_hands": ["pair"]}, "won Anna: 52 0 0"),
        # Reading 8: a player at the target without a Chicago keeps the score when another wins.
        ("Bo 53, Anna straight_flush", {"preset": "huvudregler"}, "won Anna: 52 53 0"),
        # Reading 3: below the target it zeroes and ends the deal.
        (
            "Anna -10, Bo 30, Anna royal_flush",
            {"preset": "huvudregler", "negative_scores": True},
            "2 hand_1: 42 0 0",
        ),
    ],
)
def test_a_hand_gives_points_raises_or_wins(text: str, rules: Rules, stands: str) -> None:
    """A royal flush in hearts follows the plain royal flush, unless it has a row of its own."""
    assert play(text, **rules).stands == stands


@reading(4)
@cases(
    ("before", "rules", "refused", "why"),
    [
        ("Anna pair", {"exchanges": 2}, "Bo four_of_a_kind", "not_announced"),
        ("no hands", {}, "nobody", "no_hand_due"),
        ("", {}, "Bo trick", "no_trick_due"),
        ("Anna 52, deal Bo", {}, "Bo pair", "game_over"),
        ("void", {}, "settled", "game_over"),
    ],
)
def test_one_fact_is_due_at_a_time(before: str, rules: Rules, refused: str, why: str) -> None:
    """A phase has one best hand: a second is refused, as is a fact that is not due."""
    assert play(before, **rules).refusal(refused) == why


@rule("exchanges", 1, 2, 3)
@rule("scored_hands", None, "best", "equal", "everyone")
@cases(
    ("rules", "steps"),
    [
        ({"exchanges": 1, "scored_hands": None}, "play final_hand"),
        ({"exchanges": 2, "scored_hands": None}, "hand_1 play final_hand"),
        ({"exchanges": 3, "scored_hands": None}, "hand_1 hand_2 play final_hand"),
        ({"scored_hands": {"play": "best"}}, "play final_hand"),
        ({"scored_hands": {"2": "equal", "play": "everyone"}}, "hand_2 play final_hand"),
        ({"scored_hands": {"3": "best", "dealt": "best"}}, "hand_0 hand_3 play"),
        ({"exchanges": 2, "scored_hands": {"1": "best", "3": "best"}}, "hand_1 play"),
    ],
)
def test_the_steps_of_a_deal(rules: Rules, steps: str) -> None:
    """A hand scores after every exchange but the last, or after those that the table names."""
    table, found = play(**rules), list[str]()
    while table.state.deal.number == 1:
        found.append(table.state.deal.step)
        table = table.then("Anna trick" if found[-1] == "play" else "nobody")
    assert " ".join(found) == steps


def test_the_deal_passes_clockwise() -> None:
    """The next dealer sits left of the one before, also after a deal cut short by a hand."""
    table = play(dealer="Bo", zeroing={"royal_flush": "always"}, target=100)
    assert table.then("deal Anna").state.deal.dealer == "Cilla"
    assert table.then("deal Anna, Anna royal_flush").state.deal.dealer == "Anna"


@rule("last_trick")
@rule("last_trick_with_two", None)
@cases(
    ("rules", "plain", "with_two"),
    [({}, 5, 5), ({"last_trick": 2}, 2, 2), ({"last_trick": 0, "last_trick_with_two": 10}, 0, 10)],
)
def test_the_last_trick_gets_its_points(rules: Rules, plain: int, with_two: int) -> None:
    """A two in the last trick has points of its own, or makes no difference."""
    table = play("no hands", **rules)
    assert table.then("Bo trick")["Bo"] == plain
    assert table.then("Bo trick with_two")["Bo"] == with_two


HEARTS = "royal_flush_hearts"


@rule("hand_points")
@cases(
    ("rules", "listed"),
    [
        ({}, False),
        ({"hand_points": {HEARTS: 60}}, True),
        ({"zeroing": {HEARTS: "choice"}}, True),
        ({"winning_hands": [HEARTS]}, True),
        ({"raising_hands": [HEARTS]}, True),
        ({"hand_points": {"royal_flush": 20, HEARTS: 20}}, False),
        ({"winning_hands": write_value(SCALES[4].winning_hands)}, True),
    ],
)
def test_a_royal_flush_in_hearts_is_listed_where_it_differs(rules: Rules, *, listed: bool) -> None:
    """With the values of the royal flush, or none, it is no hand of its own."""
    assert (Hand.ROYAL_FLUSH_HEARTS in listed_hands(read_rules(rules)[1])) == listed


@cases(
    ("rules", "hands"),
    [
        ({"preset": "pagat"}, ""),
        ({"preset": "huvudregler"}, "four_of_a_kind straight_flush royal_flush"),
        ({"preset": "pagat", "four_of_a_kind_ends_deal": True}, "four_of_a_kind"),
        ({"preset": "pagat", "zeroing": {"four_of_a_kind": "always"}, **ROYAL_RAISES}, ""),
    ],
)
@reading(2)
def test_hands_laid_open_before_the_play(rules: Rules, hands: str) -> None:
    """These hands win, zero by choice, or end the deal as four of a kind."""
    state = begin(read_setup({"players": ["Anna", "Bo"], "rules": {**rules, "exchanges": 1}}))
    assert " ".join(dict.fromkeys(hand for hand, _ in announcements(state))) == hands

"""The course of a game or of years: everybody's score deal by deal, and its episodes."""

from __future__ import annotations

from app.rules.protocol import Episode, assemble
from app.services.figures import add_along, describe_game, describe_lead, lay_out
from tests.rules.table import cases, golden_games, play

NOTHING = "nobody, nobody, Anna trick, nobody"


def deal(hand: str, taker: str) -> str:
    """Write a deal: the first hand, nobody's second, the last trick, and no final hand."""
    return f"{hand}, nobody, {taker} trick, nobody"


def told(text: str) -> list[Episode]:
    """Return the episodes of a game of three by huvudregler."""
    return describe_game(play(text, preset="huvudregler").states)


def test_golden_games_are_told_as_a_slow_recount_does() -> None:
    """The scores are those of the score sheet, and the leader has the most of those who play."""
    for game, states in golden_games():
        steps = lay_out(states)
        sheets = [each for each in assemble(states, game.events) if each.rows]
        for step, sheet in zip(steps[1:], sheets, strict=True):
            # A latecomer has a score one step earlier.
            assert {n: s for n, s in step.items() if n in sheet.scores} == sheet.scores
        for first in describe_game(states)[:1]:
            end = states[-1]
            most = max(end.score(name) for name in end.playing)
            best = tuple(name for name in end.playing if end.score(name) == most)
            assert first.players == (end.winners or best)
            assert (first.code == "won", first.step) == (bool(end.winners), len(steps) - 1)


@cases(
    ("text", "episodes"),
    [
        ("", []),
        (
            ", ".join(
                (deal("Bo straight", "Bo"), deal("Anna pair", "Anna"), deal("Anna flush", "Anna"))
            ),
            [
                Episode("leads", ("Anna",), 16, 3),
                Episode("led_until", ("Bo",), 0, 2),
                Episode("best_deal", ("Anna",), 10, 3),
            ],
        ),
        # Who was ahead within a deal has led too.
        (
            ", ".join((deal("Bo pair", "Anna"), deal("Anna pair", "Anna"), deal("nobody", "Anna"))),
            [Episode("leads", ("Anna",), 16, 3), Episode("best_deal", ("Anna",), 6, 2)],
        ),
        # Points booked during a deal count.
        (f"{deal('Bo pair', 'Bo')}, Anna flush", [Episode("leads", ("Bo",), 6, 2)]),
        ("nobody", [Episode("level", ("Anna", "Bo", "Cilla"), 0, 1)]),
        ("Anna pair, Bo pair", [Episode("level", ("Anna", "Bo"), 1, 1)]),
        ("Anna pair, void", [Episode("was_ahead", ("Anna",), 1, 1)]),
        # A player without points was not zeroed.
        ("Anna zeroes", [Episode("level", ("Anna", "Bo", "Cilla"), 0, 1)]),
        (
            f"{deal('Bo straight', 'Bo')}, {deal('Cilla pair', 'Bo')}, Anna zeroes",
            [
                Episode("level", ("Anna", "Bo", "Cilla"), 0, 3),
                Episode("led_until", ("Bo",), 0, 2),
                Episode("best_deal", ("Bo",), 9, 1),
                Episode("zeroed", ("Bo", "Cilla"), 0, 3),
            ],
        ),
        # Points by agreement do not make a best deal.
        (
            f"Cilla 40, {NOTHING}, {NOTHING}, {NOTHING}",
            [
                Episode("leads", ("Cilla",), 40, 3),
                Episode("led_throughout"),
                Episode("best_deal", ("Anna",), 5, 1),
            ],
        ),
    ],
)
def test_what_is_told_of_a_game(text: str, episodes: list[Episode]) -> None:
    """The leader, the one before, the best deal, and the players zeroed last."""
    assert told(text) == episodes


def test_a_lead_lost_often_is_counted() -> None:
    """The number of lead changes is told."""
    hands = ("Anna pair", "Bo three_of_a_kind", "Anna flush", "Bo full_house")
    deals = ", ".join(deal(hand, hand.split()[0]) for hand in hands)
    assert Episode("lead_changes", (), 3) in told(deals)


def test_sums_go_on_from_evening_to_evening() -> None:
    """A person who comes later begins with zero, one evening before."""
    steps = add_along([{"Anna": 3, "Bo": -3}, {"Bo": 5, "Cilla": -5}, {"Anna": 1, "Cilla": -1}])
    assert steps == [
        {"Anna": 0, "Bo": 0},
        {"Anna": 3, "Bo": -3, "Cilla": 0},
        {"Anna": 3, "Bo": 2, "Cilla": -5},
        {"Anna": 4, "Bo": 2, "Cilla": -6},
    ]
    assert describe_lead(steps) == [Episode("leads", ("Anna",), 4, 3), Episode("led_throughout")]

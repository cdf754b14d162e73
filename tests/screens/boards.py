"""The board at every step of a deal, under each of the published rule sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.rules.hands import Hand
from app.rules.presets import PRESETS
from tests.screens.scenes import Event, Scene

# Who scores after each exchange but the last one, which the play follows.
HANDS = (Hand.PAIR, Hand.TWO_PAIRS)


def boards(preset: str, players: Sequence[str]) -> Iterator[Scene]:
    """Each step of a deal, with somebody stopped and somebody before the target."""
    first, second, last = players[0], players[1], players[-1]
    rules = PRESETS[preset]
    exchanges = 2 if rules.exchanges == "by_players" else rules.exchanges
    blind: Event = {"event": "chicago", "player": second, "blind": True}
    steps: list[tuple[str, list[Event]]] = [("exchange", _high(first, last, second))]
    steps += [("exchange", [_hand(second, hand)]) for hand in HANDS[: exchanges - 1]]
    steps[-1] = ("play", steps[-1][1])
    steps += [
        ("final hand", [{"event": "last_trick", "player": second}]),
        ("next deal", [_hand(first, Hand.PAIR)]),
        ("declared", [*_nothing(exchanges - 1), {"event": "chicago", "player": second}]),
        ("broken", [{"event": "chicago_result", "won": False}]),
    ]
    if rules.blind_chicago:
        # The hand after the play that was broken comes first.
        steps.append(("declared blind", [*_nothing(1), blind]))
    for number, (step, events) in enumerate(steps):
        yield Scene(f"board of {preset} {number} {step}", tuple(events))


def _high(*players: str) -> list[Event]:
    # Of two the second is the last one too.
    points = dict(zip(players, (46, 50, 31), strict=True))
    return [{"event": "correction", "player": name, "points": n} for name, n in points.items()]


def _hand(player: str, hand: Hand) -> Event:
    return {"event": "best_hand", "player": player, "hand": hand}


def _nothing(times: int) -> list[Event]:
    return [{"event": "no_best_hand"}] * times

"""An evening as a row of scenes: what is recorded before each, and what the phone shows then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Event = dict[str, object]

SHORT = ("Anna", "Bo", "Cecilia", "Daniel", "Eva-Lotta", "Fredrik", "Gun", "Håkan")
# As long as names get, two of them alike until their end.
LONG = (
    "Anna-Karin Maximiliana von Rosenstråle",
    "Bartholomeus Alexandersson Lindqvist",
    "Bartholomeus Alexandersson Lindkvist",
    "Cecilia Margareta Oxenstierna af Eka",
    "Dagobert-Ferdinand Wolmar Yxkull d.y.",
    "Anna-Karin Maximiliana von Rosenstjerna",
    "Ettusenfyrtioettordsnamnutanmellanslag",
    "Åsa-Östen Ängsblomsterkransbinderska Ö",
)
# Scale 4: its royal flush in hearts has a row of its own, with the longest label there is.
RULES: Event = {
    "preset": "huvudregler",
    "hand_points": {
        "four_of_a_kind": 8,
        "straight_flush": 11,
        "royal_flush": 20,
        "royal_flush_hearts": 52,
    },
    "winning_hands": ["royal_flush_hearts"],
    "zeroing": {"four_of_a_kind": "choice", "royal_flush": None},
}


class Scene(NamedTuple):
    """One look at the phone.

    `events` are recorded first; `path` is the page below the table's address, or after two dots
    one of the whole site; `tap` is what is tapped on it, so that a sheet slides up. `gives` is
    what is asked for a link that gives the pen, which a phone without the pen then opens.
    """

    name: str
    events: tuple[Event, ...] = ()
    path: str = ""
    tap: str = ""
    gives: str = ""


def game_file(players: Sequence[str], rules: Event = RULES) -> Event:
    """The file of a game in which nothing has happened yet."""
    return {
        "format": "chicago-game/1",
        "players": list(players),
        "dealer": players[-1],
        "rules": rules,
        "events": [],
    }


def evening(players: Sequence[str]) -> list[Scene]:
    """Every step of a deal, what a table shouts about, every sheet, and the end of a game."""
    return [*_first_deal(players), *_second_deal(players), *_last_deals(players)]


def _first_deal(players: Sequence[str]) -> list[Scene]:
    first, second, last = players[0], players[1], players[-1]
    return [
        Scene("first exchange"),
        Scene("second exchange", (_hand(first, "pair"),)),
        Scene("tie", tap="a[href$='/tie']"),
        Scene("play", (_hand(second, "two_pairs"),)),
        Scene("final hand", ({"event": "last_trick", "player": last},)),
        Scene("next deal", (_hand(second, "full_house"),)),
    ]


def _second_deal(players: Sequence[str]) -> list[Scene]:
    """Somebody above the stop, somebody about to be, one at the target without a Chicago."""
    first, second, last = players[0], players[1], players[-1]
    high = tuple(
        _correction(name, points)
        # Of two the second is the last one too.
        for name, points in {first: 46, last: 50, second: 31}.items()
    )
    return [
        Scene("stops next deal", high),
        Scene("stopped", (_nobody(), _nobody(), _trick(second), _hand(first, "pair"))),
        Scene("player", tap="#head-1"),
        Scene("hand", tap="#row-four_of_a_kind .cell >> nth=0"),
        Scene("row", tap="#row-four_of_a_kind .whom"),
        Scene("more", tap=".bar a[href$='/more']"),
        Scene("who may bid", (_hand(last, "pair"), _nobody())),
        Scene("refused", tap="#row-chicago [aria-disabled] >> nth=0"),
        Scene("chicago", ({"event": "chicago", "player": second},)),
        Scene("chicago lost", ({"event": "chicago_result", "won": False},)),
        Scene("zeroed", ({**_hand(first, "four_of_a_kind"), "choose": "zero"},)),
    ]


def _last_deals(players: Sequence[str]) -> list[Scene]:
    first, second = players[0], players[1]
    return [
        Scene("needs a chicago", (_correction(first, 10), _nobody(), _nobody())),
        Scene("requirement unmet", (_trick(first), _nobody())),
        Scene("protocol", path="/protocol"),
        Scene("entry", path="/games/1/entries/1"),
        Scene("mending", path="/games/1/entries/1", tap="[value=remove]"),
        Scene("log", path="/games/1/log"),
        Scene("over", (_correction(second, 47), _hand(second, "royal_flush_hearts"))),
        Scene("evening", path="/evening"),
        Scene("years", path="/years"),
        Scene("rules", path="/rules"),
        Scene("change rules", path="/rules/change"),
        Scene("next game", path="/next"),
        Scene("follow", path="/join"),
        Scene("pen", path="/join", tap="form[action$='/pen'] button"),
        Scene("pen link", gives="/pen"),
        Scene("recovery", path="/recovery", tap="form[action$='/recovery'] button"),
        Scene("recovery link", gives="/recovery"),
        Scene("recovered", path="/recovery"),
        Scene("start page", path="/../.."),
        Scene("tables", path="/../../tables"),
        Scene("files", path="/files"),
        Scene("compare", path="/compare"),
    ]


def _hand(player: str, hand: str) -> Event:
    return {"event": "best_hand", "player": player, "hand": hand}


def _nobody() -> Event:
    return {"event": "no_best_hand"}


def _trick(player: str) -> Event:
    return {"event": "last_trick", "player": player}


def _correction(player: str, points: int) -> Event:
    return {"event": "correction", "player": player, "points": points}

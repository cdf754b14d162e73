"""An evening as a row of scenes: what is recorded before each, and what the phone shows then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.rules.presets import PRESETS, write_code
from app.store.clock import this_evening

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


# Below a table's address: what is no page of a table.
SITE = "/../.."
# How the one in the second seat says who they are.
AS_SECOND = ".whoami li a >> nth=1"
# So many older games, each of an evening of its own, are more than a list shows at once.
OLDER = 22


class Scene(NamedTuple):
    """One look at the phone.

    `events` are recorded first, and `files` of games read in; `path` is the page below the table's
    address, or after two dots one of the whole site; `tap` is what is tapped on it, so that a sheet
    slides up. `gives` is what is asked for a link that a phone which has never been there then
    opens. `reads`: it is that phone, which only follows along, that shows the page.
    """

    name: str
    events: tuple[Event, ...] = ()
    path: str = ""
    tap: str = ""
    gives: str = ""
    files: tuple[Event, ...] = ()
    reads: bool = False


def game_file(players: Sequence[str], rules: Event = RULES) -> Event:
    """The file of a game in which nothing has happened yet."""
    return {
        "format": "chicago-game/1",
        "players": list(players),
        "dealer": players[-1],
        "rules": rules,
        "events": [],
    }


def older_game(players: Sequence[str], number: int) -> Event:
    """The file of a game that was over on an evening of its own, long ago."""
    ended = [
        _correction(players[number % len(players)], 40),
        {"event": "break_off", "settle": True},
    ]
    at = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T20:00:00Z"
    return {**game_file(players), "events": ended, "at": at, "id": f"older {number}"}


def every_page(players: Sequence[str]) -> list[Scene]:
    """The evening, and every page that none of its steps comes to, the longest lists included."""
    return [*evening(players), *long_lists(players), *sheets_as_pages(), *elsewhere(players)]


def evening(players: Sequence[str]) -> list[Scene]:
    """Every step of a deal, what is called out at a table, every sheet, and the end of a game."""
    return [*deals(players), *last_deals(players)]


def deals(players: Sequence[str]) -> list[Scene]:
    """Every step of a deal, and what is called out at a table."""
    return [*_first_deal(players), *_second_deal(players)]


def _first_deal(players: Sequence[str]) -> list[Scene]:
    first, second, last = players[0], players[1], players[-1]
    return [
        Scene("first exchange"),
        Scene("read at first", reads=True),
        Scene("second exchange", (_hand(first, "pair"),)),
        Scene("tie", tap="a[href$='/tie']"),
        Scene("play", (_hand(second, "two_pairs"),)),
        Scene("final hand", ({"event": "last_trick", "player": last},)),
        Scene("next deal", (_hand(second, "full_house"),)),
        Scene("latecomer", path="/comings", tap="a[href$='/latecomer']"),
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
        Scene("row", tap="#row-pair .fact"),
        Scene("rare", tap="#row-rare"),
        Scene("menu", tap="a[href$='/more']"),
        Scene("invite", tap="a[href$='/join']"),
        Scene("middle", path="/middle"),
        Scene("who may bid", (_hand(last, "pair"), _nobody())),
        *_readers(),
        Scene("refused", tap="#row-chicago [aria-disabled] >> nth=0"),
        Scene("chicago", ({"event": "chicago", "player": second},)),
        Scene("chicago lost", ({"event": "chicago_result", "won": False},)),
        Scene("zeroed", ({**_hand(first, "four_of_a_kind"), "choose": "zero"},)),
    ]


def _readers() -> list[Scene]:
    """Who follows along: nobody in particular, on a large screen by standing, and a player."""
    return [
        Scene("read", path="?me=", reads=True),
        Scene("read by standing", path="?me=none&order=standing", reads=True),
        Scene("read by a player", path="?me=", tap=AS_SECOND, reads=True),
    ]


def last_deals(players: Sequence[str]) -> list[Scene]:
    """The end of a game, and the pages that a table then has."""
    first, second = players[0], players[1]
    return [
        Scene("needs a chicago", (_correction(first, 10), _nobody(), _nobody())),
        Scene("requirement unmet", (_trick(first), _nobody())),
        Scene("read after a zeroing", path="?order=standing", reads=True),
        Scene("read by one who has no requirement met", path="?me=", tap=AS_SECOND, reads=True),
        Scene("protocol", path="/protocol"),
        Scene("marks", path="/protocol", tap=".legend summary"),
        Scene("entry", path="/games/1/entries/1"),
        Scene("forgotten before it", path="/games/1/entries/1", tap="[value^=before]"),
        Scene("asked in an edit", path="/games/1/entries/1", tap="[value=comings]"),
        Scene("editing", path="/games/1/entries/1", tap="[value^=remove]"),
        Scene("deal left out", path="/games/1/entries/2", tap="[value^=remove]"),
        Scene("other rules", path="/edit", tap="[name=win_needs_chicago][value=no]"),
        Scene("who deals", path="/deal"),
        Scene("over", (_correction(second, 47), _hand(second, "royal_flush_hearts"))),
        Scene("middle when over", path="/middle"),
        Scene("read when over", reads=True),
        Scene("read when over by standing", path="?me=none&order=standing", reads=True),
        Scene("picture", path="/games/1/picture"),
        Scene("evening", path="/evening"),
        Scene("money", path="/money"),
        Scene("paid in advance", path="/evening/advance"),
        Scene("years", path="/years"),
        Scene("rules", path="/rules"),
        Scene("how it is played", path="/how"),
        Scene("change rules", path="/rules/change"),
        Scene("next game", path="/next"),
        Scene("change the game", path="/edit"),
        Scene("follow", path="/join"),
        Scene("pen", path="/join", tap="form[action$='/pen'] button"),
        Scene("pen link", gives="/pen"),
        Scene("recovery", path="/recovery", tap="form[action$='/recovery'] button"),
        Scene("recovery link", gives="/recovery"),
        Scene("recovered", path="/recovery"),
        Scene("where the pen is", path="/recovery", reads=True),
        Scene("start page", path=SITE),
        Scene("how it is usually played", path=f"{SITE}/how"),
        Scene("tables", path=f"{SITE}/tables"),
        Scene("other phone", path=f"{SITE}/transfer", tap="form[action='/transfer'] button"),
        Scene("home screen", path=f"{SITE}/install"),
        Scene("settings", path="/settings"),
        Scene("dark screen", path="/dark"),
        Scene("files", path="/files"),
        Scene("compare", path="/compare"),
        Scene("games", path="/games"),
    ]


def sheets_as_pages() -> list[Scene]:
    """Sheets as the pages that phones without scripts come to."""
    return [
        Scene("next game begins", path="", tap="form[action$='/games'] button"),
        *(
            Scene(f"page of {path.split('/')[1]}", path=path)
            for path in (
                "/tie",
                "/player/1",
                "/more",
                "/comings",
                "/latecomer",
                "/rare",
                "/row/chicago",
            )
        ),
        Scene("page of hand", path="/hand/1/four_of_a_kind"),
    ]


# The hand as dealt scores, everybody's own after one exchange, equal ones after the next.
OTHER_HANDS: Event = {
    **RULES,
    "scored_hands": {"dealt": "best", "1": "everyone", "2": "equal", "play": "everyone"},
    "win_when": "every_booking",
    "chicago_when": "any_time",
}


def other_hands(players: Sequence[str]) -> list[Scene]:
    """A deal in which more hands than the best one score, and a game is won by any booking."""
    first, last = players[0], players[-1]
    return [
        Scene("hand as dealt", (_correction(first, 47),)),
        Scene("everybody's own hand", (_hand(first, "pair"),)),
        Scene("who has told a hand", (_hand(last, "pair"),)),
        Scene("equal hands score", (_nobody(),), tap="a[href$='/tie']"),
        Scene("wins with the trick", (_nobody(),)),
    ]


def elsewhere(players: Sequence[str]) -> list[Scene]:
    """Pages that an evening seldom comes to."""
    return [
        Scene("payment", path="/evening/pay/1-2"),
        Scene("an evening", path=f"/evening/{this_evening()}"),
        Scene("picture of an evening", path=f"/evening/{this_evening()}/picture"),
        Scene("people", path="/people"),
        Scene("forget", path="/forget"),
        Scene("rules by link", path=f"{SITE}/r/{write_code('vanlig', PRESETS['vanlig'])}"),
        Scene("rules of one's own", path=f"{SITE}/rules"),
        Scene("new files", path=f"{SITE}/files"),
        Scene("without a network", path=f"{SITE}/offline"),
        Scene("no such page", path="/nothing"),
        Scene("no such table", path=f"{SITE}/t/nothing"),
        Scene("tables come along", gives=f"{SITE}/transfer"),
    ]


def long_lists(players: Sequence[str]) -> list[Scene]:
    """Lists of more than a handful, and what is found in them."""
    files = tuple(older_game(players, number) for number in range(OLDER))
    return [
        Scene("many games", path="/games", files=files),
        Scene("older games", path="/games?page=2"),
        Scene("games found", path="/games?q=2025-03&won=1"),
        Scene("no game found", path=f"/games?q={players[-1]}+{'x' * 40}"),
        Scene("other evenings", path="/evening", tap=".others summary"),
        Scene("sheet of many", path="/games/2"),
        Scene("years of many", path="/years"),
    ]


def _hand(player: str, hand: str) -> Event:
    return {"event": "best_hand", "player": player, "hand": hand}


def _nobody() -> Event:
    return {"event": "no_best_hand"}


def _trick(player: str) -> Event:
    return {"event": "last_trick", "player": player}


def _correction(player: str, points: int) -> Event:
    return {"event": "correction", "player": player, "points": points}

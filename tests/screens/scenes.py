"""An evening as a row of scenes: what is recorded before each, and what the phone shows then.

In scenes.json FIRST, SECOND and LAST are players, EVENING is the present one, and CODE is that of
rules; after two dots a path is one of the whole site.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from app.rules.presets import PRESETS, write_code
from app.store.clock import this_evening
from tests.rules.table import write_facts
from tests.told import read_tables

Event = dict[str, object]

TOLD = read_tables(__file__)
# Long ones are as long as names get, two of them alike until their end.
SHORT, LONG = TOLD["short"], TOLD["long"]
# Scale 4: its royal flush in hearts has a row of its own, with the longest label there is. In the
# others the hand as dealt scores, everybody's own after one exchange, equal ones after the next.
RULES: Event = TOLD["usual"]
OTHER_RULES: Event = {**RULES, **TOLD["other"]}
# The evening, and every page that none of its steps comes to, the longest lists included.
EVERY_PAGE = ("deals", "last deals", "long lists", "sheets as pages", "elsewhere")
# Below a table's address: what is no page of a table.
SITE = "/../.."


class Scene(NamedTuple):
    """One look at the phone.

    `events` are recorded first, and `files` of games read in; `path` is the page below the table's
    address; `tap` is what is tapped on it, so that a sheet slides up. `gives` is what is asked for
    a link that a phone which has never been there then opens. `reads`: it is that phone, which only
    follows along, that shows the page. `judged`: the browser tests look at its `layout`, at the
    `whole` of it where it shows much that no other does, or `no` where others show all of it.
    """

    name: str
    events: Sequence[Event] = ()
    path: str = ""
    tap: str = ""
    gives: str = ""
    files: Sequence[Event] = ()
    reads: bool = False
    judged: Literal["layout", "whole", "no"] = "layout"


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


def read_scenes(players: Sequence[str], *parts: str) -> list[Scene]:
    """The scenes of some parts of an evening."""
    return [_read(players, told) for part in parts for told in TOLD[part]]


def boards(preset: str, players: Sequence[str]) -> Iterator[Scene]:
    """The board at each step of a deal, with somebody stopped and somebody before the target."""
    rules = PRESETS[preset]
    exchanges = 2 if rules.exchanges == "by_players" else rules.exchanges
    nothing = "nobody, " * (exchanges - 1)
    before = ["", "SECOND pair", "SECOND two_pairs"][:exchanges]
    steps = [*(("exchange", events) for events in before[:-1]), ("play", before[-1])]
    steps += [("final hand", "SECOND trick"), ("next deal", "FIRST pair")]
    steps += [("declared", f"{nothing}SECOND chicago"), ("broken", "broken")]
    if rules.blind_chicago:
        # The hand after the play that was broken comes first.
        steps.append(("declared blind", "nobody, SECOND blind"))
    for number, (step, events) in enumerate(steps):
        points = {} if number else TOLD["high"]
        name = f"board of {preset} {number} {step}"
        yield _read(players, {"name": name, "points": points, "events": events})


def _read(players: Sequence[str], told: Event) -> Scene:
    text = json.dumps({**told, "events": write_facts(f"{told.get('events', '')}")})
    for word, value in (
        ("FIRST", players[0]),
        ("SECOND", players[1]),
        ("LAST", players[-1]),
        ("EVENING", this_evening()),
        ("CODE", write_code("vanlig", PRESETS["vanlig"])),
    ):
        text = text.replace(word, f"{value}")
    scene: dict[str, Any] = json.loads(text)
    # Of two the second is the last one too, and has the points of the second.
    points = [_correction(*each) for each in scene.pop("points", {}).items()]
    files = [older_game(players, number) for number in range(scene.pop("older", 0))]
    return Scene(**{**scene, "events": [*points, *scene["events"]], "files": files})


def _correction(player: str, points: int) -> Event:
    return {"event": "correction", "player": player, "points": points}

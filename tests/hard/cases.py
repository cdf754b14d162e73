"""Every route with its dearest case: where its arguments lead, what is asked of it and sent to it.

A route whose arguments are not in cases.json, or that takes a body and has none there or here, is
in no listing (tests/web/test_answer_sizes.py). In a body LINK is the table's link, NEW one that
nobody has, SEQ the table's version, and NAME somebody's there.
"""

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, product
from random import randbytes
from urllib.parse import quote

from flask import Flask
from werkzeug.routing import Rule

from app.http.bodies import FORM, LARGEST, PUSH, UPLOAD
from app.rules.edit import MOST_OPERATIONS
from app.rules.gamefile import MAX_EVENTS
from app.rules.presets import PRESETS, write_code
from app.services import access, bounds
from app.web.rule_form import fill_form
from tests.api.calling import NOBODY, OFF, PLAYERS, Event, correction, fill
from tests.told import read_tables

URLENCODED, MULTIPART = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=BOUNDARY",
)
JSON = "application/json"
# In a body, for what is put into it.
ROOM = 500
# A body, and its content type.
Body = tuple[bytes, str]

CASES = fill(
    read_tables(__file__),
    CODE=write_code("pagat", PRESETS["vanlig"]),
    RULES=" ".join(fill_form(PRESETS["vanlig"])),
)
ARGUMENTS: Mapping[str, object] = CASES["arguments"]
# What makes a page dear, where it is not the page itself.
QUERIES: Mapping[str, Sequence[str]] = CASES["queries"]
# Of each form: the other fields that it needs to be carried out, and those that are stuffed.
FORMS: Mapping[str, tuple[str, str]] = CASES["forms"]
# The bodies of each call, in which MANY are as many texts as it takes.
CALLS: Mapping[str, Sequence[object]] = CASES["calls"]
# Of each kind of edit, the event that it puts in.
OPERATIONS: Mapping[str, object] = CASES["operations"]


def stuffed(fields: str, rest: str) -> Iterator[str]:
    """Yield the largest bodies for some fields: with long texts, and with many texts."""
    names = [quote(field) for field in fields.split()]
    room = FORM - len(rest) - ROOM
    for text in ("'" * max(1, room // len(names) - max(map(len, names)) - 2), "", "'"):
        once = "&".join(f"{name}={text}" for name in names)
        yield "&".join([once] * (room // (len(once) + 1)) + [rest])


def to_json(value: object) -> bytes:
    """Write something as JSON in as few bytes as that takes."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def many(item: object, size: int) -> list[object]:
    """Return an item so often that as JSON it takes as many bytes as are sent."""
    return [item] * (size // (len(to_json(item)) + 1))


def long_game() -> bytes:
    """Return the longest game there may be, as a game file."""
    events = [correction(1), correction(-1)] * (MAX_EVENTS // 2)
    return to_json({"format": "chicago-game/1", "players": PLAYERS, "events": events})


def upload(*files: bytes) -> Body:
    """Return the form that uploads an archive of game files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, file in enumerate(files):
            archive.writestr(f"{number}.json", file)
    head = b'--BOUNDARY\r\nContent-Disposition: form-data; name="file"; filename="g.zip"\r\n\r\n'
    return head + buffer.getvalue() + b"\r\n--BOUNDARY--\r\n", MULTIPART


def uploads() -> Iterator[Body]:
    """Make files that are large in one way each."""
    game, seats = json.loads(long_game()), [f"{number}" for number in range(bounds.MAX_NAMES)] * 9
    yield upload(*(to_json({**game, "id": f"{number}"}) for number in range(120)))
    game["events"] = [OFF]
    few = ({**game, "id": f"{n}", "players": seats[n % 50 :][:8]} for n in range(1000))
    yield upload(*map(to_json, few))
    yield to_json(many("", UPLOAD - 2)), JSON
    yield b"a=1&" * (UPLOAD // 4), URLENCODED
    yield upload(randbytes(UPLOAD // 2))


AT = "2026-01-01T19:00:00.000Z"
SEATED = {"players": [1, 2], "rules": {"preset": "pagat"}, "stake_ore": 0}
UP_AND_DOWN = [correction(1), correction(-1)]
# The most that a phone may push at once, in bytes, and in rows.
PUSHED, ROWS = PUSH - 20_000, 500
Row = dict[str, object]


def row(seq: int, kind: str, game: int, body: object) -> Row:
    """Return a change as a phone pushes it."""
    key = b64encode(seq.to_bytes(8, "big")).decode()
    about = {"seq": seq, "kind": kind, "game": game, "body": to_json(body).decode()}
    return {**about, "at": AT, "entries": seq, "key": key, "request": key}


def begun(number: int, *events: Event) -> Row:
    """Return a game that was played elsewhere, or with the first version, the opening."""
    played = [[{**each, "player": 1} if "player" in each else each, AT] for each in events]
    told = {"id": f"u{number}", "setup": SEATED, "events": played}
    return row(number, "open" if number == 1 else "import", number, told)


def openings() -> Iterator[Iterable[Row]]:
    """Make tables that are large in one way each: refused, and just about allowed."""
    long = begun(1, *UP_AND_DOWN * (MAX_EVENTS // 2))
    edits = (
        [[place, place + 1] for place in range(MAX_EVENTS)],
        [[0, MAX_EVENTS - 2]],
        many([0, 1], PUSHED // 2),
    )
    for entries in edits:
        yield [long, *(row(n, "edit", 1, {"deal": 1, "entries": entries}) for n in range(2, ROWS))]
    yield [begun(n, *UP_AND_DOWN * (MAX_EVENTS // 2 - 1), OFF) for n in range(1, 9)]
    yield [begun(1, *[NOBODY] * (PUSHED // 80))]


def pushes() -> Iterator[Body]:
    """Make what a phone pushes: a table of its own, under a link yet to be made."""
    people = [[1, "Anna", None], [2, "Bo", None]]
    for rows in openings():
        sizes = accumulate(len(to_json(each)) + 1 for each in rows)
        sent = [each for each, size in zip(rows, sizes, strict=False) if size < PUSH - ROOM]
        yield to_json({"link": "NEW", "base": 0, "people": people, "rows": sent}), JSON


def calls(endpoint: str) -> Iterator[Body]:
    """Make the bodies of a call, of which each may be as large as it says, and unreadable ones."""
    size = LARGEST.get(endpoint, FORM)
    for told in CALLS[endpoint]:
        text = to_json(told).replace(b'"MANY"', to_json(many("", size - 200)))
        yield text.ljust(size - ROOM), JSON
    yield b"[" * size, JSON


def edits() -> Iterator[Body]:
    """Make edits that are large in one way each: shown, and saved."""
    spread = range(0, MAX_EVENTS, MAX_EVENTS // MOST_OPERATIONS)
    for kind, most, do in product(OPERATIONS, (10, MAX_EVENTS), ("look", "save")):
        operations = to_json([[kind, at, OPERATIONS[kind]] for at in spread][:most])
        yield f"do={do}&seq=SEQ&operations={quote(operations)}".encode(), URLENCODED


# Whatever takes another body than a form.
BODIES: Mapping[str, Callable[[], Iterator[Body]]] = {
    **{endpoint: partial(calls, endpoint) for endpoint in CALLS},
    "exchange.push": pushes,
    **dict.fromkeys(("files.add_games", "files.open_table"), uploads),
}
READING = {"GET", "HEAD", "OPTIONS"}


def write_address(rule: Rule, **arguments: object) -> str:
    """Write an address of a route. Raises KeyError for an argument that leads nowhere yet."""
    given = {**ARGUMENTS, **arguments}
    built = rule.build({name: given[name] for name in rule.arguments})
    assert built
    return built[1]


def fill_in(path: str, body: bytes, link: str, name: str, seq: int) -> tuple[str, bytes]:
    """Put a table's link, somebody's name there and its version where they belong."""
    link = access.new_link() if b'"NEW"' in body else link
    told = {"NEW": link, "LINK": link, "NAME": quote(name), "SEQ": f"{seq}"}
    for word, value in told.items():
        path, body = path.replace(word, value), body.replace(word.encode(), value.encode())
    return path, body


def make_inputs(endpoint: str, method: str) -> Iterator[tuple[str, Body | None]]:
    """Yield the queries and bodies of a route. Raises KeyError where it takes one and has none."""
    if method in READING:
        yield from ((query, None) for query in ("", *QUERIES.get(endpoint, ())))
    elif endpoint in BODIES:
        yield from (("", body) for body in BODIES[endpoint]())
    else:
        rest, fields = FORMS[endpoint]
        for text in (rest, *stuffed(fields, rest)):
            yield "", (text.encode(), URLENCODED)
        if endpoint == "edit.edit":
            yield from (("", body) for body in edits())


def find_unlisted(app: Flask) -> list[str]:
    """The routes that are not in this listing, and what is in it of no route."""
    rules = list(app.url_map.iter_rules())
    sent_to = {rule.endpoint for rule in rules if (rule.methods or set()) - READING}
    strange = {rule.rule for rule in rules if not rule.arguments <= {*ARGUMENTS}}
    gone = {*QUERIES} - {rule.endpoint for rule in rules}
    return sorted(strange | gone | sent_to ^ {*FORMS, *BODIES})

"""Every route with its dearest case: where its arguments lead, what is asked of it and sent to it.

A route whose arguments are not here, or that takes a body and has none here, is in no listing
(tests/web/test_answer_sizes.py). In a body LINK is the table's link, NEW one that nobody has, SEQ
the table's version, and NAME somebody's there.
"""

from __future__ import annotations

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, repeat
from urllib.parse import quote

from flask import Flask
from werkzeug.routing import Rule

from app.http.bodies import FORM, PUSH, UPLOAD
from app.rules.presets import PRESETS, write_code
from app.services import tables
from app.web.rule_form import fill_form
from tests.api.calling import PLAYERS

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
JSON = "application/json"
# A body, and its content type.
Body = tuple[bytes, str]

ARGUMENTS: Mapping[str, object] = {
    **dict.fromkeys(("number", "payer", "index"), 1),
    "payee": 2,
    "day": "2006-01-05",
    "preset": "pagat",
    "name": "pair",
    "hash_": "x",
    "code": write_code("pagat", PRESETS["vanlig"]),
    "secret": "x" * 43,
    "reason": "page",
    "link": "LINK",
    "filename": "bundles/table.js",
}
# What makes a page dear, where it is not the page itself.
QUERIES: Mapping[str, tuple[str, ...]] = {
    "amend.draft": ("at=1&event=joins",),
    "compare.page": ("&".join(f"who={n}&cards=hE" for n in range(1, 9)),),
    "dialogs.every_dialog": ("rows",),
    "evening.money": ("to=9999-12",),
    "files.every_game": ("evening=2006-01-05",),
    "live.table": ("me=12345678&order=standing",),
    "protocol.game": ("deals=1-2000", "deal=1"),
    "statistics.page": ("from=0001-01&to=9999-12&sort=games&order=up",),
    "table.games": ("q=%C3%B6", "won&q=0", "page=99"),
    "table.page": ("me=12345678&order=standing",),
}

SETUP = "player name stake preset own dealer do on was seated"
EVENT = "event player points name known after begins hand tied"
MONEY = "amount way number do settlement payer payee"
# Of each form: the other fields that it needs to be carried out, and those that are stuffed.
FORMS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("pens.take", "pens.recover", "rules.use_link_rules"), ("", "do seq")),
    **dict.fromkeys(("install.prepare", "install.take"), ("", "name")),
    **dict.fromkeys(("transfers.make", "transfers.take"), ("", "name")),
    **dict.fromkeys(("table.redo", "table.rematch", "pens.see_recovery"), ("seq=SEQ", "seq")),
    **dict.fromkeys(("pens.hand_over", "pens.take_back"), ("seq=SEQ", "seq")),
    **dict.fromkeys(("pens.make_recovery", "pens.turn_recovery_off"), ("seq=SEQ", "seq")),
    **dict.fromkeys(("evening.all_paid", "payments.pay"), ("way=cash&seq=SEQ", MONEY)),
    "new_table.open_table": ("player=Anna&player=Bo&stake=1", SETUP),
    "new_table.start_next": ("", f"{SETUP} seq"),
    "new_table.open_again": ("table=LINK", "table key"),
    "revise.send": ("do=look&seq=SEQ", f"{SETUP} seen draft"),
    "revise.send_deal": ("do=seats", "player do"),
    "rules.send": ("do=look", " ".join(["before name", *fill_form(PRESETS["vanlig"])])),
    "rules.send_next": ("do=look", "before target.other target.was"),
    "table.record": ("event=correction&seq=SEQ", EVENT),
    "table.undo": ("seq=SEQ", "game deal seq"),
    "amend.mend": ("event=correction&at=1", f"draft at gap seat {EVENT}"),
    "erasure.forget": ("what=name&sure=yes&seq=SEQ&name=NAME", "name before"),
    "table_list.rename": ("name=x&seq=SEQ", "name seq"),
    "table_list.put_away": ("table=LINK", "table do"),
    "evening.change_people": ("name=1&into=2&seq=SEQ", "name into do"),
    "evening.undo": ("seq=SEQ", MONEY),
    "payments.pay_in_advance": ("way=cash&amount=1&payer=1&payee=2&seq=SEQ", MONEY),
    "payments.number": ("number=0701234567&seq=SEQ", MONEY),
    "pwa.language": ("language=sv", "language back"),
    "pwa.know_of_http": ("", "back"),
}


def stuffed(fields: str, rest: str) -> Iterator[str]:
    """Yield the largest bodies for some fields: with long texts, and with many texts."""
    names = [quote(field) for field in fields.split()]
    room = FORM - len(rest) - ROOM
    for text in ("'" * max(1, room // len(names) - max(map(len, names)) - 2), "", "'"):
        once = "&".join(f"{name}={text}" for name in names)
        yield "&".join([once] * (room // (len(once) + 1)) + [rest])


def long_game(events: int = 2000) -> bytes:
    """Return the longest game there may be, as a game file."""
    corrected = [
        {"event": "correction", "player": PLAYERS[n % 4], "points": 1 - 2 * (n // 4 % 2)}
        for n in range(events)
    ]
    file = {"format": "chicago-game/1", "players": PLAYERS, "events": corrected}
    return json.dumps(file).encode()


def zipped(files: Iterable[object]) -> bytes:
    """Return an archive of so many game files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, file in enumerate(files):
            archive.writestr(f"{number}.json", json.dumps(file))
    return buffer.getvalue()


def overlapping_zip() -> bytes:
    """Return a small archive whose entries are all the same piece of it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.json", long_game().ljust(900_000))
        [entry] = archive.infolist()
        archive.filelist += [entry] * 39
    return buffer.getvalue()


def upload(content: bytes) -> Body:
    """Return the form that uploads a file."""
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="g.zip"\r\n\r\n'
    return head + content + b"\r\n--b--\r\n", MULTIPART


def uploads() -> Iterator[Body]:
    """Make files that are large in one way each."""
    game = json.loads(long_game())
    yield upload(zipped({**game, "id": f"{number}"} for number in range(120)))
    over = {"format": "chicago-game/1", "events": [OFF]}
    seats = [f"{number}" for number in range(tables.MAX_NAMES)]
    few = ({**over, "id": f"{n}", "players": (seats * 9)[n % 50 :][:8]} for n in range(1000))
    yield upload(zipped(few))
    yield upload(overlapping_zip())
    yield upload(b"[" * (UPLOAD - 200))
    yield to_json(many("", UPLOAD - 2)), JSON
    yield b"player=" * (FORM // 7), URLENCODED


AT = "2026-01-01T19:00:00.000Z"
NOBODY, OFF = {"event": "no_best_hand"}, {"event": "break_off", "settle": True}
SEATED = {"players": [1, 2], "rules": {"preset": "pagat"}, "stake_ore": 0}
UP_AND_DOWN = [{"event": "correction", "player": 1, "points": points} for points in (1, -1)]
# The most that a phone may push at once, in bytes, and in rows, and of one game.
PUSHED, ROWS, EVENTS = PUSH - 20_000, 500, 2000
Row = dict[str, object]


def to_json(value: object) -> bytes:
    """Write something as JSON in as few bytes as that takes."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def many(item: object, size: int = FORM - 200) -> list[object]:
    """Return an item so often that as JSON it takes as many bytes as are sent."""
    return [item] * (size // (len(to_json(item)) + 1))


def row(seq: int, kind: str, game: int, body: object) -> Row:
    """Return a change as a phone pushes it."""
    key = b64encode(seq.to_bytes(8, "big")).decode()
    about = {"seq": seq, "kind": kind, "game": game, "body": to_json(body).decode()}
    return {**about, "at": AT, "entries": seq, "key": key, "request": key}


def begun(seq: int, number: int, *events: object, uid: str = "") -> Row:
    """Return a game that was played elsewhere, or with the first version, the opening."""
    told = {"id": uid or f"u{number}", "setup": SEATED, "events": [[each, AT] for each in events]}
    return row(seq, "open" if seq == 1 else "import", number, told)


def fill(rows: Iterable[Row]) -> list[Row]:
    """Return as many changes as are pushed at once."""
    taken, size = list[Row](), 0
    for each in islice(rows, ROWS):
        size += len(to_json(each)) + 1
        if size > PUSH - ROOM:
            break
        taken.append(each)
    return taken


def openings() -> Iterator[Iterable[Row]]:
    """Make tables that are large in one way each: refused, and just about allowed."""
    first, numbers = begun(1, 1, *UP_AND_DOWN * (EVENTS // 2)), range(2, 10**6)
    mended = {"deal": 1, "entries": [[place, place + 1] for place in range(EVENTS)]}
    yield [begun(1, 1), row(2, "record", 1, NOBODY)]
    yield [first, row(2, "mend", 1, {"deal": 1, "entries": many([0, 1], PUSHED // 2)})]
    yield chain([first], (row(n, "mend", 1, mended) for n in numbers))
    shorter = ({"deal": 1, "entries": [[0, EVENTS - n]]} for n in numbers)
    yield chain([first], map(row, numbers, repeat("mend"), repeat(1), shorter))
    yield [begun(1, 1, OFF, uid="🂡" + "x" * PUSHED)]
    yield chain([begun(1, 1)], (row(n, "record", 1, UP_AND_DOWN[n % 2]) for n in numbers))
    yield (begun(n, n, *UP_AND_DOWN * (EVENTS // 2 - 1), OFF) for n in range(1, 99))
    yield [begun(1, 1, *many(NOBODY, PUSHED // 4))]
    for year in ("0001", "9999"):
        yield [begun(1, 1), {**row(2, "record", 1, NOBODY), "at": f"{year}{AT[4:]}"}]
    yield [begun(1, 1), row(2, "mend", 1, NOBODY) | {"body": "[" * PUSHED}]
    yield (begun(n, n, OFF) for n in range(1, ROWS + 1))


def pushes() -> Iterator[Body]:
    """Make what a phone pushes: a table of its own, under a link yet to be made."""
    people = [[1, "Anna", None], [2, "Bo", None]]
    for rows in openings():
        yield to_json({"link": "NEW", "base": 0, "people": people, "rows": fill(rows)}), JSON
    yield b"[" * PUSHED, JSON


def pulls() -> Iterator[Body]:
    """Make what a phone asks for: all that it may have, and a state as large as it may be."""
    yield to_json({"state": {f"away {n:040}": "" for n in range(PUSH // 60)}}), JSON
    yield to_json({"have": {f"{n:022}": 1 for n in range(1000)}}), JSON
    yield to_json({"have": {"LINK": 0}}), JSON
    yield b"[" * PUSH, JSON


def calls(*whole: object) -> Callable[[], Iterator[Body]]:
    """Return a function that makes bodies of a call: these, and what cannot be read."""

    def make() -> Iterator[Body]:
        texts = (b"[" * FORM, b'{"note": "' + b"x" * (FORM - 20) + b'"}', b'{"a": 1e999999999}')
        yield from ((to_json(each).ljust(FORM), JSON) for each in whole)
        yield from ((text, JSON) for text in texts)

    return make


EVENTS_OF_A_CALL = (NOBODY, {**NOBODY, "hand": "pair", "tied": many("")}, {"event": many("")})
# Whatever takes another body than a form.
BODIES: Mapping[str, Callable[[], Iterator[Body]]] = {
    "api.open_table": calls({"players": PLAYERS}, {"players": many("")}, {"rules": many("")}),
    "api.next_game": calls({}, {"players": many("")}),
    "api.record": calls(*EVENTS_OF_A_CALL),
    "api.replace_event": calls(*EVENTS_OF_A_CALL),
    "api.undo": calls({}),
    "exchange.push": pushes,
    "exchange.pull": pulls,
    "files.add_games": uploads,
    "files.open_table": uploads,
}
# In a form, for what is put into it.
ROOM = 500
READING = {"GET", "HEAD", "OPTIONS"}


def write_address(rule: Rule, **arguments: object) -> str:
    """Write an address of a route. Raises KeyError for an argument that leads nowhere yet."""
    given = {**ARGUMENTS, **arguments}
    built = rule.build({name: given[name] for name in rule.arguments})
    assert built
    return built[1]


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


def find_unlisted(app: Flask) -> list[str]:
    """The routes that are not in this listing, and what is in it of no route."""
    rules = list(app.url_map.iter_rules())
    sent_to = {rule.endpoint for rule in rules if (rule.methods or set()) - READING}
    strange = {rule.rule for rule in rules if not rule.arguments <= {*ARGUMENTS}}
    gone = {*QUERIES} - {rule.endpoint for rule in rules}
    return sorted(strange | gone | sent_to ^ {*FORMS, *BODIES})

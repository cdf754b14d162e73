"""Whole evenings under one seed: phones, a server, and everything that can go wrong between them.

    python -m tests.hard.simulator [--evenings 10000]
    python -m tests.hard.simulator --seed 7       one evening again, with its story

Time, chance and the network are the simulator's, and so is the disk of the server, which may be
full, fail, and die between any two writes; what a phone keeps may be lost likewise. Exit status 1
where a promise was broken: what was acknowledged is in the log once, in order, rightly dated; what
was not is there at most once, and its sender learns of it; what is shown is what the rules make of
the log; money adds up to zero; in the end all copies agree.
"""

from __future__ import annotations

import itertools
import json
import logging
import re
import secrets
import sys
import tempfile
import time
import traceback
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from inspect import unwrap
from multiprocessing import Pool
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock
from urllib.parse import urlencode

from sqlite_utils.utils import sqlite3
from werkzeug.test import Client
from werkzeug.wrappers import Response

from app import create_app
from app.http.application import Application
from app.offline import phone, replicas
from app.offline import server as servers
from app.rules.events import BreakOff, Correction, Event, LastTrick, NoBestHand, write_event
from app.rules.game import replay
from app.rules.presets import PRESETS
from app.rules.rights import can
from app.rules.settlement import payout
from app.rules.state import GameState
from app.services import access, ledger, table_view
from app.services.commit import form_key
from app.services.table_view import TableView, fold
from app.store import clock, files, log
from app.store.files import COMPANIONS, DatabaseUnavailable, beside
from app.store.log import ChangeKind, ChangeRow
from tests.empty_database import copy_empty_database
from tests.evenings.replay import BEGINNING
from tests.hard.disk import FULL, IOERR, Disk
from tests.hard.figures import Figures, options
from tests.offline.phones import copy_of
from tests.rules.strategies import NAMES, candidates

HOME = "http://localhost/"
STEPS, BROKEN, OFTEN = 20, 500, 60
# What SQLite and the simulator count as on the disk need not be there.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
BEFORE_TIME = datetime(1970, 1, 1, tzinfo=UTC)
ROWS = "SELECT seq, kind, game, body, at, undone, key, request FROM changes ORDER BY seq"
UNSOUND = """SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'
    UNION ALL SELECT "table" FROM pragma_foreign_key_check"""
SCORE = re.compile(r'class="score[^"]*">(-?\d+)')
# The pages that are looked at; the first two show scores, the first while a game is played.
PAGES = ("", "/middle", "/evening", "/protocol", "/games", "/money")
FORM = "application/x-www-form-urlencoded"
Row = tuple[int, ChangeKind, int, str, str, int | None, bytes | None, bytes | None]


class Broken(AssertionError):
    """A promise was broken."""


@dataclass(eq=False)
class Op:
    """Something that somebody does at the table, and what became of it.

    `mark` is the hash by which the log knows it, `seq` the version it was done at.
    `left`: somebody was told, or chose, that it does not stand in the log.
    """

    who: Page
    name: str
    what: str
    path: str
    body: bytes
    mark: bytes
    seq: int
    row: int = 0
    tried: bool = False
    done: bool = False
    refused: bool = False
    left: bool = False

    def __post_init__(self) -> None:
        """Note when it is done, and since when at least the clock of who does it goes on."""
        self.at, self.heard = self.who.evening.now, self.who.heard()

    def __str__(self) -> str:
        return f"{self.name} ({self.what})"


class Request(NamedTuple):
    """A request to the server, and what it does at the table."""

    method: str
    path: str
    data: bytes
    headers: Mapping[str, str]
    op: Op | None = None


class Machine:
    """A program that runs somewhere, with a clock of its own."""

    def __init__(self, evening: Evening, name: str, app: Application) -> None:
        self.evening, self.name, self.app = evening, name, app
        self.wrong_by, self.told = timedelta(), ""
        self.path = copy_empty_database(evening.folder / name / "chicago.db")
        self.close()
        app.config["DATABASE"] = str(self.path)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let it run, by its own clock."""
        self.evening.shown = self.evening.now + self.wrong_by
        clock.set_floor(self.told)
        with self.app.app_context():
            yield
        self.told = clock._Settings.floor  # noqa: SLF001  # what this process was told

    def close(self) -> None:
        """End it."""
        self.app.close()
        self.app.rendered.clear()

    def read(self) -> list[Row]:
        """Read its log."""
        with self.running():
            return [*self.app.database.connection.execute(ROWS).fetchall()]

    def view(self) -> TableView | None:
        """Return the table as it has it, if it has."""
        try:
            with self.running():
                return table_view.read_view(self.app.database, self.evening.link)
        except (access.NotFound, DatabaseUnavailable):
            return None


class Server(Machine):
    """The server. `known` are the rows that somebody may have seen."""

    def __init__(self, evening: Evening) -> None:
        super().__init__(evening, "server", pooled("server"))
        self.known, self.client = list[Row](), Client(self.app, use_cookies=False)

    def ask(self, sent: Request) -> Response | None:
        """Answer a request; None where the program died of it."""
        chance, disk = self.evening.chance, disk_of()
        if chance.random() < self.evening.deaths:
            disk.die(chance.randrange(14))
        try:
            with self.running():
                method, path, data, headers, op = sent
                answer = self.client.open(
                    path, method=method, data=data, headers=headers, buffered=True
                )
        except Exception:
            if not disk.dead:
                raise
        if disk.dead:
            self.die()
            return None
        status = answer.status_code
        waits = status == 503 and "Retry-After" in answer.headers and disk.struck
        require(status < BROKEN or waits, "the server fails", method, path, status)
        self.observe()
        if op and status < 400:
            op.done = True
        return answer

    def die(self) -> None:
        """End as by kill -9, or by a power cut, and start anew."""
        self.close()
        is_cut = self.evening.chance.random() < 0.5
        if is_cut:
            disk_of().cut(self.evening.chance)
        disk_of().work()
        self.evening.tell(f"the server {'loses its power' if is_cut else 'is killed'}")
        self.observe()

    def observe(self) -> None:
        """Hold the rows against what was seen, and the new ones against what was done."""
        try:
            rows = self.read()
        except DatabaseUnavailable:
            if not disk_of().struck:
                raise
            return
        before = [row[:5] for row in self.known]
        kept = [row[:5] for row in rows[: len(before)]]
        require(kept == before, "what was seen is lost", *(set(before) ^ set(kept)))
        for row in rows[len(before) :]:
            self._observe(row, self.known[-1][4] if self.known else "")
            self.known.append(row)
        self.known = rows

    def _observe(self, row: Row, before: str) -> None:
        seq, kind, _, _, at, *_, key, request = row
        evening, now = self.evening, clock.write_time(self.evening.now + self.wrong_by)
        require(seq == len(self.known) + 1, "a version is missing", row)
        mark = mark_of(row)
        op = next((o for o in map(evening.ops.get, (request, key, mark)) if o), None)
        if op is None:
            require(kind == "open" or evening.merged, "nobody did this", row)
            return
        require(not op.row, "it is there twice", op, op.row, row)
        require(kind != "record" or mark == op.name, "it is another's", op, row)
        op.row = seq
        is_direct = key in (op.mark, form_key(op.who.pen, op.mark).key)
        if kind not in ("pay", "unpay") and not evening.merged:
            require(op.seq == seq - 1, "it was done at another version", op, op.seq, row)
        if not self.wrong_by and not evening.odd_time:
            low = max(before, clock.write_time(op.heard or BEFORE_TIME))
            require(low <= at <= max(now, before), "misdated", op, low, at, now)
            if not op.who.wrong_by and not evening.merged:
                told = max(before, clock.write_time(op.at))
                require(is_direct or at == told, "misdated", op, at, told)
        if op.what == "pay all" and not evening.merged:
            left = Told(self, [*self.known, row]).balance
            require(not any(left.values()), "all is paid, but for", left)


class Told:
    """What a log tells by the rules: how games stand, what is owed, and whose notes count."""

    def __init__(self, machine: Machine, rows: Sequence[Row] = ()) -> None:
        with machine.running():
            rows = rows or machine.read()
            people = machine.app.database.connection.execute("SELECT number, name FROM people")
            names = dict(people.fetchall())
        counting = log.counting([ChangeRow(*row[:5]) for row in rows])
        self.counting, folded = {row.seq for row in counting}, fold(counting)
        self.notes = {e.body.get("note") for game in folded.games.values() for e in game.entries}
        games = {n: table_view.play(game, names) for n, game in folded.games.items()}
        states = {n: replay(game.setup, game.events)[-1] for n, game in games.items()}
        self.state, self.won = states[max(states)], Counter[str]()
        for state in states.values():
            self.won.update(payout(state) or {})
        self.balance = Counter(self.won)
        for each in folded.payments.values():
            for payer, payee, ore, _ in () if each.undone else each.payments:
                self.balance.update({names[payer]: ore, names[payee]: -ore})


class Page(Machine):
    """A browser without the bundle: what it sent without an answer it sends again, in order."""

    def __init__(self, evening: Evening, name: str) -> None:
        self.evening, self.name, self.wrong_by = evening, name, timedelta()
        self.jar, self.waiting = {"chicago-pen": access.new_pen()}, deque[Op]()
        self.away, self.seen = False, 0

    @property
    def link(self) -> str:
        """The table."""
        return self.evening.link

    @property
    def pen(self) -> str:
        """The secret it writes with."""
        return self.jar["chicago-pen"]

    def is_known(self) -> bool:
        """Come to the server; whether it has given a pen, and there is a table."""
        self.settle()
        return bool(self.evening.server.known and "chicago-pen" in self.jar)

    def cookie(self) -> dict[str, str]:
        """Return the header of its cookies."""
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.jar.items())}

    def carry(
        self, method: str, path: str, data: bytes = b"", kind: str = FORM, op: Op | None = None
    ) -> Response | None:
        """Send a request to the server; None where no answer comes back."""
        if op:
            op.tried = True
        sent = Request(method, path, data, {"Content-Type": kind, **self.cookie()}, op)
        answer = None if self.away else self.evening.carry(sent)
        self.evening.tell(f"{self.name}: {op or path} → {answer and answer.status_code}")
        for line in answer.headers.getlist("Set-Cookie") if answer else ():
            name, _, value = line.partition(";")[0].partition("=")
            self.jar[name] = value
        return answer

    def here(self) -> TableView | None:
        """Return the table that its page is made of."""
        return None if self.away else self.evening.server.view()

    def heard(self) -> datetime | None:
        """Return since when at least its clock goes on."""
        return self.evening.now

    def make(self, view: TableView) -> Op:
        """Do something at the table."""
        what, path, fields = self.evening.draw_change(view)
        seq, name = view.seq, f"op{len(self.evening.done) + 1}"
        if self.evening.chance.random() < 0.07:
            seq = self.seen
        if "event" in fields:
            fields["event"] = json.dumps({**fields["event"], "note": name})
        form = {key: f"{each}" for key, each in {"seq": seq, "nr": name, **fields}.items()}
        path, self.seen = f"/t/{self.link}{path}", view.seq
        mark = sha256(f"{path} {sorted(form.items())}".encode()).digest()
        op = Op(self, name, what, path, urlencode(form).encode(), mark, seq)
        self.evening.ops[name] = self.evening.ops[mark] = op
        self.evening.done.append(op)
        return op

    def act(self) -> None:
        """Do something, if nothing waits."""
        if not self.waiting and (view := self.here()):
            self.waiting.append(self.make(view))
        self.send()

    def send(self) -> None:
        """Send what waits, in order, until there is no answer."""
        while self.waiting:
            op = self.waiting[0]
            answer = self.carry("POST", op.path, op.body, op=op)
            if answer is None or answer.status_code >= BROKEN:
                return
            op.refused = answer.status_code != 303
            self.waiting.popleft()

    def settle(self) -> bool:
        """Come to an end; whether it has."""
        self.away = False
        self.send()
        return not self.waiting


class Bundle(Page):
    """A phone that is its own server while there is no network."""

    def __init__(self, evening: Evening, name: str) -> None:
        Machine.__init__(self, evening, name, pooled(name))
        Page.__init__(self, evening, name)
        del self.jar["chicago-pen"]
        self.saved = self.path.read_bytes()
        self.last_heard: datetime | None = None
        self.start()
        self.exchange()

    def start(self) -> None:
        """Start anew from what is saved."""
        self.close()
        for suffix in COMPANIONS:
            beside(self.path, suffix).unlink(missing_ok=True)
        self.path.write_bytes(self.saved)
        self.told = ""
        with self.running():
            replicas.follow_clock(replicas.read_phone(self.app.database))
        self._look()

    def _look(self) -> None:
        """See whether the table is here, as the worker does in its status."""
        with self.running():
            self.row = next(iter(replicas.find_waiting(self.app.database.connection)), None)

    def _save(self) -> None:
        chance = self.evening.chance
        fate = chance.random()
        if fate < self.evening.deaths:
            raise Lost("is ended before it has saved" if chance.random() < 0.5 else "is full")
        self._look()
        self.saved = self.path.read_bytes()
        if fate < 2 * self.evening.deaths:
            raise Lost("is ended behind saving")

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = FORM) -> Response | None:
        """Ask the worker's Python, and save; None where it came to its end."""
        phone._running[:] = [self.app]  # noqa: SLF001  # as `start` does
        with self.running():
            answer = phone.answer(
                method, f"{HOME}{path.lstrip('/')}", [("Content-Type", kind)], body
            )
        require(answer.status < BROKEN, "the phone fails", method, path, answer.status)
        self.evening.tell(f"{self.name}, here: {method} {path} → {answer.status}")
        try:
            if answer.changed:
                self._save()
        except Lost as error:
            self.evening.tell(f"{self.name} {error}")
            self.start()
            return None
        return Response(answer.body, answer.status, dict(answer.headers))

    def is_parted(self) -> bool:
        """Whether others wrote meanwhile, and somebody has to decide."""
        return bool(self.row and self.row.conflict)

    def only_here(self) -> bool:
        """Whether the phone answers, network or not."""
        return bool(self.away or (self.row and self.row.waiting))

    def here(self) -> TableView | None:
        """Return the table that its page is made of."""
        return self.view() if self.only_here() else super().here()

    def heard(self) -> datetime | None:
        """Return since when at least its clock goes on."""
        return self.evening.now if not self.wrong_by else self.last_heard

    def act(self) -> None:
        """Do something, where the worker lets it be done."""
        if self.is_parted() and self.evening.chance.random() < 0.5:
            self.decide()
        elif view := self.here():
            op = self.make(view)
            if self.only_here():
                self.do_here(op)
                return
            answer = self.carry("POST", op.path, op.body, op=op)
            if answer is None or answer.status_code > BROKEN:
                self.do_here(op)
            elif answer.status_code == 303:
                if not self.exchange():
                    self.do_here(op)
            else:
                op.refused = True

    def do_here(self, op: Op) -> None:
        """Do something on the phone."""
        self.evening.tell(f"{self.name}, here: {op}")
        answer = self.ask("POST", op.path, op.body)
        if answer and answer.status_code == 303:
            op.done = True
        elif answer and not op.tried:
            op.refused = True

    def exchange(self) -> bool:
        """Push and pull as the worker does; whether all of it was done."""
        answers = list[dict[str, Any]]()
        for _ in range(OFTEN):
            said = self.ask("POST", "offline/exchange", json.dumps(answers).encode(), "text/plain")
            if said is None:
                return False
            told = said.get_json(force=True)
            if told["done"]:
                self.last_heard = self.evening.now
            if not told["calls"]:
                return bool(told["done"])
            answers = [self._call(each) for each in told["calls"]]
        raise Broken("an exchange does not come to an end")

    def _call(self, asked: dict[str, Any]) -> dict[str, Any]:
        path = asked["path"]
        answer = self.carry("POST", f"/{path}", asked["body"].encode(), "application/json")
        status, text = (answer.status_code, answer.get_data(as_text=True)) if answer else (0, "")
        return {**asked, "status": status, "text": text}

    def decide(self, *, all_of_it: bool = False) -> None:
        """Put mine behind theirs, perhaps a part of it, and perhaps take it back."""
        chance, path = self.evening.chance, f"/t/{self.link}/decide"
        self.exchange()
        page = self.ask("GET", path)
        text = page.get_data(as_text=True) if page else ""
        if not (seen := re.search(r'name="seen" value="([^"]+)"', text)):
            return
        places = re.findall(r'name="take"\s+value="(\d+)"', text)
        take = [each for each in places if all_of_it or chance.random() < 0.8]
        form, before = {"seen": seen[1], "take": take, "do": "add"}, self._waiting()
        self.ask("POST", path, urlencode(form, doseq=True).encode())
        if not self.is_parted():
            self._compare(before)
        page = self.ask("GET", path)
        if page and b'value="undo"' in page.data and chance.random() < 0.2 and not all_of_it:
            self.ask("POST", path, b"do=undo")

    def _waiting(self) -> set[object]:
        """Return what counts and is here alone."""
        told, base = Told(self), self.row.base if self.row else 0
        rows = [r for r in self.read() if r[0] > base and r[0] in told.counting and r[1] in LISTED]
        return {mark_of(r) for r in rows if r[1] != "record" or mark_of(r) in told.notes}

    def _compare(self, before: set[object]) -> None:
        """Hold what was left out against what is listed."""
        self.evening.merged = True
        merged = self.row and self.row.versions.merged
        listed = merged.left_out if merged else []
        there = {mark_of(row) for row in self.read()}
        require(len(before - there) <= len(listed), "left out, not listed", before - there, listed)
        for op in self.evening.done:
            op.left |= op.who is self and not op.row and not there & {op.name, op.mark}

    def settle(self) -> bool:
        """Hand all of it over; whether nothing waits."""
        self.away = False
        self.exchange()
        if self.is_parted():
            self.decide(all_of_it=True)
            self.exchange()
        return not self.only_here()


LISTED = ("record", "start", "pay", "rename")


def mark_of(row: Row) -> object:
    """Return what a row is known by: the note of an event, the hash of a form."""
    return json.loads(row[3]).get("note") if row[1] == "record" else row[7]


class Lost(Exception):
    """A phone has lost what it had not saved."""


@cache
def disk_of() -> Disk:
    """Return the disk of this process."""
    return Disk()


@cache
def pooled(name: str) -> Application:
    """Return the application of a machine; evenings one after the other use the same."""
    if name == "server":
        return create_app({"DATABASE": "", "LIMITS": False, "PROPAGATE_EXCEPTIONS": True})
    return phone.create_phone_app("", HOME=HOME, PROPAGATE_EXCEPTIONS=True)


def require(kept: object, promise: str, *told: object) -> None:
    """Raise Broken unless a promise is kept."""
    if not kept:
        raise Broken(" ".join([promise, *map(str, told)])[:1500])


USUAL: tuple[type[Event], ...] = (*(NoBestHand,) * 3, *(LastTrick,) * 2, *candidates(NAMES[:2]))
POINTS = (-20, 5, 15, 30)
TRIES = 8


class Evening:
    """An evening under a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance, self.folder, self.story = Random(seed), folder, list[str]()
        self.now = self.shown = BEGINNING
        self.link, self.merged, self.odd_time = "", False, False
        self.ops, self.done = dict[object, Op](), list[Op]()
        self.late = list[Request]()
        draw = self.chance.choice
        # How often a server or a phone dies, and what the network does to a request.
        self.deaths, self.rough = draw([0, 0.01, 0.04, 0.2]), draw([0, 0.02, 0.3])
        self.lost, self.unanswered, self.doubled, self.delayed = (
            draw([0, 0.05, 0.3]) for _ in range(4)
        )
        self.bundles, self.pages = list[Bundle](), list[Page]()

    def arrive(self) -> None:
        """Let the machines be there."""
        draw = self.chance.choice
        disk_of().watch(self.folder / "server")
        self.server = Server(self)
        if self.chance.random() < 0.15:
            self.odd_time, self.server.wrong_by = True, BEFORE_TIME - self.now
        self.bundles = [Bundle(self, f"phone {n}") for n in range(draw([1, 2, 2, 3]))]
        for each in self.bundles:
            each.wrong_by = draw(
                [timedelta()] * 3
                + [timedelta(hours=-2), timedelta(days=900), BEFORE_TIME - self.now]
            )
        self.pages = [*self.bundles, *(Page(self, f"page {n}") for n in range(draw([0, 1, 2])))]

    def tell(self, text: str) -> None:
        """Note what happens."""
        self.story.append(f"{self.now:%d %H:%M:%S} {text}")

    def carry(self, sent: Request) -> Response | None:
        """Carry a request to the server, and its answer back, as the network likes."""
        chance = self.chance.random
        if chance() < self.lost:
            return None
        if chance() < self.delayed and sent.path != "/":
            self.late.append(sent)
            return None
        answer = self.server.ask(sent)
        if answer and chance() < self.doubled:
            answer = self.server.ask(sent)
        return None if chance() < self.unanswered else answer

    def draw_event(self, state: GameState) -> Event:
        """Draw an event that may be recorded now, seldom one that may not."""
        chance, tried = self.chance, candidates(state.players)
        illegal = chance.random() < 0.04
        for _ in range(TRIES if not state.over else 1):
            event = chance.choice(tried[chance.choice(USUAL)])
            if illegal or (can(state, event) and not isinstance(event, BreakOff)):
                return event
        return Correction(player=chance.choice(state.players), points=chance.choice(POINTS))

    def draw_change(self, view: TableView) -> tuple[str, str, dict[str, Any]]:
        """Draw something to do at a table: what it is, its form's address, and its fields."""
        chance, state, made = self.chance, view.state, len(self.done)
        ends, often, odd = state.over, 3 if state.over else 1, chance.random() < 0.05
        event = write_event(BreakOff(settle=True) if odd else self.draw_event(state))
        who = dict(zip(("payer", "payee"), chance.sample([*view.names], 2), strict=True))
        ahead = {**who, "amount": made + 1, "way": "cash"}
        all_of_it = {"way": chance.choice(["rounded", "cash"])}
        paid = [row[0] for row in self.server.known if row[1] == "pay"]
        at = chance.randrange(max(1, len(view.game.events)))
        edit: list[object] = [chance.choice(["remove", "change", "insert", "move"]), at]
        if edit[0] in ("change", "insert"):
            edit.append({**event, "note": f"edit {made}"})
        edited = {"operations": json.dumps([edit]), "do": "save"}
        # How often, when it makes sense, what it is, the form's address, and its fields.
        ways: list[tuple[int, object, str, str, dict[str, Any]]] = [
            (80, not ends, f"{event}", "/events", {"event": event}),
            (10, view.undoable, "undo", "/undo", {}),
            (4, view.redoable, "redo", "/redo", {}),
            (2, True, "rename", "/name", {"name": f"Table {made}"}),
            (20, ends, "next game", "/games", {}),
            (20, ends, "pay all", "/evening/all", all_of_it),
            (2 * often, state.setup.stake_ore, "pay ahead", "/evening/advance", ahead),
            (often, paid, "unpay", "/evening/undo", {"settlement": chance.choice([*paid, 1])}),
            (6, view.game.events, f"edit {edit}", f"/games/{view.number}/edit", edited),
        ]
        likely = [way for way in ways if way[1] or odd]
        return chance.choices(likely, [way[0] for way in likely])[0][2:]

    def open(self) -> None:
        """Open the table, on a phone or on the server; let everybody have it and a pen."""
        chance, opener = self.chance, self.bundles[0]
        seated = NAMES[: chance.randint(2, 4)]
        form = {"player": seated, "dealer": 0, "apart": 1, "key": "k" * 22}
        form |= {"stake": chance.choice(["0", "1", "2,50"]), "preset": chance.choice([*PRESETS])}
        opener.away, data = chance.random() < 0.5, urlencode(form, doseq=True).encode()
        self.tell(f"a table of {len(seated)}, {form['preset']}")
        for _ in range(OFTEN):
            answer = (opener.ask if opener.away else opener.carry)("POST", "/", data)
            require(answer is None or answer.status_code in (303, 503), "no table", answer)
            if answer and answer.location:
                self.link = answer.location.removeprefix("/t/")
                break
        opener.away = False
        for each in self.pages:
            known = any(each.is_known() for _ in range(OFTEN))
            require(known, "no way to the server is found", each.name)
            disk_of().work()
            with self.server.running(), self.server.app.database.transaction() as connection:
                require(connection.table("tables").count == 1, "two tables")
                table = access.find_access(connection, self.link, None)
                access.add_pen(connection, table.id, each.pen)

    def meet(self) -> None:
        """Let every phone have the table."""
        for each in self.bundles:
            if not each.row:
                each.carry("GET", f"/t/{self.link}")
                each.exchange()

    def step(self) -> None:
        """Let something happen."""
        chance = self.chance
        self.now += timedelta(seconds=chance.choice([1, 20, 90, 90, 600, 20_000]))
        who, roll = chance.choice(self.pages), chance.random()
        if chance.random() < self.rough:
            self.trouble()
        elif roll < 0.7:
            for _ in range(chance.randint(1, 4)):
                self.now += timedelta(seconds=chance.randrange(1, 20))
                who.act()
        elif roll < 0.78:
            who.away = not who.away
            self.tell(f"{who.name} is {'away' if who.away else 'back'}")
            self.meet()
        elif roll < 0.84 and isinstance(who, Bundle):
            who.exchange()
        elif roll < 0.88 and self.late:
            late = self.late.pop(chance.randrange(len(self.late)))
            self.tell(f"what was delayed arrives: {late.op or late.path} → {self.server.ask(late)}")
        elif roll < 0.94 and self.odd_time:
            self.server.wrong_by = timedelta()
        else:
            self.compare(who)

    def trouble(self) -> None:
        """Let the disk of the server fail for a while, or the server be started anew."""
        chance, disk, roll = self.chance, disk_of(), self.chance.random()
        if roll < 0.5:
            code = chance.choice([IOERR, FULL])
            disk.fail(code, chance.randrange(1, 9), chance.choice([1, 1, 9]))
            self.tell(f"the disk {'is full' if code == FULL else 'fails'}")
        else:
            self.server.die()

    def compare(self, who: Page) -> None:
        """Hold what somebody is shown against what the rules make of the log."""
        machine: Machine = self.server
        part = self.chance.choice([*PAGES[:2] * 2, *PAGES])
        if isinstance(who, Bundle) and who.view() and who.only_here():
            machine = who
            page = who.ask("GET", f"/t/{self.link}{part}")
        else:
            page = self.server.ask(Request("GET", f"/t/{self.link}{part}", b"", who.cookie()))
        if page is None or page.status_code != 200:
            return
        told, shown = Told(machine), SCORE.findall(page.get_data(as_text=True).replace("−", "-"))
        if part == PAGES[1] or (part == PAGES[0] and not told.state.over):
            scores = [f"{seat.score}" for seat in told.state.seats]
            require(sorted(shown) == sorted(scores), "shown wrong", shown, scores)
        with machine.running():
            owed = ledger.read_ledger(machine.app.database, self.link).outstanding
            won = ledger.suggest_payments(machine.app.database, self.link)["balance_ore"]
        require(not sum(owed.values()) and not sum(won.values()), "money is lost", owed, won)
        require(told.balance == Counter(owed), "owed wrong", machine.name, owed, told.balance)
        require(told.won == Counter(won), "won wrong", machine.name, won, told.won)

    def run(self) -> None:
        """Play it from its beginning to its end."""
        self.arrive()
        self.open()
        self.meet()
        for _ in range(STEPS):
            self.step()
        self.finish()

    def finish(self) -> None:
        """Let everybody hand over what waits, and hold all copies against each other."""
        self.tell("in the morning")
        self.now += timedelta(hours=12)
        self.deaths = self.lost = self.unanswered = self.doubled = self.delayed = 0.0
        disk_of().work()
        while self.late:
            self.server.ask(self.late.pop())
        for _ in range(9):
            settled = [each.settle() for each in self.pages]
            if all(settled):
                break
        require(all(settled), "not all is handed over", settled)
        self.meet()
        for each in self.bundles:
            each.exchange()
            here, there = (copy_of(app, self.link) for app in (each.app, self.server.app))
            require(here == there, "the copies differ", each.name, here, there)
            self.compare(each)
        self.server.close()
        self.server.observe()
        with closing(sqlite3.connect(self.server.path)) as connection:
            require(not connection.execute(UNSOUND).fetchall(), "the file is damaged")
        for op in self.done:
            require(
                op.row or not op.done or op.left or op.what.startswith("edit"),
                "it is lost",
                op,
            )
            require(not (op.refused and op.row), "it was refused, and is there", op)


@contextmanager
def simulated(evening: Evening, chance: Random) -> Iterator[None]:
    """Let time and chance be the simulator's."""
    ticks = itertools.count()
    with ExitStack() as changed:
        for thing, name, value in (
            (secrets, "token_bytes", lambda size=32: chance.randbytes(size)),
            (secrets, "choice", chance.choice),
            (servers, "time", SimpleNamespace(monotonic=ticks.__next__)),
            (servers, "LONGEST_SECONDS", chance.choice([5, 10**9])),
            (clock, "sleep", lambda _: None),
            (clock, "utc_now", lambda: evening.shown),
            (files, "synchronize", disk_of().synchronize),
        ):
            changed.enter_context(mock.patch.object(thing, name, value))
        logging.disable()
        changed.callback(logging.disable, logging.NOTSET)
        changed.callback(phone._running.clear)  # noqa: SLF001  # nothing is running any more
        yield


@contextmanager
def planted(place: str, *changes: tuple[str, str]) -> Iterator[None]:
    """Let a function of the program be otherwise."""
    function = unwrap(resolve_name(f"app.{place}"))
    source = Path(function.__code__.co_filename).read_text("utf-8")
    for old, new in changes:
        source = source.replace(old, new)
    codes = [compile(source, place, "exec")]
    for code in codes:
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    names = {code.co_qualname: code for code in codes}
    before, function.__code__ = function.__code__, names[function.__qualname__]
    yield
    function.__code__ = before


def play(seed: int) -> tuple[int, str, list[str]]:
    """Play an evening: its seed, what was broken, and its story."""
    pooled("server"), pooled("phone 0")
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        evening, why = Evening(seed, Path(folder)), ""
        with simulated(evening, Random(-seed)):
            try:
                evening.run()
            except Exception as error:  # noqa: BLE001 - whatever comes out is what is looked for
                why = f"{error}" if isinstance(error, Broken) else traceback.format_exc()
            finally:
                for each in (pooled("server"), *(each.app for each in evening.bundles)):
                    each.close()
    return seed, why, evening.story


def main() -> int:
    """Play evenings, and print; exit status 1 where a promise was broken."""
    args, began = options(__doc__, evenings=10_000, seed=0), time.monotonic()
    if args.seed:
        _, why, story = play(args.seed)
        print(*story, why or "nothing is broken", sep="\n")
        return int(bool(why))
    figures = Figures(f"{args.evenings} evenings")
    with Pool() as pool:
        played = pool.imap_unordered(play, range(1, args.evenings + 1), 10)
        broken = [f"--seed {seed}: {why}" for seed, why, _ in played if why]
    figures.add("evenings a second", f"{args.evenings / (time.monotonic() - began):.1f}")
    figures.none_of("evenings with a broken promise", broken)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())

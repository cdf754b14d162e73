"""Every route with its dearest case, asked by everybody, while somebody plays at another table.

    python -m tests.hard.routes [--share 1.0] [--only evening] [--slowest 0.25]

Two tables are filled to this share of their bounds. Prints a row a route and method: its dearest
request, the slowest tap at the other table meanwhile, the answers, and how much memory the server
has taken by then. Exit status 1 where a tap took longer (a second may, while others keep all cores
busy), a promise was broken, or a route is not listed in tests/hard/cases.py.
"""

from __future__ import annotations

import argparse
import http.client
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import quote

from flask import Flask
from werkzeug.routing import Rule

from app import create_app
from app.http.bodies import LARGEST
from app.services.tables import Write, hash_secret, new_pen
from app.store.database import Database
from tests.bench.filling import cookie
from tests.browser.serving import Server
from tests.hard.attacks import HOSTILE
from tests.hard.cases import Body, find_unlisted, make_inputs, write_address
from tests.hard.figures import Figures
from tests.hard.filling import fill_table, name_of
from tests.hard.hostile import Neighbour
from tests.hard.serving import Memory, served

# The promises: of the slowest tap in seconds, of more memory in MiB.
SLOWEST, MORE = 0.25, 150
# What takes more than a form is also sent by so many at once.
AT_ONCE, PATIENCE, EVERY = 5, 120.0, 0.02
SEQ, GAME, OF_A_GAME = "seq", "game", "/games/<int:number>"
STRANGER = Write(token_urlsafe(16), new_pen())


@dataclass
class Asked:
    """What was found at one route with one method; the dearest is (seconds, by whom)."""

    dearest: tuple[float, str] = (0.0, "")
    slowest: float = 0.0
    statuses: set[int] = field(default_factory=set)
    at_once: set[int] = field(default_factory=set)

    @property
    def answered(self) -> bool:
        """Whether every request was; of several at once some may have to come again."""
        fine = {*range(200, 500)}
        return self.statuses <= fine and self.at_once <= {*fine, 503}


@dataclass
class Request:
    """A request of one visitor."""

    rule: Rule
    method: str
    number: int
    visitor: Write
    query: str
    body: Body | None


@dataclass
class Play:
    """A served program with full tables, by name, and somebody who plays at another."""

    server: Server
    tables: dict[str, Write]
    neighbour: Neighbour
    memory: Memory

    def ask(self, rule: Rule, method: str) -> Asked:
        """Ask as a stranger, a reader and a keeper, of each table and with each input."""
        found = Asked()
        for who, visitor in self._visitors(rule):
            games = {1, self._find(GAME, visitor.link)} if OF_A_GAME in rule.rule else {1}
            for number, inputs in product(games, make_inputs(rule.endpoint, method)):
                self._renew(visitor.link)
                query, body = inputs
                request = Request(rule, method, number, visitor, query, body)
                self._measure(found, who, request, 1)
                if body and rule.endpoint in LARGEST:
                    self._measure(found, who, request, AT_ONCE)
        return found

    def _visitors(self, rule: Rule) -> Iterator[tuple[str, Write]]:
        yield "a stranger", STRANGER
        for name, keeper in self.tables.items() if "link" in rule.arguments else ():
            yield f"a reader, {name}", Write(keeper.link, STRANGER.pen)
            yield f"the keeper, {name}", keeper

    def _renew(self, link: str) -> None:
        """Make another version of a table, so that no page of it has been made."""
        for keeper in self.tables.values():
            if keeper.link == link:
                self._send("POST", f"/t/{link}/pen/back", b"", {"Cookie": cookie(keeper.pen or "")})

    def _measure(self, found: Asked, who: str, request: Request, times: int) -> None:
        began = time.monotonic()
        with ThreadPoolExecutor(times) as pool:
            statuses = {*pool.map(self._request, [request] * times)}
        took = time.monotonic() - began
        (found.statuses if times == 1 else found.at_once).update(statuses)
        found.dearest = max(found.dearest, (took, f"{times} x {who}"))
        found.slowest = max(found.slowest, self.neighbour.slowest_since(began))

    def _request(self, request: Request) -> int:
        """Send a request as it is now, and return the answer's status."""
        rule, link, pen = request.rule, request.visitor.link, request.visitor.pen or ""
        content, kind = request.body or (b"", "")
        if b'"NEW"' in content:
            link = token_urlsafe(22)
        told = {"NEW": link, "LINK": link, "NAME": quote(name_of(0)), "SEQ": self._find(SEQ, link)}
        for word, value in told.items():
            content = content.replace(word.encode(), f"{value}".encode())
        path = f"{write_address(rule, link=link, number=request.number)}?{request.query}"
        headers = {"Cookie": cookie(pen), "Authorization": f"Bearer {pen}"}
        headers |= {"Content-Type": kind} if kind else {}
        return self._send(request.method, path, content, headers)

    def _find(self, what: str, link: str) -> int:
        """Find a number of a table in the database."""
        sql = f"""SELECT COALESCE(MAX({what}), 0) FROM changes JOIN tables ON tables.id = table_id
            WHERE link_hash = ?"""
        file = f"file:{self.server.database}?mode=ro"
        with closing(sqlite3.connect(file, uri=True, timeout=PATIENCE)) as connection:
            return int(connection.execute(sql, [hash_secret(link)]).fetchone()[0])

    def _send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> int:
        """Send a request, and return the answer's status, 0 where none came; of a stream a part."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.server.port, timeout=PATIENCE, source_address=(HOSTILE, 0)
        )
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            while (line := answer.readline()) and not line.startswith(b"data:"):
                pass
        except (OSError, http.client.HTTPException):
            return 0
        else:
            return answer.status
        finally:
            connection.close()


def report(figures: Figures, name: str, found: Asked, play: Play, slowest: float) -> None:
    """Note what was found at a route."""
    (seconds, who), more = found.dearest, play.memory.most - play.memory.start
    told = ", ".join(map(str, sorted(found.statuses | found.at_once)))
    refused, play.neighbour.refused = play.neighbour.refused, []
    text = (
        f"{1000 * seconds:6.0f} ms ({who}), tap {1000 * found.slowest:5.0f} ms,"
        f" {len(refused)} refused, {more:4} MiB, answered {told}"
    )
    kept = found.answered and found.slowest < slowest and not refused and more <= MORE
    figures.add(name, text, kept=kept)


def run(folder: Path, app: Flask, share: float, rules: Iterable[Rule], slowest: float) -> Figures:
    """Fill the tables, serve them, and ask for everything."""
    figures = Figures("every route, by everybody")
    figures.none_of("routes that are not in the listing", find_unlisted(app))
    db = Database(folder / "chicago.db")
    nights = {"its years": False, "its night": True}
    tables = {name: fill_table(db, one_night=night, share=share) for name, night in nights.items()}
    db.close()
    with served(folder) as server:
        neighbour = Neighbour(server.port, "127.0.0.2", every=EVERY)
        neighbour.open()
        with Memory(server) as memory:
            play = Play(server, tables, neighbour, memory)
            for rule in rules:
                for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                    found = play.ask(rule, method)
                    report(figures, f"{method} {rule.rule}", found, play, slowest)
        neighbour.over.set()
        neighbour.thread.join()
        begun = server.log.read_text().count("Booting worker")
        figures.add("workers that were killed", begun - 1, kept=begun == 1)
    return figures


def main(argv: list[str] | None = None) -> int:
    """Ask, measure and print; exit status 1 where a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--only", default="", help="a part of a route")
    parser.add_argument("--slowest", type=float, default=SLOWEST)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app({"DATABASE": str(folder / "routes.db")})
        rules = [rule for rule in app.url_map.iter_rules() if args.only in rule.rule]
        return run(folder, app, args.share, rules, args.slowest).print()


if __name__ == "__main__":
    sys.exit(main())

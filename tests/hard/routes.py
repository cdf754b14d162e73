"""Every route with its dearest case, asked by everybody, while somebody taps at another table.

    python -m tests.hard.routes [--only evening] [--slowest 0.25]

Two tables are filled to their bounds. Prints a row a route and method: its dearest request, the
slowest tap at the other table meanwhile, the answers, and how much memory the server has taken by
then; then the same under each attack of one hostile address. Exit status 1 where a tap took longer
(under an attack, which keeps a core busy: a second), a promise was broken, or a route is not listed
in tests/hard/cases.py.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import quote

from werkzeug.routing import Rule

from app import create_app
from app.http.bodies import LARGEST
from app.services.tables import MAX_GAMES, Write, hash_secret, new_pen
from app.store.database import Database
from tests.bench.filling import cookie
from tests.bench.served import Served
from tests.browser.serving import Server
from tests.full_table import fill_table, name_of
from tests.hard.cases import find_unlisted, make_inputs, write_address
from tests.hard.figures import Figures, served
from tests.hard.keepers import Neighbour

# The promises: of the slowest tap in seconds, of more memory in MB.
SLOWEST, UNDER_ATTACK, MORE = 0.25, 1.0, 150
# What takes more than a form is also sent by so many at once.
AT_ONCE, PATIENCE = 5, 120.0
OF_A_GAME = "/games/<int:number>"
STRANGER = Write(token_urlsafe(16), new_pen())
HOSTILE, TICK, PIECE = "127.0.0.9", 0.05, 65536
FORM_KIND = "application/x-www-form-urlencoded"
FORM = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: {FORM_KIND}\r\n".encode()
FORM += b"Content-Length: 60000\r\n\r\n"
# What each of so many connections sends at once, and what it goes on with; it reads what comes.
# LINK is that of the neighbour's table.
ATTACKS: dict[str, tuple[int, bytes, bytes]] = {
    "heads that never end": (1500, b"GET / HTTP/1.1\r\nHost: x", b""),
    "slow bodies": (200, FORM, b"x"),
    "a flood of refused forms": (200, FORM.replace(b"urlencoded", b"unknown"), b""),
    "idle sockets": (300, b"", b""),
    "stray bodies": (40, FORM.replace(b"60000", b"20000000"), bytes(PIECE)),
    "made-up readers": (500, b"GET /t/LINK/live?me=NUMBER HTTP/1.1\r\nHost: x\r\n\r\n", b""),
}


class Street:
    """A served program and somebody who plays there, while others ask."""

    def __init__(self, figures: Figures, server: Server, neighbour: Neighbour) -> None:
        self.server, self.neighbour, self._figures = server, neighbour, figures
        self._served = Served(server.port, server.pid)
        self._before, self._refused = self._served.memory("VmHWM"), 0

    def add(self, name: str, told: str, slowest: float, promised: float, *, kept: bool) -> None:
        """Note a row, with the slowest tap meanwhile."""
        refused, self._refused = self.neighbour.refused - self._refused, self.neighbour.refused
        more = self._served.memory("VmHWM") - self._before
        kept = kept and slowest < promised and not refused and more <= MORE
        text = f"{told}, tap {1000 * slowest:5.0f} ms, {refused} refused, {more:4.0f} MB"
        self._figures.add(name, text, kept=kept)

    def attack(self, name: str, seconds: float) -> None:
        """Attack for a while."""
        arguments = (self.server.port, self.neighbour.link, *ATTACKS[name])
        attacker = multiprocessing.Process(target=assail, args=arguments, daemon=True)
        began = time.monotonic()
        attacker.start()
        time.sleep(seconds)
        slowest = self.neighbour.slowest_since(began)
        attacker.kill()
        self.add(f"attack: {name}", f"{seconds:4.0f} s", slowest, UNDER_ATTACK, kept=True)


def assail(port: int, link: str, count: int, head: bytes, more: bytes) -> None:
    """Keep up so many connections, for ever."""
    connections: list[socket.socket] = []
    while True:
        connections = [each for each in connections if _goes_on(each, more)]
        for number in range(count - len(connections)):
            with suppress(OSError):
                to, own = ("127.0.0.1", port), (HOSTILE, 0)
                connection = socket.create_connection(to, PATIENCE, source_address=own)
                sent = head.replace(b"LINK", link.encode())
                connection.sendall(sent.replace(b"NUMBER", b"%08d" % number))
                connection.setblocking(False)
                connections.append(connection)
        time.sleep(TICK)


def _goes_on(connection: socket.socket, more: bytes) -> bool:
    """Read what there is, and send more; return whether the other side is still there."""
    try:
        with suppress(BlockingIOError):
            if not connection.recv(PIECE):
                return False
        with suppress(BlockingIOError):
            connection.send(more)
    except OSError:
        return False
    return True


class Visitors(Street):
    """Those who ask for everything, of two full tables."""

    tables: Mapping[str, Write]

    def ask(self, rule: Rule, method: str, promised: float) -> None:
        """Ask as a stranger, a reader and a keeper, of each table and with each input."""
        dearest, slowest, statuses, kept = (0.0, ""), 0.0, set[int](), True
        numbers = (1, MAX_GAMES) if OF_A_GAME in rule.rule else (1,)
        for (who, visitor), number in product([*self._visitors(rule)], numbers):
            address = write_address(rule, link=visitor.link, number=number)
            for query, body in make_inputs(rule.endpoint, method):
                for times in (1, AT_ONCE) if body and rule.endpoint in LARGEST else (1,):
                    # Another version of the table, so that no page of it has been made.
                    self._send("POST", f"/t/{visitor.link}/pen/back", visitor)
                    sent = (method, f"{address}?{query}", visitor, *(body or ()))
                    began = time.monotonic()
                    with ThreadPoolExecutor(times) as pool:
                        answers = {*pool.map(lambda sent: self._send(*sent), [sent] * times)}
                    dearest = max(dearest, (time.monotonic() - began, f"{times} x {who}"))
                    slowest = max(slowest, self.neighbour.slowest_since(began))
                    # Of several large ones at once some may have to come again.
                    kept &= answers <= {*range(200, 500)} | ({503} if times > 1 else set())
                    statuses |= answers
        told = f"{1000 * dearest[0]:5.0f} ms ({dearest[1]}): {sorted(statuses)}"
        self.add(f"{method} {rule.rule}", told, slowest, promised, kept=kept)

    def _visitors(self, rule: Rule) -> Iterator[tuple[str, Write]]:
        yield "a stranger", STRANGER
        for name, keeper in self.tables.items() if "link" in rule.arguments else ():
            yield f"a reader, {name}", Write(keeper.link, STRANGER.pen)
            yield f"the keeper, {name}", keeper

    def _send(
        self, method: str, path: str, visitor: Write, body: bytes = b"", kind: str = FORM_KIND
    ) -> int:
        """Send a request as it is now, and return the answer's status; of a stream a part."""
        link = token_urlsafe(22) if b'"NEW"' in body else visitor.link
        told = {"NEW": link, "LINK": link, "NAME": quote(name_of(1)), "SEQ": self._version(link)}
        for word, value in told.items():
            body = body.replace(word.encode(), f"{value}".encode())
        headers = {"Cookie": cookie(visitor.pen or ""), "Content-Type": kind}
        headers["Authorization"] = f"Bearer {visitor.pen}"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        with closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            while (line := answer.readline()) and not line.startswith(b"data:"):
                pass
            return answer.status

    def _version(self, link: str) -> int:
        sql = """SELECT COALESCE(MAX(seq), 0) FROM changes JOIN tables ON tables.id = table_id
            WHERE link_hash = ?"""
        with closing(sqlite3.connect(self.server.database, timeout=PATIENCE)) as connection:
            return int(connection.execute(sql, [hash_secret(link)]).fetchone()[0])


def ask_for_everything(figures: Figures, folder: Path, only: str, slowest: float) -> None:
    """Fill the tables, serve them, and ask for every route."""
    db = Database(folder / "chicago.db")
    tables = {"its years": fill_table(db), "its night": fill_table(db, MAX_GAMES + 1)}
    db.close()
    app = create_app({"DATABASE": str(folder / "routes.db")})
    figures.none_of("routes that are not in the listing", find_unlisted(app))
    with served(folder) as server, Neighbour(server.port) as neighbour:
        visitors = Visitors(figures, server, neighbour)
        visitors.tables = tables
        for rule in app.url_map.iter_rules():
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                if only in rule.rule:
                    visitors.ask(rule, method, slowest)
        begun = server.log.read_text().count("Booting worker")
        figures.add("workers that were killed", begun - 1, kept=begun == 1)


def main() -> int:
    """Ask, measure and print; exit status 1 where a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of a route, or attack")
    parser.add_argument("--slowest", type=float, default=SLOWEST)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each attack")
    args = parser.parse_args()
    figures = Figures("every route, by everybody")
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
        if args.only != "attack":
            ask_for_everything(figures, Path(name), args.only, args.slowest)
        if args.only in ("", "attack"):
            with (
                served(Path(other), CHICAGO_LIMITS="on") as server,
                Neighbour(server.port) as neighbour,
            ):
                street = Street(figures, server, neighbour)
                for attack in ATTACKS:
                    street.attack(attack, args.seconds)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())

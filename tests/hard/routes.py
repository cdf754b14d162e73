"""Every route with its dearest case, asked by everybody, while somebody taps at another table.

    python -m tests.hard.routes [--only evening] [--slowest 0.25]

Two tables are filled to their bounds. Prints a row a route and method: its dearest request, the
slowest tap at the other table meanwhile, the answers, and how much memory the server has taken by
then; then the same under each attack of one hostile address. Exit status 1 where a tap took longer
(under an attack, which keeps a core busy: a second), a promise was broken, or a route is not listed
in tests/hard/cases.py.
"""

from __future__ import annotations

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
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from secrets import token_urlsafe

from werkzeug.routing import Rule

from app import create_app
from app.http.bodies import LARGEST
from app.services.access import Write, hash_secret, new_pen
from app.services.bounds import MAX_GAMES
from app.store.database import Database
from tests.bench.filling import cookie
from tests.bench.served import memory, processor_seconds
from tests.browser.serving import Server
from tests.full_table import fill_table, name_of
from tests.hard.cases import fill_in, find_unlisted, make_inputs, write_address
from tests.hard.figures import Figures, options, served
from tests.hard.keepers import Neighbour

# The promises: of the slowest tap in seconds, of more memory in MB.
SLOWEST, UNDER_ATTACK, MORE = 0.25, 1.0, 150
# What takes more than a form is also sent by so many at once.
AT_ONCE, PATIENCE, ANSWERED = 5, 120.0, set(range(200, 500))
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


@dataclass
class Street:
    """A served program with full tables, by name, and somebody who taps at another, meanwhile."""

    figures: Figures
    server: Server
    neighbour: Neighbour
    tables: Mapping[str, Write] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """See how much memory it takes before."""
        self._refused, self._memory = 0, memory(self.server, "VmHWM")

    def add(self, name: str, told: str, slowest: float, promised: float) -> None:
        """Note a row, with the slowest tap meanwhile."""
        before, self._refused = self._refused, self.neighbour.refused
        refused = self._refused - before
        more = memory(self.server, "VmHWM") - self._memory
        text = f"{told}, tap {1000 * slowest:5.0f} ms, {refused} refused, {more:3.0f} MB"
        self.figures.add(name, text, kept=slowest < promised and not refused and more <= MORE)

    def attack(self, name: str, seconds: float) -> None:
        """Attack for a while."""
        arguments = (self.server.port, self.neighbour.link, *ATTACKS[name])
        attacker = multiprocessing.Process(target=assail, args=arguments, daemon=True)
        began = time.monotonic()
        attacker.start()
        time.sleep(seconds)
        slowest = self.neighbour.slowest_since(began)
        attacker.kill()
        self.add(f"attack: {name}", f"{seconds:.0f} s", slowest, UNDER_ATTACK)

    def ask(self, rule: Rule, method: str, promised: float) -> None:
        """Ask as a stranger, a reader and a keeper, of each table and with each input."""
        dearest, slowest, statuses = (0.0, 0.0, ""), 0.0, set[int]()
        numbers = (1, MAX_GAMES) if "/games/<int:number>" in rule.rule else (1,)
        for (who, visitor), number in product([*self._visitors(rule)], numbers):
            address = write_address(rule, number=number)
            for query, body in make_inputs(rule.endpoint, method):
                for times in (1, AT_ONCE) if body and rule.endpoint in LARGEST else (1,):
                    # Another version of the table, so that no page of it has been made.
                    self._send("POST", f"/t/{visitor.link}/pen/back", visitor)
                    sent = (method, f"{address}?{query}", visitor, *(body or ()))
                    computed, began = processor_seconds(self.server), time.monotonic()
                    with ThreadPoolExecutor(times) as pool:
                        answers = {*pool.map(lambda sent: self._send(*sent), [sent] * times)}
                    took = time.monotonic() - began
                    computed = processor_seconds(self.server) - computed
                    dearest = max(dearest, (took, computed, f"{times} x {who}"))
                    slowest = max(slowest, self.neighbour.slowest_since(began))
                    # Of several large ones at once some may have to come again.
                    statuses |= answers - ({503} if times > 1 else set())
        told = f"{1000 * dearest[0]:5.0f} ms, processor {1000 * dearest[1]:4.0f} ms ({dearest[2]})"
        told += f": {sorted(statuses)}"
        # No tap is quick enough for a server error.
        self.add(f"{method} {rule.rule}", told, slowest, promised * (statuses <= ANSWERED))

    def _visitors(self, rule: Rule) -> Iterator[tuple[str, Write]]:
        yield "a stranger", STRANGER
        for name, keeper in self.tables.items() if "link" in rule.arguments else ():
            yield f"a reader, {name}", Write(keeper.link, STRANGER.pen)
            yield f"the keeper, {name}", keeper

    def _send(
        self, method: str, path: str, visitor: Write, body: bytes = b"", kind: str = FORM_KIND
    ) -> int:
        """Send a request as it is now, and return the answer's status, 0 where none came."""
        version = self._version(visitor.link)
        path, body = fill_in(path, body, visitor.link, name_of(1), version)
        headers = {"Cookie": cookie(visitor.pen or ""), "Content-Type": kind}
        headers["Authorization"] = f"Bearer {visitor.pen}"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            while (line := answer.readline()) and not line.startswith(b"data:"):
                pass
            return answer.status
        return 0

    def _version(self, link: str) -> int:
        sql = """SELECT COALESCE(MAX(seq), 0) FROM changes JOIN tables ON tables.id = table_id
            WHERE link_hash = ?"""
        with closing(sqlite3.connect(self.server.database, timeout=PATIENCE)) as connection:
            return int(connection.execute(sql, [hash_secret(link)]).fetchone()[0])


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


def main() -> int:
    """Fill the tables, serve them, and ask for every route; then attack."""
    args = options(__doc__, only="", slowest=SLOWEST, seconds=15.0)
    figures = Figures("every route, by everybody")
    with tempfile.TemporaryDirectory() as folder:
        db = Database(Path(folder) / "chicago.db")
        tables = {"its years": fill_table(db), "its night": fill_table(db, MAX_GAMES + 1)}
        db.close()
        app = create_app({"DATABASE": f"{folder}/routes.db"})
        figures.none_of("routes that are not in the listing", find_unlisted(app))
        with served(Path(folder)) as server, Neighbour(server.port) as neighbour:
            street = Street(figures, server, neighbour, tables)
            for rule in app.url_map.iter_rules() if args.only != "attack" else ():
                for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                    if args.only in rule.rule:
                        street.ask(rule, method, args.slowest)
            begun = server.log.read_text().count("Booting worker")
            figures.add("workers that were killed", begun - 1, kept=begun == 1)
        limited = served(Path(folder), CHICAGO_LIMITS="on")
        with limited as server, Neighbour(server.port) as neighbour:
            for attack in ATTACKS if args.only in ("", "attack") else ():
                Street(figures, server, neighbour).attack(attack, args.seconds)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())

"""What others may do while a neighbour taps at another table, and how long those taps take.

    python -m tests.hard.neighbour [--only evening] [--slowest 0.25] [--seconds 15]
        [--megabytes 1200]

Every route with its dearest case, asked by everybody, of two tables filled to their bounds: a row a
route and method with its dearest request, the answers, and how much memory the server has taken by
then. Attacks of one hostile address (`--only attack`). The real Caddy with deploy/Caddyfile, and
what docs/SERVER.md says that it cuts (`caddy`). A name erased in a large database, of which the
files hold no byte after the next start (`erasing`). Exit status 1 where a tap took longer (under an
attack, which keeps a core busy: a second), a promise was broken, or a route is not listed in
tests/hard/cases.py.
"""

import http.client
import multiprocessing
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from itertools import product, takewhile
from pathlib import Path
from secrets import token_urlsafe
from typing import Self
from urllib.parse import urlencode

from werkzeug.routing import Rule

from app import create_app
from app.http.bodies import LARGEST
from app.services.access import Write, hash_secret, new_pen
from app.services.bounds import MAX_GAMES
from app.store.database import Database
from tests.api.calling import PLAYERS, correction
from tests.api.network import connect, send
from tests.bench.filling import cookie
from tests.bench.load import memory
from tests.browser.serving import ROOT, Server
from tests.checkout import BIN
from tests.full_table import AN_EVENING, fill_table, name_of
from tests.hard.cases import URLENCODED, fill_in, find_unlisted, make_inputs, write_address
from tests.hard.figures import Figures, options, served

# The promises: of the slowest tap in seconds, of more memory in MB.
SLOWEST, UNDER_ATTACK, MORE = 0.25, 1.0, 150
# What takes more than a form is also sent by so many at once.
AT_ONCE, PATIENCE, ANSWERED = 5, 120.0, set(range(200, 500))
STRANGER = Write(token_urlsafe(16), new_pen())
HOSTILE, TICK, PIECE = "127.0.0.9", 0.02, 65536
FORM = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: {URLENCODED}\r\n".encode()
FORM += b"Content-Length: 60000\r\n\r\n"
# What each of so many connections sends at once, and what it goes on with; it reads what comes.
# LINK is that of the neighbour's table.
ATTACKS: dict[str, tuple[int, bytes, bytes]] = {
    "heads that never end": (1500, FORM[:40], b""),
    "slow bodies": (200, FORM, b"x"),
    "a flood of refused forms": (200, FORM.replace(b"urlencoded", b"unknown"), b""),
    "idle sockets": (300, b"", b""),
    "stray bodies": (40, FORM.replace(b"60000", b"20000000"), bytes(PIECE)),
    "made-up readers": (500, b"GET /t/LINK/live?me=NUMBER HTTP/1.1\r\nHost: x\r\n\r\n", b""),
}
# What Caddy cuts, and after how many seconds at most.
CUT = {
    "a half-sent head": (FORM[:40], b"", 12),
    "a head that drips": (FORM[:40], b"x", 12),
    "a socket on which nothing is said": (b"", b"", 12),
    "a body that drips": (FORM, b"x", 65),
}
NAME = "Zebulonia Quist"
OTHERS = """CREATE TABLE others AS WITH RECURSIVE megabytes(number) AS
    (SELECT 1 UNION ALL SELECT number + 1 FROM megabytes WHERE number < ?)
    SELECT randomblob(1000000) AS filled FROM megabytes"""


class Neighbour:
    """Records, edits and takes back steadily at a table of their own while a block runs.

    `taps` are each (when, how long), in seconds; `refused` is how many were not written.
    """

    def __init__(self, port: int) -> None:
        opened = send(port, "POST", "/api/tables", {"players": PLAYERS}).json
        self.link, self._pen, self.port = opened["table"], opened["pen"], port
        self.taps, self.refused = [(0.0, 0.0)], 0
        self._over, self._pool = threading.Event(), ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        """Begin to tap."""
        self._playing = self._pool.submit(self._play)
        return self

    def __exit__(self, *_: object) -> None:
        """Tap no more. Raises OSError or HTTPException where a tap had no answer."""
        self._over.set()
        self._playing.result()

    def _play(self) -> None:
        path = f"/api/tables/{self.link}/events"
        tap = [("POST", path, correction(1)), ("PUT", f"{path}/0", correction(2))]
        while not self._over.wait(TICK):
            for method, address, body in (*tap, ("DELETE", f"{path}/last", None)):
                began = time.monotonic()
                status = send(self.port, method, address, body, self._pen).status
                self.taps.append((began, time.monotonic() - began))
                self.refused += status >= 400

    def slowest_since(self, start: float) -> float:
        """Return how long the slowest tap took of those from a moment until now, now included."""
        now = time.monotonic()
        while self.taps[-1][0] < now and not self._playing.done():
            time.sleep(TICK)
        recent = takewhile(lambda tap: sum(tap) >= start, reversed(self.taps[:]))
        return max(took for _, took in recent)


class Street(Neighbour):
    """A neighbour at a server, and the figures of both."""

    def __init__(self, figures: Figures, server: Server, port: int = 0) -> None:
        super().__init__(port or server.port)
        self.figures, self.server, self.before = figures, server, memory(server, "VmHWM")

    def add(self, name: str, told: str, since: float, promised: float = SLOWEST) -> None:
        """Note a row, with the slowest tap meanwhile."""
        slowest, more = self.slowest_since(since), memory(self.server, "VmHWM") - self.before
        text = f"{told}, tap {1000 * slowest:5.0f} ms, {self.refused} refused, {more:3.0f} MB"
        kept = slowest < promised and not self.refused and more <= MORE
        self.figures.add(name, text, kept=kept)

    def attack(self, name: str, seconds: float) -> None:
        """Attack for a while."""
        arguments = (self.port, self.link, *ATTACKS[name])
        attacker = multiprocessing.Process(target=assail, args=arguments, daemon=True)
        began = time.monotonic()
        attacker.start()
        time.sleep(seconds)
        self.add(f"attack: {name}", f"{seconds:.0f} s", began, UNDER_ATTACK)
        attacker.kill()

    def ask(self, rule: Rule, method: str, visitors: dict[str, Write], promised: float) -> None:
        """Ask as each visitor, with each input; a large body is also sent several times at once."""
        numbers = (1, MAX_GAMES) if "/games/<int:number>" in rule.rule else (1,)
        inputs, begun = make_inputs(rule.endpoint, method), time.monotonic()
        dearest, statuses = (0.0, ""), set[int]()
        for who, number, (query, body) in product(visitors, numbers, inputs):
            address = f"{write_address(rule, number=number)}?{query}"
            for times in (1, AT_ONCE) if body and rule.endpoint in LARGEST else (1,):
                # Another version of the table, so that no page of it has been made.
                self._send("POST", f"/t/{visitors[who].link}/pen/back", visitors[who])
                sent, began = (method, address, visitors[who], *(body or ())), time.monotonic()
                with ThreadPoolExecutor(times) as pool:
                    answers = {*pool.map(lambda each: self._send(*each), [sent] * times)}
                dearest = max(dearest, (time.monotonic() - began, f"{times} x {who}"))
                # Of several large ones at once some may have to come again.
                statuses |= answers - ({503} if times > 1 else set())
        told = f"{1000 * dearest[0]:5.0f} ms ({dearest[1]}): {sorted(statuses)}"
        # No tap is quick enough for a server error.
        self.add(f"{method} {rule.rule}", told, begun, promised * (statuses <= ANSWERED))

    def _send(
        self, method: str, path: str, visitor: Write, body: bytes = b"", kind: str = URLENCODED
    ) -> int:
        """Send a request as it is now, and return the answer's status, 0 where none came."""
        version = find_version(self.server.database, visitor.link)
        path, body = fill_in(path, body, visitor.link, name_of(1), version)
        headers = {"Cookie": cookie(visitor.pen or ""), "Content-Type": kind}
        headers["Authorization"] = f"Bearer {visitor.pen}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with closing(connection), suppress(OSError, http.client.HTTPException):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            while (line := answer.readline()) and not line.startswith(b"data:"):
                pass
            return answer.status
        return 0


def find_version(database: Path, link: str) -> int:
    """Return the version of a table, 0 where there is none."""
    sql = """SELECT COALESCE(MAX(seq), 0) FROM changes JOIN tables ON tables.id = table_id
        WHERE link_hash = ?"""
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
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


def seconds_until_cut(port: int, head: bytes, drip: bytes) -> float:
    """Send a head, then a little each second, until the other side hangs up."""
    began = time.monotonic()
    with connect(port) as connection, suppress(ConnectionError):
        connection.settimeout(1)
        connection.sendall(head)
        while time.monotonic() - began < PATIENCE:
            try:
                if not connection.recv(1000):
                    break
            except TimeoutError:
                connection.sendall(drip)
    return time.monotonic() - began


def ask_for_all(figures: Figures, folder: Path, only: str, promised: float) -> None:
    """Fill two tables, serve them, and ask for every route: a stranger, readers and keepers."""
    db, visitors = Database(folder / "chicago.db"), {"a stranger": STRANGER}
    for name, an_evening in (("its years", AN_EVENING), ("its night", MAX_GAMES + 1)):
        keeper = fill_table(db, an_evening)
        visitors |= {f"a reader, {name}": Write(keeper.link, STRANGER.pen), name: keeper}
    db.close()
    app = create_app({"DATABASE": f"{folder}/routes.db"})
    figures.none_of("routes that are not in the listing", find_unlisted(app))
    with served(folder) as server:
        for rule in app.url_map.iter_rules():
            asking = visitors if "link" in rule.arguments else {"a stranger": STRANGER}
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                if only in rule.rule:
                    with Street(figures, server) as street:
                        street.ask(rule, method, asking, promised)
        begun = server.log.read_text("utf-8").count("Booting worker")
    figures.add("workers that were killed", begun - 1, kept=begun == 1)


def attack_all(figures: Figures, folder: Path, seconds: float) -> None:
    """Serve as on the open internet, and attack."""
    with served(folder, CHICAGO_LIMITS="on") as server, Street(figures, server) as street:
        for attack in ATTACKS:
            street.attack(attack, seconds)


def send_through_caddy(figures: Figures, folder: Path) -> None:
    """Send through Caddy what it cuts, and what a visitor makes up."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with served(folder, CHICAGO_PROXIES="1") as server:
        where = {"CHICAGO_HOST": f"http://:{port}", "CHICAGO_SERVER": f"127.0.0.1:{server.port}"}
        command = [f"{BIN}/caddy", "run", "--config", f"{ROOT}/deploy/Caddyfile"]
        with subprocess.Popen(command, env={**os.environ, "HOME": f"{folder}", **where}) as caddy:
            try:
                while socket.socket().connect_ex(("127.0.0.1", port)):
                    assert caddy.poll() is None
                with Street(figures, server, port) as street:
                    for name, (head, drip, promised) in CUT.items():
                        began, seconds = time.monotonic(), seconds_until_cut(port, head, drip)
                        told = f"cut after {seconds:.1f} s"
                        street.add(name, told, began, SLOWEST * (seconds < promised))
                made_up = {"X-Forwarded-Host": "made-up.example", "X-Forwarded-Prefix": "/made-up"}
                believed = b"made-up" in send(port, "GET", "/install", **made_up).data
                figures.add("a visitor's made-up headers believed", believed, kept=not believed)
            finally:
                caddy.terminate()


def erase(figures: Figures, folder: Path, megabytes: int) -> None:
    """Forget a name in a database full of what is nobody's, and start again."""
    db = Database(folder / "chicago.db")
    db.connection.execute(OTHERS, [megabytes])
    db.close()
    with served(folder) as server, Street(figures, server) as street:
        opened = send(server.port, "POST", "/api/tables", {"players": [NAME, "Cilla"]}).json
        path, began = f"/t/{opened['table']}/forget", time.monotonic()
        form = urlencode({"what": "name", "name": NAME, "sure": "yes"}).encode()
        headers = {"Content-Type": URLENCODED, "Cookie": cookie(opened["pen"])}
        status = send(server.port, "POST", path, form, **headers).status
        street.add("a name forgotten", f"{status}, {time.monotonic() - began:.2f} s", began)
    began = time.monotonic()
    with served(folder):
        figures.add("seconds that the next start took", f"{time.monotonic() - began:.1f}")
        files = folder.glob("chicago.db*")
        found = [file.name for file in files if NAME.encode() in file.read_bytes()]
        figures.none_of("files that hold it then", found)


def main() -> int:
    """Carry all of it out; exit status 1 where a promise was broken."""
    args = options(__doc__, only="", slowest=SLOWEST, seconds=15.0, megabytes=1200)
    figures = Figures("while a neighbour taps")
    parts: dict[str, Callable[[Figures, Path], None]] = {
        "attack": partial(attack_all, seconds=args.seconds),
        "caddy": send_through_caddy,
        "erasing": partial(erase, megabytes=args.megabytes),
        "": partial(ask_for_all, only=args.only, promised=args.slowest),
    }
    for part in [parts.get(args.only, parts[""])] if args.only else parts.values():
        with tempfile.TemporaryDirectory() as folder:
            part(figures, Path(folder))
    return figures.status


if __name__ == "__main__":
    sys.exit(main())

"""Two phones that write at one table at once for an hour of random taps, while others watch it.

    python -m tests.hard.together [--minutes 60] [--seed 1]

The hour is simulated: each phone does something every second of it, as quickly as it is answered.
At its end every page and stream must show what a fresh replay of the log gives, here and in a
server that was just started; every version that was streamed must be what the log was up to then;
no version may ever go back. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.rules.gamefile import write_game, write_result
from app.services import people, table_view
from app.services.figures import recount_all
from app.services.fold import fold
from app.services.tables import Access, find_access
from app.store import log
from app.store.connection import Connection
from app.store.database import Database
from app.store.log import ChangeRow
from tests.api.calling import PLAYERS
from tests.bench.filling import cookie
from tests.browser.serving import UNWANTED, Server
from tests.evenings.seen import visible
from tests.hard.figures import Figures
from tests.hard.keepers import Ask, over_network
from tests.hard.kills import integrity_faults
from tests.hard.readers import Poller, Reader, Stream
from tests.hard.serving import served
from tests.hard.tapping import Tapper, open_table
from tests.web.pages import Page

PATIENCE, RESTLESS = 60.0, 25
NOTHING = re.compile(r"(?!)")
PROGRAM = "program's stream"


def read_at(port: int, link: str, phones: Sequence[Tapper]) -> list[Reader]:
    """Let everybody read who may: by every stream and by asking, with a pen and without."""
    pens = [{"Cookie": cookie(phone.pen)} for phone in phones]
    evening = f"{link}/evening"
    return [
        Stream(port, PROGRAM, "/api/tables", link),
        Stream(port, "restless program's stream", "/api/tables", link, patience=RESTLESS),
        Stream(port, "reader's stream", "/t", link),
        Stream(port, "restless reader's stream", "/t", link, patience=RESTLESS),
        Stream(port, "first keeper's stream", "/t", link, pens[0]),
        Stream(port, "second keeper's stream", "/t", link, pens[1]),
        Stream(port, "evening's stream", "/t", evening),
        Poller(port, "program", "/api/tables", link),
        Poller(port, "reader", "/t", link, {"HX-Request": "true"}),
        Poller(port, "keeper", "/t", link, {"HX-Request": "true", **pens[0]}),
    ]


def play(phones: Sequence[Tapper], taps: int) -> None:
    """Let all phones tap so often, at once."""
    threads = [threading.Thread(target=phone.tap_often, args=[taps]) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def late(readers: Sequence[Reader], seq: int) -> list[str]:
    """Wait until everybody who reads is at a version; say who is not."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and any(each.seq != seq for each in readers):
        time.sleep(0.01)
    return [f"{each.name}: at {each.seq} of {seq}" for each in readers if each.seq != seq]


def stop(server: Server, readers: Sequence[Reader]) -> None:
    """Let the server end, and with it everybody who reads."""
    for reader in readers:
        reader.over.set()
    for reader in readers:
        if isinstance(reader, Poller):
            reader.join()
    server.stop(NOTHING)
    for reader in readers:
        reader.join()


def show(ask: Ask, link: str, phones: Sequence[Tapper]) -> dict[str, object]:
    """Read every page and call of a table, as text or parsed."""
    table = ask("GET", f"/api/tables/{link}").json
    shown: dict[str, object] = {"program": table}
    for number in range(1, table["games"] + 1):
        shown[f"game {number}"] = ask("GET", f"/api/tables/{link}/games/{number}").json
        shown[f"sheet {number}"] = _lines(ask("GET", f"/t/{link}/games/{number}").data.decode())
    shown["settlement"] = ask("GET", f"/api/tables/{link}/settlement").json
    for name, end, headers in _parts(phones):
        answer = ask("GET", f"/t/{link}{end}", b"", **{**headers, "HX-Request": "true"})
        shown[name] = _lines(answer.data.decode())
    return shown


def _parts(phones: Sequence[Tapper]) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    yield "reader", "", {}
    yield "evening", "/evening", {}
    yield "years", "/years", {}
    for name, phone in zip(("first keeper", "second keeper"), phones, strict=True):
        yield name, "", {"Cookie": cookie(phone.pen)}


def _lines(text: str) -> list[str]:
    return visible(Page(text).soup)


def compare(readers: Sequence[Reader], shown: Mapping[str, object]) -> Iterator[str]:
    """Say whose last message or answer is not what is shown now."""
    for reader in readers:
        whose = reader.name.removeprefix("restless ").partition("'s stream")[0]
        if reader.path.startswith("/api"):
            table = msgspec.json.decode(reader.text)
            now = shown["program"]
            assert isinstance(now, dict)
            same = all(table[key] == now[key] for key in ("seq", "result"))
        else:
            same = _lines(reader.text) == shown["first keeper" if whose == "keeper" else whose]
        if not same:
            yield f"{reader.name}: other than the page"


@dataclass
class Log:
    """The log of the only table in a database, read by itself, and replayed."""

    connection: Connection
    table: Access

    def rows(self) -> list[ChangeRow]:
        """All of it."""
        sql = "SELECT seq, kind, game, body, at, undone, entries FROM changes ORDER BY seq"
        return [ChangeRow(*row) for row in self.connection.execute(sql).fetchall()]

    def faults(self, shown: Mapping[str, object]) -> Iterator[str]:
        """Say which game is other than the whole log replayed, and what is marked wrongly."""
        rows = self.rows()
        counting = log.counting(rows)
        marked = [row for row in rows if row.undone is None and row.kind not in ("undo", "redo")]
        if counting != marked:
            yield "other rows are marked as undone than the log tells"
        folded = fold(counting)
        names = people.find_names(self.connection, self.table.id, folded)
        for number, game in folded.games.items():
            view = table_view.make_view(self.table, game, names)
            if _plain(write_game(view.game)) != shown[f"game {number}"]:
                yield f"game {number} is other than the log"
        now = {"seq": rows[-1].seq, "result": _plain(write_result(view.states, history=True))}
        table = shown["program"]
        assert isinstance(table, dict)
        if now != {key: table[key] for key in now} or table["games"] != len(folded.games):
            yield "the newest game is other than the log"

    def prefix_faults(self, messages: Mapping[int, str]) -> Iterator[str]:
        """Say which streamed versions are other than the log up to there."""
        for seq, text in messages.items():
            then = table_view.read_view_at(self.connection, self.table, seq)
            result = _plain(write_result(then.states, history=True))
            if json.loads(text) != {"seq": seq, "result": result}:
                yield f"version {seq} was streamed otherwise than the log up to it"

    def writing_faults(self, phones: Sequence[Tapper]) -> Iterator[str]:
        """Say what was acknowledged and is not there, and what is there and nobody asked."""
        sql = "SELECT seq, kind, pen_id FROM changes WHERE kind != 'pens' ORDER BY seq"
        rows = {seq: (kind, pen) for seq, kind, pen in self.connection.execute(sql).fetchall()}
        pens = sorted({pen for _, pen in rows.values()})
        if pens != pens[: len(phones)] or len(pens) != len(phones):
            yield f"written by the pens {pens}"
        for phone, pen in zip(phones, pens, strict=False):
            for seq, kind in phone.written.items():
                if rows.get(seq) != (kind, pen):
                    yield f"{kind} at {seq} is {rows.get(seq)}"
            mine = [seq for seq, (_, by) in rows.items() if by == pen and seq > 1]
            unasked = [seq for seq in mine if seq not in phone.asked]
            if len(unasked) > phone.mended or {rows[seq][0] for seq in unasked} - {"mend"}:
                yield f"nobody asked for {unasked}"

    def figure_faults(self, db: Database) -> Iterator[str]:
        """Say where the figures of ended games are other than those worked out anew."""
        before = _seats(self.connection)
        recount_all(db)
        if before != _seats(self.connection):
            yield "the figures of seats are other than the log"


def _seats(connection: Connection) -> list[object]:
    sql = "SELECT * FROM seats ORDER BY table_id, game, seat"
    return list(connection.execute(sql).fetchall())


def _plain(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def run(folder: Path, minutes: int, seed: int) -> Figures:
    """Play the hour, and hold what everybody was shown against the log."""
    figures = Figures(f"two phones at once, {minutes} min of a tap a second each (seed {seed})")
    with served(folder) as server:
        _play(figures, server, minutes * 60, seed)
    figures.none_of("integrity_check and foreign_key_check", integrity_faults(server.database))
    return figures


def _play(figures: Figures, server: Server, taps: int, seed: int) -> None:
    began, ask = time.monotonic(), over_network(lambda: server.port)
    phones = open_table(ask, seed, PLAYERS)
    link = phones[0].link
    readers = read_at(server.port, link, phones)
    play(phones, taps)
    _count(figures, phones, time.monotonic() - began)
    shown = show(ask, link, phones)
    table = shown["program"]
    assert isinstance(table, dict)
    figures.none_of("readers who do not come to the last version", late(readers, table["seq"]))
    figures.none_of("readers who end on something else", list(compare(readers, shown)))
    stop(server, readers)
    wrong = [each for phone in phones for each in phone.wrong]
    wrong += [each for reader in readers for each in reader.wrong]
    figures.none_of("answers and versions that may not be", wrong)
    streamed = next(each for each in readers if isinstance(each, Stream) and each.name == PROGRAM)
    figures.add("what readers were shown", sum(reader.seen for reader in readers))
    _replay(figures, server, link, phones, shown, streamed)
    server.start()
    again = show(ask, link, phones)
    other = [name for name in shown if again.get(name) != shown[name]]
    figures.none_of("pages that a server just started shows otherwise", other)
    server.stop(NOTHING)
    figures.none_of("complaints of the server", UNWANTED.findall(server.log.read_text()))


def _count(figures: Figures, phones: Sequence[Tapper], seconds: float) -> None:
    answers: Counter[str] = Counter()
    for phone in phones:
        answers += phone.answers
    for name, count in sorted(answers.items()):
        figures.add(name, count)
    figures.add("taps a second", f"{sum(answers.values()) / seconds:.0f}")


def _replay(
    figures: Figures,
    server: Server,
    link: str,
    phones: Sequence[Tapper],
    shown: Mapping[str, object],
    streamed: Stream,
) -> None:
    """Hold the log against what was shown, told and acknowledged."""
    db = Database(server.database)
    with db.snapshot() as connection:
        told = Log(connection, find_access(connection, link, None))
        kinds = Counter(str(row.kind) for row in told.rows())
        figures.add("versions in the log", dict(kinds))
        figures.none_of("games other than a fresh replay", list(told.faults(shown)))
        name = f"of {len(streamed.messages)} versions streamed: other than the log then"
        figures.none_of(name, list(told.prefix_faults(streamed.messages)))
        figures.none_of("lost, doubled, or never asked", list(told.writing_faults(phones)))
    figures.none_of("figures other than a recount", list(told.figure_faults(db)))
    db.close()


def main(argv: list[str] | None = None) -> int:
    """Play, compare and print; exit status 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(folder), args.minutes, args.seed).print()


if __name__ == "__main__":
    sys.exit(main())

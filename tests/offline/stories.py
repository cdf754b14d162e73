"""Stories of a phone, its server and others: a line says who does what, or what came of it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partialmethod
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from werkzeug.datastructures import MultiDict

from app.http.application import application
from app.offline import conflicts, replicas
from app.offline.conflicts import Tried
from app.rules.codes import ChicagoError
from app.services import access, ledger
from app.services.access import Write
from app.services.commit import commit, form_key
from app.services.edit import Edit
from app.services.play import Record
from app.services.table_view import TableView
from app.store import clock
from app.store.backup import back_up, put_back
from app.store.clock import evening_of, write_time
from tests.offline.phones import ENGLISH, PLAYERS, Phone, copy_of, pool_of
from tests.rules.table import facts, write_facts
from tests.stopped import stopped_at
from tests.web.pages import Page

NOW = datetime.now(UTC)


def read_stories(path: Path) -> dict[str, list[str]]:
    """Return the lines of each story of a file, by its title."""
    told = [block.splitlines() for block in path.read_text("utf-8").strip().split("\n\n")]
    return {title: lines for title, *lines in told}


def result(tried: Tried) -> str:
    """Return the reason why something does not fit, or whether it was wanted."""
    return tried.reason.code if tried.reason else "added" if tried.wanted else "unwanted"


class Story:
    """A table, and a verb a line: each is a method."""

    def __init__(self, phone: Phone, link: str = "") -> None:
        self.phone, self.link = phone, link

    def tell(self, lines: list[str]) -> Story:
        """Carry out the lines of a story."""
        for line in lines:
            verb, _, rest = line.partition(" ")
            try:
                getattr(self, verb)(rest)
            except AssertionError as error:
                error.add_note(line)
                raise
        return self

    def open(self, query: str) -> None:
        """A table is opened on the phone, or by a form on the server, which the phone pulls."""
        if query:
            self.tell([f"opened {query}", "pull"])
        else:
            self.link = self.phone.open_table()

    def opened(self, query: str) -> None:
        """A table is opened by a form on the server; the phone knows nothing of it."""
        form = {"player": PLAYERS, "stake": "1", "apart": "1", **parse_qs(query)}
        opened = self.phone.there.post("/", data=form)
        self.link = opened.headers["Location"].removeprefix("/t/")

    def begin(self, _: str) -> None:
        """A table with its first hand is on both sides."""
        self.tell(["open", "here Anna pair", "push 200"])

    def _send(self, what: str, *, here: bool = False, there: bool = False) -> None:
        """Somebody taps facts, or sends a form, on the phone, or by the same browser on the server.

        On both, the answer of the server was lost.
        """
        path, _, query = what.partition("?")
        forms = [parse_qs(query)]
        if not path.startswith("/"):
            path, events = "/events", write_facts(what)
            forms = [{"event": [json.dumps(each)]} for each in events]
        for form in forms:
            seq = str((self.seen_here if here else self.seen_there).seq)
            for client in [self.phone.there] * there + [self.phone.here] * here:
                data = {"seq": seq, "settlement": seq, **form}
                assert client.post(f"/t/{self.link}{path}", data=data).status_code == 303

    here = partialmethod(_send, here=True)
    there = partialmethod(_send, there=True)
    both = partialmethod(_send, here=True, there=True)

    def edit(self, items: str) -> None:
        """The phone edits the first game: entries by their index, and facts."""
        read = [[int(each)] if each.isdigit() else facts(each) for each in items.split(", ")]
        self._change(Edit(1, entries=[item for each in read for item in each]))

    def agree(self, told: str) -> None:
        """On the phone the newest game was agreed otherwise."""
        self._change(Edit(**json.loads(told)))

    def _change(self, change: Edit) -> None:
        pen = replicas.read_phone(pool_of(self.phone.app)).pen
        key = form_key(pen, str(self.seen_here.seq).encode())
        commit(pool_of(self.phone.app), Write(self.link, pen), change, key)

    @property
    def seen_here(self) -> TableView:
        """The table as the phone has it."""
        return self.phone.view(self.link)

    @property
    def seen_there(self) -> TableView:
        """The table as the server has it."""
        return self.phone.server_sheet(self.link)

    def other(self, told: str) -> None:
        """Somebody else with a pen records facts on the server."""
        write = self.phone.pen_there(self.link)
        for event in write_facts(told):
            commit(pool_of(self.phone.server), write, Record(event))

    def revoke(self, _: str) -> None:
        """The table's pens are taken back on the server."""
        with pool_of(self.phone.server).transaction() as connection:
            table = access.find_access(connection, self.link, None)
            sql = "UPDATE pens SET revoked_at = 'now' WHERE table_id = ?"
            connection.execute(sql, [table.id])

    def pens(self, _: str) -> None:
        """A pen is handed over on the server."""
        with pool_of(self.phone.server).transaction() as connection:
            table = access.find_access(connection, self.link, None)
            access.mark_version(connection, table, "pens")

    def backup(self, _: str) -> None:
        """The server's database is backed up."""
        back_up(*self._files)

    def restore(self, _: str) -> None:
        """The server goes back to the backup."""
        with self.phone.server.app_context():
            application().close()
        put_back(*self._files)

    @property
    def _files(self) -> tuple[Path, Path]:
        database = Path(self.phone.server.config["DATABASE"])
        return database, database.with_name("backup.db")

    def uncookied(self, _: str) -> None:
        """The phone's browser has lost its cookies."""
        self.phone.here = self.phone.app.test_client()

    def push(self, statuses: str) -> None:
        """The phone pushes what waits, is answered so, and pulls."""
        assert self.phone.push() == [int(each) for each in statuses.split()]

    def sync(self, count: str) -> None:
        """So many changes wait; pushed, they are the same on both sides."""
        waiting = self.phone.status()["waiting"]
        assert not count or waiting == int(count)
        assert {*self.phone.push()} == {200}
        self.same("")

    def unheard(self, _: str) -> None:
        """The phone has heard of no server."""
        clock.set_floor("")

    def pull(self, _: str) -> None:
        """The phone pulls."""
        self.phone.refresh()

    def lose(self, count: str) -> None:
        """A push of the first rows reaches the server; its answer is lost."""
        (batch,) = self.phone.outbox()
        rows = batch["rows"][: int(count or 500)]
        assert self.phone.deliver({**batch, "rows": rows}).status_code == 200

    def hear(self, told: str, *, heard: bool = True) -> None:
        """The phone takes an answer to its push for one."""
        status, _, text = told.partition(" ")
        assert self.phone.receive(self.link, int(status), text) is heard

    ignore = partialmethod(hear, heard=False)

    def merge(self, told: str) -> None:
        """Mine, or those by place, goes behind theirs with these results, as the preview said."""
        places, _, expected = told.rpartition(":")
        wanted = None if not places else [int(each) for each in re.findall(r"\d+", places)]
        if not self.phone.status()["conflicts"]:
            assert 409 in self.phone.push()
        before = self.seen_here
        with self.phone.page() as db:
            tried = conflicts.preview_merge(db, self.link, wanted)
            assert tried is not None
            assert self.seen_here == before
            done = conflicts.add_mine(db, self.link, wanted, tried.seen)
            conflicts.note_merged(db, self.link, done, [])
        assert (tried.view, [*map(result, tried.mine)]) == (done.view, [*map(result, done.mine)])
        assert [*map(result, done.mine)] == expected.split()
        assert {*self.phone.push()} <= {200}
        self.same("")

    def conflict(self, kind: str) -> None:
        """The table is in conflict for this reason, without another version to merge with."""
        with self.phone.page() as db:
            row = replicas.find(db.connection, self.link)
            assert row is not None
            assert (row.conflict, conflicts.preview_merge(db, self.link)) == (kind, None)
            with pytest.raises(ChicagoError):
                conflicts.add_mine(db, self.link)

    def status(self, told: str) -> None:
        """The phone's status has these numbers."""
        status = self.phone.status()
        for name, number in re.findall(r"(\w+) (\d+)", told):
            found = status[name]
            assert (found if isinstance(found, int) else len(found)) == int(number), status

    def _see(self, told: str) -> tuple[str, Page, str]:
        address, _, rest = told.replace("LINK", self.link).partition(" ")
        return address, self.phone.see(address), rest

    def sees(self, told: str, *, seen: bool = True) -> None:
        """A page of the phone has these words."""
        _, page, words = self._see(told)
        assert (words in page.text) is seen

    misses = partialmethod(sees, seen=False)

    def leads(self, told: str) -> None:
        """A page of the phone has a link to this address."""
        _, page, place = self._see(told)
        assert place in [link.href for link in page.links]

    def posts(self, told: str) -> None:
        """A form sent to the phone is answered with this status and these words."""
        status, form, words = re.split(r" |: ?", told, maxsplit=2)
        path, _, query = form.replace("LINK", self.link).partition("?")
        answer = self.phone.here.post(path, data=parse_qs(query), headers=ENGLISH)
        assert answer.status_code == int(status)
        assert words in Page(answer.text).text

    def press(self, told: str) -> None:
        """The button of a page of the phone is pressed that has this label."""
        address, page, label = self._see(told)
        button = page.button(label)
        answer = self.phone.here.post(button.action or address, data=MultiDict(button.data))
        assert answer.status_code == 303

    def same(self, _: str) -> None:
        """Both sides have the same data of the table."""
        assert copy_of(self.phone.server, self.link) == copy_of(self.phone.app, self.link)

    def scores(self, told: str) -> None:
        """The phone has these scores."""
        for name, points in re.findall(r"(\w+) (\d+)", told):
            assert self.seen_here.state.score(name) == int(points)

    def events(self, kinds: str) -> None:
        """The newest game has these events on the phone."""
        assert [type(each).__name__ for each in self.seen_here.game.events] == kinds.split()

    def at(self, told: str) -> None:
        """What follows is done by clocks that stand, so many days from now."""
        days, line = told.split(" ", 1)
        with stopped_at(NOW + timedelta(int(days))):
            self.tell([line])

    def evenings(self, told: str) -> None:
        """Both sides have these evenings, so many days from now."""
        days = [evening_of(write_time(NOW + timedelta(int(each)))) for each in told.split()]
        for app in (self.phone.app, self.phone.server):
            assert ledger.read_ledger(pool_of(app), self.link).evenings == days

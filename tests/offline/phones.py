"""A phone without a network and its server: two applications, and the worker between them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from app import create_app
from app.http import context
from app.http.application import Application
from app.offline.phone import create_phone_app
from app.offline.replicas import PULL, PUSH, Answered, pull, take
from app.services import access
from app.services.access import Write
from app.services.table_view import TableView
from app.store.database import Database
from tests.empty_database import copy_empty_database
from tests.rules.table import Rules, write_facts
from tests.services.keeper import Keeper
from tests.web.pages import Page

Fields = dict[str, Any]
PLAYERS = ["Anna", "Bo", "Cilla"]
ENGLISH = {"Accept-Language": "en"}


@cache
def phone_app(number: int, *, alone: bool) -> Application:
    """Return the application of a test's phone with this number: tests use the same in turn."""
    return create_phone_app("", PROPAGATE_EXCEPTIONS=True, ALONE=alone)


def serve(folder: Path) -> Flask:
    """Start a server on an empty database of its own; it raises its exceptions."""
    path = copy_empty_database(folder / "server" / "chicago.db")
    return create_app({"DATABASE": str(path), "LIMITS": False, "PROPAGATE_EXCEPTIONS": True})


def pool_of(app: Flask) -> Database:
    """Return an application's database."""
    with app.app_context():
        return context.db()


def copy_of(app: Flask, link: str) -> list[Any]:
    """Return all data of a table that an application has, without keys and pens."""
    connection = pool_of(app).connection
    table = access.find_access(connection, link, None)
    changes = "SELECT seq, kind, game, body, at, undone FROM changes"
    people = "SELECT number, name, called, same_as, swish FROM people"
    tellings = [
        connection.execute(f"{sql} WHERE table_id = ? ORDER BY 1", [table.id]).fetchall()
        for sql in (changes, people)
    ]
    seats = connection.table("seats").rows_where("table_id = ?", [table.id], "game, seat")
    return [*tellings, [{**row, "table_id": 0} for row in seats], table.name, table.currency]


class Browser:
    """A browser in whose worker the application runs, with nothing in it as yet."""

    def __init__(self, folder: Path, number: int, *, alone: bool = False) -> None:
        self.app = phone_app(number, alone=alone)
        self.app.close()
        self.app.rendered.clear()
        path = copy_empty_database(folder / f"{number}.db")
        self.app.config["DATABASE"] = str(path)
        self.here: FlaskClient = self.app.test_client()

    def see(self, address: str) -> Page:
        """Return a page of the phone in English."""
        return Page(self.here.get(address, headers=ENGLISH).text)

    def open_table(self) -> str:
        """Open a table on the phone, without the network; return its link."""
        form = {"player": PLAYERS, "stake": "1", "dealer": "0", "apart": "1"}
        answer = self.here.post("/", data=form)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"].removeprefix("/t/")

    def send(self, link: str, path: str, fields: Fields | None = None) -> TestResponse:
        """Send a form of a table to the phone, with the version that the phone shows."""
        data = {"seq": str(self.view(link).seq), **(fields or {})}
        return self.here.post(f"/t/{link}{path}", data=data)

    def form(self, link: str, event: str | Rules) -> Fields:
        """Return the form of a tap, on the version that the phone shows."""
        return {"seq": str(self.view(link).seq), "event": json.dumps(*write_facts(event))}

    def tap(self, link: str, *happened: str | Rules) -> None:
        """Record events on the phone."""
        for event in write_facts(*happened):
            answer = self.here.post(f"/t/{link}/events", data=self.form(link, event))
            assert answer.status_code == 303, answer.text

    @contextmanager
    def page(self) -> Iterator[Database]:
        """Use the phone's database as one of its pages does."""
        with self.app.test_request_context():
            yield context.db()

    def status(self) -> dict[str, Any]:
        """Return the status of unpushed rows for the worker, without the line for pages."""
        status: dict[str, Any] = json.loads(self.here.get("/offline/status").text)
        assert bool(status.pop("line")) is bool(status["only_here"])
        assert status.pop("schema")
        return status

    def view(self, link: str) -> TableView:
        """Return a table of the phone."""
        return Keeper(pool_of(self.app), link, "").view


class Phone(Browser):
    """That browser with its real cookie for a server."""

    def __init__(self, server: Flask, folder: Path, number: int) -> None:
        super().__init__(folder, number)
        self.server = server
        self.there: FlaskClient = server.test_client()
        # The browser has a pen after this request.
        self.refresh()

    def talk(self, *answers: Answered) -> dict[str, Any]:
        """Give the phone the answers to its last calls; return its next ones."""
        said = self.here.post("/offline/exchange", data=msgspec.json.encode(answers))
        assert said.status_code == 200, said.text
        told: dict[str, Any] = said.get_json()
        return told

    def answer(self, calls: list[dict[str, Any]]) -> list[Answered]:
        """Send calls to the server; return them with its answers."""
        told = [self.there.post(f"/{call['path']}", data=call["body"]) for call in calls]
        pairs = zip(calls, told, strict=True)
        return [Answered(**call, status=got.status_code, text=got.text) for call, got in pairs]

    def outbox(self) -> list[dict[str, Any]]:
        """Return the batches to push."""
        calls = self.talk()["calls"]
        return [json.loads(call["body"]) for call in calls if call["path"].startswith(PUSH)]

    def deliver(self, batch: dict[str, Any]) -> TestResponse:
        """Send a batch to the server; its answer may be lost."""
        return self.there.post(f"/offline/tables/{batch['link']}", json=batch)

    def receive(self, link: str, status: int, text: str) -> bool:
        """Give the phone an answer to a push; return whether it takes it for one."""
        with self.page():
            return take(Answered(f"{PUSH}{link}", "", status=status, text=text))

    def acknowledge(self, link: str, answer: TestResponse) -> None:
        """Give the phone the server's answer to a push."""
        assert self.receive(link, answer.status_code, answer.text)

    def exchange(self, lost: str = "-") -> tuple[list[Answered], bool]:
        """Exchange all, as the worker does; return the answers, and whether all was done.

        Calls of a path that begins with `lost` get no answer. Pushes come before the pull.
        """
        told, heard = self.talk(), list[Answered]()
        while calls := told["calls"]:
            assert len(heard) < 100, "it comes to no end"
            paths = [call["path"] for call in calls]
            assert PULL not in paths or paths == [PULL]
            answers = [
                replace(each, status=0, text="") if each.path.startswith(lost) else each
                for each in self.answer(calls)
            ]
            told = self.talk(*answers)
            heard += answers
        return heard, told["done"]

    def push(self) -> list[int]:
        """Push all waiting rows and pull; return the server's status codes."""
        heard, _ = self.exchange()
        return [each.status for each in heard if each.path.startswith(PUSH)]

    def asked(self) -> str:
        """Return the body of the phone's pull."""
        with self.page():
            return pull().body

    def fetch(self) -> str:
        """Return the server's data for the phone's pull."""
        answer = self.there.post(f"/{PULL}", data=self.asked(), content_type="application/json")
        assert answer.status_code == 200, answer.text
        return answer.text

    def take(self, told: str) -> None:
        """Apply pulled data on the phone."""
        assert self.talk(Answered(PULL, "", status=200, text=told))["done"]

    def refresh(self) -> None:
        """Pull, as the worker does."""
        self.take(self.fetch())

    def pen_there(self, link: str) -> Write:
        """Return a write on the server with another pen of the table."""
        db, pen = pool_of(self.server), access.new_pen()
        with db.transaction() as connection:
            access.add_pen(connection, access.find_access(connection, link, None).id, pen)
        return Write(link, pen)

    def server_sheet(self, link: str) -> TableView:
        """Return a table of the server."""
        return Keeper(pool_of(self.server), link, "").view

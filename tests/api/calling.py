"""A program at a table: it checks every answer against openapi.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.api.describing import check

Event = dict[str, Any]

PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
NOBODY: Event = {"event": "no_best_hand"}
OFF: Event = {"event": "break_off", "settle": True}


def correction(points: int, player: str = "Anna") -> Event:
    """Return the event of a correction, which is always allowed."""
    return {"event": "correction", "player": player, "points": points}


class Caller:
    """A program with a client and cookies of its own."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def call(self, method: str, path: str, body: object = None, **options: Any) -> TestResponse:  # noqa: ANN401 - those of werkzeug's own client
        """Send a request, and fail where the answer does not match the document."""
        if body is not None:
            options["json"] = body
        answer = self.client.open(path, method=method, **options)
        check(method, path, answer)
        return answer

    def open(self, *events: Event) -> Table:
        """Open a table and record these events."""
        opened = self.call("POST", "/api/tables", {"players": PLAYERS})
        table = Table(self, opened.get_json()["table"], opened.get_json()["pen"])
        assert opened.headers["Location"] == table.path
        for event in events:
            assert table.record(event).status_code == 201
        return table


@dataclass
class Table:
    """One table and its pen."""

    caller: Caller
    link: str
    pen: str

    @property
    def path(self) -> str:
        """The address of the table."""
        return f"/api/tables/{self.link}"

    def write(self, method: str, path: str, body: object = None) -> TestResponse:
        """Send a request below the table, with the pen."""
        headers = {"Authorization": f"Bearer {self.pen}"}
        return self.caller.call(method, self.path + path, body, headers=headers)

    def record(self, event: object) -> TestResponse:
        """Record an event."""
        return self.write("POST", "/events", event)

    def read(self, path: str = "", **options: Any) -> TestResponse:  # noqa: ANN401 - those of Caller.call
        """Send a GET request below the table, without the pen."""
        return self.caller.call("GET", self.path + path, **options)

    @property
    def now(self) -> dict[str, Any]:
        """The present state of the table."""
        reply: dict[str, Any] = self.read().get_json()
        return reply


class Stream:
    """A stream that a client reads, in a context of its own."""

    def __init__(self, client: FlaskClient, path: str, **headers: str) -> None:
        self._context = copy_context()
        self.answer = self._context.run(client.get, path, headers=headers)
        self._parts = self.answer.iter_encoded()

    def next(self) -> bytes:
        """Return the next message."""
        while not (part := self._context.run(next, self._parts)).startswith(b"event: "):
            pass
        return part

    def close(self) -> None:
        """Disconnect."""
        self._context.run(self.answer.close)


def code(answer: TestResponse) -> str:
    """Return the code of a refusal, or nothing."""
    return str(answer.get_json().get("error", {"code": ""})["code"])


def fill(value: Any, **known: str) -> Any:  # noqa: ANN401 - JSON
    """Put what is known in place of the words for it in a piece of JSON."""
    text = json.dumps(value)
    for word, meant in known.items():
        text = text.replace(word, meant)
    return json.loads(text)


def every_address(app: Flask, **values: object) -> Iterator[tuple[Rule, str]]:
    """Yield each rule of an application, and an address of it."""
    for rule in app.url_map.iter_rules():
        known = {**dict.fromkeys(rule.arguments, 1), "reason": "page", **values}
        built = rule.build({name: known[name] for name in rule.arguments})
        assert built, rule
        yield rule, built[1]

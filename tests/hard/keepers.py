"""Keepers who write until they are told that it is written, and know what must then be there."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from flask import Flask

from tests.api.calling import OFF, PLAYERS, correction
from tests.api.network import Answer, send

WRITTEN = (200, 201, 303)
TO_COME_AGAIN = 503
PATIENCE = 60.0
PAUSE = 0.01


class Ask(Protocol):
    """A way to call the program. Raises OSError or HTTPException when there is no answer."""

    def __call__(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Call, and wait for the answer."""
        ...


def over_network(port: Callable[[], int]) -> Ask:
    """Call the program that is served at a port."""

    def ask(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        return send(port(), method, path, body, **headers)

    return ask


def in_process(app: Flask) -> Ask:
    """Call an application of this process."""

    def ask(method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        client = app.test_client(use_cookies=False)
        answer = client.open(path, method=method, data=body, headers=headers)
        return Answer(answer.status_code, dict(answer.headers), answer.data)

    return ask


class Unkept(AssertionError):
    """An acknowledged write is missing, or an answer is not permitted."""


@dataclass
class Keeper:
    """Keeps a table of their own by the API; `games` holds the notes that each game must hold."""

    ask: Ask
    name: str
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    link: str = ""
    secret: str = ""
    games: list[list[str]] = field(default_factory=lambda: [[]])
    seq: int = 1
    acknowledged: int = 0
    delayed: int = 0

    def open(self) -> None:
        """Open a table; the same key makes it one, however often it is asked for."""
        body = json.dumps({"players": PLAYERS}).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"open {self.name}"}
        reply = self._insist("POST", "/api/tables", body, headers).json
        self.link, self.secret = reply["table"], reply["pen"]

    def step(self) -> None:
        """Write one thing, until it is acknowledged."""
        note, events = f"{self.name} {self.acknowledged}", self.games[-1]
        kind = self.chance.choices(["record", "undo", "replace", "next"], [12, 3, 2, 1])[0]
        if kind == "undo" and events:
            self.undo(note)
            events.pop()
        elif kind == "replace" and events and self.can_replace:
            index = self.chance.randrange(len(events))
            self.replace(index, note)
            events[index] = note
        elif kind == "next":
            self.record({**OFF, "note": note})
            events.append(note)
            self.next_game(f"{note} next")
            self.games.append([])
        else:
            self.record(self._event(note))
            events.append(note)

    can_replace = True

    def _event(self, note: str) -> dict[str, object]:
        return {**correction(1 - 2 * (self.acknowledged % 2)), "note": note}

    def record(self, event: dict[str, object]) -> None:
        """Record an event."""
        self._call("POST", "/events", str(event["note"]), event)

    def undo(self, key: str) -> None:
        """Take the newest event back."""
        self._call("DELETE", "/events/last", key)

    def replace(self, index: int, note: str) -> None:
        """Put another event in the place of one."""
        self._call("PUT", f"/events/{index}", note, self._event(note))

    def next_game(self, key: str) -> None:
        """Begin the next game."""
        self._call("POST", "/games", key)

    def _call(self, method: str, path: str, key: str, body: object = None) -> None:
        headers = {"Authorization": f"Bearer {self.secret}", "Idempotency-Key": key}
        data = b"" if body is None else json.dumps(body).encode()
        self._insist(method, f"/api/tables/{self.link}{path}", data, headers)
        self._count()

    def _count(self) -> None:
        self.acknowledged += 1
        self.seq += 1

    def _insist(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        """Send the same again until it is written. Raises Unkept for any other answer."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                answer = self.ask(method, path, body, **headers)
            except (OSError, http.client.HTTPException):
                self.delayed += 1
                time.sleep(PAUSE)
                continue
            if answer.status in WRITTEN:
                return answer
            if answer.status != TO_COME_AGAIN:
                raise Unkept(f"{method} {path} {headers}: {answer.status} {answer.data[:300]!r}")
            self.delayed += 1
            time.sleep(PAUSE)
        raise Unkept(f"{method} {path}: nothing was written for {PATIENCE} s")

    def faults(self) -> Iterator[str]:
        """Say what is not there as it was acknowledged: lost, doubled, or in another order."""
        for number, notes in enumerate(self.games, 1):
            if (found := self._notes(number)) != notes:
                yield f"{self.name}, game {number}: {difference(notes, found)}"
        answer = self.ask("GET", f"/api/tables/{self.link}")
        table = answer.json if answer.status == 200 else {"games": 0, "seq": 0}
        if (table["games"], table["seq"]) != (len(self.games), self.seq):
            yield f"{self.name}: {table['games']} games of {len(self.games)} at {table['seq']}"

    def _notes(self, number: int) -> list[str]:
        """Read what a game holds; nothing where it cannot be read."""
        answer = self.ask("GET", f"/api/tables/{self.link}/games/{number}")
        events = answer.json["events"] if answer.status == 200 else []
        return [event["note"] for event in events]


class PageKeeper(Keeper):
    """Keeps a table of their own by its page, whose forms are sent again as they were."""

    cookie = ""
    can_replace = False

    def open(self) -> None:
        """Open a table as a browser does."""
        form = {"player": PLAYERS, "preset": "huvudregler"}
        answer = self._insist("POST", "/", _form(form), {"Content-Type": FORM})
        self.link = answer.headers["Location"].rpartition("/")[2]
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]

    def record(self, event: dict[str, object]) -> None:
        """Tap a cell."""
        self._submit("/events", event=json.dumps(event))

    def undo(self, key: str) -> None:  # noqa: ARG002 - a form needs none
        """Tap on undo."""
        self._submit("/undo")

    def next_game(self, key: str) -> None:  # noqa: ARG002 - a form needs none
        """Tap on rematch."""
        self._submit("/games")

    def _submit(self, part: str, **fields: str) -> None:
        headers = {"Content-Type": FORM, "Cookie": self.cookie, "HX-Request": "true"}
        body = _form({"seq": str(self.seq), **fields})
        self._insist("POST", f"/t/{self.link}{part}", body, headers)
        self._count()


class Guest(Keeper):
    """Writes at somebody else's table, and so only events, whose order among themselves holds."""

    def join(self, host: Keeper) -> None:
        """Take a pen of that table."""
        self.link, self.secret = host.link, host.secret

    def step(self) -> None:
        """Record an event, until it is acknowledged."""
        note = f"{self.name} {self.acknowledged}"
        self.record(self._event(note))
        self.games[-1].append(note)

    def faults(self) -> Iterator[str]:
        """Say what of their own is not there, once and in its order."""
        mine = [note for note in self._notes(1) if note.startswith(f"{self.name} ")]
        if mine != self.games[-1]:
            yield f"{self.name}: {difference(self.games[-1], mine)}"


FORM = "application/x-www-form-urlencoded"


def _form(fields: Mapping[str, object]) -> bytes:
    return urllib.parse.urlencode(fields, doseq=True).encode()


def difference(expected: list[str], found: list[str]) -> str:
    """Say how what was found differs."""
    lost = [note for note in expected if note not in found]
    doubled = sorted({note for note in found if found.count(note) > 1})
    more = [note for note in found if note not in expected]
    return f"lost {lost[:3]}, doubled {doubled[:3]}, never acknowledged {more[:3]}"

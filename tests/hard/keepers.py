"""Keepers who write until they are told that it is written."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from secrets import token_urlsafe
from typing import Self
from urllib.parse import urlencode

from tests.api.calling import OFF, PLAYERS, Event, correction
from tests.api.network import Answer, send
from tests.bench.filling import cookie

# Calls the program. Raises OSError or HTTPException when there is no answer.
Ask = Callable[[str, str, bytes, Mapping[str, str]], Answer]
WRITTEN, TO_COME_AGAIN = (200, 201, 303), 503
TIMES, PAUSE, EVERY = 6000, 0.01, 0.02
# How often somebody records, undoes, begins the next game and edits, which is no form.
API, PAGES, NEIGHBOUR = (12, 3, 1, 2), (12, 3, 1, 0), (90, 9, 1, 0)
# By the API, and by the pages.
KINDS = {
    "record": ("POST", "/events", "/events"),
    "undo": ("DELETE", "/events/last", "/undo"),
    "next": ("POST", "/games", "/games"),
    "edit": ("PUT", "/events/", ""),
}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}


class Unkept(AssertionError):
    """An answer is not permitted, or there is none."""


def over_network(port: int) -> Ask:
    """Call the program that is served at a port."""
    return lambda method, path, body, headers: send(port, method, path, body, **headers)


@dataclass
class Keeper:
    """Keeps a table by its page or the API; its game has so many `events`.

    `delayed` is how often nothing was written, and the same was sent again.
    """

    ask: Ask
    name: str
    often: tuple[int, ...] = API
    chance: random.Random = field(default_factory=random.Random)
    link: str = ""
    pen: str = ""
    events: int = 0
    acknowledged: int = 0
    delayed: int = 0

    def open(self) -> None:
        """Open a table; the same key makes it one, however often it is asked for."""
        body, key = json.dumps({"players": PLAYERS}).encode(), {"Idempotency-Key": self.name}
        reply = self._insist("POST", "/api/tables", body, key).json
        self.link, self.pen = reply["table"], reply["pen"]

    def step(self) -> None:
        """Write one thing, until it is acknowledged."""
        kind = self.chance.choices([*KINDS], self.often)[0]
        note = f"{self.name} {self.acknowledged}"
        event = {**correction(1 - 2 * (self.acknowledged % 2)), "note": note}
        if kind == "next":
            self._write("record", {**OFF, "note": note})
            self._write("next")
            self.events = 0
        elif kind == "record" or not self.events:
            self._write("record", event)
            self.events += 1
        elif kind == "undo":
            self._write("undo")
            self.events -= 1
        else:
            self._write("edit", event, f"{self.chance.randrange(self.events)}")

    def _write(self, kind: str, event: Event | None = None, index: str = "") -> None:
        method, part, page = KINDS[kind]
        if self.often is PAGES:
            fields = {"seq": self.acknowledged + 1, "event": json.dumps(event)}
            body, headers = urlencode(fields).encode(), {**FORM, "Cookie": cookie(self.pen)}
            self._insist("POST", f"/t/{self.link}{page}", body, headers)
        else:
            headers = {"Authorization": f"Bearer {self.pen}"}
            headers["Idempotency-Key"] = f"{self.name} {self.acknowledged}"
            body = json.dumps(event).encode() if event else b""
            self._insist(method, f"/api/tables/{self.link}{part}{index}", body, headers)
        self.acknowledged += 1

    def _insist(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send the same again until it is written. Raises Unkept for any other answer."""
        for _ in range(TIMES):
            with suppress(OSError, http.client.HTTPException):
                answer = self.ask(method, path, body, headers)
                if answer.status in WRITTEN:
                    return answer
                if answer.status != TO_COME_AGAIN:
                    raise Unkept(f"{method} {path}: {answer.status} {answer.data[:300]!r}")
            self.delayed += 1
            time.sleep(PAUSE)
        raise Unkept(f"{method} {path}: nothing was written")


class Load:
    """Keepers who all write at once, each in a thread of their own."""

    def __init__(self, keepers: list[Keeper]) -> None:
        self.keepers, self._over = keepers, threading.Event()
        pool = ThreadPoolExecutor(len(keepers))
        self._writing = [pool.submit(self._write, keeper) for keeper in keepers]

    def _write(self, keeper: Keeper) -> None:
        while not self._over.is_set():
            keeper.step()

    @property
    def acknowledged(self) -> int:
        """Number of acknowledged writes."""
        return sum(keeper.acknowledged for keeper in self.keepers)

    def wait_for_more(self, count: int) -> None:
        """Wait until that many more are acknowledged, so that others are under way."""
        enough = self.acknowledged + count
        while self.acknowledged < enough and not any(each.done() for each in self._writing):
            time.sleep(0.001)

    def stop(self) -> list[str]:
        """Let everybody bring to its end what is under way; what they were refused."""
        self._over.set()
        return [f"{error!r}" for each in self._writing if (error := each.exception())]


def begin(port: int, seed: int = 1) -> Load:
    """Let some keep tables by the API, and some by the pages."""
    keepers = [
        Keeper(over_network(port), f"keeper {n}", often, random.Random(seed + n))
        for n, often in enumerate((API, API, PAGES, PAGES))
    ]
    for keeper in keepers:
        keeper.open()
    return Load(keepers)


class Neighbour:
    """Somebody who taps steadily at a table of their own while a block runs.

    `taps` are each (when, how long), in seconds.
    """

    def __init__(self, port: int) -> None:
        self.taps = [(0.0, 0.0)]
        self.keeper = Keeper(over_network(port), token_urlsafe(16), NEIGHBOUR)
        self.keeper.open()
        self._over, self._pool = threading.Event(), ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        """Begin to tap."""
        self._playing = self._pool.submit(self._play)
        return self

    def __exit__(self, *_: object) -> None:
        """Tap no more. Raises Unkept where a tap was refused."""
        self._over.set()
        self._playing.result()

    def _play(self) -> None:
        while not self._over.wait(EVERY):
            began = time.monotonic()
            self.keeper.step()
            self.taps.append((began, time.monotonic() - began))

    def slowest_since(self, start: float) -> float:
        """Return how long the slowest tap took of those from a moment until now, now included."""
        now = time.monotonic()
        while self.taps[-1][0] < now and not self._playing.done():
            time.sleep(EVERY)
        recent = takewhile(lambda tap: sum(tap) >= start, reversed(self.taps[:]))
        return max(took for _, took in recent)

"""People at tables of several instances: they tap, watch, and list their tables, by the proxy."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.request import HTTPCookieProcessor, build_opener

from tests.hard.figures import milliseconds
from tests.hard.haproxy import NAMES, PATIENCE, ask

# The instance that is lost.
VICTIM = "b"
PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
RETRY = 0.05


@dataclass
class Tap:
    """A tap that was acknowledged: its note, when, and how long that took in seconds."""

    note: str
    at: float
    took: float
    tries: int


class Failure(NamedTuple):
    """An answer that acknowledged nothing, and when it came."""

    what: str
    at: float


@dataclass
class Keeper:
    """Taps at one table through the proxy until told to stop, each tap until it is acknowledged."""

    port: int
    link: str
    pen: str
    pause: float
    taps: list[Tap] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    @property
    def instance(self) -> str:
        """The instance that the link names."""
        return self.link.partition(".")[0]

    def keep(self, stopping: threading.Event) -> None:
        """Tap at steady intervals."""
        for number in itertools.count():
            if stopping.wait(self.pause):
                return
            self._tap(f"{number}")

    def _tap(self, note: str) -> None:
        event = {"event": "correction", "player": "Anna", "points": 1, "note": note}
        headers = {"Authorization": f"Bearer {self.pen}", "Idempotency-Key": note}
        before, path = time.monotonic(), f"/api/tables/{self.link}/events"
        for tries in itertools.count(1):
            try:
                status, _ = ask(self.port, "POST", path, event, headers)
            except (OSError, http.client.HTTPException) as error:
                status = 0
                self.failures.append(Failure(type(error).__name__, time.monotonic()))
            if status == 201:
                now = time.monotonic()
                self.taps.append(Tap(note, now, now - before, tries))
                return
            if status:
                self.failures.append(Failure(str(status), time.monotonic()))
            if time.monotonic() > before + PATIENCE:
                message = f"a tap at {self.instance} was answered {status} for a minute"
                raise AssertionError(message)
            time.sleep(RETRY)

    def notes(self) -> list[str]:
        """Return the notes of the taps that the table has."""
        status, text = ask(self.port, "GET", f"/api/tables/{self.link}/games/1")
        assert status == 200, status
        return [str(event["note"]) for event in json.loads(text)["events"]]

    def took(self, since: float, until: float) -> list[float]:
        """Return how long the taps took that were acknowledged in a time."""
        return [tap.took for tap in self.taps if since <= tap.at < until]


class Watcher:
    """A phone that follows a table live; `breaks` is how often its stream ended."""

    def __init__(self, port: int, keeper: Keeper) -> None:
        self._port, self._keeper = port, keeper
        self.breaks = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        connection.request("GET", f"/api/tables/{self._keeper.link}/live")
        stream = connection.getresponse()
        while stream.readline():
            pass
        self.breaks += 1


class Phone:
    """A browser that has opened every table."""

    def __init__(self, port: int, keepers: Iterable[Keeper]) -> None:
        self._url = f"http://127.0.0.1:{port}"
        self._browser = build_opener(HTTPCookieProcessor())
        for keeper in keepers:
            self._browser.open(f"{self._url}/t/{keeper.link}").close()

    def list_tables(self) -> int:
        """Return how many tables the page of all of them has."""
        with self._browser.open(f"{self._url}/tables") as page:
            return len(set(re.findall(r'href="/t/([^"]+)"', page.read().decode())))


def open_tables(port: int, count: int, pause: float) -> tuple[list[Keeper], dict[str, int]]:
    """Open tables from many addresses, until each instance has so many; and how they fell."""
    keepers: list[Keeper] = []
    fell = dict.fromkeys(NAMES, 0)
    for number in range(2, 250):
        source = f"127.0.0.{number}"
        status, text = ask(port, "POST", "/api/tables", {"players": PLAYERS}, source=source)
        assert status == 201, text
        told = json.loads(text)
        keeper = Keeper(port, told["table"], told["pen"], pause)
        fell[keeper.instance] += 1
        if fell[keeper.instance] <= count:
            keepers.append(keeper)
        if number >= 200 and min(fell.values()) >= count:
            break
    return keepers, fell


def lost(keepers: Iterable[Keeper]) -> list[tuple[Keeper, Tap]]:
    """Return the acknowledged taps that are not there, each once."""
    found = []
    for keeper in keepers:
        acknowledged, there = list(keeper.taps), keeper.notes()
        assert len(there) == len(set(there)), "a tap was doubled"
        found += [(keeper, tap) for tap in acknowledged if tap.note not in there]
    return found


class Run:
    """One run: who taps, and what is known of each time."""

    def __init__(self, keepers: list[Keeper]) -> None:
        self.keepers = keepers
        self.others = [keeper for keeper in keepers if keeper.instance != VICTIM]
        self.victims = [keeper for keeper in keepers if keeper.instance == VICTIM]
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=keeper.keep, args=(self._stopping,)) for keeper in keepers
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let all taps be acknowledged, and end."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def took(self, keepers: list[Keeper], *spans: tuple[float, float]) -> list[float]:
        """Return how long the taps of some keepers took in some times."""
        return [each for span in spans for keeper in keepers for each in keeper.took(*span)]

    def percentiles(self, *spans: tuple[float, float]) -> str:
        """Return what the taps at the other instances took in some times."""
        took = self.took(self.others, *spans)
        p50, p99 = milliseconds(took, 50), milliseconds(took, 99)
        return f"{p50:.1f} / {p99:.1f} / {max(took) * 1000:.1f} ms, {len(took)} taps"

    def refused(self, *spans: tuple[float, float]) -> list[Failure]:
        """Return the answers at the other instances, in some times, that were none to a tap."""
        failures = [failure for keeper in self.others for failure in keeper.failures]
        return [each for each in failures for begin, end in spans if begin <= each.at < end]

    def first_back(self, moment: float) -> float:
        """Return after how many seconds the last of the victim's tables is written at again."""
        return max(
            min(tap.at for tap in keeper.taps if tap.at > moment) - moment
            for keeper in self.victims
        )

"""Somebody who keeps a table while others do something else."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from typing import Self

from tests.api.calling import PLAYERS, correction
from tests.api.network import send

EVERY = 0.02


class Neighbour:
    """Records, edits and takes back steadily at a table of their own while a block runs.

    `taps` are each (when, how long), in seconds; `refused` is how many were not written.
    """

    def __init__(self, port: int) -> None:
        opened = send(port, "POST", "/api/tables", {"players": PLAYERS}).json
        self.link, self._pen, self._port = opened["table"], opened["pen"], port
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
        while not self._over.wait(EVERY):
            for method, address, body in (*tap, ("DELETE", f"{path}/last", None)):
                began = time.monotonic()
                status = send(self._port, method, address, body, self._pen).status
                self.taps.append((began, time.monotonic() - began))
                self.refused += status >= 400

    def slowest_since(self, start: float) -> float:
        """Return how long the slowest tap took of those from a moment until now, now included."""
        now = time.monotonic()
        while self.taps[-1][0] < now and not self._playing.done():
            time.sleep(EVERY)
        recent = takewhile(lambda tap: sum(tap) >= start, reversed(self.taps[:]))
        return max(took for _, took in recent)

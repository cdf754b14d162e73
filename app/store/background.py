"""A background job: tried again and again, in a thread of its own, until it is done.

Where there are no threads it is tried at once, a few times; what is left waits for the next start.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

RETRY_SECONDS = 2.0
ATTEMPTS_AT_ONCE = 3


class AtOnce:
    """Runs a job before going on, where there are no threads and nobody else to wait for."""

    def start(self, job: Callable[[], bool]) -> None:
        """Try a job until it returns True, or has been tried often enough."""
        any(job() for _ in range(ATTEMPTS_AT_ONCE))

    def close(self) -> None:
        """Do nothing: nothing is under way."""


class Background:
    """Runs a job in a thread, every few seconds until it returns True; no thread without one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._job: Callable[[], bool] | None = None
        self._closed = threading.Event()

    def start(self, job: Callable[[], bool]) -> None:
        """Begin with a job, in place of the one that may be under way."""
        with self._lock:
            self._job = job
            if self._thread is None and not self._closed.is_set():
                self._thread = threading.Thread(target=self._run, name="background", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Begin with nothing more, and wait for what is under way."""
        self._closed.set()
        if (thread := self._thread) is not None:
            thread.join()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            if job():
                self._end(job)
            else:
                self._closed.wait(RETRY_SECONDS)

    def _next(self) -> Callable[[], bool] | None:
        """The job to be tried; without one the thread is over."""
        with self._lock:
            if self._closed.is_set() or self._job is None:
                self._thread = None
                return None
            return self._job

    def _end(self, job: Callable[[], bool]) -> None:
        with self._lock:
            if self._job is job:
                self._job = None

"""A fair lock: it is handed on in the order in which it was asked for."""

from __future__ import annotations

import threading
from collections import deque


class FairLock:
    """A lock that nobody gets twice while another waits.

    Python's own goes to whoever asks first once it is free, which is mostly the one who has just
    given it back.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held = False
        # For each who waits a lock that is held until it is their turn.
        self._waiting: deque[threading.Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Take the lock when it is our turn; False when that is not within `timeout` seconds."""
        with self._guard:
            if not self._held:
                self._held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        return turn.acquire(timeout=timeout) or not self._give_up(turn)

    def _give_up(self, turn: threading.Lock) -> bool:
        """Wait no longer; False where the lock was handed over in the last moment."""
        with self._guard:
            if turn not in self._waiting:
                return False
            self._waiting.remove(turn)
            return True

    def release(self) -> None:
        """Hand the lock to whoever has waited longest, if anybody waits."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False

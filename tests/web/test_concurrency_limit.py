"""A concurrency limit: so many of one address at once, the others in a line that has an end."""

import threading

import pytest
from werkzeug.exceptions import TooManyRequests

from app.http.concurrency import ConcurrencyLimiter

HERE, THERE = "127.0.0.1", "127.0.0.2"
PATIENCE = 30.0


def test_others_wait_in_turn() -> None:
    """And go on when the first is done, whatever became of it."""
    limiter, order = ConcurrencyLimiter(1, 5, PATIENCE), list[str]()

    def wait() -> None:
        with limiter.slot(HERE):
            order.append("second")

    def fail() -> None:
        with limiter.slot(HERE):
            thread.start()
            thread.join(0.05)
            order.append("first")
            raise ZeroDivisionError

    thread = threading.Thread(target=wait)
    with pytest.raises(ZeroDivisionError):
        fail()
    thread.join(PATIENCE)
    assert order == ["first", "second"]


def test_who_waits_too_long_is_told() -> None:
    """With when to come again; another address has its own line."""
    limiter = ConcurrencyLimiter(1, 5, 0.01)
    with limiter.slot(HERE):
        with pytest.raises(TooManyRequests) as refusal, limiter.slot(HERE):
            pytest.fail("It was not waited for.")
        with limiter.slot(THERE):
            pass
    assert refusal.value.retry_after == 1
    with limiter.slot(HERE):
        pass


def test_a_line_has_an_end() -> None:
    """Nobody waits where too many do."""
    limiter, outcomes = ConcurrencyLimiter(1, 0, 2 * PATIENCE), list[str]()

    def come_too_late() -> None:
        try:
            with limiter.slot(HERE):
                outcomes.append("waited")
        except TooManyRequests:
            outcomes.append("refused")

    thread = threading.Thread(target=come_too_late)
    with limiter.slot(HERE):
        thread.start()
        thread.join(PATIENCE)
    thread.join(PATIENCE)
    come_too_late()
    assert outcomes == ["refused", "waited"]

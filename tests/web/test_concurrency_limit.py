"""A concurrency limit: so many of one address at once, the others in a line that has an end."""

import pytest
from app.http.concurrency import ConcurrencyLimiter
from werkzeug.exceptions import TooManyRequests

HERE, THERE = "127.0.0.1", "127.0.0.2"


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
    limiter = ConcurrencyLimiter(1, 0)
    with limiter.slot(HERE), pytest.raises(TooManyRequests), limiter.slot(HERE):
        pytest.fail("There was no room in the line.")

"""Rate limits: floods have to wait, and ordinary play never does."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from app import create_app
from app.http import limits
from app.http.application import Application
from app.http.limits import LIMITER, RateLimit, RateLimiter
from tests.api.calling import NOBODY, Caller, code, fill
from tests.told import told

FEW = 3


@pytest.fixture
def clock() -> Mock:
    """Return a clock that stands still until the test sets it."""
    return Mock(return_value=1000.0)


@pytest.fixture(params=[0])
def limited(request: pytest.FixtureRequest, tmp_path: Path, clock: Mock) -> Iterator[Application]:
    """Return an application with rate limits, which use that clock, behind so many proxies."""
    database = str(tmp_path / "chicago.db")
    app = create_app({"DATABASE": database, "LIMITS": True, "PROXIES": request.param})
    app.extensions[LIMITER] = RateLimiter(clock)
    yield app
    app.close()


def flood(app: Application, limit: RateLimit, address: str = "127.0.0.1") -> None:
    """Use up a rate limit for an address, but for a few requests."""
    limiter = app.extensions[LIMITER]
    assert [limiter.acquire(limit, address) for _ in range(limit.burst - FEW)][-1] == 0


def test_a_rate_limiter_lets_so_many_through_at_once_and_then_as_time_goes_by(clock: Mock) -> None:
    """A client that waits the given time is let through; each address and thing is by itself."""
    limiter, limit = RateLimiter(clock), RateLimit(3, 0.5)
    assert [limiter.acquire(limit, "Anna") for _ in range(5)] == [0, 0, 0, 2, 2]
    assert limiter.acquire(limit, "Bo") == limiter.acquire(RateLimit(1, 1), "Anna") == 0
    for seconds, waits in ((1, [1]), (1, [0, 2]), (60, [0, 0, 0, 2])):
        clock.return_value += seconds
        assert [limiter.acquire(limit, "Anna") for _ in waits] == waits


@told
def test_a_flood_is_held_up_and_a_game_goes_on(
    limited: Application, clock: Mock, limit: str, call: str, sent: dict[str, Any]
) -> None:
    """The answer is 429, for guesses at links and pens too; whoever waits is answered again."""
    client = limited.test_client()
    table = Caller(client).open()
    client.set_cookie("chicago-pen", table.pen if limit == "ERASURES" else "x" * 43)
    limited.extensions[LIMITER] = RateLimiter(clock)
    flood(limited, getattr(limits, limit))
    [method, path], sent = fill([call.split(" "), sent], LINK=table.link, SECRET="x" * 43)
    ask = partial(client.open, path, method=method, **sent)
    assert [ask().status_code for _ in range(2 * FEW)].index(429) == FEW
    refused = ask()
    if "json" in sent:
        assert code(refused) == "too_many"
    else:
        assert "Content-Security-Policy" in refused.headers
        assert "Vänta" in refused.text
    assert table.record(NOBODY).status_code == 201
    assert table.read().status_code == 200
    clock.return_value += int(refused.headers["Retry-After"])
    assert ask().status_code != 429


@pytest.mark.parametrize(
    ("limited", "counted", "address"),
    [
        # An IPv6 household has countless addresses; an IPv4 address in its form has none.
        (0, "2001:db8::/64", "2001:db8::ffff:1"),
        *((0, each, each) for each in ("::ffff:192.0.2.1", "192.0.2.1", "somewhere:else", "")),
        # Of a text that begins alike for long so much is remembered.
        (0, "x" * 64, "x" * 5000),
        # Without a proxy one was told of, every client could claim any address.
        *((0, "10.0.0.1", "10.0.0.1"), (1, "192.0.2.1", "10.0.0.1")),
    ],
    indirect=["limited"],
)
def test_each_address_is_counted_by_itself(
    limited: Application, counted: str, address: str
) -> None:
    """A household's are counted together."""
    flood(limited, limits.BAD_SECRETS, counted)

    def ask(address: str, forwarded: str = "198.51.100.7, 192.0.2.1") -> int:
        environ = {"REMOTE_ADDR": address, "HTTP_X_FORWARDED_FOR": forwarded}
        return limited.test_client().get("/api/tables/x", environ_base=environ).status_code

    assert [ask(address) for _ in range(FEW + 1)] == [404] * FEW + [429]
    for other in ("2001:db8:0:1::1", "::ffff:192.0.2.2"):
        assert ask(other, other) == 404


@pytest.mark.parametrize(("value", "on"), [("off", False), ("", True), ("on", True)])
def test_limits_are_switched_off_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, value: str, on: bool
) -> None:
    """Only CHICAGO_LIMITS=off switches them off."""
    monkeypatch.setenv("CHICAGO_LIMITS", value)
    assert create_app().config["LIMITS"] is on

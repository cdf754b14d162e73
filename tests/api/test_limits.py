"""Rate limits: floods have to wait, and ordinary play never does."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from app import create_app
from app.http.application import Application, RateLimit, RateLimiter
from app.http.limits import (
    IMPORTS,
    MISSES,
    NEW_TABLES,
    TRANSFERS,
)
from tests.api.calling import NOBODY, PLAYERS, Caller, error, shut_down

HERE = "127.0.0.1"
FEW = 3
SECRET = "x" * 43


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock that the test sets."""
    return Clock()


@pytest.fixture
def limited(tmp_path: Path, clock: Clock) -> Iterator[Application]:
    """Return an application with rate limits, which use that clock."""
    app = create_app({"DATABASE": str(tmp_path / "chicago.db"), "LIMITS": True})
    app.limiter = RateLimiter(clock)
    yield app
    shut_down(app)


@pytest.fixture
def caller(limited: Application) -> Caller:
    """Return a program under the rate limits."""
    return Caller(limited.test_client())


def flood(app: Application, limit: RateLimit, address: str = HERE) -> None:
    """Use up a rate limit for an address, but for a few requests."""
    limiter = app.limiter
    assert limiter
    assert [limiter.acquire(limit, address) for _ in range(limit.burst - FEW)][-1] == 0


def allowed(ask: Callable[[], int]) -> int:
    """Return the number of requests that are answered before the first 429."""
    return [ask() for _ in range(2 * FEW)].index(429)


def test_a_rate_limiter_lets_so_many_through_at_once_and_then_as_time_goes_by(clock: Clock) -> None:
    """A client that waits the given time is let through, and an early request costs nothing."""
    limiter, limit = RateLimiter(clock), RateLimit(3, 0.5)
    assert [limiter.acquire(limit, "Anna") for _ in range(5)] == [0, 0, 0, 2, 2]
    clock.now += 1
    assert limiter.acquire(limit, "Anna") == 1
    clock.now += 1
    assert [limiter.acquire(limit, "Anna") for _ in range(2)] == [0, 2]
    clock.now += 60
    assert [limiter.acquire(limit, "Anna") for _ in range(4)] == [0, 0, 0, 2]


def test_a_rate_limiter_counts_each_address_and_each_thing_by_itself(clock: Clock) -> None:
    """No client waits for the requests of another."""
    limiter, limit, other = RateLimiter(clock), RateLimit(1, 1), RateLimit(1, 0.1)
    assert limiter.acquire(limit, "Anna") == 0
    assert limiter.acquire(limit, "Bo") == 0
    assert limiter.acquire(other, "Anna") == 0
    assert limiter.acquire(limit, "Anna") == 1


def test_a_flood_of_tables_is_held_up(limited: Application, caller: Caller, clock: Clock) -> None:
    """The answer is 429 with Retry-After; after that time another table can be opened."""
    flood(limited, NEW_TABLES)
    count = allowed(lambda: caller.call("POST", "/api/tables", {"players": PLAYERS}).status_code)
    assert count == FEW
    answer = caller.call("POST", "/api/tables", {"players": PLAYERS})
    assert error(answer) == (429, "too_many")
    clock.now += int(answer.headers["Retry-After"])
    assert caller.call("POST", "/api/tables", {"players": PLAYERS}).status_code == 201


def test_trying_pens_is_held_up(limited: Application, caller: Caller) -> None:
    """Wrong pens are answered with 429; the right pen still writes."""
    table = caller.open()
    flood(limited, MISSES)
    assert allowed(lambda: table.record(NOBODY, pen="guess").status_code) == FEW
    answer = table.record(NOBODY, pen="another guess")
    assert error(answer) == (429, "too_many")
    assert int(answer.headers["Retry-After"]) >= 1
    assert table.record(NOBODY).status_code == 201
    assert table.read().status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/tables/x"),
        ("GET", "/t/x"),
        ("GET", "/t/LINK/pen/x"),
        ("GET", "/t/LINK/recovery/x"),
        ("GET", f"/transfer/{SECRET}"),
        ("POST", f"/transfer/{SECRET}"),
        ("GET", f"/start/{SECRET}"),
        ("POST", f"/start/{SECRET}"),
        ("GET", f"/start/{SECRET}/app.webmanifest"),
        ("POST", "/again"),
        ("GET", "/t/x/row"),
    ],
)
def test_trying_links_is_held_up(
    limited: Application, caller: Caller, method: str, path: str
) -> None:
    """Unknown tables count, in forms too, and so do wrong links for a pen or for tables."""
    path = path.replace("LINK", caller.open().link)
    flood(limited, MISSES)
    ask = partial(caller.client.open, path, method=method, data={"table": "x"})
    assert allowed(lambda: ask().status_code) == FEW
    assert int(ask().headers["Retry-After"]) >= 1


def test_people_are_told_in_kind_words(limited: Application, caller: Caller) -> None:
    """The answer is a page in the person's language."""
    flood(limited, NEW_TABLES)
    assert allowed(lambda: caller.client.post("/", data={"player": PLAYERS}).status_code) == FEW
    answer = caller.client.post("/", data={}, headers={"Accept-Language": "en"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 1
    assert "Wait a little" in answer.text
    assert "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/", NEW_TABLES),
        ("/again", NEW_TABLES),
        ("/files", IMPORTS),
        ("/transfer", TRANSFERS),
        ("/install", TRANSFERS),
    ],
)
def test_what_is_costly_has_its_limit(
    limited: Application, caller: Caller, path: str, limit: RateLimit
) -> None:
    """Other requests of the same address go on."""
    table = caller.open()
    limited.limiter = RateLimiter(Clock())
    flood(limited, limit)
    assert allowed(lambda: caller.client.post(path).status_code) == FEW
    assert table.record(NOBODY).status_code == 201
    assert table.read().status_code == 200


def from_address(caller: Caller, address: str, **headers: str) -> int:
    """Request an unknown table from an address."""
    environ = {"REMOTE_ADDR": address}
    return caller.client.get("/api/tables/x", environ_base=environ, headers=headers).status_code


def test_a_household_s_addresses_are_counted_together(limited: Application, caller: Caller) -> None:
    """An IPv6 household has countless addresses."""
    flood(limited, MISSES, "2001:db8::/64")
    assert allowed(lambda: from_address(caller, "2001:db8::ffff:1")) == FEW
    assert from_address(caller, "2001:db8::1") == 429
    assert from_address(caller, "2001:db8:0:1::1") == 404


@pytest.mark.parametrize("address", ["::ffff:192.0.2.1", "192.0.2.1", "somewhere:else", ""])
def test_other_addresses_are_counted_by_themselves(
    limited: Application, caller: Caller, address: str
) -> None:
    """An IPv4 address in IPv6 form has no household, and an invalid address counts too."""
    flood(limited, MISSES, address)
    assert allowed(lambda: from_address(caller, address)) == FEW
    assert from_address(caller, "::ffff:192.0.2.2") == 404


def test_an_address_is_remembered_in_few_letters(limited: Application, caller: Caller) -> None:
    """Texts that begin alike for long count as one."""
    flood(limited, MISSES, "x" * 64)
    assert allowed(lambda: from_address(caller, "x" * 5000)) == FEW


@pytest.mark.parametrize(("proxies", "counted"), [(0, "10.0.0.1"), (1, "192.0.2.1")])
def test_forwarded_addresses_count_only_when_told(
    tmp_path: Path, clock: Clock, proxies: int, counted: str
) -> None:
    """Otherwise every client could claim any address."""
    config = {"DATABASE": str(tmp_path / "chicago.db"), "LIMITS": True, "PROXIES": proxies}
    app = create_app(config)
    app.limiter = RateLimiter(clock)
    flood(app, MISSES, counted)
    caller = Caller(app.test_client())
    forwarded = {"X-Forwarded-For": "198.51.100.7, 192.0.2.1"}
    assert allowed(lambda: from_address(caller, "10.0.0.1", **forwarded)) == FEW
    shut_down(app)


@pytest.mark.parametrize(("value", "on"), [("off", False), ("", True), ("on", True)])
def test_limits_are_switched_off_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, value: str, on: bool
) -> None:
    """Only CHICAGO_LIMITS=off switches them off."""
    monkeypatch.setenv("CHICAGO_LIMITS", value)
    assert create_app().config["LIMITS"] is on

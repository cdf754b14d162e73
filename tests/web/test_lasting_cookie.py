"""The pen outlives whatever happens to the server: its clock, its key, and the cookie's bounds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from app.rules.names import MAX_NAME, MAX_PLAYERS
from tests.web.conftest import serve
from tests.web.phone import Phone, writes

# Browsers drop what is larger, name included.
LARGEST = 4096
FORM = {"player": ["Anna", "Bo"], "stake": "1"}


@pytest.fixture
def own(app: Flask) -> Iterator[Flask]:
    """Return the application, whose key may change for the length of a test."""
    Phone(app.test_client()).open("/")
    key = app.secret_key
    yield app
    app.secret_key = key


@pytest.fixture
def keeper(own: Flask) -> Phone:
    """Return a phone that has opened a table there."""
    return opened(Phone(own.test_client()))


def opened(phone: Phone) -> Phone:
    """Let a phone open a table, and be shown it."""
    phone.send("/", FORM)
    assert phone.answer.status_code == 303
    return phone


@pytest.mark.parametrize("years", [-2, 2])
def test_a_clock_that_is_off_takes_no_pen_away(
    keeper: Phone, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    """Whether it was off when the table was opened, or is now."""
    then = time.time() + years * 365 * 24 * 3600
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: then)
    assert writes(keeper, keeper.table)


def test_how_long_a_cookie_lives_is_up_to_the_phone_s_clock(keeper: Phone) -> None:
    """A moment by the server's clock would be over at once where that clock is years behind."""
    keeper.send("/language", {"language": "en"})
    cookie = keeper.client.get_cookie("chicago")
    assert cookie
    assert cookie.max_age == 400 * 24 * 3600


def test_looking_at_the_same_table_again_sets_no_cookie(keeper: Phone) -> None:
    """Only what changes is signed and sent: another table, which comes first from then on."""
    first = keeper.table
    opened(keeper)
    for table, sets in ((first, True), (first, False), (keeper.table, True), (first, True)):
        keeper.open(table)
        assert ("Set-Cookie" in keeper.answer.headers) is sets


def test_reading_leaves_a_cookie_that_cannot_be_read(own: Flask, keeper: Phone) -> None:
    """With another key a phone only reads; once the old one is back, it writes as before."""
    key, table = own.secret_key, keeper.table
    before = keeper.client.get_cookie("chicago")
    own.secret_key = b"another key"
    for path in ("/", table, f"{table}/join", f"{table}/protocol", "/rules", "/t/nowhere"):
        keeper.open(path)
        assert "Set-Cookie" not in keeper.answer.headers
    keeper.send(f"{table}/undo", {"seq": "1"})
    assert keeper.answer.status_code == 401
    assert keeper.client.get_cookie("chicago") == before
    own.secret_key = key
    assert writes(keeper, table)


def test_writing_sets_a_cookie_that_cannot_be_read_aside(own: Flask, keeper: Phone) -> None:
    """A new table is kept with the new key, and the pen for when the old is back."""
    key, table = own.secret_key, keeper.table
    own.secret_key = b"another key"
    opened(keeper)
    newer = keeper.table
    assert writes(keeper, newer)
    own.secret_key = key
    assert writes(keeper, table)
    own.secret_key = b"another key"
    assert writes(keeper, newer)


def size(phone: Phone) -> int:
    """Return how large the phone's cookie is."""
    cookie = phone.client.get_cookie("chicago")
    assert cookie
    return len(cookie.key) + len(cookie.value)


def unfinished(length: int) -> dict[str, object]:
    """Return a form with as many names as there may be, each as long as it may be, and rules."""
    names = [
        "".join(chr(0x1F300 + seat * 97 + at * 13) for at in range(length))
        for seat in range(MAX_PLAYERS + 1)
    ]
    return {"player": names[1:], "name": names[0], "stake": "0,50", "do": "rules"}


def test_the_cookie_is_never_larger_than_browsers_keep(keeper: Phone) -> None:
    """Twelve tables, and the longest names there are in a form that is being filled in."""
    first = keeper.table
    for _ in range(13):
        opened(keeper)
    keeper.send("/", unfinished(MAX_NAME))
    assert keeper.answer.status_code == 303
    assert size(keeper) < LARGEST
    filled = [field.value for field in keeper.open("/").form("/").named("player")]
    assert filled == unfinished(MAX_NAME)["player"]
    assert writes(keeper, first)


def test_an_empty_key_in_the_file_signs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a key is set, a file without one is no other way in."""
    tmp_path.joinpath("secret-key").touch()
    forging = Flask(__name__)
    monkeypatch.setenv("SECRET_KEY", "set")
    app = serve(tmp_path / "chicago.db")
    keeper = opened(Phone(app.test_client()))
    with keeper.client.session_transaction() as cookie:
        stolen = dict(cookie)
    forging.secret_key = b"any"
    serializer = SecureCookieSessionInterface().get_signing_serializer(forging)
    assert serializer
    serializer.secret_keys = [b""]
    forger = Phone(app.test_client())
    forger.client.set_cookie("chicago", str(serializer.dumps(stolen)))
    assert not writes(forger, keeper.table)

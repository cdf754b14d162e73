"""The application as a service worker calls it: one function in, the file and the cookies out."""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from itsdangerous import TimestampSigner
from sqlite_utils import Database

from app.http import context
from app.phone import runtime
from app.phone.replicas import read_phone
from app.phone.runtime import Answer
from app.services import erasure
from app.services.tables import Write
from app.store.availability import DatabaseRefused, DatabaseUnavailable
from app.store.schema import migrations
from tests.empty_database import copy_empty_database
from tests.web.pages import Page

HOST = "http://chicago.test"
FORM = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept-Language", "sv")]
OPENING = [
    *(("player", name) for name in ("Anna", "Bo", "Cilla", "Dan")),
    ("dealer", "Anna"),
    ("stake", "1"),
    ("key", "k" * 22),
]
ANNA_PAIR = '{"event":"best_hand","player":"Anna","hand":"pair"}'


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """Return a database file of a phone on which nothing has happened; all is closed after."""
    yield copy_empty_database(tmp_path / "phone" / "chicago.db")
    runtime.stop()


def start(database: Path, cookie: str = "") -> None:
    """Start on a file."""
    runtime.start(str(database), cookie)


def get(path: str, method: str = "GET") -> Answer:
    """Ask for a page."""
    return runtime.answer(method, HOST + path, [("Accept-Language", "sv")])


def post(path: str, form: list[tuple[str, str]], host: str = HOST) -> Answer:
    """Send a form."""
    return runtime.answer("POST", host + path, FORM, urlencode(form).encode())


def opened() -> str:
    """Open a table, and return its path."""
    return header(post("/", OPENING), "Location")


def header(answer: Answer, name: str) -> str:
    """Return the value of a response header, empty where there is none."""
    return dict(answer.headers).get(name, "")


def page(path: str) -> Page:
    """Return a page as a person sees it."""
    return Page(get(path).body.decode())


def tap(table: str) -> Answer:
    """Record a pair of Anna's."""
    return post(f"{table}/events", [("seq", page(table).seq), ("event", ANNA_PAIR)])


def test_a_table_is_opened_and_played_at(database: Path) -> None:
    """A form is answered with the redirect itself; what is tapped after it stands on the page."""
    start(database)
    answer = post("/", OPENING)
    assert answer.status == 303
    table = header(answer, "Location")
    assert tap(table).status in (200, 303)
    assert "Anna" in page(table).soup.select(".undo")[0].text


def test_cookies_are_the_workers_to_keep(database: Path) -> None:
    """No answer sets one, and whoever starts again with what was given goes on as before."""
    start(database)
    answer = post("/", [*OPENING[:4], ("do", "rules")])
    assert answer.status == 303
    assert not header(answer, "Set-Cookie")
    assert answer.cookie
    start(database, answer.cookie)
    assert b"Cilla" in get("/").body
    start(database)
    assert b"Cilla" not in get("/").body


def test_a_cookie_is_given_only_when_it_is_another(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stays as it was is not stored again, however much later."""
    start(database)
    table = opened()
    get(table)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: int(time.time()) + 3600)
    assert get(table).cookie is None


def test_a_cookie_of_the_browsers_counts_for_nothing(database: Path) -> None:
    """The pen of the server's tables does not come in by a request."""
    start(database)
    cookie = post("/", OPENING).cookie
    assert cookie
    start(database)
    sent = [*FORM, ("Cookie", "chicago=forged")]
    asked = runtime.answer("GET", f"{HOST}/", sent)
    assert asked.cookie is None or "forged" not in asked.cookie


def test_the_cookie_bears_the_name_of_https_there(database: Path) -> None:
    """The pen is found again under the name that the scheme gives it."""
    start(database)
    host = "https://chicago.test"
    answer = post("/", OPENING, host)
    assert answer.cookie
    assert "__Host-chicago" in answer.cookie
    table = header(answer, "Location")
    form = [("seq", "1"), ("event", ANNA_PAIR)]
    assert post(f"{table}/events", form, host).status != 401


def test_only_what_changes_something_says_so(database: Path) -> None:
    """Reading, and a form that is refused, leave nothing to store, whatever the method."""
    start(database)
    table = opened()
    get(table)
    assert not get(table).changed
    assert not get("/rules").changed
    refused = [("seq", page(table).seq), ("event", '{"event":"chicago_result","won":true}')]
    assert post(f"{table}/events", refused).status == 422
    before = database.read_bytes()
    assert not post(f"{table}/events", refused).changed
    assert database.read_bytes() == before
    assert tap(table).changed


def test_the_file_is_whole_when_the_answer_comes(database: Path, tmp_path: Path) -> None:
    """A copy of the file alone has everything that was answered."""
    start(database)
    answer = post("/", OPENING)
    table = header(answer, "Location")
    tap(table)
    copy = tmp_path / "copy.db"
    shutil.copy(database, copy)
    start(copy, answer.cookie or "")
    assert "Anna" in page(table).soup.select(".undo")[0].text


def test_what_was_not_stored_is_forgotten(database: Path) -> None:
    """Started again on the file from before a tap, the table is as it was before it."""
    start(database)
    answer = post("/", OPENING)
    table = header(answer, "Location")
    saved, seq = database.read_bytes(), page(table).seq
    tap(table)
    get(f"{table}/protocol")
    runtime.stop()
    database.write_bytes(saved)
    start(database, answer.cookie or "")
    assert page(table).seq == seq
    assert tap(table).changed


def test_an_older_versions_file_is_brought_up_to_date(tmp_path: Path) -> None:
    """What the kit before this one wrote opens in this one, and is to be stored."""
    path = tmp_path / "chicago.db"
    old = Database(path)
    migrations.apply(old, stop_before="m006_recovery_and_phones")
    old.close()
    start(path)
    runtime.checkpoint()
    runtime.stop()
    found = Database(path)
    assert migrations.pending(found) == []
    found.close()


@pytest.mark.parametrize("damage", ["another file", "a piece is missing", "pages are mixed up"])
def test_a_damaged_file_is_refused_and_left_as_it_is(database: Path, damage: str) -> None:
    """Whoever keeps the bytes can still have them looked at."""
    start(database)
    opened()
    runtime.stop()
    whole = database.read_bytes()
    pages = whole[:4096] + whole[8192:] + whole[4096:8192]
    broken = {
        "another file": b"not a database at all" * 400,
        "a piece is missing": whole[: len(whole) // 2],
        "pages are mixed up": pages,
    }[damage]
    database.write_bytes(broken)
    with pytest.raises(DatabaseUnavailable):
        start(database)
    assert database.read_bytes() == broken
    with pytest.raises(LookupError):
        get("/")


def test_a_newer_versions_file_says_so(database: Path) -> None:
    """A kit that was put back does not touch what a newer one wrote."""
    newer = Database(database)
    migrations.pending(newer)
    row = {"migration_set": migrations.name, "name": "m999_newer", "applied_at": "2099"}
    newer["_sqlite_migrations"].insert(row)  # type: ignore[union-attr]  # a table, no view
    newer.close()
    with pytest.raises(DatabaseRefused) as refused:
        start(database)
    assert refused.value.code == "newer"


def make_old(database: Path, **waiting: int) -> None:
    """Put a file of before tables were kept as logs in its place, with so many rows."""
    database.unlink()
    old = Database(database)
    old["_sqlite_migrations"].insert({"migration_set": "chicago", "name": "m001", "applied_at": ""})  # type: ignore[union-attr]  # a table, no view
    for name in ("outbox", "replicas"):
        old.table(name).create({"table_id": int, "opening": str})
        old.table(name).insert_all({"opening": "{}"} for _ in range(waiting.get(name, 0)))
    old.close()


def test_an_old_file_goes_once_nothing_waits_in_it(database: Path) -> None:
    """What it has the server has too."""
    make_old(database)
    start(database)
    assert get(opened()).status == 200


@pytest.mark.parametrize("waiting", ["outbox", "replicas"])
def test_an_old_file_in_which_something_waits_is_kept(database: Path, waiting: str) -> None:
    """The version that wrote it has to hand it over first."""
    make_old(database, **{waiting: 1})
    before = database.read_bytes()
    with pytest.raises(DatabaseRefused) as refused:
        start(database)
    assert (refused.value.code, database.read_bytes()) == ("older", before)


def test_no_thread_is_ever_begun(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser's Python has none: what a server does in the background waits for a new start."""

    def refuse(_: threading.Thread) -> None:
        message = "can't start new thread"
        raise RuntimeError(message)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    start(database)
    table = opened()
    tap(table)
    seq = int(page(table).seq)
    with runtime.running().app.app_context():
        db = context.db()
        write = Write(table.removeprefix("/t/"), read_phone(db).pen, seq)
        with monkeypatch.context() as patch:
            patch.setattr(db, "vacuum", lambda: False)
            erasure.erase_name(db, write, "Cilla", "Spelare")
        assert erasure.is_pending(db)
    start(database)
    with runtime.running().app.app_context():
        assert not erasure.is_pending(context.db())


def test_a_head_request_has_no_body(database: Path) -> None:
    """Its headers are those of the page."""
    start(database)
    answer = get("/rules", "HEAD")
    assert (answer.status, answer.body) == (200, b"")

"""The application as a service worker calls it: one function, with all state in one file."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from sqlite_utils import Database

from app.offline import phone as runtime
from app.offline.phone import Answer
from app.store.files import DatabaseRefused, DatabaseUnavailable
from app.store.schema import migrations
from tests.empty_database import copy_empty_database
from tests.told import told
from tests.web.pages import Page

HOST = "http://chicago.test"
HOME = f"{HOST}/"
FORM = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept-Language", "sv")]
OPENING = parse_qsl("player=Anna&player=Bo&player=Cilla&player=Dan&dealer=Anna&stake=1")
OPENING += [("key", "k" * 22)]
HTMX = ("HX-Request", "true")
ANNA_PAIR = '{"event":"best_hand","player":"Anna","hand":"pair"}'


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """Start a new phone, and return its database file; stop it after the test."""
    path = copy_empty_database(tmp_path / "phone" / "chicago.db")
    runtime.start(str(path), HOME)
    yield path
    runtime.stop()


def get(path: str, method: str = "GET") -> Answer:
    """Ask for a page."""
    return runtime.answer(method, HOST + path, [("Accept-Language", "sv")])


def post(path: str, form: list[tuple[str, str]]) -> Answer:
    """Send a form."""
    return runtime.answer("POST", HOST + path, FORM, urlencode(form).encode())


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


def test_below_a_path_all_addresses_begin_with_it(database: Path) -> None:
    """The phone's pages are below its start page, wherever that is on its host."""
    home = f"{HOST}/games/chicago/"
    runtime.start(str(database), home)
    answer = runtime.answer("POST", home, FORM, urlencode(OPENING).encode())
    table = header(answer, "Location")
    assert table.startswith("/games/chicago/t/")
    shown = Page(runtime.answer("GET", HOST + table).body.decode())
    assert shown.buttons
    assert all(each.action.startswith("/games/chicago/") for each in shown.buttons)


def test_the_session_is_in_the_file(database: Path) -> None:
    """No answer sets a cookie, the browser's count for nothing, and a restart keeps the session."""
    answer = post("/language", [("language", "fi")])
    assert (answer.status, header(answer, "Set-Cookie")) == (303, "")
    runtime.start(str(database), HOME)
    asked = runtime.answer("GET", f"{HOST}/", [*FORM, ("Cookie", "chicago=forged")])
    assert b'lang="fi"' in asked.body


def test_only_what_changes_something_says_so(database: Path) -> None:
    """A read or a refused form reports no change, and leaves the file as it is."""
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


def test_the_file_has_every_answered_change_and_nothing_else_is_kept(database: Path) -> None:
    """After a restart on a copy of the file alone, the table is as it was in that copy."""
    table = opened()
    tap(table)
    saved, seq = database.read_bytes(), page(table).seq
    tap(table)
    get(f"{table}/protocol")
    runtime.stop()
    database.write_bytes(saved)
    runtime.start(str(database), HOME)
    assert page(table).seq == seq
    assert "Anna" in page(table).soup.select(".undo")[0].text
    assert tap(table).changed


@pytest.mark.parametrize("damage", ["another file", "a piece is missing", "pages are mixed up"])
def test_a_damaged_file_is_refused(database: Path, damage: str) -> None:
    """The start fails, so that the worker keeps the file as it is."""
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
        runtime.start(str(database), HOME)
    with pytest.raises(LookupError):
        get("/")


def test_a_file_that_cannot_be_opened_is_saved_and_put_aside(database: Path) -> None:
    """Until a person does that every page says so, and the worker is given nothing to keep."""
    runtime.stop()
    spoilt = b"not a database at all" * 400
    database.write_bytes(spoilt)
    runtime.start_beside(str(database), HOME, False, "", "sv")
    for asked in (get("/"), post("/", OPENING), get("/t/nowhere"), get("/static/app.css")):
        assert asked.status == 503
        assert "går inte att öppna" in asked.body.decode()
        assert not asked.changed
    places = Page(get("/").body.decode()).elements("form[method=post], a.block")
    assert [tag.get("action") or tag.get("href") for tag in places] == [
        "/offline/file",
        "/offline/aside",
    ]
    assert runtime.answer("GET", HOME, [HTMX]).status == 422
    assert get("/offline/file").body == spoilt
    led = post("/offline/aside", [])
    assert (led.status, header(led, "Location"), led.changed) == (303, "/", True)
    kept = runtime.collect_changed()
    assert min(kept.values(), key=len) == spoilt
    assert kept["file"].startswith(b"SQLite format 3")
    assert opened()
    assert [*runtime.collect_changed()] == ["file"]
    assert get("/offline/file").body.startswith(b"SQLite format 3")


@told
def test_an_error_of_the_worker_is_told_in_words(database: Path, name: str, words: str) -> None:
    """A page has a status of its own; a script, which would send again after that, another."""
    runtime.start(str(database), HOME, languages="en")
    asked = [runtime.answer("GET", f"{HOME}away/{name}", each) for each in ([], [HTMX])]
    assert [each.status for each in asked] == [503, 422]
    for each in asked:
        assert words in Page(each.body.decode()).soup.select("main#table.lost > .said")[0].text


def test_pages_know_an_answer_of_the_phone_as_one_of_ours(database: Path) -> None:
    """Else a tap that is written would wait in the page, and be sent again for ever."""
    table = opened()
    head = get("/rules", "HEAD")
    assert (head.status, head.body) == (200, b"")
    for answer in (tap(table), get(table), get("/nowhere"), get("/away/UnknownError"), head):
        assert header(answer, "X-Request-Id")


def test_a_stream_tells_that_there_is_no_network(database: Path) -> None:
    """The page then waits in peace."""
    stream = get(f"{opened()}/live")
    assert header(stream, "Content-Type").startswith("text/event-stream")
    assert b"event: away" in stream.body


def test_a_newer_versions_file_says_so(database: Path) -> None:
    """An older bundle does not touch the file of a newer one."""
    newer = Database(database)
    row = {"migration_set": migrations.name, "name": "m999_newer", "applied_at": "2099"}
    newer["_sqlite_migrations"].insert(row)  # type: ignore[union-attr]  # a table, no view
    newer.close()
    with pytest.raises(DatabaseRefused) as refused:
        runtime.start(str(database), HOME)
    assert refused.value.code == "newer"

"""A page from the cache is the page as it would be made now, for whoever asks and however."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import product

import pytest
from app.http.version_cache import VersionCache
from flask import Flask
from werkzeug.test import TestResponse

from app.http import page_cache, readers
from app.services import erasure, people
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import SETTLED, next_game, pen_of, store_of
from tests.web.phone import HTMX, Phone
from tests.web.test_recovery import TOLD, make_link, recover

TABLE, PAGE = "table/_table.html", "table/page.html"
BROTLI = {"Accept-Encoding": "gzip, br"}
# What tells one answer from another besides its page.
OF_THE_REQUEST = ("X-Request-Id", "Set-Cookie", "Date")
# Ways to ask for a page, each of which may be answered otherwise than the first.
WAYS: dict[str, dict[str, str]] = {
    "plainly": {},
    "in Swedish": {"Accept-Language": "sv"},
    "a part": HTMX,
    "a part, in brotli": HTMX | BROTLI,
    "in gzip": {"Accept-Encoding": "gzip"},
    "below a path, in brotli": BROTLI | {"path": "/x"},
}
TABLES_PAGES, OTHERS = ("", "?order=standing"), ("/protocol",)


@pytest.fixture
def pages(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let a test bound what is cached of pages, which are forgotten before and after it."""
    forget(app)
    yield monkeypatch
    monkeypatch.undo()
    forget(app)


def forget(app: Flask) -> None:
    """Empty what is cached of pages."""
    page_cache.register(app)
    readers.register(app)


@pytest.fixture
def phones(keeper: Phone, new_phone: NewPhone) -> dict[str, Phone]:
    """Return phones that see something different of one table, each by who has it."""
    table = keeper.table
    got_it = recover(new_phone(), make_link(keeper))
    keeper.send(f"{table}/events", {"seq": keeper.home().seq, "event": '{"event":"no_best_hand"}'})
    others = ("reader", "Bo", "none of them", "nobody", "unrecognised")
    seen = {"keeper": keeper, "who got the pen": got_it, **{who: new_phone() for who in others}}
    said = {
        "Bo": people.code_of(table.removeprefix("/t/"), "Bo"),
        "none of them": readers.NO_PLAYER,
        "nobody": "12345678",
    }
    for who, code in said.items():
        seen[who].client.set_cookie(readers.COOKIE, code)
    seen["unrecognised"].client.set_cookie("chicago", "signed.by.another-key")
    return seen


def ask(phone: Phone, address: str, way: dict[str, str]) -> TestResponse:
    """Ask for a page in a way; below a path as a server in front hands it on."""
    headers = phone.headers | way
    path = headers.pop("path", "")
    return phone.client.get(address, headers=headers, environ_overrides={"SCRIPT_NAME": path})


def answers(phones: dict[str, Phone], table: str) -> Iterator[tuple[object, object]]:
    """Ask for pages, by each phone and in each way, and yield what came."""
    for who, phone in phones.items():
        places = TABLES_PAGES if phone.client.get_cookie(readers.COOKIE) else TABLES_PAGES + OTHERS
        for (way, headers), place in product(WAYS.items(), places):
            answer = ask(phone, table + place, headers)
            kept = [each for each in answer.headers if each[0] not in OF_THE_REQUEST]
            zipped = answer.headers.get("Content-Encoding") == "gzip"
            # That also tells when it was made.
            page = gzip.decompress(answer.data) if zipped else answer.data
            yield (who, way, place), (answer.status_code, page, sorted(kept))


def test_nobody_is_shown_a_page_that_is_made_otherwise_for_them(
    app: Flask, phones: dict[str, Phone], pages: pytest.MonkeyPatch
) -> None:
    """Who asks, how, in which language and encoding, as whom, in which order, below which path.

    First with what all others have left in the cache, before the last change too; then each page
    made alone.
    """
    keeper = phones["keeper"]
    table = keeper.table
    assert TOLD in keeper.home().text
    assert TOLD not in phones["who got the pen"].open(table).text
    earlier = dict(answers({who: phones[who] for who in ("keeper", "reader")}, table))
    keeper.home()
    keeper.press("Cilla: Flush")
    together = [dict(answers(phones, table)) for _ in range(2)]
    pages.setattr(page_cache, "MAX_BYTES", 0)
    pages.setattr(readers, "MAX_BASES", 0)
    forget(app)
    alone = dict(answers(phones, table))
    assert [at for at, answer in earlier.items() if answer == alone[at]] == []
    for cached in together:
        assert [at for at, answer in cached.items() if answer != alone[at]] == []


def test_what_one_reader_is_told_on_the_table_is_told_to_no_other(
    keeper: Phone, reader: Phone, new_phone: NewPhone
) -> None:
    """Neither on the same version of the page nor when they look again."""
    with reader.client.session_transaction() as cookie:
        cookie["_flashes"] = [(keeper.table, "Only that phone writes now.")]
    told = reader.open(keeper.table)
    assert told.announcement == "Only that phone writes now."
    for phone in (reader, new_phone()):
        assert "Only that phone writes now." not in phone.open(keeper.table).text


def test_two_tables_have_two_pages(seat: Seat, new_phone: NewPhone) -> None:
    """However alike they are, each leads to its own addresses."""
    tables = [seat(new_phone()).table for _ in range(2)]
    phone = new_phone()
    for table in (*tables, *tables):
        assert f"{table}/protocol" in [link.href for link in phone.open(table).links]


def test_two_games_have_two_pages(app: Flask, seat: Seat, phone: Phone) -> None:
    """Of one table at one version."""
    next_game(app, seat(phone, SETTLED), SETTLED)
    games = [f"{phone.table}/games/{number}" for number in (1, 2)]
    for game in (*games, *games):
        assert f"{game}/print" in [link.href for link in phone.open(game).links]


def test_any_page_that_is_cached_is_not_sent_to_who_has_it(keeper: Phone) -> None:
    """By its version (ETag); not by that of another page."""
    page, other = (keeper.client.get(keeper.table + at) for at in ("/protocol", "/evening"))
    for answer, status in ((page, 304), (other, 200)):
        known = {"If-None-Match": answer.headers["ETag"]}
        again = keeper.client.get(f"{keeper.table}/protocol", headers=known)
        assert (again.status_code, again.data == b"") == (status, status == 304)


def test_of_who_is_forgotten_nothing_stays_in_memory(
    app: Flask, phones: dict[str, Phone], pages: pytest.MonkeyPatch
) -> None:
    """No pages either that nobody asks for again."""
    keeper, bo = phones["keeper"], phones["Bo"]
    bo.open(keeper.table)
    erasure.erase_name(store_of(app), pen_of(keeper), "Bo", "Player")
    caches = [each for each in app.extensions.values() if isinstance(each, VersionCache)]
    assert caches
    assert not any(len(cache) for cache in caches)

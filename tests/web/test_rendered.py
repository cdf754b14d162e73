"""A cached page equals the page rendered now, for every phone and every kind of request."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import product

import brotli
import pytest
from flask import render_template
from werkzeug.test import TestResponse

from app.http import rendered
from app.http.application import Application
from app.services import people
from app.web import protocol, readers
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import hand_over, store_of
from tests.web.phone import HTMX, Phone

TOLD = "A phone got the pen with the recovery link"
BROTLI = {"Accept-Encoding": "gzip, br"}
# Headers that differ between answers with the same page.
OF_THE_REQUEST = ("X-Request-Id", "Set-Cookie", "Date")
# Kinds of requests for a page, each of which may have another answer than the first.
WAYS: dict[str, dict[str, str]] = {
    "plainly": {},
    "in Swedish": {"Accept-Language": "sv"},
    "a part": HTMX,
    "a part, in brotli": HTMX | BROTLI,
    "in gzip": {"Accept-Encoding": "gzip"},
    "below a path, in brotli": BROTLI | {"path": "/x"},
}
SWEDISH = {"Accept-Language": "sv"}
KINDS: tuple[dict[str, str], ...] = ({}, HTMX, SWEDISH, HTMX | SWEDISH)
VARIES = {"cookie", "accept-language", "hx-request"}
TABLES_PAGES, OTHERS = ("", "?order=standing"), ("/protocol",)


class NoCache(dict[object, object]):
    """A cache that stores nothing."""

    def __setitem__(self, key: object, value: object) -> None:
        """Store nothing."""


@pytest.fixture(autouse=True)
def _empty(app: Application) -> None:
    app.rendered.clear()


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the templates of rendered score sheets."""
    seen: list[str] = []

    def count(template: str, **values: object) -> str:
        seen.append(template)
        return render_template(template, **values)

    monkeypatch.setattr(protocol, "render_template", count)
    return seen


@pytest.fixture
def phones(keeper: Phone, new_phone: NewPhone) -> dict[str, Phone]:
    """Return phones that see different versions of one table, by the name of their holder."""
    table = keeper.table
    got_it = new_phone()
    got_it.open(hand_over(keeper, "/recovery"))
    got_it.press("Take the pen")
    keeper.send(f"{table}/events", {"seq": keeper.home().seq, "event": '{"event":"no_best_hand"}'})
    others = ("reader", "Bo", "none of them", "nobody", "unrecognised")
    seen = {"keeper": keeper, "who got the pen": got_it, **{who: new_phone() for who in others}}
    said = {
        "Bo": people.pseudonym_of(table.removeprefix("/t/"), "Bo"),
        "none of them": readers.NO_PLAYER,
        "nobody": "12345678",
    }
    for who, code in said.items():
        seen[who].client.set_cookie(readers.COOKIE, code)
    seen["unrecognised"].client.set_cookie("chicago", "signed.by.another-key")
    # Who comes for the first time sees no names in the tab.
    for phone in seen.values():
        phone.open(table)
    return seen


def ask(phone: Phone, address: str, way: dict[str, str]) -> TestResponse:
    """Request a page in a way; a path stands for a prefix set by a proxy."""
    headers = phone.headers | way
    path = headers.pop("path", "")
    return phone.client.get(address, headers=headers, environ_overrides={"SCRIPT_NAME": path})


def answers(phones: dict[str, Phone], table: str) -> Iterator[tuple[object, object]]:
    """Request pages by each phone and in each way, and yield the answers."""
    for who, phone in phones.items():
        places = TABLES_PAGES if phone.client.get_cookie(readers.COOKIE) else TABLES_PAGES + OTHERS
        for (way, headers), place in product(WAYS.items(), places):
            answer = ask(phone, table + place, headers)
            kept = [each for each in answer.headers if each[0] not in OF_THE_REQUEST]
            zipped = answer.headers.get("Content-Encoding") == "gzip"
            # The compressed body also holds its time.
            page = gzip.decompress(answer.data) if zipped else answer.data
            yield (who, way, place), (answer.status_code, page, sorted(kept))


def test_nobody_is_shown_a_page_that_is_made_otherwise_for_them(
    app: Application, phones: dict[str, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page may depend on phone, way, language, encoding, player, order and prefix.

    The pages come first from a cache filled by all others, also before the last change; then each
    page is rendered alone.
    """
    keeper = phones["keeper"]
    table = keeper.table
    assert TOLD in keeper.home().text
    assert TOLD not in phones["who got the pen"].open(table).text
    earlier = dict(answers({who: phones[who] for who in ("keeper", "reader")}, table))
    keeper.home()
    keeper.press("Cilla: Flush")
    together = [dict(answers(phones, table)) for _ in range(2)]
    monkeypatch.setattr(app, "rendered", NoCache())
    alone = dict(answers(phones, table))
    assert [at for at, answer in earlier.items() if answer == alone[at]] == []
    for cached in together:
        assert [at for at, answer in cached.items() if answer != alone[at]] == []


def test_what_one_reader_is_told_on_the_table_is_told_to_no_other(
    keeper: Phone, reader: Phone, new_phone: NewPhone
) -> None:
    """The message is neither on the same version of the page nor in a later request."""
    with reader.client.session_transaction() as cookie:
        cookie["_flashes"] = [(keeper.table, "Only that phone writes now.")]
    told = reader.open(keeper.table)
    assert told.announcement == "Only that phone writes now."
    for phone in (reader, new_phone()):
        assert "Only that phone writes now." not in phone.open(keeper.table).text


@pytest.mark.parametrize("page", ["", "/join", "/games/1/picture"])
def test_a_link_is_of_the_host_that_was_asked(seat: Seat, new_phone: NewPhone, page: str) -> None:
    """What is passed on or previewed never has the host of another's request, true or forged."""
    keeper = seat(new_phone(), "settled")
    for host in ("one.example", "other.example", "one.example"):
        asking = keeper if page == "/join" else new_phone()
        answer = asking.client.get(f"{keeper.table}{page}", headers={"Host": host})
        assert f"http://{host}{keeper.table if page else '/static/'}" in answer.text


def test_a_page_is_rendered_once_for_all_its_readers(
    keeper: Phone, new_phone: NewPhone, renderings: list[str]
) -> None:
    """After a change it is rendered once more."""
    for expected in (1, 2):
        answers = [new_phone().open(f"{keeper.table}/protocol") for _ in range(3)]
        assert (len({page.text for page in answers}), len(renderings)) == (1, expected)
        keeper.home()
        keeper.press("Anna: Pair")


def test_who_has_a_page_is_sent_none(
    app: Application, keeper: Phone, renderings: list[str]
) -> None:
    """A matching ETag gets no body, even without a cache; that of another page does not match."""
    page, other = (keeper.client.get(keeper.table + at) for at in ("/protocol", "/evening"))
    app.rendered.clear()
    renderings.clear()
    for answer, status in ((page, 304), (other, 200)):
        known = {"If-None-Match": answer.headers["ETag"]}
        again = keeper.client.get(f"{keeper.table}/protocol", headers=known)
        assert (again.status_code, again.data == b"") == (status, status == 304)
        assert len(renderings) == (status != 304)


@pytest.mark.parametrize("kind", KINDS)
def test_no_version_of_another_page_is_as_good(
    keeper: Phone, reader: Phone, kind: dict[str, str]
) -> None:
    """Writing or reading, whole or in part, Swedish or English: eight pages, eight ETags."""

    def etag(phone: Phone, kind: dict[str, str]) -> str:
        return phone.client.get(phone.table, headers=phone.headers | kind).headers["ETag"]

    pages = [(phone, each, etag(phone, each)) for phone in (keeper, reader) for each in KINDS]
    assert len({version for *_, version in pages}) == len(pages)
    for phone in (keeper, reader):
        for who, other, known in pages:
            headers = phone.headers | kind | {"If-None-Match": known}
            answer = phone.client.get(phone.table, headers=headers)
            assert answer.status_code == (304 if (who, other) == (phone, kind) else 200)
            assert {name.lower() for name in answer.vary} >= VARIES
    keeper.press("Anna: Flush")
    assert {etag(phone, each) for phone, each, _ in pages}.isdisjoint({at for *_, at in pages})


@pytest.mark.parametrize("path", ["", "/protocol"])
def test_a_page_is_compressed_once(
    keeper: Phone, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """The compressed body is cached beside the page."""
    made: list[bytes] = []

    def count(data: bytes, **options: int) -> bytes:
        made.append(data)
        return bytes(compress(data, **options))

    compress = brotli.compress
    monkeypatch.setattr(brotli, "compress", count)
    address = keeper.table + path
    answers = {keeper.client.get(address, headers=BROTLI).data for _ in range(3)}
    assert [brotli.decompress(data) for data in answers] == made
    assert made == [keeper.client.get(address).data]


def test_of_who_is_forgotten_nothing_stays_in_memory(
    app: Application, phones: dict[str, Phone], seat: Seat, new_phone: NewPhone
) -> None:
    """All the table's pages go, and no others; nor do versions without a fact add up."""
    keeper, bo, store = phones["keeper"], phones["Bo"], store_of(app)
    bo.open(keeper.table)
    known = set(app.rendered)
    bo.open(seat(new_phone(), "nobody").table)
    kept, views = set(app.rendered) - known, len(store.connection.newest)
    rows = "SELECT COUNT(*) FROM changes WHERE kind = 'forget'"
    before = store.connection.find_number(rows)
    for name in ("Bo", "Player 1", "Player 2"):
        form = {"what": "name", "name": name, "sure": "yes", "seq": keeper.home().seq}
        keeper.send(f"{keeper.table}/forget", form)
    assert set(app.rendered) == kept
    assert len(store.connection.newest) == views - 1
    assert store.connection.find_number(rows) == before + 1


def test_a_page_that_others_made_while_its_turn_came_is_not_made_again(
    keeper: Phone, new_phone: NewPhone, renderings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow page is rendered once for many requests at the same time."""
    first, second = new_phone(), new_phone()

    @contextmanager
    def wait() -> Iterator[None]:
        monkeypatch.setattr(rendered, "one_at_a_time", nullcontext)
        second.open(f"{keeper.table}/protocol")
        yield

    monkeypatch.setattr(rendered, "one_at_a_time", wait)
    first.open(f"{keeper.table}/protocol")
    assert first.answer.data == second.answer.data
    assert len(renderings) == 1

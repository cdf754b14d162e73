"""Dear pages: made once for all who may see the same, and few at a time for one address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import pytest
from app.http.concurrency import ConcurrencyLimiter, _Line
from flask import Flask, render_template

from app.services import erasure, import_export
from app.services.tables import Write
from app.store.database import Pool
from app.web.table import protocol
from tests.services.keeper import SETTLE
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

HERE, THERE = "127.0.0.1", "127.0.0.2"
DEAR = (
    *("", "/protocol", "/games/1", "/games/1/entries/0", "/games/1/log", "/games/1.json"),
    *("/games/1/print", "/games", "/games.zip", "/ledger.csv", "/evening", "/years", "/files"),
    *("/money", "/evenings.csv", "/games.csv", "/years.csv"),
    *("/people", "/evening/advance", "/evening/pay/1-2"),
)


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the protocols that are rendered."""
    seen: list[str] = []

    def count(template: str, **values: object) -> str:
        seen.append(template)
        return render_template(template, **values)

    monkeypatch.setattr(protocol, "render_template", count)
    return seen


def test_a_protocol_is_rendered_once_for_all_its_readers(
    keeper: Phone, new_phone: NewPhone, renderings: list[str]
) -> None:
    """Until something happens; then once again."""
    for expected in (1, 2):
        pages = set()
        for phone in [new_phone() for _ in range(5)]:
            phone.open(f"{keeper.table}/protocol")
            pages.add(phone.answer.data)
        assert (len(pages), len(renderings)) == (1, expected)
        keeper.home()
        keeper.press("Anna: Pair")


def test_queries_are_kept_apart(keeper: Phone) -> None:
    """Each is a page of its own."""
    years = f"{keeper.table}/years?from="
    queries = ("2024-01", "2025-01", "nonsense", "2024-01", "nonsense")
    answers = [keeper.client.get(years + query) for query in queries]
    assert [answer.status_code for answer in answers] == [200, 200, 422, 200, 422]
    assert len({answer.data for answer in answers}) == 3


def test_a_table_that_is_deleted_has_no_pages(
    pool: Pool, keeper: Phone, new_phone: NewPhone
) -> None:
    """Not those either that were rendered before."""
    reader, address = new_phone(), f"{keeper.table}/protocol"
    assert reader.client.get(address).status_code == 200
    with keeper.client.session_transaction() as cookie:
        write = Write(keeper.table.removeprefix("/t/"), cookie["pen"])
    erasure.delete_table(pool, write)
    assert reader.client.get(address).status_code == 404


@contextmanager
def occupied(app: Flask, address: str) -> Iterator[None]:
    """Let an address be served already, while limits are on."""
    limiter = app.extensions["concurrency"] = ConcurrencyLimiter(1, 0, 0.01)
    try:
        with limiter.slot(address):
            yield
    finally:
        del app.extensions["concurrency"]


def test_a_dear_page_waits_for_others_of_its_address(app: Flask, keeper: Phone) -> None:
    """429 with when to come again, in words; a page that is there already costs nothing."""
    keeper.press("Anna: Pair")
    with occupied(app, HERE):
        for page in DEAR:
            answer = keeper.client.get(keeper.table + page)
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1"), page
            elsewhere = keeper.client.get(keeper.table + page, environ_base={"REMOTE_ADDR": THERE})
            assert elsewhere.status_code == 200, page
        assert keeper.client.get(f"{keeper.table}/protocol").status_code == 200


class WatchedLine(ConcurrencyLimiter):
    """A line that tells when somebody joins it."""

    def __init__(self) -> None:
        super().__init__(1, 1, threading.TIMEOUT_MAX)
        self.joined = threading.Event()

    def _join(self, client: str) -> _Line:
        line = super()._join(client)
        self.joined.set()
        return line


def test_nobody_waits_for_a_page_whose_maker_stands_in_line(app: Flask, keeper: Phone) -> None:
    """The line is that of one address; at another the page is made at once."""
    keeper.press("Anna: Pair")
    limiter = app.extensions["concurrency"] = WatchedLine()
    address = keeper.table
    waiting = threading.Thread(target=lambda: app.test_client().get(address))
    try:
        with limiter.slot(HERE):
            limiter.joined.clear()
            waiting.start()
            limiter.joined.wait()
            elsewhere = app.test_client().get(address, environ_base={"REMOTE_ADDR": THERE})
            assert waiting.is_alive()
        waiting.join()
    finally:
        del app.extensions["concurrency"]
    assert elsewhere.status_code == 200


def test_taps_wait_for_no_page(app: Flask, keeper: Phone) -> None:
    """Nobody at a table waits because somebody in the house reads."""
    with occupied(app, HERE):
        keeper.press("Anna: Pair")
    assert keeper.answer.status_code in (200, 303)


def test_a_second_import_is_told_to_come_again(
    seat: Seat, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with when, in words, on the page that the file was sent from."""
    monkeypatch.setattr(import_export, "TURN_SECONDS", 0.01)
    table = seat(phone, SETTLE).table
    with import_export._turn:  # noqa: SLF001  # as another import holds it
        for path in ("/files", f"{table}/files"):
            data = {"file": (BytesIO(b"{}"), "game.json"), "seq": "1"}
            answer = phone.client.post(path, data=data, headers=phone.headers)
            assert "Somebody else is reading files in just now." in answer.text
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")

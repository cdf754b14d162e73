"""Lost answers: the request is repeated, and counts once."""

from __future__ import annotations

import pytest

from tests.offline.phones import PLAYERS, Phone


@pytest.fixture
def link(phone: Phone) -> str:
    """Return the link of a table of the server, with a replica on the phone."""
    answer = phone.there.post("/", data={"player": PLAYERS, "stake": "1"})
    phone.refresh()
    return answer.headers["Location"].removeprefix("/t/")


def tap_both(phone: Phone, link: str, told: str) -> None:
    """Send a tap to the server, lose its answer, and repeat the tap on the phone."""
    form = phone.form(link, told)
    assert phone.there.post(f"/t/{link}/events", data=form).status_code == 303
    assert phone.here.post(f"/t/{link}/events", data=form).status_code == 303


def test_a_tap_whose_answer_was_lost_counts_once(phone: Phone, link: str) -> None:
    """It is the first of the waiting rows; all others follow it."""
    tap_both(phone, link, "Anna 5")
    phone.tap(link, "Anna 5")
    assert phone.push() == [200]
    assert phone.server_sheet(link).state.score("Anna") == 10
    assert phone.server_sheet(link).game == phone.view(link).game


@pytest.mark.parametrize(
    ("path", "fields"),
    [("/undo", {}), ("/name", {"name": "Stugan"}), ("/evening/all", {"way": "cash"})],
)
def test_so_does_any_other_form(phone: Phone, link: str, path: str, fields: dict[str, str]) -> None:
    """An undo, a new name and a payment count once too."""
    phone.tap(link, "Anna 7, settled")
    phone.push()
    phone.refresh()
    data = {"seq": str(phone.view(link).seq), **fields}
    for client in (phone.there, phone.here):
        assert client.post(f"/t/{link}{path}", data=data).status_code == 303
    phone.tap(link, "Bo 1") if path == "/undo" else phone.send(link, "/games")
    assert phone.push() == [200]
    assert phone.server_sheet(link).game.events == phone.view(link).game.events


def test_the_same_done_by_somebody_else_is_no_lost_answer(phone: Phone, link: str) -> None:
    """Another phone with the pen may have recorded the same: a person decides."""
    other = Phone.__new__(Phone)
    other.there = phone.server.test_client()
    secret = phone.there.post(f"/t/{link}/pen").text.partition(f"/t/{link}/pen/")[2][:43]
    assert other.there.post(f"/t/{link}/pen/{secret}").status_code == 303
    form = phone.form(link, "Anna pair")
    assert other.there.post(f"/t/{link}/events", data=form).status_code == 303
    phone.tap(link, "Anna pair")
    assert phone.push() == [409]


def test_a_batch_that_comes_again_longer_is_taken_over_once(phone: Phone, link: str) -> None:
    """After a lost answer the batch comes again with more rows, and then once more as it was."""
    phone.tap(link, "Anna 1")
    (first,) = phone.outbox()
    assert phone.deliver(first).status_code == 200
    phone.tap(link, "Anna 1")
    (second,) = phone.outbox()
    assert len(second["rows"]) == 2
    answer = phone.deliver(second)
    assert answer.status_code == 200
    assert phone.deliver(first).status_code == 200
    phone.acknowledge(link, answer)
    assert phone.status()["waiting"] == 0
    assert phone.server_sheet(link).state.score("Anna") == 2


def test_an_answer_that_is_none_leaves_all_as_it_was(phone: Phone, link: str) -> None:
    """An answer of a server in between, or of a failing server, acknowledges nothing."""
    phone.tap(link, "nobody")
    phone.outbox()
    for status, body in ((200, "<html>log in first</html>"), (503, "{}"), (403, "{}"), (200, "")):
        assert not phone.receive(link, status, body)
    assert phone.status()["waiting"] == 1
    assert phone.push() == [200]

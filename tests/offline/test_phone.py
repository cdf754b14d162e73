"""A phone's own row: its pen, language and tables, apart from the changes of tables."""

from __future__ import annotations

from tests.offline.conftest import NewPhone
from tests.offline.phones import Phone


def test_a_phones_pen_outlives_its_cookie(phone: Phone) -> None:
    """The pen is in the same file as the tables, so that neither is lost without the other."""
    link = phone.open_table()
    phone.here = phone.app.test_client()
    phone.tap(link, "nobody")
    assert phone.status()["waiting"] == 2


def test_the_browser_writes_at_a_table_that_its_phone_opened(phone: Phone) -> None:
    """The push needs the pen in the browser's cookie; until a pull has brought one it waits."""
    link = phone.open_table()
    (batch,) = phone.outbox()
    stranger = phone.server.test_client()
    answer = stranger.post(f"/offline/tables/{link}", json=batch)
    assert answer.status_code == 428
    assert not phone.receive(link, answer.status_code, answer.text)
    assert phone.status()["conflicts"] == []
    assert phone.push() == [200]
    form = {"seq": "1", "event": '{"event":"no_best_hand"}'}
    assert phone.there.post(f"/t/{link}/events", data=form).status_code == 303
    assert link in phone.there.get("/").text


def test_another_browser_with_the_link_alone_reads(phone: Phone, new_phone: NewPhone) -> None:
    """The link that the phone made opens the table in every browser."""
    link, other = phone.open_table(), new_phone()
    phone.push()
    assert other.there.get(f"/t/{link}").status_code == 200
    assert other.there.post(f"/t/{link}/undo", data={"seq": "1"}).status_code == 401


def test_what_waits_is_told(phone: Phone) -> None:
    """The status has the number of waiting rows, and their tables."""
    assert phone.status() == {
        "waiting": 0,
        "only_here": [],
        "conflicts": [],
        "held": [],
        "unread": 0,
    }
    link = phone.open_table()
    phone.tap(link, "nobody")
    status = phone.status()
    assert (status["waiting"], status["only_here"]) == (2, [link])
    phone.push()
    assert (phone.status()["waiting"], phone.status()["held"]) == (0, [link])


def test_a_table_that_is_put_away_here_is_put_away_there(phone: Phone) -> None:
    """It is also brought back on both sides."""
    link = phone.open_table()
    phone.push()
    phone.refresh()
    for do, away in (("away", True), ("back", False)):
        phone.here.post("/tables", data={"table": link, "do": do})
        phone.refresh()
        assert (f'href="/t/{link}"' in phone.there.get("/").text) is not away
    phone.there.post("/tables", data={"table": link, "do": "away"})
    phone.refresh()
    assert f'href="/t/{link}"' not in phone.here.get("/").text


def test_a_table_that_the_phone_does_not_hold_stays_put_away(
    phone: Phone, new_phone: NewPhone
) -> None:
    """At a reader's table the phone never writes, so that it has no replica."""
    link, other = phone.open_table(), new_phone()
    phone.push()
    other.there.get(f"/t/{link}")
    other.there.post("/tables", data={"table": link, "do": "away"})
    for _ in range(2):
        other.refresh()
    assert f'href="/t/{link}"' not in other.there.get("/").text

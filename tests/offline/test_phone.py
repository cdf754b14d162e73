"""A phone's own row: its pen, language and tables, apart from the changes of tables."""

from tests.offline.conftest import NewPhone
from tests.offline.phones import Phone
from tests.offline.stories import Story


def test_a_push_waits_for_the_pen_in_the_browsers_cookie(phone: Phone) -> None:
    """The browser then writes at a table that its phone opened; another reads by the link."""
    story = Story(phone).tell(["open"])
    (batch,) = phone.outbox()
    stranger = phone.server.test_client()
    answer = stranger.post(f"/offline/tables/{story.link}", json=batch)
    assert answer.status_code == 428
    story.tell([f"ignore 428 {answer.text}", "status conflicts 0", "push 200", "there nobody"])
    assert story.link in phone.there.get("/").text
    assert stranger.get(f"/t/{story.link}").status_code == 200
    assert stranger.post(f"/t/{story.link}/undo", data={"seq": "1"}).status_code == 401


def test_a_table_that_is_put_away_is_put_away_on_both_sides(
    phone: Phone, new_phone: NewPhone
) -> None:
    """And brought back; a reader's too, of which the phone has no replica."""
    link, reader = Story(phone).tell(["open", "push 200"]).link, new_phone()
    reader.there.get(f"/t/{link}")
    for each, by, other, do in (
        (phone, phone.here, phone.there, "away"),
        (phone, phone.here, phone.there, "back"),
        (phone, phone.there, phone.here, "away"),
        (reader, reader.there, reader.there, "away"),
    ):
        by.post("/tables", data={"table": link, "do": do})
        for _ in range(2):
            each.refresh()
        assert (f'href="/t/{link}"' in other.get("/").text) is (do == "back")

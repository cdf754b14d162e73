"""Doubts: a reader says that an entry is not right, and the keeper sees it and edits with a tap."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.api.calling import Stream
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, record
from tests.web.pages import Page, words
from tests.web.phone import HTMX, Phone


@pytest.fixture
def played(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone in the second deal."""
    return seat(phone, "Anna three_of_a_kind, nobody, Bo trick, nobody", "Cilla pair")


@pytest.fixture
def bo(played: Phone, new_phone: NewPhone) -> Phone:
    """Return a reader's phone that has said to be Bo."""
    other = new_phone()
    other.open(played.table)
    other.open(other.page.link("I am Bo").href)
    return other


def doubts(page: Page) -> list[str]:
    """Return the entries that a page offers to doubt, by their indices."""
    return [each["data-doubt"] for each in page.elements("[data-doubt]")]


def say(phone: Phone, index: int) -> Page:
    """Say on the table's page that an entry is not right."""
    buttons = [each for each in phone.home().buttons if each.attributes.get("data-doubt")]
    return phone.submit(next(each for each in buttons if each.value == str(index)))


def told(keeper: Phone) -> list[str]:
    """Return what the keeper is told of."""
    return [words(tag) for tag in keeper.home().soup.select("[data-doubted]")]


def test_who_has_said_who_they_are_may_doubt_the_newest_deals(
    bo: Phone, new_phone: NewPhone
) -> None:
    """Each fact of this deal and of the one before has a button; for who only watches none has."""
    assert doubts(bo.page) == ["4", "3", "2", "1", "0"]
    other = new_phone()
    for page in (other.open(bo.table), other.open(other.page.link("Just watching").href)):
        assert doubts(page) == []
        assert len(page.elements(".facts li")) == 5


@pytest.mark.parametrize("htmx", [False, True])
def test_a_doubt_is_said_with_a_tap_and_taken_back_with_another(bo: Phone, htmx: bool) -> None:
    """The line says so meanwhile."""
    bo.htmx = htmx
    page = say(bo, 0)
    told = words(page.soup.select(".facts li")[-1])
    assert told.startswith("Anna three of a kind +3 Exch. 1")
    assert "You have said that this is not right." in told
    assert "0" not in doubts(page)
    page = bo.press("Take it back")
    assert doubts(page) == ["4", "3", "2", "1", "0"]


def test_the_keeper_sees_who_doubts_what(played: Phone, bo: Phone, new_phone: NewPhone) -> None:
    """It leads to the entry, and stands in the open page at once."""
    stream = Stream(played.client, f"{played.table}/live")
    assert b"data-doubted" not in stream.next()
    say(bo, 0)
    assert b'data-doubted="0"' in stream.next()
    stream.close()
    assert told(played) == ["Bo: “Anna three of a kind” is not right"]
    [link] = played.page.elements("[data-doubted]")
    assert link["href"] == f"{played.table}/games/1/entries/0"
    dan = new_phone()
    dan.open(f"{played.table}")
    dan.open(dan.page.link("I am Dan").href)
    say(dan, 0)
    assert told(played) == ["Bo, Dan: “Anna three of a kind” is not right"]


def test_the_neighbours_come_first_and_a_tap_edits(played: Phone, bo: Phone) -> None:
    """The next hand up and down, the next players, nobody; then the keeper is back at the table."""
    say(bo, 0)
    played.home()
    played.follow("Bo: “Anna three of a kind” is not right")
    offered = [words(tag) for tag in played.page.soup.select(".among button")]
    assert offered == [
        *("Anna straight", "Anna two pairs"),
        *("Bo three of a kind", "Cilla three of a kind", "Dan three of a kind"),
        "nobody has the best hand",
    ]
    page = played.press("Anna two pairs")
    assert page.elements("#table")
    assert told(played) == []
    assert "The game has been edited." in page.announcement
    assert doubts(bo.home()) == ["4", "3", "2", "1", "0"]


def test_a_trick_that_was_another_s_is_edited_too(played: Phone, bo: Phone) -> None:
    """An entry of a deal ago, on the phone without scripts."""
    say(bo, 2)
    played.open(f"{played.table}/games/1/entries/2")
    played.press("Cilla last trick")
    assert "Cilla last trick" in played.open(f"{played.table}/games/1/entries/2").title


def test_an_edit_after_which_something_does_not_fit_is_previewed(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """Nothing is kept before that was seen."""
    seat(phone, "Anna 14, Anna pair, nobody, Anna chicago", rules={"preset": "huvudregler"})
    bo = new_phone()
    bo.open(phone.table)
    bo.open(bo.page.link("I am Bo").href)
    say(bo, 1)
    phone.open(f"{phone.table}/games/1/entries/1")
    assert "What no longer fits" in phone.press("Bo pair").text
    assert told(phone) == ["Bo: “Anna pair” is not right"]
    phone.open(f"{phone.table}/games/1/entries/1")
    phone.press("Anna two pairs")
    assert told(phone) == []


def test_the_keeper_lets_an_entry_stand(played: Phone, bo: Phone) -> None:
    """With one tap at the table, or on the entry's page; the reader is offered to say it again."""
    for where in ("", "/games/1/entries/0"):
        say(bo, 0)
        played.open(f"{played.table}{where}")
        played.press("It is right")
        assert told(played) == []
        assert "0" in doubts(bo.home())


def test_an_older_entry_is_doubted_on_its_own_page(app: Flask, played: Phone, bo: Phone) -> None:
    """Also one of a game before this one."""
    record(app, played, "settled")
    next_game(app, played, "Anna pair")
    page = bo.open(f"{bo.table}/games/1/entries/0")
    assert doubts(page) == ["0"]
    page = bo.press("Not right")
    assert "You have said that this is not right." in page.text
    assert told(played) == ["Bo: “Anna three of a kind” is not right"]
    played.follow("Bo: “Anna three of a kind” is not right")
    assert played.page.has("Anna two pairs")
    bo.open(f"{bo.table}/games/1/entries/0")
    bo.press("Take it back")
    assert told(played) == []


def test_who_has_not_said_who_they_are_is_asked(played: Phone, new_phone: NewPhone) -> None:
    """Nothing is noted then."""
    other = new_phone()
    other.open(played.table)
    page = other.send(f"{played.table}/games/1/doubt", {"index": "0"})
    assert page.announcement == "First say who you are."
    assert told(played) == []
    assert doubts(other.open(f"{played.table}/games/1/entries/0")) == []


def test_only_who_writes_lets_an_entry_stand(played: Phone, bo: Phone) -> None:
    """A doubt gives nobody the pen."""
    say(bo, 0)
    answer = bo.client.post(
        f"{bo.table}/games/1/doubt/off", data={"index": "0"}, headers=bo.headers
    )
    assert answer.status_code == 401
    assert len(told(played)) == 1
    answer = bo.client.post(f"{bo.table}/events", data={"event": "{}"}, headers=bo.headers)
    assert answer.status_code == 401


@pytest.mark.parametrize("form", [{}, {"index": "99"}, {"index": "-1"}, {"index": "x"}])
def test_what_is_no_entry_is_not_there(played: Phone, bo: Phone, form: dict[str, str]) -> None:
    """Nothing is noted."""
    for end in ("doubt", "doubt/off"):
        phone = played if end == "doubt/off" else bo
        headers = phone.headers | HTMX
        answer = phone.client.post(f"{bo.table}/games/1/{end}", data=form, headers=headers)
        assert answer.status_code == (200 if form == {"index": "99"} and phone is played else 404)
    assert told(played) == []


def test_a_tap_from_before_a_doubt_is_recorded(played: Phone, bo: Phone) -> None:
    """The keeper's page of before is as good."""
    button = played.home().button("Dan: Pair")
    say(bo, 0)
    assert played.submit(button) is played.page
    assert played.answer.status_code == 303
    assert "Dan pair" in played.home().text

"""A pen that was taken back: the phone that lost it shows a message, and reads from then on."""

from __future__ import annotations

import pytest

from tests.api.calling import Stream
from tests.web.conftest import NewPhone
from tests.web.phone import HTMX, Phone
from tests.web.test_pen_links import hand_over

TOLD = "The pen has been taken back: this phone now only reads."


@pytest.fixture
def other(keeper: Phone, new_phone: NewPhone) -> Phone:
    """Return a phone that read as Bo, and then got the pen."""
    phone = new_phone()
    phone.open(phone.open(keeper.table).link("I am Bo").href)
    phone.open(hand_over(keeper))
    phone.press("Take the pen")
    return phone


def revoke_others(keeper: Phone) -> None:
    """Take the pen back from all other phones."""
    keeper.open(f"{keeper.table}/join")
    keeper.press("Take the pen back")


def test_who_lost_the_pen_is_told_until_they_say_who_they_are(keeper: Phone, other: Phone) -> None:
    """The phone still knows who it is; the message goes with a tap, and stays away after that."""
    assert TOLD not in other.home().text
    revoke_others(keeper)
    for _ in range(2):
        assert TOLD in other.home().text
        assert other.page.elements(".own")
    other.open(other.page.link("All right").href)
    for page in (other.page, other.home()):
        assert TOLD not in page.text
        assert page.elements(".own")
    assert TOLD not in other.open(other.page.link("I am somebody else").href).text


def test_who_never_said_who_they_are_is_asked_when_they_lose_the_pen(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """The message stands with the question, and goes with the answer."""
    other = new_phone()
    other.open(hand_over(keeper))
    other.press("Take the pen")
    revoke_others(keeper)
    for _ in range(2):
        assert TOLD in other.home().text
    assert TOLD not in other.open(other.page.link("I am Bo").href).text
    assert TOLD not in other.home().text


def test_who_never_wrote_is_told_of_no_pen(keeper: Phone, reader: Phone, other: Phone) -> None:
    """The phone that took the pen back gets no message either."""
    revoke_others(keeper)
    assert TOLD not in reader.home().text
    assert TOLD not in keeper.home().text
    assert TOLD in other.home().text


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_tap_of_the_phone_that_lost_it_is_refused_in_words(
    keeper: Phone, other: Phone, headers: dict[str, str]
) -> None:
    """The refusal says that nothing was written, and gives the reason."""
    revoke_others(keeper)
    data = {"seq": keeper.home().seq, "event": '{"event": "no_best_hand"}'}
    answer = other.client.post(f"{keeper.table}/events", data=data, headers=other.headers | headers)
    assert answer.status_code == 401
    assert f"{TOLD} That was not written." in answer.text


def test_the_open_page_of_who_lost_it_is_a_reader_s_at_once(keeper: Phone, other: Phone) -> None:
    """The page changes without a form; the phone that took it back keeps the grid."""
    streams = [Stream(phone.client, f"{keeper.table}/live") for phone in (keeper, other)]
    assert [b"<form" in stream.next() for stream in streams] == [True, True]
    revoke_others(keeper)
    assert [b"<form" in stream.next() for stream in streams] == [True, False]
    for stream in streams:
        stream.close()


def test_who_gets_the_pen_again_writes(keeper: Phone, other: Phone) -> None:
    """The message returns when the pen is taken back again."""
    revoke_others(keeper)
    other.open(other.home().link("All right").href)
    other.open(hand_over(keeper))
    other.press("Take the pen")
    assert TOLD not in other.home().text
    revoke_others(keeper)
    assert TOLD in other.home().text

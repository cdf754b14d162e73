"""The recovery link: kept apart from the phones, it gives the pen back after a loss."""

from __future__ import annotations

from tests.web.conftest import NewPhone
from tests.web.evenings import shared_path
from tests.web.phone import Phone, writes

TOLD = "A phone got the pen with the recovery link"
NO_LONGER = "That recovery link no longer works"


def make_link(keeper: Phone) -> str:
    """Make a recovery link at a keeper's phone, and return its path."""
    keeper.open(f"{keeper.table}/recovery")
    button = next(button for button in keeper.page.buttons if "recovery link" in button.label)
    path = shared_path(keeper.submit(button))
    keeper.home()
    return path


def recover(phone: Phone, path: str) -> Phone:
    """Open a recovery link, and take the pen."""
    phone.open(path)
    phone.press("Take the pen")
    assert phone.answer.status_code == 303
    return phone


def is_useless(phone: Phone, path: str) -> bool:
    """Whether opening and tapping a link redirect a phone to a table to read, with a message."""
    phone.open(path)
    assert phone.answer.status_code == 303
    looked = NO_LONGER in phone.open(phone.answer.headers["Location"]).announcement
    tapped = NO_LONGER in phone.send(path, {}).announcement
    return looked and tapped and not phone.page.forms


def test_the_phone_that_is_warned_of_cannot_quiet_the_warning(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """A phone that got the pen by the link sees no warning, and cannot dismiss it for others."""
    path = make_link(keeper)
    thief = new_phone()
    recover(thief, path)
    assert TOLD not in thief.open(keeper.table).text
    thief.send(f"{keeper.table}/recovery/seen", {}, plain=True)
    assert TOLD in keeper.home().text


def test_a_tap_gives_the_pen_and_tells_nobody(keeper: Phone, new_phone: NewPhone) -> None:
    """Opening it alone gives nothing; its page is not cached, and linked sites never learn it."""
    path, lost = make_link(keeper), new_phone()
    for phone in (lost, keeper):
        assert phone.open(path).has("Take the pen") == (phone is lost)
        assert phone.answer.headers["Cache-Control"] == "no-store"
        assert phone.answer.headers["Referrer-Policy"] == "strict-origin"
    assert not writes(lost, keeper.table)
    assert writes(recover(lost, path), keeper.table)


def test_those_who_write_are_told_until_they_have_seen_it(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """Readers are not told; the table has a new version, so that every open page learns of it."""
    path, reader, seq = make_link(keeper), new_phone(), keeper.home().seq
    assert TOLD not in keeper.page.text
    recover(new_phone(), path)
    assert keeper.home().seq != seq
    keeper.press("Anna: Pair")
    assert TOLD in keeper.page.announcement
    assert TOLD not in reader.open(keeper.table).text
    keeper.press("All right")
    assert TOLD not in keeper.home().text
    recover(new_phone(), path)
    assert TOLD in keeper.home().announcement


def test_a_new_link_voids_the_one_before(keeper: Phone, new_phone: NewPhone) -> None:
    """The old link redirects to the table to read, with a message."""
    old, new = make_link(keeper), make_link(keeper)
    assert is_useless(new_phone(), old)
    assert writes(recover(new_phone(), new), keeper.table)


def test_taking_the_pens_back_leaves_the_link_and_says_so(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """The message is there only if the table has a recovery link."""
    keeper.open(f"{keeper.table}/join")
    assert "recovery link still gives" not in keeper.page.text
    keeper.press("Take the pen back")
    assert "recovery link" not in keeper.page.announcement
    path, other = make_link(keeper), new_phone()
    recover(other, path)
    keeper.open(f"{keeper.table}/join")
    assert "recovery link still gives" in keeper.page.text
    keeper.press("Take the pen back")
    assert "Only this phone writes now" in keeper.page.announcement
    assert "recovery link still gives" in keeper.page.announcement
    assert not writes(other, keeper.table)
    assert writes(recover(other, path), keeper.table)


def test_a_reader_s_page_says_how_to_get_the_pen_back(keeper: Phone, reader: Phone) -> None:
    """It has no form to make a link with, or to turn one off."""
    make_link(keeper)
    page = reader.open(f"{keeper.table}/recovery")
    assert "Open the recovery link that somebody kept" in page.text
    assert page.forms == []


def test_who_writes_in_another_browser_is_told_where_the_pen_is(
    keeper: Phone, reader: Phone
) -> None:
    """The page that asks who reads it leads there, and to a link that brings the pen here."""
    reader.open(keeper.table)
    page = reader.follow("I write")
    assert "Where is the pen?" in page.text
    assert "the browser that took it" in page.text
    assert "Let somebody else write too" in page.text
    # Who has said who they are is not asked any more.
    reader.open(f"{keeper.table}?me=none")
    assert not reader.page.has("I write")
    assert reader.open(f"{keeper.table}/settings").has("Where is the pen?")

"""By plain HTTP the keeper's page tells after the first deal that the screen may go dark."""

from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

DEAL = "Anna pair, Anna two_pairs, Anna trick, Bo straight"
LINE = "The screen may go dark here – how to keep it on"
HOST = "home.test"


def by_http(phone: Phone) -> Phone:
    """Let a phone come from another machine than the server's from now on."""
    for name in ("chicago", "chicago-pen"):
        if cookie := phone.client.get_cookie(name):
            phone.client.set_cookie(name, cookie.value, domain=HOST)
    phone.headers["Host"] = HOST
    return phone


def shows_line(phone: Phone) -> bool:
    """Whether the table's page shows the line, with no script that would."""
    return bool(phone.home().elements("#dark:not([hidden])"))


def test_no_page_greets_with_a_warning(phone: Phone, seat: Seat) -> None:
    """The start page has none, nor has the table in its first deal."""
    by_http(seat(phone, "Anna pair"))
    assert "HTTPS" not in phone.open("/").text
    phone.home()
    assert phone.page.elements("#dark[hidden]")
    assert not shows_line(phone)


def test_after_the_first_deal_there_is_a_line_until_it_is_closed(phone: Phone, seat: Seat) -> None:
    """It leads to words, and back."""
    by_http(seat(phone, DEAL))
    assert shows_line(phone)
    assert "Auto-Lock" in phone.follow(LINE).text
    phone.home()
    phone.press("Close")
    assert phone.answer.headers["Location"].endswith(phone.table)
    assert not shows_line(phone)


def test_whose_screen_stays_on_or_who_reads_is_told_nothing(
    new_phone: NewPhone, phone: Phone, seat: Seat
) -> None:
    """The server's own machine counts as safe; what one phone is shown, another is not."""
    seat(phone, DEAL)
    assert not shows_line(phone)
    reader = by_http(new_phone())
    reader.table = phone.table
    assert not shows_line(reader)
    assert shows_line(by_http(phone))

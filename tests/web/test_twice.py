"""Double taps, forms sent again, and two windows of one keeper."""

from __future__ import annotations

from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone


def window(phone: Phone) -> Phone:
    """Return another window on the same phone, at the same table."""
    other = Phone(phone.client, phone.htmx)
    other.open(phone.table)
    return other


def test_a_double_tap_books_once(either: Phone, seat: Seat) -> None:
    """The same cell tapped twice from one page is one fact, and both taps get the same answer."""
    seat(either)
    button = either.page.button("Anna: Flush")
    first = either.submit(button).text
    again = either.submit(button).text
    assert either.answer.status_code in (200, 303)
    assert again == first
    assert either.home().seq == "2"


def test_a_double_tap_on_rematch_starts_one_game(either: Phone, seat: Seat) -> None:
    """Two taps from the same page start one game."""
    seat(either, "void")
    button = either.page.button("Rematch")
    for _ in range(2):
        either.submit(button)
    for number, status in ((1, 200), (2, 200), (3, 404)):
        either.open(f"{either.table}/games/{number}.json")
        assert either.answer.status_code == status


def test_another_next_game_from_the_same_page_is_no_repetition(keeper: Phone, seat: Seat) -> None:
    """Of two windows that start different games, the second gets status 409 and keeps its form."""
    seat(keeper, "void")
    two = window(keeper)
    two.open(f"{two.table}/next")
    keeper.press("Rematch")
    two.page.form(f"{two.table}/next").fill_each("player", ["Eva", "Fia"])
    two.press("Start the game")
    assert two.answer.status_code == 409
    assert two.page.form(f"{two.table}/next").values("player")[:2] == ["Eva", "Fia"]
    assert keeper.open(f"{keeper.table}/games/2.json").text.count("Eva") == 0


def test_two_windows_never_overwrite_each_other(either: Phone, seat: Seat) -> None:
    """The second window's tap is answered with status 409, a kind message and the current table."""
    one = seat(either)
    two = window(one)
    one.press("Anna: Pair")
    two.press("Bo: Flush")
    assert two.answer.status_code == 409
    assert "first" in two.page.announcement
    assert "Anna pair" in words(two.page.soup.select(".strip")[0])
    assert two.page.whole is not two.htmx
    assert two.page.seq == "2"
    two.press("Bo: Flush")
    assert two.answer.status_code in (200, 303)
    assert two.page.seq == "3"


def test_an_old_undo_never_undoes_what_it_did_not_show(keeper: Phone) -> None:
    """Undo from a window with an outdated table is refused."""
    keeper.press("Anna: Pair")
    two = window(keeper)
    keeper.press("Bo: Flush")
    two.submit(two.page.to("/undo"))
    assert two.answer.status_code == 409
    assert keeper.home().seq == "3"


def test_a_version_that_is_no_number_is_an_old_one(keeper: Phone) -> None:
    """A form with any other text as its version records nothing."""
    for seq in ("", "x", "-1", "0", "²", "1e3", "1" * 15, "9" * 400, "1\0"):
        event = '{"event":"no_best_hand"}'
        keeper.send(f"{keeper.table}/events", {"seq": seq, "event": event})
        assert keeper.answer.status_code == 409, seq
    keeper.send(f"{keeper.table}/events", {"event": '{"event":"no_best_hand"}'})
    assert keeper.answer.status_code == 409
    assert keeper.home().seq == "1"

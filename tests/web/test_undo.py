from pathlib import Path

from tests.web.conftest import Seat, serve
from tests.web.phone import Phone

TAPS = ("Anna: Pair", "Bo: Flush", "Cilla: Last trick")


def test_undo_before_the_first_fact_opens_the_form_of_the_game(either: Phone, seat: Seat) -> None:
    """Before the first fact undo leads to the form of the game; there is nothing to redo either."""
    seat(either)
    seq = either.page.seq
    either.follow("Undo names, seats, rules")
    assert either.page.title == "Change the game"
    either.send(f"{either.table}/redo", {"seq": seq})
    assert either.answer.status_code == 422
    assert either.page.announcement == "There is nothing to redo."


def test_an_edited_game_can_be_undone_at_the_table(either: Phone, seat: Seat) -> None:
    """The button names the deal, and for an older game the game too."""
    seat(either, "Anna 5, Anna 5, settled")
    for number, what in ((1, "edited deal 1"), (2, "edited deal 1 in game 1")):
        edit_first(either)
        either.home()
        assert what in either.page.to("/undo").label
        either.submit(either.page.to("/undo"))
        assert either.page.to("/redo").label == f"Redo: {what}"
        either.submit(either.page.to("/redo"))
        if number == 1:
            either.press("Rematch")


def edit_first(phone: Phone) -> None:
    """Remove the first entry of the first game."""
    phone.open(f"{phone.table}/games/1/entries/0")
    phone.press("It did not happen")
    phone.press("Keep this")


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    """A restarted server knows the phone and its steps.

    Its very first request may be a tap.
    """
    database = tmp_path / "chicago.db"
    phone = Phone(serve(database).test_client())
    phone.open("/")
    phone.page.form("/").fill_each("player", ["Anna", "Bo", "Cilla"])
    phone.press("Start the game")
    phone.press(TAPS[0])
    phone.press(TAPS[1])
    for step, seq in (("/undo", "4"), ("/redo", "5")):
        restarted = serve(database).test_client()
        copy_cookies(phone, to=Phone(restarted))
        phone.client = restarted
        phone.submit(phone.page.to(step))
        assert phone.answer.status_code == 303
        assert phone.page.seq == seq
    assert "Bo flush" in phone.page.to("/undo").label


def copy_cookies(phone: Phone, to: Phone) -> None:
    """Copy a phone's cookies to a client of another server behind the same address."""
    for name in ("chicago", "chicago-pen"):
        cookie = phone.client.get_cookie(name)
        assert cookie
        to.client.set_cookie(name, cookie.value)

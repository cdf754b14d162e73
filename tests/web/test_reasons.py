"""What may not be recorded now is there all the same, dimmed, and says why."""

from __future__ import annotations

import pytest

from tests.web.conftest import PLAYERS, Seat
from tests.web.pages import words
from tests.web.phone import Phone

NOBODY: dict[str, object] = {"event": "no_best_hand"}
TO_THE_PLAY = (NOBODY, NOBODY)


def points(player: str, number: int) -> dict[str, object]:
    """Return the event that lets a player stand at so many points."""
    return {"event": "correction", "player": player, "points": number}


@pytest.mark.parametrize(
    ("happened", "rules", "label", "reason"),
    [
        (
            TO_THE_PLAY,
            {"preset": "huvudregler"},
            "Bo: Chicago",
            "Bo may not bid Chicago: 0 points, 15 needed.",
        ),
        (
            ({"event": "leaves", "player": "Bo"},),
            {"preset": "huvudregler"},
            "Bo: Pair",
            "Bo is out of the game.",
        ),
    ],
)
def test_a_dimmed_cell_answers_with_the_reason(
    either: Phone,
    seat: Seat,
    happened: tuple[dict[str, object], ...],
    rules: dict[str, object],
    label: str,
    reason: str,
) -> None:
    """422, the reason in words, the same table around it, and nothing recorded."""
    seat(either, *happened, rules=rules)
    seq = either.page.seq
    assert either.page.button(label).dimmed
    either.press(label)
    assert either.answer.status_code == 422
    assert either.page.announcement == reason
    assert either.page.whole is not either.htmx
    assert either.page.seq == seq


def test_every_dimmed_button_says_why(seat: Seat, phone: Phone) -> None:
    """On every sheet and at every step of a deal, a dimmed button has an answer."""
    count = 0
    for happened in ((), (NOBODY,), TO_THE_PLAY, ({"event": "leaves", "player": "Bo"},)):
        seat(phone, *happened, rules={"preset": "pagat", "illegal_exchange": "zeroed"})
        for part in ("", "/more", *(f"/player/{n}" for n in range(1, 5)), "/hand/2/pair"):
            for button in [b for b in phone.open(phone.table + part).buttons if b.dimmed]:
                page = phone.send(button.action, button.data)
                assert phone.answer.status_code == 422
                assert len(page.announcement) > 10
                count += 1
    assert count > 10


def test_every_lit_button_records(seat: Seat, phone: Phone) -> None:
    """A cell that is not dimmed is never refused."""
    for happened in ((), (points("Anna", 20), *TO_THE_PLAY)):
        seat(phone, *happened)
        lit = [b for b in phone.page.buttons if b.name == "event" and not b.dimmed]
        assert lit
        for button in lit:
            seat(phone, *happened)
            phone.press(button.label)
            assert phone.answer.status_code == 303


@pytest.mark.parametrize("number", [1, 3])
def test_may_i_still_exchange_has_its_reason_one_tap_away(
    either: Phone, seat: Seat, number: int
) -> None:
    """A tap on any player's name says in words whether that player may exchange, bid and win."""
    happened = (points("Anna", 47), NOBODY, NOBODY, {"event": "last_trick", "player": "Bo"}, NOBODY)
    seat(either, *happened, rules={"preset": "huvudregler"})
    name = PLAYERS[number - 1]
    either.follow(name)
    said = {
        "Anna": "Anna may not exchange: 47 points, exchange stop at 45.",
        "Bo": "Bo may exchange up to 5 cards: 5 points, exchange stop at 45.",
    }.get(name, f"{name} may exchange up to 5 cards: 0 points, exchange stop at 45.")
    assert said in either.page.text
    assert f"{name} may " in either.page.text
    assert f"{name} must have bid Chicago to win at 52" in either.page.text


def test_the_exchange_stop_is_on_the_table_until_the_last_exchange(
    keeper: Phone, seat: Seat
) -> None:
    """Beside the name stands who may not exchange; who may as always has nothing there."""
    happened = (points("Anna", 47), NOBODY, NOBODY, {"event": "last_trick", "player": "Bo"}, NOBODY)
    for more in ((), (NOBODY,), TO_THE_PLAY):
        seat(keeper, *happened, *more)
        stopped = ["exchange stop" in words(head) for head in keeper.page.soup.select(".head")]
        assert stopped == [True, False, False, False]
    seat(keeper, *happened, *TO_THE_PLAY, {"event": "last_trick", "player": "Bo"})
    assert "exchange stop" not in keeper.page.text

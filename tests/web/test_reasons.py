"""Cells that may not be used now are shown dimmed, and answer with the reason."""

from __future__ import annotations

from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone

STOPPED = "no exchange"


def test_a_dimmed_cell_answers_with_the_reason(either: Phone, seat: Seat) -> None:
    """Status 422, the reason in words, the same table around it, and nothing recorded."""
    seat(either, "no hands", rules={"preset": "huvudregler"})
    seq = either.page.seq
    assert either.page.button("Bo: Chicago (15 to go)").dimmed
    either.press("Bo: Chicago (15 to go)")
    assert either.answer.status_code == 422
    assert either.page.announcement == "Bo may not bid Chicago: 0 points, 15 needed."
    assert either.page.whole is not either.htmx
    assert either.page.seq == seq


def test_every_dimmed_button_says_why(seat: Seat, phone: Phone) -> None:
    """On every sheet and at every step of a deal, a dimmed button has an answer."""
    count = 0
    for happened in ("", "nobody", "no hands", "Bo leaves"):
        seat(phone, happened, rules={"preset": "pagat", "illegal_exchange": "zeroed"})
        for part in (
            "",
            "/comings",
            "/rare",
            *(f"/player/{n}" for n in range(1, 5)),
            "/hand/2/pair",
        ):
            for button in [b for b in phone.open(phone.table + part).buttons if b.dimmed]:
                page = phone.send(button.action, button.data)
                assert phone.answer.status_code == 422
                assert len(page.announcement) > 10
                count += 1
    assert count > 10


def test_the_exchange_stop_is_on_the_table_until_the_last_exchange(
    keeper: Phone, seat: Seat
) -> None:
    """Each head shows whether its player exchanges."""
    for more in ("", "nobody", "no hands"):
        seat(keeper, "Anna 47, deal Bo", more)
        stopped = [STOPPED in words(head) for head in keeper.page.soup.select(".head")]
        assert stopped == [True, False, False, False]
    seat(keeper, "Anna 47, deal Bo, no hands, Bo trick")
    assert STOPPED not in keeper.page.text

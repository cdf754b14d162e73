"""Nine Thursdays of a group at one table, by taps, while another group meets at theirs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.web.conftest import NewPhone, Seat
from tests.web.pages import words
from tests.web.phone import Phone, writes
from tests.web.test_groups import (
    FOUR,
    THREE,
    PassDays,
    card,
    choose,
    game,
    invitation,
    newest,
    pass_days,
    sit_down,
)
from tests.web.test_pen_links import hand_over

__all__ = ["pass_days"]

# The last trick wins, so that an evening is a handful of taps.
SHORT = {"rules": {"preset": "pagat", "target": 5, "win_needs_chicago": "no"}}
# Who is there, week by week; of the first the last seat deals, afterwards it is drawn.
FIVE = [*FOUR, "Eva"]
WEEKS = [FOUR, FOUR, [*FOUR[:2], "David"], FIVE, FIVE, ["Anna", "Eva"], FIVE, FIVE[1:], FIVE]
NOBODY = "Nobody has anything"


def play(phone: Phone, table: str, winner: str) -> None:
    """Play a game by taps: nobody has anything, and somebody takes the last trick."""
    phone.open(table)
    for label in (NOBODY, NOBODY, f"{winner}: Last trick (5)", NOBODY):
        phone.press(label)
        assert phone.answer.status_code == 303, phone.page.announcement


def begin(phone: Phone, table: str, there: list[str]) -> None:
    """Begin a new evening from the start page, with who is there; a new name is typed."""
    form = invitation(phone, table)
    known = [each.value for each in form.named("player") if each.kind == "checkbox"]
    choose(form, *(name for name in there if name in known))
    form.named("player")[-1].value = next((name for name in there if name not in known), "")
    sit_down(phone, form)
    assert phone.answer.headers["Location"] == table


def years(phone: Phone, table: str) -> dict[str, int]:
    """Return how many games each person has played over the years."""
    page = phone.open(f"{table}/years")
    rows = page.soup.select("table")[0].select("tbody tr")
    cells = [[words(cell) for cell in row.select("th, td")] for row in rows]
    return {name: int(games) for name, games, *_ in cells}


@pytest.fixture
def phones(new_phone: NewPhone) -> tuple[Phone, Phone, Phone]:
    """Return the keeper's phone, one that is handed the pen, and one that reads as Bosse."""
    return new_phone(), new_phone(), new_phone()


def test_nine_thursdays_are_one_book(
    phones: tuple[Phone, Phone, Phone], seat: Seat, pass_days: PassDays
) -> None:
    """Link, pens and followers stay, debts are carried, years count; no other group mixes in."""
    keeper, second, follower = phones
    table = seat(keeper, players=FOUR, **SHORT).table
    second.open(hand_over(keeper))
    second.press("Take the pen")
    follower.open(table)
    follower.follow("I am Bosse")
    other, played, owed = "", Counter[str](), Counter[str]()
    for week, there in enumerate(WEEKS):
        if week:
            begin(keeper, table, there)
            assert [writes(phone, table) for phone in phones] == [True, True, False]
            # Whoever followed last week is there, with nothing to scan or to choose.
            own = follower.home().soup.select("#own-name")
            assert [*map(words, own)] == [name for name in there if name == "Bosse"]
        winner = there[week % len(there)]
        play(second if week % 2 else keeper, table, winner)
        played.update(there)
        owed.update({name: -5 if name != winner else 5 * (len(there) - 1) for name in there})
        assert game(keeper, table)["players"] == there
        if week % 3 == 0:
            other = other or seat(keeper, players=THREE, **SHORT).table
            if week:
                begin(keeper, other, THREE)
            play(keeper, other, "Gun")
        pass_days(7)
    assert newest(follower, table)["games"] == len(WEEKS)
    balance = keeper.client.get(f"/api{table.replace('/t/', '/tables/')}/settlement").get_json()
    assert {name: ore / 100 for name, ore in balance["balance_ore"].items() if ore} == {
        name: kronor for name, kronor in owed.items() if kronor
    }
    most = min(owed, key=owed.__getitem__)
    assert f"9 evenings · David won last · {most} owes {-owed[most]} kr" in card(keeper, table)
    assert years(follower, table) == dict(played)
    assert years(keeper, other) == dict.fromkeys(THREE, 3)
    assert "3 evenings · Gun won last · Eva owes 15 kr" in card(keeper, other)

"""The phone in the middle of the table: each score turned to its seat, and a tap leads back."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.api.calling import Stream
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import record
from tests.web.pages import Page, words
from tests.web.phone import Phone

NAMES = ["Anna", "Bo", "Cilla", "Dan", "Eva", "Fred", "Gun", "Hans"]
# By the number of players, from the far end to the near one: whose left and right side it is.
SEATED = {
    2: "north Bo, south Anna",
    3: "west Bo, east Cilla, south Anna",
    4: "north Cilla, west Bo, east Dan, south Anna",
    5: "west Cilla, east Dan, west Bo, east Eva, south Anna",
    6: "north Dan, west Cilla, east Eva, west Bo, east Fred, south Anna",
    7: "west Dan, east Eva, west Cilla, east Fred, west Bo, east Gun, south Anna",
    8: "north Eva, west Dan, east Fred, west Cilla, east Gun, west Bo, east Hans, south Anna",
}


def seats(page: Page) -> dict[str, str]:
    """Return what stands at each seat, by its side and player."""
    found = {}
    for seat in page.soup.select(".seat"):
        name, *rest = [words(each) for each in seat.select("p > *, .score")]
        found[f"{str(seat['class']).split()[1]} {name}"] = " ".join(rest)
    return found


@pytest.mark.parametrize("count", SEATED)
def test_each_sits_on_their_side(seat: Seat, phone: Phone, count: int) -> None:
    """The first at the near end and the others clockwise; at odd tables nobody at the far end."""
    seat(phone, players=NAMES[:count])
    page = phone.open(f"{phone.table}/middle")
    assert ", ".join(seats(page)) == SEATED[count]


def test_it_says_who_deals_is_stopped_and_may_win(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """The scores, and beside the names what is seen from afar; to readers too."""
    rules = {"preset": "huvudregler", "win_needs_chicago": "no"}
    seat(phone, "Bo 47, nobody, nobody, Anna trick, nobody", rules=rules)
    reader = new_phone()
    for each in (phone, reader):
        page = each.open(f"{phone.table}/middle")
        told = {"north Cilla": "0", "east Dan": "0", "south Anna": "deals 5"}
        assert seats(page) == {**told, "west Bo": "no exchange can win 47"}
        assert page.link("Back to the table").href == phone.table


def test_it_follows_along(app: Flask, seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """Its stream sends it anew after each change."""
    seat(phone)
    stream = Stream(new_phone().client, f"{phone.table}/middle/live")
    assert b"47" not in stream.next()
    record(app, phone, "Bo 47")
    assert b"47" in stream.next()
    stream.close()

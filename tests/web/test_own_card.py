"""A player's own card: the rights, the danger first, and at the end the debts."""

from __future__ import annotations

import pytest

from tests.web.conftest import NewPhone, Seat
from tests.web.pages import words
from tests.web.phone import Phone

# The target is far away, so that it matters only to a player close to it.
FAR = {"preset": "huvudregler", "target": 100}


def bid(player: str) -> dict[str, object]:
    """Return the event of a player's bid for Chicago."""
    return {"event": "chicago", "player": player}


def card(phone: Phone, name: str, other: Phone) -> list[str]:
    """Return the lines of a player's card on another phone, in order."""
    other.open(phone.table)
    page = other.open(other.page.link(f"I am {name}").href)
    return [words(tag) for tag in page.soup.select(".own :is(.rights, .debts) li")]


@pytest.mark.parametrize(
    ("happened", "told"),
    [
        ("", ["You may exchange"]),
        ("Bo 8", ["You may exchange", "You need 7 points more to bid Chicago"]),
        ("Bo 15", ["You may exchange", "You may bid Chicago"]),
        (
            "Bo 46, deal Dan",
            [
                "You may not exchange You have 46 points, exchange stop at 45",
                *("You begin", "You may bid Chicago"),
            ],
        ),
        (
            "Bo 96, deal Dan",
            [
                "Bid Chicago before 100 or you are zeroed: 4 points to go",
                *("You may not exchange", "You begin", "You may bid Chicago"),
            ],
        ),
        (
            "Bo 44, Bo two_pairs",
            [
                "You may exchange for the last time in this deal: exchange stop at 45",
                *("Show the two pairs if you break them up", "You may bid Chicago"),
            ],
        ),
        (
            "tie pair Bo Dan",
            ["You may exchange", "Show the pair if you break it up"],
        ),
        ("no hands, Dan trick", []),
        ("Bo 15, no hands, Bo chicago", ["You play Chicago", "You begin"]),
        ("Dan 15, no hands, Dan chicago", ["Dan has bid Chicago"]),
    ],
    ids=(
        *("begins", "halfway", "may bid", "stopped", "danger", "last exchange", "shows"),
        *("over", "plays", "played"),
    ),
)
def test_a_card_tells_the_danger_first(
    seat: Seat,
    phone: Phone,
    new_phone: NewPhone,
    happened: str,
    told: list[str],
) -> None:
    """Then follow the exchange, the bid and the hand to show, each with its reason while open.

    Whoever begins is told so before the bid.
    """
    found = card(seat(phone, happened, rules=FAR), "Bo", new_phone())
    assert len(found) == len(told)
    assert all(line.startswith(begins) for line, begins in zip(found, told, strict=True))


def test_as_a_deal_ends_the_next_dealer_and_the_eldest_hand_are_told(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """Large, until the deal has begun; the eldest hand begins until the trick is due."""
    seat(phone, "deal Dan", rules=FAR)

    def role(name: str) -> tuple[list[str], list[str]]:
        other = new_phone()
        lines = [line for line in card(phone, name, other) if line in ("You deal", "You begin")]
        return lines, [each["data-role"] for each in other.page.elements(".own.fresh")]

    assert role("Anna") == (["You deal"], ["2 deals"])
    assert role("Bo") == (["You begin"], ["2 begins"])
    assert role("Cilla") == ([], [""])
    phone.press("Nobody has anything")
    assert role("Anna") == ([], [])
    assert role("Bo") == (["You begin"], [])
    phone.press("Nobody has anything")
    phone.press("Anna: Last trick")
    assert role("Bo") == ([], [])


def test_who_is_stopped_may_have_six_cards(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """Some tables deal a stopped player a sixth card instead."""
    rules = {**FAR, "exchange_stop_style": "six_cards"}
    seat(phone, "Bo 46, deal Dan", rules=rules)
    assert card(phone, "Bo", new_phone())[0].startswith("You have six cards")


def test_at_the_end_everybody_is_told_what_to_pay(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """A debtor has a link to pay; a creditor and an even player have none; others see nothing."""
    seat(phone, "Anna 5", players=["Anna", "Bo"], stake_ore=150)
    other = new_phone()
    assert not any("pay" in line for line in card(phone, "Bo", other))
    settled = {"seq": phone.home().seq, "event": '{"event": "break_off", "settle": true}'}
    phone.send(f"{phone.table}/events", settled)
    [line] = [line.replace("\N{NO-BREAK SPACE}", " ") for line in card(phone, "Bo", new_phone())]
    assert line == "You pay Anna 7.50 kr"
    bo = other.open(phone.table)
    assert bo.soup.select(".debts a")[0]["href"] == f"{phone.table}/evening/pay/2-1"
    assert card(phone, "Anna", new_phone())[0].startswith("You get 7.50")
    assert not other.open(f"{phone.table}?me=none").soup.select(".debts")
    phone.open(f"{phone.table}/evening/pay/2-1")
    phone.press("Paid in cash")
    assert card(phone, "Anna", new_phone()) == ["You are even"]


def test_without_money_nobody_is_told_of_any(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """Without a stake the card ends with the score."""
    seat(phone, "Anna 5, settled", stake_ore=0)
    assert card(phone, "Bo", new_phone()) == []

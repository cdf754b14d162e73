"""The page that compares hands, asked the way its form asks it."""

from __future__ import annotations

from collections.abc import Mapping

from tests.web.pages import Page
from tests.web.phone import HTMX, Phone

Pairs = list[tuple[str, str]]


def ask(phone: Phone, *pairs: tuple[str, str]) -> Page:
    """Return what the page answers to a form with these fields."""
    headers = phone.headers | (HTMX if phone.htmx else {})
    address = f"{phone.table}/compare"
    phone.answer = phone.client.get(address, query_string=list(pairs), headers=headers)
    answered = phone.answer.text
    # What scripts get lands in the form that is there already.
    phone.page = Page(f'<form action="{address}">{answered}</form>' if phone.htmx else answered)
    return phone.page


def hands(entries: Mapping[str, str]) -> Pairs:
    """Return the fields of hands that are there already, by seat."""
    return [pair for who, cards in entries.items() for pair in (("who", who), ("cards", cards))]


def tapping(entries: Mapping[str, str], turn: str, cards: str, *more: tuple[str, str]) -> Pairs:
    """Return what is sent when these cards are ticked for the hand in seat `turn`."""
    fields = [("card", card) for card in cards.split()]
    return [*hands(entries), ("turn", turn), *fields, *more]


def held(page: Page) -> dict[str, str]:
    """Return the cards of every hand on the page, by seat, as its form carries them."""
    seats, inputs = page.elements("input[name=who]"), page.elements("input[name=cards]")
    return {
        seat["value"]: cards.get("value", "") for seat, cards in zip(seats, inputs, strict=True)
    }


def turn_of(page: Page) -> str | None:
    """Return the seat whose hand is being filled, None while hands are typed."""
    turns = page.elements("input[name=turn]")
    return turns[0]["value"] if turns else None


def ticks(page: Page) -> list[dict[str, str]]:
    """Return the cards to tap."""
    return page.elements("input[name=card]")

"""Names that are the same person, on the page of the table's people."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, won
from tests.web.pages import Page
from tests.web.phone import Phone


@pytest.fixture
def bosse(app: Flask, seat: Seat, phone: Phone) -> Phone:
    """Return the keeper of a table where Bo lost 5 kr to Anna, and then won 2 kr as Bosse."""
    seat(phone, *won("Anna", 5), players=["Anna", "Bo"])
    next_game(app, phone, *won("Bosse", 2), players=["Anna", "Bosse"])
    phone.open(f"{phone.table}/people")
    return phone


def merge(phone: Phone, name: int, into: int) -> Page:
    """Choose two names, by their places at the table, and add them together."""
    sent = {"seq": phone.page.seq, "do": "merge", "name": str(name), "into": str(into)}
    return phone.send(f"{phone.table}/people", sent)


def test_two_names_become_two_people_again(bosse: Phone) -> None:
    """The merge is undone as it was done."""
    merge(bosse, 3, 2)
    page = bosse.press("No: two people")
    assert "also" not in page.text
    assert "Bosse – +2 +2" in bosse.open(f"{bosse.table}/evening").text


def test_two_who_played_each_other_stay_two(bosse: Phone) -> None:
    """Refused in words, with the game they met in."""
    page = merge(bosse, 2, 1)
    assert bosse.answer.status_code == 422
    assert page.announcement == "Anna and Bo both played in game 1, so they are two people."


def test_readers_see_who_is_who(bosse: Phone, new_phone: NewPhone) -> None:
    """Without the pen names are read, not merged."""
    reader = new_phone()
    page = reader.open(f"{bosse.table}/people")
    assert "Bosse" in page.text
    assert page.buttons == []
    reader.send(f"{bosse.table}/people", {"seq": "1", "name": "3", "into": "2"})
    assert reader.answer.status_code == 401


def test_a_late_merge_is_shown_how_things_stand(bosse: Phone) -> None:
    """A tap on an old page merges nothing."""
    bosse.send(f"{bosse.table}/people", {"seq": "1", "do": "merge", "name": "3", "into": "2"})
    assert bosse.answer.status_code == 409
    assert "also" not in bosse.page.text

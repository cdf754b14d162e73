"""Faults of fields stand at their field, in its unit, beside the typed text."""

from __future__ import annotations

import pytest
from bs4 import Tag

from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import SETTLED, won
from tests.web.pages import words
from tests.web.phone import Phone
from tests.web.ruling import PLAYERS, press

TOO_LONG = "A" * 41
# Texts that are no amounts, and amounts out of bounds.
BAD_STAKES = ("-1", "1e9")
BAD_PAYMENTS = ("0", "7,51", "en krona")
BAD_RULES = {"exchange_stop": "två", "hand_points.pair": "1001", "target": ""}
# Words of the machinery, which no message at a field contains.
MACHINES = ("JSON", "null", "stake_ore", "wrong_value", '"', "None", "öre")


def fault_at(phone: Phone, name: str) -> str:
    """Return the fault beside a field; the field is marked, and the fault stands nowhere else."""
    assert phone.answer.status_code == 422
    field = phone.page.soup.select_one(f"[name='{name}']:not([type=hidden])")
    assert isinstance(field, Tag)
    assert field["aria-invalid"] == "true"
    beside = phone.page.soup.find(id=str(field["aria-describedby"]))
    assert isinstance(beside, Tag)
    said = words(beside)
    assert said == phone.page.announcement
    assert [word for word in MACHINES if word in said] == []
    return said


def typed(phone: Phone, name: str) -> str:
    """Return the current value of a field."""
    field = phone.page.soup.select_one(f"[name='{name}']:not([type=hidden])")
    assert isinstance(field, Tag)
    return str(field["value"])


@pytest.fixture
def speaker(new_phone: NewPhone) -> Phone:
    """Return a phone in Swedish."""
    return new_phone(language="sv")


@pytest.mark.parametrize("stake", BAD_STAKES)
def test_a_stake_is_refused_in_kronor(speaker: Phone, seat: Seat, stake: str) -> None:
    """A new table and the next game name their limits in kronor, and keep the typed stake."""
    data = {"player": list(PLAYERS), "preset": "vanlig", "stake": stake}
    speaker.send("/", data)
    assert "kr" in fault_at(speaker, "stake")
    assert typed(speaker, "stake") == stake
    seat(speaker, SETTLED)
    speaker.send(f"{speaker.table}/next", {**data, "seq": speaker.page.seq})
    assert "kr" in fault_at(speaker, "stake")
    assert typed(speaker, "stake") == stake


@pytest.mark.parametrize("kronor", BAD_PAYMENTS)
def test_a_payment_is_refused_in_kronor(speaker: Phone, seat: Seat, kronor: str) -> None:
    """Nothing, more than is owed, and a text without an amount are refused."""
    seat(speaker, *won("Anna", 5), players=["Anna", "Bo"], stake_ore=150)
    speaker.open(f"{speaker.table}/evening")
    speaker.open(next(link.href for link in speaker.page.links if "/pay/" in link.href))
    speaker.fill(amount=kronor)
    button = next(each for each in speaker.page.buttons if each.value == "cash")
    speaker.submit(button)
    assert "kr" in fault_at(speaker, "amount")
    assert typed(speaker, "amount") == kronor


def test_a_swish_number_that_is_none_stays_to_be_mended(speaker: Phone, seat: Seat) -> None:
    """The typed digits stay, so that a missing digit can be added."""
    seat(speaker, *won("Anna", 5), players=["Anna", "Bo"])
    speaker.open(f"{speaker.table}/evening")
    address = next(link.href for link in speaker.page.links if "/pay/" in link.href)
    speaker.send(f"{address}/number", {"number": "12"})
    assert "070-123 45 67" in fault_at(speaker, "number")
    assert typed(speaker, "number") == "12"


@pytest.mark.parametrize("name", [TOO_LONG, "An\x07na"])
def test_a_name_is_refused_where_it_is_written(speaker: Phone, name: str) -> None:
    """The names of a table, of a table from files and of a rule set are refused at their field."""
    speaker.send("/", {"player": list(PLAYERS), "preset": "vanlig", "stake": "1", "name": name})
    assert fault_at(speaker, "name")
    assert typed(speaker, "name") == name
    speaker.send("/files", {"name": name})
    assert fault_at(speaker, "name")
    assert typed(speaker, "name") == name
    speaker.open("/rules")
    speaker.send("/rules", {"do": "keep", "name": name, "base": "pagat"})
    assert fault_at(speaker, "name")
    assert typed(speaker, "name") == name


def test_a_file_that_is_none_is_refused_at_its_field(speaker: Phone, seat: Seat) -> None:
    """The field is that of a new table or that of an existing one."""
    speaker.send("/files", {"name": "Torpet"})
    assert fault_at(speaker, "file")
    assert typed(speaker, "name") == "Torpet"
    seat(speaker)
    speaker.send(f"{speaker.table}/files", {"seq": speaker.page.seq})
    assert fault_at(speaker, "file")


def test_a_game_that_is_none_is_asked_for_at_its_field(speaker: Phone, seat: Seat) -> None:
    """The number of the game that is to be forgotten."""
    seat(speaker)
    speaker.send(f"{speaker.table}/forget", {"what": "game", "number": "7"})
    assert fault_at(speaker, "number")
    assert typed(speaker, "number") == "7"


@pytest.mark.parametrize(("rule", "written"), BAD_RULES.items())
def test_a_rules_number_is_refused_where_it_is_written(
    speaker: Phone, rule: str, written: str
) -> None:
    """A folded part with the field is open, also for one hand of many."""
    speaker.open("/rules")
    field = f"{rule}.other"
    chosen = speaker.page.soup.select(f"[name='{rule}'][value=other]")
    speaker.fill(**({rule: "other"} if chosen else {}), **{field: written})
    press(speaker, "use")
    said = fault_at(speaker, field)
    assert said.endswith("1000.")
    assert typed(speaker, field) == written
    inputs = speaker.page.soup.select_one(f"[name='{field}']")
    assert inputs is not None
    assert [each for each in inputs.find_parents("details") if not each.has_attr("open")] == []

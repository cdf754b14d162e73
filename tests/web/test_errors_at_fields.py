"""Faults of fields stand at their field, in its unit, beside the typed text."""

from __future__ import annotations

import pytest
from bs4 import Tag

from tests.rules.table import Rules
from tests.told import told
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import won
from tests.web.pages import words
from tests.web.phone import Phone
from tests.web.ruling import press

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
    return str(field.get("value", ""))


@pytest.fixture
def speaker(new_phone: NewPhone) -> Phone:
    """Return a phone in Swedish."""
    return new_phone(language="sv")


@told
def test_a_fault_stands_at_its_field(
    speaker: Phone, seat: Seat, form: str, others: Rules, field: str, texts: list[str], said: str
) -> None:
    """All that was typed stays, for correction, and nothing is recorded."""
    happened = () if "PLAYS" in form else won("Anna", 5)
    table, version = seat(speaker, *happened, stake_ore=150).table, speaker.page.seq
    for text in texts:
        address = form.replace("PLAYS", table).replace("OWES", table)
        speaker.send(address, {**others, "seq": version, field: text})
        assert said in fault_at(speaker, field).replace("\N{NO-BREAK SPACE}", " ")
        assert typed(speaker, field) == text
        kept = {"name", "begins", "amount"} & others.keys() - {field}
        assert [each for each in kept if typed(speaker, each) != others[each]] == []
        assert speaker.open(table).seq == version


@told
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

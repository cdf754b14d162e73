"""Faults of fields stand at their field, in its unit, beside the typed text."""

from __future__ import annotations

import pytest
from bs4 import Tag

from app.rules.presets import PRESETS, write_code
from tests.rules.table import Rules
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import won
from tests.web.pages import words
from tests.web.phone import Phone
from tests.web.ruling import PLAYERS, press

NAMES = ("A" * 41, "An\x07na")
SHOWN = write_code("vanlig", PRESETS["vanlig"])
NEW: Rules = {"player": list(PLAYERS), "preset": "vanlig", "stake": "1"}
LATE: Rules = {"event": "joins", "name": "Eva", "after": "Cilla", "begins": "0"}
WRONG: Rules = {"event": "correction", "player": "Bo"}
PAID: Rules = {"payer": "2", "payee": "1", "amount": "100", "way": "cash"}
# The form, at a table that plays or one with a debt, its other fields, the field, texts that are
# none, and words of the fault.
FORMS: tuple[tuple[str, Rules, str, tuple[str, ...], str], ...] = (
    ("/", NEW, "stake", ("-1", "1e9"), "kr"),
    ("/", {**NEW, "currency": "EUR"}, "stake", ("20000",), "10 000 €"),
    ("/", NEW, "name", NAMES, ""),
    ("/", {**NEW, "shown": SHOWN}, "exchange_stop.other", ("0", "en", "1001"), "1000"),
    ("/files", {}, "name", NAMES, ""),
    ("/files", {"name": "Torpet"}, "file", ("",), ""),
    ("/rules", {"do": "keep", "base": "pagat"}, "name", (*NAMES, "   "), ""),
    ("PLAYS/name", {}, "name", NAMES, ""),
    ("PLAYS/files", {}, "file", ("",), ""),
    ("PLAYS/forget", {"what": "game"}, "number", ("7",), ""),
    ("PLAYS/events", LATE, "name", (*NAMES, ""), ""),
    ("PLAYS/events", WRONG, "points", ("", "1.5", "+-5", "²", "10000", "0"), "oäng"),
    ("PLAYS/events", LATE, "begins", ("sju", "1001"), "från −1000 till 1000"),
    ("OWES/next", NEW, "stake", ("-1", "1e9"), "kr"),
    ("OWES/evening/pay/2-1", {"way": "cash"}, "amount", ("0", "7,51", "en krona"), "kr"),
    ("OWES/evening/pay/2-1/number", {}, "number", ("12",), "070-123 45 67"),
    ("OWES/evening/advance", PAID, "amount", ("0", "5 €", "1000000,01"), "kr"),
)
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
    return str(field.get("value", ""))


@pytest.fixture
def speaker(new_phone: NewPhone) -> Phone:
    """Return a phone in Swedish."""
    return new_phone(language="sv")


@pytest.mark.parametrize(("form", "others", "field", "texts", "told"), FORMS)
def test_a_fault_stands_at_its_field(
    speaker: Phone,
    seat: Seat,
    form: str,
    others: Rules,
    field: str,
    texts: tuple[str, ...],
    told: str,
) -> None:
    """All that was typed stays, for correction, and nothing is recorded."""
    happened = () if "PLAYS" in form else won("Anna", 5)
    table, version = seat(speaker, *happened, stake_ore=150).table, speaker.page.seq
    for text in texts:
        address = form.replace("PLAYS", table).replace("OWES", table)
        speaker.send(address, {**others, "seq": version, field: text})
        assert told in fault_at(speaker, field).replace("\N{NO-BREAK SPACE}", " ")
        assert typed(speaker, field) == text
        kept = {"name", "begins", "amount"} & others.keys() - {field}
        assert [each for each in kept if typed(speaker, each) != others[each]] == []
        assert speaker.open(table).seq == version


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

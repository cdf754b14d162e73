"""The form for house rules beyond its stories: any rules, new ones, and those of one phone."""

from __future__ import annotations

from typing import Literal, get_type_hints

import msgspec
import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from app.rules import house
from app.rules.house import OPTIONS, HouseRules, Option, Points, changed_fields
from app.rules.presets import PRESETS, read_code, read_rules, write_code, write_value
from app.services import phones
from app.web.pwa import draw_code
from app.web.rule_form import LEADING, FilledValues, controls, fill_form, read_form
from tests.rules.strategies import raw_rules
from tests.rules.test_rule_values import ALLOWED
from tests.told import told
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import record
from tests.web.phone import Phone
from tests.web.ruling import form, press, tick, to_the_form

Rules = dict[str, object]
PAGAT = PRESETS["pagat"]


@told
def test_what_was_changed_last_is_what_is_meant(
    field: str, form: FilledValues, meant: object
) -> None:
    """Of the choice, the written or ticked value, and the value before.

    A number, order or tick counts if it was not there before, over any chosen chip.
    """
    named = {f"{field}{part}": texts for part, texts in form.items()}
    read = controls()[field].read(named)
    assert ([*read] if isinstance(read, frozenset) else read) == meant


@given(raw_rules(), st.sampled_from(list(PRESETS)))
def test_any_rules_come_back_from_the_form_and_from_a_link(raw: Rules, base: str) -> None:
    """An untouched form sends the rules that it shows, from any base set."""
    preset, rules = read_rules(raw)
    assert read_form(fill_form(rules), PRESETS[base]) == (rules, {})
    assert read_code(write_code(preset, rules)) == (preset, rules)


def others(number: int) -> Rules:
    """Return rules with other values than pagat's in every field: the first, the second, ..."""
    values = {
        field: [value for value in ALLOWED[field] if value != write_value(getattr(PAGAT, field))]
        for field in OPTIONS
    }
    return {field: each[number % len(each)] for field, each in values.items()}


def set_by_hand(phone: Phone, rules: HouseRules, fields: list[str]) -> None:
    """Tap and write the values of these rules into the form, with the choices that it offers."""
    for field in fields:
        control = controls(rules.exchanges)[field]
        for name, texts in control.fill(getattr(rules, field)).items():
            if name.endswith(".was"):
                continue
            if name.endswith(".some"):
                tick(phone, name, texts)
            else:
                form(phone).fill(name, texts[0])


@pytest.mark.parametrize(("number", "preset"), [*enumerate(PRESETS)])
def test_any_value_of_any_rule_can_be_set_on_the_form(
    phone: Phone, number: int, preset: str
) -> None:
    """Every rule is set by taps, from a published set, and a table plays the result."""
    _, rules = read_rules({"preset": preset, **others(number)})
    press(to_the_form(phone), f"base:{preset}")
    set_by_hand(phone, rules, changed_fields(PRESETS[preset], rules))
    press(phone, "use")
    assert phone.answer.status_code == 200, phone.page.text
    start = phone.page.form("/")
    assert start.values("preset") == ["own"]
    assert read_code(start.values("own")[0]) == (preset, rules)


def test_what_tables_differ_in_stands_first_and_open(phone: Phone) -> None:
    """In the form for rules; on the start page it is folded until it is asked for."""
    asked = phone.open("/").elements(".sets:not([open]) .leading .field")
    first = to_the_form(phone).page.elements(".leading .field")
    assert [each["id"] for each in asked] == [each["id"] for each in first]
    assert [each["id"] for each in first] == [f"f-{name}" for name in LEADING]
    assert len(phone.page.elements(".leading .hint")) == len(LEADING)


def test_a_phones_rules_are_its_own_and_few(
    phone: Phone, new_phone: NewPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another phone neither sees, uses nor forgets them; one more than there may be is refused."""
    monkeypatch.setattr(phones, "MOST_RULE_SETS", 2)
    for name, status in (("Ours", 200), ("Theirs", 200), ("One more", 422), ("Ours", 200)):
        phone.send("/rules", {"do": "keep", "name": name, "base": "pagat"})
        assert phone.answer.status_code == status
        assert ("2" in phone.page.announcement) == (status == 422)
    (kept,), other = form(phone).values("base"), new_phone()
    assert "Ours" not in other.open("/").text
    other.send("/", {"player": ["Anna", "Bo"], "preset": kept})
    assert other.answer.status_code == 422
    other.send("/rules", {"do": f"forget:{kept}"})
    assert "Ours" in phone.open("/").text


def test_an_unfinished_form_belongs_to_the_game_it_was_begun_for(
    app: Flask, seat: Seat, phone: Phone
) -> None:
    """It has one mark as long as it begins with the same, in any deal, and another afterwards."""

    def mark(page: str) -> str:
        return phone.open(f"{phone.table}/{page}").elements("#start")[0]["data-draft"]

    seat(phone, "Anna 5")
    first = mark("edit")
    record(app, phone, "settled")
    marks = {page: mark(page) for page in ("next", "edit")}
    assert marks == {page: mark(page) for page in marks}
    assert first == marks["edit"]
    phone.open(f"{phone.table}/next")
    phone.press("Start the game")
    assert mark("edit") not in marks.values()


def test_of_an_address_that_is_too_long_there_is_no_code(app: Flask) -> None:
    """Every rule changed, below the longest name of a server: the link stands alone."""
    with app.test_request_context(base_url="http://chicago.example"):
        assert draw_code("x" * 2953, "l")
        assert not draw_code("x" * 2954, "l")


class Wider(HouseRules, frozen=True, kw_only=True):
    """House rules with four new ones."""

    joker_points: Points = 3
    jokers: bool = False
    cut_by: Literal["left", "right"] = "left"
    pace: str = "slow"


ROWS = (
    Option("joker_points", "hands", 3, "score"),
    Option("jokers", "jokers", False, "shown"),  # type: ignore[arg-type]  # a group that is new too
    Option("cut_by", "table", "left", "shown"),
    Option("pace", "table", "slow", "shown", usual=("slow", "fast")),
)


@pytest.fixture
def wider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every rule set the new rules."""
    monkeypatch.setattr(house, "FIELD_TYPES", get_type_hints(Wider, include_extras=True))
    for row in ROWS:
        monkeypatch.setitem(OPTIONS, row.field, row)
    for name, rules in list(PRESETS.items()):
        monkeypatch.setitem(PRESETS, name, Wider(**msgspec.structs.asdict(rules)))


@pytest.mark.usefixtures("wider")
def test_a_new_rule_is_in_the_form_and_told_before_it_has_texts(phone: Phone) -> None:
    """It can be set, is marked as changed, is put back, and is on the page with its value."""
    to_the_form(phone).fill(
        **{"joker_points.other": "7", "jokers": "yes", "cut_by": "right", "pace": "fast"}
    )
    assert "4 things you play differently" in press(phone, "look").text
    press(phone, "reset:jokers")
    assert form(phone).values("jokers") == ["no"]
    text = press(phone, "words").text
    for said in ("Joker points: 7.", "Jokers: no.", "Cut by: right.", "Pace: fast."):
        assert said in text

"""Rules, form, rules: nothing is lost or made up on the way, whatever the rules and the taps."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.house import HouseRules, changed_fields
from app.rules.presets import PRESETS, read_code, read_rules, write_code
from app.web.rules.fields import (
    NONE,
    OTHER,
    SOME,
    Choices,
    Control,
    FilledValues,
    Flags,
    Parts,
    PerHand,
    SuitOrder,
    WholeNumber,
    value_key,
)
from app.web.rules.form import controls, fill_form, read_form, reset_field
from tests.rules.strategies import raw_rules


@st.composite
def sent(draw: st.DrawFn, control: Control) -> FilledValues:
    """Draw what a person can make a control send, from what it showed to begin with."""
    match control:
        case Choices(name=name, values=values):
            return {name: [value_key(draw(st.sampled_from(values)))]}
        case WholeNumber():
            return draw(numbers(control))
        case Flags(name=name, members=members):
            ticked = [value_key(m) for m in members if draw(st.booleans())]
            radio = {name: [draw(st.sampled_from([NONE, SOME]))]} if control.nullable else {}
            was = " ".join([value_key(m) for m in members if draw(st.booleans())])
            return {f"{name}.some": ticked, f"{name}.was": [was], **radio}
        case SuitOrder(name=name):
            text = draw(st.sampled_from(["", *control.all]))
            chips = [value_key(value) for value in control.usual] + ([OTHER] if text else [])
            picked, was = draw(st.sampled_from(chips)), draw(st.sampled_from(["", text]))
            return {name: [picked], f"{name}.other": [text], f"{name}.was": [was]}
        case Parts(name=name, parts=parts):
            drawn = {name: [draw(st.sampled_from([NONE, SOME]))]}
            return drawn | merged([draw(sent(part)) for part in parts.values()])
        case PerHand(hands=hands):
            return merged([draw(sent(each)) for each in hands.values()])


@st.composite
def numbers(draw: st.DrawFn, control: WholeNumber) -> FilledValues:
    """Draw a chip or a number written, with what stood there before."""
    written = st.integers(control.low, control.high).map(str)
    must = not control.nullable and not control.usual
    text = draw(written if must else st.just("") | written)
    was = draw(st.sampled_from(["", text]))
    fill_form = {f"{control.name}.other": [text], f"{control.name}.was": [was]}
    if control.usual:
        chips = [value_key(value) for value in control.usual]
        fill_form[control.name] = [draw(st.sampled_from(chips + ([OTHER] if text else [])))]
    return fill_form


def merged(parts: list[FilledValues]) -> FilledValues:
    """Put several controls' fields together."""
    return {name: texts for part in parts for name, texts in part.items()}


@st.composite
def forms(draw: st.DrawFn) -> FilledValues:
    """Draw a form as any taps and any writing may leave it."""
    return merged([draw(sent(control)) for control in controls().values()])


def rules_from(raw: dict[str, object]) -> HouseRules:
    """Read rules of a game file, without their rule set's name."""
    return read_rules(raw)[1]


@settings(max_examples=40)
@given(raw_rules(), st.sampled_from(list(PRESETS)))
def test_any_rules_come_back_from_the_form_untouched(raw: dict[str, object], base: str) -> None:
    """A form that nobody touches sends the rules it shows, whatever one started from."""
    rules = rules_from(raw)
    assert read_form(fill_form(rules), PRESETS[base]) == (rules, {})


@settings(max_examples=20)
@given(forms())
def test_whatever_the_form_can_send_is_shown_as_it_was_meant(form: FilledValues) -> None:
    """Form, rules, form, rules: the second time nothing changes any more."""
    rules, faults = read_form(form, PRESETS["pagat"])
    assert faults == {}
    shown = fill_form(rules)
    assert read_form(shown, PRESETS["wikipedia"]) == (rules, {})
    assert fill_form(read_form(shown, PRESETS["pagat"])[0]) == shown


@settings(max_examples=40)
@given(raw_rules(), st.sampled_from(list(PRESETS)))
def test_putting_back_all_that_differs_gives_what_one_started_from(
    raw: dict[str, object], name: str
) -> None:
    """One by one, each differing rule and nothing else is put back."""
    rules, base = rules_from(raw), PRESETS[name]
    while differ := changed_fields(base, rules):
        rules = reset_field(rules, base, differ[0])
        assert changed_fields(base, rules) == differ[1:]
    assert rules == base


@settings(max_examples=40)
@given(raw_rules())
def test_a_link_carries_any_rules(raw: dict[str, object]) -> None:
    """What a link carries is read as the rules that were written."""
    preset, rules = read_rules(raw)
    assert read_code(write_code(preset, rules)) == (preset, rules)

"""The form for house rules: a control for each, rules into values of fields, and back into rules.

A control is made from the type of a house rule, so a new rule has one without further ado; a macro
in templates/rules/_macros.html draws it by its `kind`. Where a chosen value and a written one
stand side by side, the form also sends what was written there to begin with: whatever a person has
changed by hand wins, with or without scripts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import Any, ClassVar, Literal, get_args

import msgspec
from msgspec import inspect
from msgspec.structs import asdict, replace

from app.http import context
from app.http.forms import LONGEST_TEXT, BadField, read_field
from app.i18n import house_rules
from app.i18n.house_rules import SCALE
from app.i18n.language import N_, read_number
from app.rules.codes import BadFile
from app.rules.hands import Hand
from app.rules.house import (
    DEAL_MOMENTS,
    OPTIONS,
    HouseRules,
    Scorers,
    ScoringMoment,
    check_value,
    scored_moments,
)
from app.rules.presets import PAGAT, SCALED, SCALES, scale_of, write_code
from app.services.access import hash_secret

FormValues = Mapping[str, Sequence[str]]
FilledValues = dict[str, list[str]]
Usual = tuple[object, ...] | Mapping[str, tuple[object, ...]]

NONE, SOME, OTHER, NOBODY = "none", "some", "other", "nobody"
FEW, LARGEST = 6, 1000
SUITS = "hsdc"


# By rule, the field of the form that is at fault.
Faults = Mapping[str, BadField]


def value_key(value: object) -> str:
    """A value as a form sends it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NONE if value is None else str(value)


def first_value(form: FormValues, name: str, default: str = "") -> str:
    """The first value sent under a name."""
    values = form.get(name)
    return values[0] if values else default


class Choices(msgspec.Struct, frozen=True):
    """One of a few values."""

    kind: ClassVar[str] = "choices"
    name: str
    values: tuple[object, ...]

    def fill(self, value: object) -> FilledValues:
        """The form data of this value."""
        return {self.name: [value_key(value)]}

    def read(self, form: FormValues) -> object:
        """The value that was sent. Raises BadField."""
        choice = first_value(form, self.name)
        for value in self.values:
            if value_key(value) == choice:
                return value
        raise BadField(self.name, BadFile("wrong_rule_value", field=self.name, value=choice))


class WholeNumber(msgspec.Struct, frozen=True):
    """A whole number: the usual ones to choose from, and any other to write."""

    kind: ClassVar[str] = "number"
    name: str
    low: int
    high: int
    usual: tuple[object, ...] = ()
    nullable: bool = False

    def fill(self, value: object) -> FilledValues:
        """The form data of this value."""
        is_usual = value in self.usual
        text = "" if is_usual or value is None else str(value)
        values = {f"{self.name}.other": [text], f"{self.name}.was": [text]}
        if self.usual:
            values[self.name] = [value_key(value) if is_usual else OTHER]
        return values

    def read(self, form: FormValues) -> object:
        """The value that was sent. Raises BadField with the bounds."""
        choice = first_value(form, self.name, OTHER)
        text = first_value(form, f"{self.name}.other").strip()
        if choice != OTHER and text in ("", first_value(form, f"{self.name}.was")):
            return Choices(self.name, self.usual).read(form)
        if not text and self.nullable and None not in self.usual:
            return None
        return read_field(self.name, lambda: self._read_number(text))

    def _read_number(self, text: str) -> int:
        number = read_number(text)
        if number is None or not self.low <= number <= self.high:
            raise BadFile("rule_unreadable", low=self.low, high=self.high)
        return number


class Flags(msgspec.Struct, frozen=True):
    """Any of several values; where none of them may be meant at all, that is a choice beside.

    Hands stand with the best first.
    """

    kind: ClassVar[str] = "flags"
    name: str
    members: tuple[object, ...]
    nullable: bool = False

    def fill(self, value: object) -> FilledValues:
        """The form data of this value."""
        flags = value if isinstance(value, frozenset) else frozenset()
        ticks = [value_key(member) for member in self.members if member in flags]
        values = {f"{self.name}.some": ticks, f"{self.name}.was": [" ".join(ticks)]}
        if self.nullable:
            values[self.name] = [NONE if value is None else SOME]
        return values

    def read(self, form: FormValues) -> object:
        """The value that was sent."""
        ticks = [str(text) for text in form.get(f"{self.name}.some", ())]
        differs = " ".join(ticks) != first_value(form, f"{self.name}.was")
        if self.nullable and first_value(form, self.name) == NONE and not (ticks and differs):
            return None
        return frozenset(member for member in self.members if value_key(member) in ticks)


class Parts(msgspec.Struct, frozen=True):
    """An object of several values, or none of it; or a value for each hand, `per_hand`.

    A part that is none is left out.
    """

    name: str
    parts: Mapping[Any, Control]
    nullable: bool = False
    kind: Literal["parts", "per_hand"] = "parts"

    def fill(self, value: object) -> FilledValues:
        """The form data of this value; the usual one where there is none."""
        values = {self.name: [NONE if value is None else SOME]} if self.nullable else {}
        known = asdict(value) if isinstance(value, msgspec.Struct) else value
        for part, control in self.parts.items():
            values |= control.fill(known.get(part) if isinstance(known, dict) else _first(control))
        return values

    def read(self, form: FormValues) -> object:
        """The value that was sent. Raises BadField."""
        if self.nullable and first_value(form, self.name) == NONE:
            return None
        read = {part: control.read(form) for part, control in self.parts.items()}
        return {part: value for part, value in read.items() if value is not None}


class Moments(msgspec.Struct, frozen=True):
    """Whose hands score: one answer for the usual moments, or one for each moment.

    `exchanges` is how many a deal has: the usual moments follow it, and no later one is `offered`.
    """

    kind: ClassVar[str] = "moments"
    values: ClassVar[tuple[object, ...]] = (None, "equal", "everyone", SOME)
    name: str
    exchanges: int

    @property
    def parts(self) -> dict[ScoringMoment, Choices]:
        """A control for every moment there is."""
        scorers = (NOBODY, *get_args(Scorers))
        return {each: Choices(f"{self.name}.{each}", scorers) for each in get_args(ScoringMoment)}

    @property
    def offered(self) -> tuple[ScoringMoment, ...]:
        """The moments of a deal with so many exchanges."""
        return DEAL_MOMENTS[self.exchanges]

    def fill(self, value: object) -> FilledValues:
        """The form data of this value; the usual moments where there is none."""
        agreed = value if isinstance(value, dict) else self._usual("best")
        usual = [each for each in self.values if value == (each and self._usual(each))]
        values = {self.name: [value_key(usual[0] if usual else SOME)]}
        for moment, control in self.parts.items():
            values |= control.fill(agreed.get(moment, NOBODY))
        return values

    def read(self, form: FormValues) -> object:
        """The value that was sent. Raises BadField."""
        choice = Choices(self.name, self.values).read(form)
        if choice != SOME:
            return choice and self._usual(choice)
        read = {moment: control.read(form) for moment, control in self.parts.items()}
        return {moment: who for moment, who in read.items() if who != NOBODY}

    def _usual(self, who: object) -> dict[ScoringMoment, object]:
        return dict.fromkeys(scored_moments(PAGAT, self.exchanges), who)


Control = Choices | WholeNumber | Flags | Parts | Moments


def _first(control: Control) -> object:
    """A value to begin with where there was none."""
    match control:
        case WholeNumber(usual=(first, *_)):
            return first
        case WholeNumber(low=low):
            return low
        case Choices(values=(first, *_)):
            return first
        case _:
            return None


@cache
def control_of(field: str, exchanges: int) -> Control:
    """The control for a house rule, made from its type and its usual values."""
    option = OPTIONS[field]
    if field == "scored_hands":
        return Moments(field, exchanges)
    kind = inspect.type_info(option.kind)
    if isinstance(kind, inspect.DictType):
        # A hand that the usual table does not hold may be left out of any.
        held = option.default if isinstance(option.default, dict) else {}
        hands = {
            hand: _control(
                f"{field}.{hand}",
                kind.value_type,
                _part(option.usual, hand),
                nullable=hand not in held,
            )
            for hand in Hand
        }
        return Parts(field, hands, kind="per_hand")
    return _control(field, kind, option.usual)


def _control(name: str, kind: inspect.Type, usual: Usual, *, nullable: bool = False) -> Control:
    match kind:
        case inspect.UnionType(types=types):
            rest = [each for each in types if not isinstance(each, inspect.NoneType)]
            if len(rest) == 1:
                return _control(name, rest[0], usual, nullable=nullable or kind.includes_none)
            return _with_words(name, rest, usual)
        case inspect.Metadata(type=inner):
            return _control(name, inner, usual, nullable=nullable)
        case inspect.BoolType():
            return Choices(name, _with_none((True, False), nullable))
        case inspect.LiteralType(values=values):
            return Choices(name, _with_none(values, nullable))
        case inspect.IntType():
            return _number(name, kind, usual, nullable)
        case inspect.FrozenSetType(item_type=item):
            return Flags(name, _members(item), nullable)
        case inspect.StructType(fields=fields):
            parts = {
                field.name: _control(f"{name}.{field.name}", field.type, _part(usual, field.name))
                for field in fields
            }
            return Parts(name, parts, nullable)
        case inspect.StrType(pattern=str(pattern)) if SUITS in pattern:
            orders = ("".join(order) for order in permutations(SUITS))
            return Choices(name, (*dict.fromkeys([*_listed(usual), *orders]),))
    return Choices(name, _with_none(_listed(usual), nullable))


def _with_words(name: str, kinds: Sequence[inspect.Type], usual: Usual) -> Control:
    """Yes and no, or a number, and words beside them."""
    first, *rest = sorted(kinds, key=lambda kind: isinstance(kind, inspect.LiteralType))
    words = tuple(word for kind in rest for word in _members(kind))
    control = _control(name, first, (*_listed(usual), *words))
    if isinstance(control, Choices):
        return replace(control, values=(*control.values, *words))
    return control


def _number(name: str, kind: inspect.IntType, usual: Usual, nullable: bool) -> Control:
    low, high = kind.ge or 0, kind.le if kind.le is not None else LARGEST
    if high - low < FEW:
        return Choices(name, _with_none(tuple(range(low, high + 1)), nullable))
    return WholeNumber(name, low, high, _listed(usual), nullable)


def _members(kind: inspect.Type) -> tuple[object, ...]:
    match kind:
        case inspect.EnumType(cls=cls):
            return tuple(cls)[::-1]
        case inspect.IntType(ge=int(low), le=int(high)):
            return tuple(range(low, high + 1))
        case inspect.LiteralType(values=values):
            return values
        case _:
            return ()


def _with_none(values: tuple[object, ...], nullable: bool) -> tuple[object, ...]:
    return (None, *values) if nullable else values


def _listed(usual: Usual) -> tuple[object, ...]:
    return usual if isinstance(usual, tuple) else ()


def _part(usual: Usual, name: str) -> tuple[object, ...]:
    return usual.get(name, ()) if isinstance(usual, Mapping) else ()


def controls(exchanges: object = 3) -> dict[str, Control]:
    """The control of every house rule, at a table with so many exchanges; `by_players` has most."""
    number = exchanges if isinstance(exchanges, int) else 3
    return {field: control_of(field, number) for field in OPTIONS}


def fill_form(rules: HouseRules) -> FilledValues:
    """The form data of an untouched form."""
    scale = [value_key(scale_of(rules))]
    return {SCALE: scale, f"{SCALE}.was": scale} | {
        name: texts
        for field, control in controls(rules.exchanges).items()
        for name, texts in control.fill(getattr(rules, field)).items()
    }


def origin_of(key: str, preset: str, rules: HouseRules) -> str:
    """A fingerprint of the form and of what it begins with, for which a phone keeps a draft."""
    return hash_secret(f"{key} {write_code(preset, rules)} {controls()}")[:16]


def read_form(form: FormValues, base: HouseRules) -> tuple[HouseRules, Faults]:
    """The rules that were sent; a rule that was not sent, or cannot be read, is as in `base`."""
    changes: dict[str, object] = {}
    faults: dict[str, BadField] = {}
    sent = read_number(first_value(form, "exchanges", str(base.exchanges)))
    for field, control in controls(sent).items():
        if not any(name in form for name in control.fill(getattr(base, field))):
            continue
        try:
            changes[field] = check_value(field, control.read(form), OPTIONS[field].kind)
        except BadField as fault:
            faults[field] = fault
        except BadFile as fault:
            faults[field] = BadField(field, fault)
    chosen = first_value(form, SCALE)
    if chosen != first_value(form, f"{SCALE}.was", chosen) and chosen in map(str, SCALES):
        changes |= {field: getattr(SCALES[int(chosen)], field) for field in SCALED}
        faults = {field: fault for field, fault in faults.items() if field not in SCALED}
    return replace(base, **changes), faults


def form_values(rules: HouseRules, form: FormValues, faults: Iterable[str]) -> FilledValues:
    """The form's next values: the rules as read, and unreadable values as they were written."""
    values = fill_form(rules)
    # Whoever has asked for a list for each moment keeps them, though all have the same answer.
    if rules.scored_hands is not None and first_value(form, "scored_hands") == SOME:
        values["scored_hands"] = [SOME]
    for field in faults:
        names = controls(rules.exchanges)[field].fill(getattr(rules, field))
        values |= {
            name: [text[:LONGEST_TEXT] for text in form[name]] for name in names if name in form
        }
    return values


# What tables differ in: in the order of how many published sets each question tells apart, by the
# name of its control, with its words where they are not those of the whole rule.
LEADING: Mapping[str, str] = {
    SCALE: "",
    "exchange_stop": "",
    "chicago_hand": "",
    "scored_hands": "",
    "open_card": "",
    "exchanges": "",
    "chicago_minimum": "",
    "negative_scores": "",
    f"zeroing.{Hand.FOUR_OF_A_KIND}": N_("Four of a kind zeroes"),
    "last_trick_with_two": "",
    "win_needs_chicago": "",
    "win_when": N_("%(target)s wins"),
}


class Question(msgspec.Struct, frozen=True):
    """A question that comes first: its control, and what its answer comes to.

    `field` is the rule whose words its values have.
    """

    field: str
    control: Control
    label: str
    consequence: str
    changed: bool


def questions(base: HouseRules, rules: HouseRules) -> list[Question]:
    """The questions that come first, with these answers."""
    before, now = fill_form(base), fill_form(rules)
    changed = {name for name, texts in now.items() if texts != before[name]}
    return [_question(name, words, rules, changed) for name, words in LEADING.items()]


def _question(name: str, words: str, rules: HouseRules, changed: set[str]) -> Question:
    language, (field, _, hand) = context.language(), name.partition(".")
    control: Control
    if name == SCALE:
        # Where the hands go by none of the named scales, that is said too.
        control = Choices(SCALE, (*SCALES, *(() if scale_of(rules) else (None,))))
    else:
        control = controls(rules.exchanges)[field]
    if isinstance(control, Parts):
        control = control.parts[hand]
    return Question(
        field,
        control,
        language.gettext(words or house_rules.words_of(field).label) % {"target": rules.target},
        house_rules.consequence(name, rules, language),
        any(f"{each}.".startswith(f"{name}.") for each in changed),
    )

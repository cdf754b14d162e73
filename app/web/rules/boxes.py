"""What the template draws for each house rule: chips to tap, numbers to write, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from app.i18n.game import hand_label
from app.i18n.house_rules import (
    GROUPS,
    difference_text,
    group_title,
    help_text,
    label,
    part_label,
    some_label,
    suit_signs,
    value_order,
    value_words,
)
from app.i18n.language import Language
from app.i18n.rule_briefs import group_brief
from app.i18n.rule_notes import note_text
from app.rules.contradictions import contradictions
from app.rules.hands import Hand
from app.rules.house import OPTIONS, HouseRules
from app.rules.variants import letters_of_field, letters_of_value
from app.web.rules.fields import (
    NONE,
    OTHER,
    SOME,
    Choices,
    Control,
    Flags,
    FormValues,
    Number,
    Order,
    Parts,
    PerHand,
    Text,
    Unreadable,
    first_value,
    value_key,
)
from app.web.rules.form import Faults, changed_fields, controls, form_values

LONGEST_CHIP = 16
RARE_BELOW = Hand.FOUR_OF_A_KIND


class Chip(msgspec.Struct, frozen=True):
    """One thing to tap: what it sends, its words, whether it is on, and its variants' letters."""

    key: str
    text: str
    on: bool
    letters: str = ""
    rare: bool = False


class Box(msgspec.Struct, frozen=True):
    """What asks for one value. `kind` says how it is drawn; `parts` are boxes within it.

    `ticks` are chips of which any may be on, `text` is what is written, `was` what stood there.
    """

    kind: str
    name: str
    label: str = ""
    chips: Sequence[Chip] = ()
    ticks: Sequence[Chip] = ()
    some: Chip | None = None
    text: str = ""
    was: str = ""
    parts: Sequence[Box] = ()
    rare: bool = False

    @property
    def long(self) -> bool:
        """Whether the words are too many for chips side by side."""
        texts = [chip.text for chip in self.chips if not self.ticks and self.some is None]
        return any(len(text) > LONGEST_CHIP for text in texts)


class Field(msgspec.Struct, frozen=True):
    """One house rule in the form; `base` tells what it was where it has been changed."""

    name: str
    label: str
    help: str
    letters: str
    box: Box
    base: str | None
    notes: Sequence[str]
    fault: str


class Group(msgspec.Struct, frozen=True):
    """Rules that belong together, and what they are now in a line."""

    name: str
    title: str
    brief: str
    changed: int
    troubled: bool
    fields: Sequence[Field]


class Maker:
    """Makes the boxes of one form in one language."""

    def __init__(self, sent: FormValues, language: Language) -> None:
        self.sent, self.language = sent, language

    def box(self, field: str, control: Control, title: str = "", *, rare: bool = False) -> Box:
        """The box for a control; `field` is the rule whose words it uses."""
        name, kind = control.name, type(control).__name__.lower()
        usual = Box(kind=kind, name=name, label=title, rare=rare)
        match control:
            case Choices():
                return msgspec.structs.replace(usual, chips=self._choices(field, control))
            case Number() | Order():
                return self._written(usual, field, control)
            case Flags():
                return self._flags(usual, field, control)
            case Parts():
                return self._parts(usual, field, control)
            case PerHand():
                return msgspec.structs.replace(usual, parts=self._hands(field, control))
            case Text():
                return msgspec.structs.replace(usual, text=first_value(self.sent, name))

    def _chips(self, field: str, name: str, values: Iterable[object]) -> list[Chip]:
        picked = first_value(self.sent, name)
        return [
            Chip(
                value_key(value),
                value_words(field, value, self.language),
                picked == value_key(value),
                letters_of_value(field, value) if _tagged(field, name) else "",
            )
            for value in values
        ]

    def _choices(self, field: str, control: Choices) -> list[Chip]:
        keys = [value_key(value) for value in value_order(field)]
        last = len(keys)
        values = sorted(
            control.values,
            key=lambda v: keys.index(value_key(v)) if value_key(v) in keys else last,
        )
        return self._chips(field, control.name, values)

    def _written(self, usual: Box, field: str, control: Number | Order) -> Box:
        name, _ = control.name, self.language.gettext
        text, was = first_value(self.sent, f"{name}.other"), first_value(self.sent, f"{name}.was")
        other = Chip(OTHER, _("other"), first_value(self.sent, name, OTHER) == OTHER)
        chips = self._chips(field, name, control.usual)
        ticks = (
            [Chip(o, suit_signs(o), o == text) for o in control.all]
            if isinstance(control, Order)
            else []
        )
        return msgspec.structs.replace(
            usual, chips=chips, some=other if chips else None, text=text, was=was, ticks=ticks
        )

    def _flags(self, usual: Box, field: str, control: Flags) -> Box:
        name = control.name
        ticked = self.sent.get(f"{name}.some", ())
        ticks = [
            Chip(
                value_key(member),
                value_words(field, member, self.language),
                value_key(member) in ticked,
                rare=_rare(member),
            )
            for member in _best_first(control.members)
        ]
        chips = self._chips(field, name, [None]) if control.nullable else []
        some = Chip(SOME, some_label(field, self.language), first_value(self.sent, name) == SOME)
        return msgspec.structs.replace(
            usual,
            chips=chips,
            ticks=ticks,
            some=some if control.nullable else None,
            was=first_value(self.sent, f"{name}.was"),
        )

    def _parts(self, usual: Box, field: str, control: Parts) -> Box:
        parts = [
            self.box(f"{field}.{part}", inner, part_label(field, part, self.language))
            for part, inner in control.parts.items()
        ]
        chips = [
            Chip(
                key,
                value_words(field, value, self.language),
                first_value(self.sent, control.name) == key,
            )
            for key, value in ((NONE, None), (SOME, SOME))
        ]
        return msgspec.structs.replace(usual, chips=chips if control.nullable else [], parts=parts)

    def _hands(self, field: str, control: PerHand) -> list[Box]:
        return [
            self.box(
                field,
                control.hands[hand],
                hand_label(hand, self.language),
                rare=_rare(hand),
            )
            for hand in reversed(Hand)
        ]


def _best_first(members: Sequence[object]) -> Sequence[object]:
    """Hands with the best first; anything else in its own order."""
    return members[::-1] if members and isinstance(members[0], Hand) else members


def _rare(member: object) -> bool:
    """Whether a hand is too low for more than points at most tables."""
    order = list(Hand)
    return isinstance(member, Hand) and order.index(member) < order.index(RARE_BELOW)


def _tagged(field: str, name: str) -> bool:
    """A variant of zeroing is about four of a kind alone."""
    return name in (field, f"{field}.{Hand.FOUR_OF_A_KIND}")


def groups(
    base: HouseRules, rules: HouseRules, sent: FormValues, faults: Faults, language: Language
) -> list[Group]:
    """The whole form, group by group, with what differs and what does not go together."""
    maker, differ = (
        Maker(form_values(rules, sent, faults), language),
        set(changed_fields(base, rules)),
    )
    notes = notes_by_field(rules, language)
    found = []
    for name in dict.fromkeys([*GROUPS, *(row.group for row in OPTIONS.values())]):
        fields = [
            _field(field, base, rules, maker, notes.get(field, []), faults)
            for field in _of_group(name)
        ]
        found.append(
            Group(
                name=name,
                title=group_title(name, language),
                brief=group_brief(name, rules, language),
                changed=len(differ & set(_of_group(name))),
                troubled=any(field.notes or field.fault for field in fields),
                fields=fields,
            )
        )
    return found


def _of_group(group: str) -> list[str]:
    return [row.field for row in OPTIONS.values() if row.group == group]


def _field(
    name: str,
    base: HouseRules,
    rules: HouseRules,
    maker: Maker,
    notes: Sequence[str],
    faults: Faults,
) -> Field:
    language, before, now = maker.language, getattr(base, name), getattr(rules, name)
    return Field(
        name=name,
        label=label(name, language),
        help=help_text(name, language),
        letters=letters_of_field(name),
        box=maker.box(name, controls()[name]),
        base=difference_text(name, before, now, language) if before != now else None,
        notes=notes,
        fault=fault_text(faults[name], language) if name in faults else "",
    )


def fault_text(fault: Unreadable, language: Language) -> str:
    """What could not be read, and what could be."""
    _ = language.gettext
    if fault.low is None:
        return _("Choose one of these.")
    return _("Write a whole number from %(low)s to %(high)s.", low=fault.low, high=fault.high)


def notes_by_field(rules: HouseRules, language: Language) -> Mapping[str, list[str]]:
    """What does not go together, at every rule that it concerns."""
    notes: dict[str, list[str]] = {}
    for found in contradictions(rules):
        for field in found.fields:
            notes.setdefault(field, []).append(note_text(found, language))
    return notes

"""A draft of a mended game: the entries as they are to be, in an address as JSON without names."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from app.rules.amendment import Entry, Moment, place_entries
from app.rules.errors import BadFile, Stale
from app.rules.events import Event, Joins, read_any_event, write_event
from app.rules.gamefile import MAX_EVENTS
from app.rules.names import read_name
from app.rules.state import Setup, Step
from app.services.serialization import (
    names_with,
    read_serialized_event,
    serialize_event,
    serialize_setup,
    to_json,
)
from app.services.sheets import Sheet

DIGEST_LENGTH = 10

# What may come of reading something that nobody wrote.
UNREADABLE = (ValueError, IndexError, RecursionError, BadFile, msgspec.MsgspecError)


class Draft(msgspec.Struct, frozen=True):
    """A recorded game, and the entries of the mended one: kept or new, each with its moment."""

    base: tuple[Entry, ...]
    entries: tuple[Entry, ...]

    def insert(self, place: int, entry: Entry) -> Draft:
        """Put an entry in; one that was taken out there is kept again."""
        kept = next((each for each in self._removed_at(place) if _same(each, entry)), entry)
        return replace(self, entries=(*self.entries[:place], kept, *self.entries[place:]))

    def replace(self, place: int, entry: Entry) -> Draft:
        """Put an entry in the place of another."""
        return self.remove([place]).insert(place, entry)

    def remove(self, places: Collection[int]) -> Draft:
        """Take entries out."""
        left = (entry for place, entry in enumerate(self.entries) if place not in places)
        return replace(self, entries=tuple(left))

    def _removed_at(self, place: int) -> Sequence[Entry]:
        """The recorded entries that stood between those that are kept around a place."""
        before = [entry.index for entry in self.entries[:place] if entry.index is not None]
        after = [entry.index for entry in self.entries[place:] if entry.index is not None]
        return self.base[before[-1] + 1 if before else 0 : after[0] if after else len(self.base)]


def _same(entry: Entry, other: Entry) -> bool:
    return entry.moment == other.moment and bare(entry.event) == bare(other.event)


def bare(event: Event) -> Event:
    """An event without the remarks that are kept with it."""
    unset = msgspec.UNSET
    return replace(event, id=unset, name=unset, at=unset, note=unset)


class _New(msgspec.Struct, array_like=True):
    """A new entry and its place, with numbers in place of the players' names."""

    place: Annotated[int, msgspec.Meta(ge=0, le=MAX_EVENTS)]
    deal: int
    step: Step
    event: msgspec.Raw


class _Code(msgspec.Struct, array_like=True):
    """A draft in an address: the digests of the game before and after, and what differs.

    `removed` are indices of recorded entries; `others` are names that only new entries know.
    """

    before: str
    after: str
    removed: list[int]
    new: list[_New]
    others: list[str] = []


def encode_draft(draft: Draft, sheet: Sheet) -> str:
    """Write a draft for an address."""
    setup, events = sheet.game.setup, [entry.event for entry in draft.entries]
    new = [(place, each) for place, each in enumerate(draft.entries) if each.index is None]
    kept = {entry.index for entry in draft.entries}
    known = names_with(setup.players, sheet.game.events)
    # Some may name who joined by an entry that has been taken out of the draft again.
    named = [name for _, entry in new for name in _names_in(entry.event)]
    names = tuple(dict.fromkeys([*known, *named]))
    code = _Code(
        _digest(setup, sheet.game.events),
        _digest(setup, events),
        [index for index in range(len(draft.base)) if index not in kept],
        [
            _New(place, *moment_in(entry), msgspec.Raw(_serialize(entry.event, names)))
            for place, entry in new
        ],
        list(names[len(known) :]),
    )
    return to_json(code)


def moment_in(entry: Entry) -> Moment:
    """The moment of an entry of a draft, which always has one."""
    assert entry.moment is not None  # noqa: S101  # this tells mypy
    return entry.moment


def _serialize(event: Event, names: Sequence[str]) -> bytes:
    return serialize_event(bare(event), names).encode()


def _names_in(event: Event) -> tuple[str, ...]:
    return (event.player, event.after) if isinstance(event, Joins) else event.players()


def _digest(setup: Setup, events: Sequence[Event]) -> str:
    """The number of a game's events, and a hash of them and its rules."""
    text = "\n".join((serialize_setup(setup), *(to_json(write_event(each)) for each in events)))
    return f"{len(events)}-{hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]}"


def decode_draft(text: str, sheet: Sheet) -> Draft:
    """Read a draft from an address. Raises Stale when the game was changed, and BadFile.

    What was recorded since, after all the rest, does no harm.
    """
    base = place_entries(sheet.states, sheet.game.events)
    if not text:
        return Draft(base, base)
    try:
        code = msgspec.json.decode(text, type=_Code)
        if not _begins_with(sheet, code.before):
            raise Stale("stale")
        names = _read_names(code, sheet)
        entries = [entry for entry in base if entry.index not in code.removed]
        for new in code.new:
            entries.insert(new.place, _read_entry(new, names))
    except UNREADABLE:
        raise BadFile("draft_unreadable") from None
    if len(entries) > MAX_EVENTS:
        raise BadFile("too_many_events", limit=MAX_EVENTS)
    return Draft(base, tuple(entries))


def is_saved(text: str, sheet: Sheet) -> bool:
    """Whether a game is by now what a draft makes of it."""
    return _begins_with(sheet, msgspec.json.decode(text, type=_Code).after)


def _begins_with(sheet: Sheet, digest: str) -> bool:
    """Whether the first events of a game are those that a digest was made of."""
    count = int(digest.partition("-")[0])
    return _digest(sheet.game.setup, sheet.game.events[:count]) == digest


def _read_names(code: _Code, sheet: Sheet) -> tuple[str, ...]:
    """Whom the new entries of a draft may name. Raises BadFile for what is no name."""
    count = int(code.before.partition("-")[0])
    known = names_with(sheet.game.setup.players, sheet.game.events[:count])
    return (*known, *map(read_name, code.others))


def _read_entry(new: _New, names: Sequence[str]) -> Entry:
    event = read_serialized_event(bytes(new.event).decode(), names)
    return Entry(read_any_event(write_event(bare(event))), Moment(new.deal, new.step))

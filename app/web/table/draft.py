"""A draft of a mended game: the entries as they are to be, in an address as JSON without names."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from app.rules.amendment import Entry, Moment, place_entries
from app.rules.errors import BadFile, Stale
from app.rules.events import Event, Joins, read_any_event
from app.rules.gamefile import MAX_EVENTS, Game, write_game
from app.rules.names import read_name
from app.rules.state import Setup, Step
from app.services.fold import rename, to_json, write_numbers
from app.services.table_view import TableView

DIGEST_LENGTH = 10

# Errors of reading a draft that no program wrote.
UNREADABLE = (ValueError, TypeError, LookupError, RecursionError, BadFile, msgspec.MsgspecError)


class AmendmentDraft(msgspec.Struct, frozen=True):
    """A recorded game, and the entries of the mended one: kept or new, each with its moment."""

    base: tuple[Entry, ...]
    entries: tuple[Entry, ...]

    @property
    def items(self) -> list[int | Event]:
        """The entries as a change of the game has them: those kept by their index."""
        return [each.event if each.index is None else each.index for each in self.entries]

    @property
    def moved(self) -> list[int]:
        """The indices of the entries that are kept at another moment."""
        kept = [each for each in self.entries if each.index is not None]
        return [
            each.index for each in kept if each.index is not None and each != self.base[each.index]
        ]

    def insert(self, place: int, entry: Entry) -> AmendmentDraft:
        """Put an entry in; one that was taken out there is kept again."""
        kept = next((each for each in self._removed_at(place) if _same(each, entry)), entry)
        return replace(self, entries=(*self.entries[:place], kept, *self.entries[place:]))

    def replace(self, place: int, entry: Entry) -> AmendmentDraft:
        """Put an entry in the place of another."""
        return self.remove([place]).insert(place, entry)

    def remove(self, places: Collection[int]) -> AmendmentDraft:
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
    event: dict[str, Any]


class _Code(msgspec.Struct, array_like=True):
    """A draft in an address: the digests of the game before and after, and the differences.

    `removed` are indices of recorded entries; `others` are names that only new entries know.
    Of `moved`, each a first index and the one behind the last, the entries are so many deals later;
    with 0 they belong to whichever moment they come to.
    """

    before: str
    after: str
    removed: list[int]
    new: list[_New]
    others: list[str] = []
    moved: list[tuple[int, int, int]] = []


def encode_draft(draft: AmendmentDraft, view: TableView) -> str:
    """Write a draft for an address."""
    setup, events = view.game.setup, [entry.event for entry in draft.entries]
    new = [(place, each) for place, each in enumerate(draft.entries) if each.index is None]
    kept = {entry.index for entry in draft.entries}
    known = names_with(setup.players, view.game.events)
    # Some may name who joined by an entry that has been taken out of the draft again.
    named = [name for _, entry in new for name in _names_in(entry.event)]
    names = tuple(dict.fromkeys([*known, *named]))
    numbers = {name: number for number, name in enumerate(names, start=1)}
    code = _Code(
        _digest(setup, view.game.events),
        _digest(setup, events),
        [index for index in range(len(draft.base)) if index not in kept],
        [
            _New(place, *moment_in(entry), write_numbers(bare(entry.event), numbers))
            for place, entry in new
        ],
        list(names[len(known) :]),
        _find_moved(draft),
    )
    return to_json(code)


def _find_moved(draft: AmendmentDraft) -> list[tuple[int, int, int]]:
    moved: list[tuple[int, int, int]] = []
    for entry in draft.entries:
        if entry.index is None or entry == (was := draft.base[entry.index]):
            continue
        deals = entry.moment.deal - moment_in(was).deal if entry.moment else 0
        start = entry.index
        if moved and moved[-1][1:] == (start, deals):
            start = moved.pop()[0]
        moved.append((start, entry.index + 1, deals))
    return moved


def moment_in(entry: Entry) -> Moment:
    """The moment of an entry of a draft, which always has one."""
    assert entry.moment is not None  # noqa: S101  # this tells mypy
    return entry.moment


def names_with(players: Sequence[str], events: Iterable[Event]) -> tuple[str, ...]:
    """Some names, and behind them the players who join by these events."""
    joining = (event.player for event in events if isinstance(event, Joins))
    return tuple(dict.fromkeys([*players, *joining]))


def _names_in(event: Event) -> tuple[str, ...]:
    return (event.player, event.after) if isinstance(event, Joins) else event.players()


def _digest(setup: Setup, events: Sequence[Event]) -> str:
    """The number of a game's events, and a hash of them and its rules."""
    text = to_json(write_game(Game(setup, tuple(events))))
    return f"{len(events)}-{hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]}"


def decode_draft(text: str, view: TableView) -> AmendmentDraft:
    """Read a draft from an address. Raises Stale when the game was changed, and BadFile.

    Events recorded since, after all the rest, do no harm.
    """
    base = place_entries(view.states, view.game.events)
    if not text:
        return AmendmentDraft(base, base)
    try:
        code = msgspec.json.decode(text, type=_Code)
        if not _begins_with(view, code.before):
            raise Stale("stale")
        names = _read_names(code, view)
        entries = [entry for entry in _move(base, code) if entry.index not in code.removed]
        for new in code.new:
            entries.insert(new.place, _read_entry(new, names))
    except UNREADABLE:
        raise BadFile("draft_unreadable") from None
    if len(entries) > MAX_EVENTS:
        raise BadFile("too_many_events", limit=MAX_EVENTS)
    return AmendmentDraft(base, tuple(entries))


def _move(base: Sequence[Entry], code: _Code) -> list[Entry]:
    """The recorded entries, those that are moved at their new moments."""
    moved = list(base)
    for start, end, deals in code.moved:
        for entry in base[start:end]:
            moment = moment_in(entry)
            later = moment._replace(deal=moment.deal + deals) if deals else None
            moved[entry.index or 0] = replace(entry, moment=later)
    return moved


def is_saved(text: str, view: TableView) -> bool:
    """Whether a game is by now as a draft makes it."""
    return _begins_with(view, msgspec.json.decode(text, type=_Code).after)


def _begins_with(view: TableView, digest: str) -> bool:
    """Whether a digest was made of the first events of a game."""
    count = int(digest.partition("-")[0])
    return _digest(view.game.setup, view.game.events[:count]) == digest


def _read_names(code: _Code, view: TableView) -> tuple[str, ...]:
    """The players whom new entries of a draft may name. Raises BadFile for an invalid name."""
    count = int(code.before.partition("-")[0])
    known = names_with(view.game.setup.players, view.game.events[:count])
    return (*known, *map(read_name, code.others))


def _read_entry(new: _New, names: Sequence[str]) -> Entry:
    numbered = dict(enumerate(names, start=1))
    event = read_any_event(rename(new.event, numbered))
    return Entry(bare(event), Moment(new.deal, new.step))

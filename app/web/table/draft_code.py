"""A draft of a mended game as an address has it: the edits, and what game they were made of."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

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
from app.web.table.draft import Draft, bare

# A request line may have some 4 000 characters, the rest of the address included.
LONGEST_CODE, LONGEST_TEXT = 3_000, 65_536
DIGEST_LENGTH = 10
STEPS = tuple(Step)

# What may come of reading something that nobody wrote.
UNREADABLE = (ValueError, IndexError, RecursionError, BadFile, msgspec.MsgspecError, zlib.error)

T = TypeVar("T")


def _digest(setup: Setup, events: Sequence[Event]) -> str:
    """What tells a game from one that was changed meanwhile: of its rules and first events."""
    bodies = [to_json(write_event(event)) for event in events]
    text = "\n".join((serialize_setup(setup), *bodies))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


class _PackedEntry(msgspec.Struct, array_like=True):
    """An entry as an address has it, the event with numbers in place of the players' names."""

    index: int
    deal: int
    step: int
    event: msgspec.Raw


class _PackedDraft(msgspec.Struct, array_like=True):
    """A draft as an address has it; `removed` are the first and last of each run.

    `count` and `digest` tell the game that it was made of, `outcome` what it makes of that;
    `others` are the names of whoever the draft alone knows of.
    """

    count: int
    digest: str
    put: list[_PackedEntry]
    inserted: list[_PackedEntry]
    removed: list[tuple[int, int]]
    outcome: str = ""
    others: list[str] = []


def encode_draft(draft: Draft, sheet: Sheet) -> str:
    """Write a draft as an address has it."""
    setup, events = sheet.game.setup, sheet.game.events
    inserted = [(n, entry) for n, entries in draft.inserted.items() for entry in entries]
    drafted = [entry.event for _, entry in (*draft.put.items(), *inserted)]
    known = names_with(setup.players, events)
    # Some may name who joined by an entry that has been taken out of the draft again.
    names = tuple(dict.fromkeys([*known, *(name for event in drafted for name in _named(event))]))
    code = _PackedDraft(
        len(events),
        _digest(setup, events),
        [_pack(index, entry, names) for index, entry in draft.put.items()],
        [_pack(index, entry, names) for index, entry in inserted],
        _runs(draft.removed),
        _digest(setup, [slot.entry.event for slot in draft.slots()]),
        list(names[len(known) :]),
    )
    packed = zlib.compress(msgspec.json.encode(code), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def _named(event: Event) -> tuple[str, ...]:
    return (event.player, event.after) if isinstance(event, Joins) else event.players()


def require_short(code: str) -> str:
    """The code of a draft, where it fits into an address. Raises BadFile when it does not."""
    if len(code) > LONGEST_CODE:
        raise BadFile("too_many_changes")
    return code


def _pack(index: int, entry: Entry, names: Sequence[str]) -> _PackedEntry:
    assert entry.moment is not None  # noqa: S101  # a draft has none without; this tells mypy
    deal, step = entry.moment
    body = serialize_event(bare(entry.event), names).encode()
    return _PackedEntry(index, deal, STEPS.index(step), msgspec.Raw(body))


def _runs(numbers: frozenset[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def decode_draft(text: str, sheet: Sheet) -> Draft:
    """Read a draft from an address. Raises Stale when the game was changed, and BadFile.

    What was recorded since, after all the rest, does no harm.
    """
    base = place_entries(sheet.states, sheet.game.events)
    if not text:
        return Draft(base)
    code = _unpack_code(text)
    if not _begins_with(sheet, code.count, code.digest):
        raise Stale("stale")
    draft = _readable(lambda: _unpack_draft(code, base, _names(code, sheet)))
    if len(draft.slots()) > MAX_EVENTS:
        raise BadFile("too_many_events", limit=MAX_EVENTS)
    return draft


def is_saved(text: str, sheet: Sheet) -> bool:
    """Whether a game is by now what a draft makes of it. Raises BadFile."""
    code = _unpack_code(text)
    taken = sum(last - first + 1 for first, last in code.removed)
    return _begins_with(sheet, code.count + len(code.inserted) - taken, code.outcome)


def _begins_with(sheet: Sheet, count: int, digest: str) -> bool:
    """Whether the first events of a game, so many, are those that a digest was made of."""
    setup, events = sheet.game.setup, sheet.game.events
    return 0 <= count <= len(events) and _digest(setup, events[:count]) == digest


def _unpack_code(text: str) -> _PackedDraft:
    def unpack() -> _PackedDraft:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
        plain = zlib.decompressobj().decompress(packed, LONGEST_TEXT)
        code = msgspec.json.decode(plain, type=_PackedDraft)
        if not 0 <= code.count <= MAX_EVENTS:
            raise ValueError
        return code

    return _readable(unpack)


def _readable(read: Callable[[], T]) -> T:
    """Read something that nobody but this program writes. Raises BadFile when it is not that."""
    try:
        return read()
    except UNREADABLE:
        raise BadFile("draft_unreadable") from None


def _unpack_draft(code: _PackedDraft, base: tuple[Entry, ...], names: Sequence[str]) -> Draft:
    inserted: dict[int, tuple[Entry, ...]] = {}
    for each in code.inserted:
        at = _index(each.index, len(base))
        inserted[at] = (*inserted.get(at, ()), _unpack(each, names))
    last = len(base) - 1
    put = {_index(each.index, last): _unpack(each, names) for each in code.put}
    runs = [range(_index(first, last), _index(end, last) + 1) for first, end in code.removed]
    removed = frozenset(index for run in runs for index in run)
    return Draft(base, put, inserted, removed)


def _names(code: _PackedDraft, sheet: Sheet) -> tuple[str, ...]:
    """Whom the events of a draft name. Raises BadFile for what is no name."""
    known = names_with(sheet.game.setup.players, sheet.game.events[: code.count])
    return (*known, *map(read_name, code.others))


def _index(index: int, last: int) -> int:
    if not 0 <= index <= last:
        raise ValueError
    return index


def _unpack(packed: _PackedEntry, names: Sequence[str]) -> Entry:
    event = read_serialized_event(bytes(packed.event).decode(), names)
    checked = read_any_event(write_event(bare(event)))
    return Entry(checked, Moment(packed.deal, STEPS[_index(packed.step, len(STEPS) - 1)]))

"""A draft of a mended game: a recorded game, and which entries of it are changed and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from app.rules.amendment import Entry
from app.rules.events import Event

_KEY = re.compile(r"([0-9]{1,5})(?:\.([0-9]{1,4}))?")


class Key(NamedTuple):
    """Where an entry of a draft is: at a recorded one's index, or the `new`th put in before it."""

    at: int
    new: int | None = None

    def __str__(self) -> str:
        """The key as an address has it: `13`, `13.0`."""
        return str(self.at) if self.new is None else f"{self.at}.{self.new}"


class Slot(NamedTuple):
    """An entry of a draft and where it is."""

    key: Key
    entry: Entry


class Draft(msgspec.Struct, frozen=True):
    """A recorded game with edits: entries put in the place of others or `inserted`, and removed.

    `put` and `inserted` are by the index of the recorded entry that is replaced or follows.
    """

    base: tuple[Entry, ...]
    put: Mapping[int, Entry] = {}
    inserted: Mapping[int, tuple[Entry, ...]] = {}
    removed: frozenset[int] = frozenset()

    def slots(self) -> list[Slot]:
        """The entries of the mended game, in order."""
        return [slot for index in range(len(self.base) + 1) for slot in self._slots_at(index)]

    def _slots_at(self, index: int) -> Iterator[Slot]:
        for new, entry in enumerate(self.inserted.get(index, ())):
            yield Slot(Key(index, new), entry)
        if index < len(self.base) and index not in self.removed:
            yield Slot(Key(index), self.put.get(index, self.base[index]))

    @property
    def changed(self) -> bool:
        """Whether it differs from the game as it was recorded."""
        return bool(self.put or self.inserted or self.removed)

    def put_at(self, key: Key, entry: Entry) -> Draft:
        """Let there have been another entry in the place of one."""
        if key.new is not None:
            kept = self.inserted[key.at]
            return self._insert(key.at, (*kept[: key.new], entry, *kept[key.new + 1 :]))
        put = {index: other for index, other in self.put.items() if index != key.at}
        if not _same(entry, self.base[key.at]):
            put[key.at] = entry
        return replace(self, put=put)

    def insert_at(self, key: Key, entry: Entry) -> Draft:
        """Put one more entry in before another, or at the end."""
        if self._stood_at(key.at, entry):
            last = key.at - 1
            return replace(self, removed=self.removed - {last}).put_at(Key(last), entry)
        kept = self.inserted.get(key.at, ())
        at = len(kept) if key.new is None else key.new
        return self._insert(key.at, (*kept[:at], entry, *kept[at:]))

    def _stood_at(self, index: int, entry: Entry) -> bool:
        """Whether what was taken out last before an index stood at the moment of an entry."""
        gone = index - 1 in self.removed and index not in self.inserted
        return gone and self.base[index - 1].moment == entry.moment

    def remove(self, keys: Sequence[Key]) -> Draft:
        """Take entries out."""
        gone = set(keys)
        inserted = {
            index: tuple(e for n, e in enumerate(entries) if Key(index, n) not in gone)
            for index, entries in self.inserted.items()
        }
        removed = self.removed | {key.at for key in keys if key.new is None}
        put = {index: entry for index, entry in self.put.items() if index not in removed}
        return replace(
            self, put=put, removed=removed, inserted={n: e for n, e in inserted.items() if e}
        )

    def _insert(self, index: int, entries: tuple[Entry, ...]) -> Draft:
        return replace(self, inserted={**self.inserted, index: entries})


def _same(entry: Entry, other: Entry) -> bool:
    return entry.moment == other.moment and bare(entry.event) == bare(other.event)


def bare(event: Event) -> Event:
    """An event without the remarks that are kept with it."""
    unset = msgspec.UNSET
    return replace(event, id=unset, name=unset, at=unset, note=unset)


def read_key(text: str | None) -> Key | None:
    """Read where an entry is, None when it cannot be read."""
    match = _KEY.fullmatch(text or "")
    if match is None:
        return None
    return Key(int(match[1]), None if match[2] is None else int(match[2]))

"""A draft of a mended game: its entries, its code in an address without names, its changes."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from app.rules.amendment import (
    ANY_STEP,
    Amendment,
    Entry,
    Moment,
    judge,
    moment_of,
    place_entries,
    shift,
    state_after_deal,
)
from app.rules.errors import BadFile, Stale
from app.rules.events import Event, Joins, read_any_event
from app.rules.gamefile import MAX_EVENTS, Game, write_game
from app.rules.names import read_name
from app.rules.settlement import payout
from app.rules.state import GameState, Setup, Step
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
        asked = entry.moment, bare(entry.event)
        removed = self._removed_at(place)
        kept = next((e for e in removed if (e.moment, bare(e.event)) == asked), entry)
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


def bare(event: Event) -> Event:
    """An event without the remarks that are kept with it."""
    unset = msgspec.UNSET
    return replace(event, id=unset, name=unset, at=unset, note=unset)


_Index = Annotated[int, Meta(ge=0, le=MAX_EVENTS)]
_Deals = Annotated[int, Meta(ge=-2 * MAX_EVENTS, le=2 * MAX_EVENTS)]
_Digest = Annotated[str, Meta(pattern=rf"^[0-9]{{1,4}}-[0-9a-f]{{{DIGEST_LENGTH}}}\Z")]
_MANY = Meta(max_length=MAX_EVENTS)


class _New(msgspec.Struct, array_like=True):
    """A new entry and its place, with numbers in place of the players' names."""

    place: _Index
    deal: _Deals
    step: Step
    event: dict[str, Any]


class _Code(msgspec.Struct, array_like=True):
    """A draft in an address: the digests of the game before and after, and the differences.

    `removed` are indices of recorded entries; `others` are names that only new entries know.
    Of `moved`, each a first index and the one behind the last, the entries are so many deals later;
    with 0 they belong to whichever moment they come to.
    """

    before: _Digest
    after: _Digest
    removed: Annotated[list[_Index], _MANY]
    new: Annotated[list[_New], _MANY]
    others: Annotated[list[str], _MANY] = []
    moved: Annotated[list[tuple[_Index, _Index, _Deals]], _MANY] = []


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
        # Those whom new entries may name.
        count = int(code.before.partition("-")[0])
        known = names_with(view.game.setup.players, view.game.events[:count])
        names = dict(enumerate((*known, *map(read_name, code.others)), start=1))
        removed = {*code.removed}
        entries = [entry for entry in _move(base, code) if entry.index not in removed]
        for new in code.new:
            event = read_any_event(rename(new.event, names))
            entries.insert(new.place, Entry(bare(event), Moment(new.deal, new.step)))
    except UNREADABLE:
        raise BadFile("draft_unreadable") from None
    if len(entries) > MAX_EVENTS:
        raise BadFile("too_many_events", limit=MAX_EVENTS)
    return AmendmentDraft(base, tuple(entries))


def _move(base: Sequence[Entry], code: _Code) -> list[Entry]:
    """The recorded entries, those that are moved at their new moments. Raises BadFile."""
    if sum(len(range(start, end)) for start, end, _ in code.moved) > len(base):
        raise BadFile("draft_unreadable")
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


STEPS = tuple(Step)


class EntryEdit(msgspec.Struct, frozen=True):
    """One edit: the entry that `was` recorded at a moment and the one `now`, None for none."""

    moment: Moment
    was: Event | None
    now: Event | None


class SeatStanding(msgspec.Struct, frozen=True):
    """A player's score, and the payout in öre where the game is for money."""

    player: str
    score: int
    ore: int | None


class MomentComparison(msgspec.Struct, frozen=True):
    """One moment of the game as recorded (where it has that moment) and as mended.

    `deal` is that which has just ended; None where the game ends, or stands when it is not over.
    """

    deal: int | None
    over: bool
    now: list[SeatStanding] | None
    then: list[SeatStanding]

    @property
    def rows(self) -> list[tuple[SeatStanding | None, SeatStanding]]:
        """A pair for every player, in seat order; only those that differ where there are two.

        A player who joins in the mended game had no score before.
        """
        if self.now is None:
            return [(None, then) for then in self.then]
        now = {standing.player: standing for standing in self.now}
        pairs = [(now.get(then.player), then) for then in self.then]
        return [(now, then) for now, then in pairs if now != then]


class Gap(msgspec.Struct, frozen=True):
    """A missing entry: the state, and the place it goes before or `instead` of."""

    state: GameState
    place: int
    instead: bool
    at_end: bool


def judge_draft(view: TableView, draft: AmendmentDraft) -> Amendment:
    """Judge a draft; a game that had ended, or that others followed, must end."""
    must_end = view.state.over or view.number < view.games
    return judge(view.game.setup, draft.entries, must_end)


def list_changes(draft: AmendmentDraft) -> list[EntryEdit]:
    """The edits, in the order of the game: an old and a new entry at one moment are one."""
    kept = {entry.index for entry in draft.entries}
    new = defaultdict[object, list[Entry]](list)
    for entry in draft.entries:
        if entry.index is None:
            new[_slot(entry)].append(entry)
    edits = []
    for was in draft.base:
        if was.index not in kept:
            now = new[_slot(was)].pop(0).event if new[_slot(was)] else None
            edits.append(EntryEdit(moment_in(was), was.event, now))
    left = (entry for entries in new.values() for entry in entries)
    edits += [EntryEdit(moment_in(entry), None, entry.event) for entry in left]
    return sorted(edits, key=lambda edit: (edit.moment.deal, STEPS.index(edit.moment.step)))


def _slot(entry: Entry) -> object:
    """The moment of an entry, and whether it is beside the step there: one stands for another."""
    return entry.moment, isinstance(entry.event, ANY_STEP)


def find_gap(draft: AmendmentDraft, amendment: Amendment) -> Gap | None:
    """The first missing entry, if one is."""
    state, place = amendment.missing, amendment.gap
    if state is None:
        return None
    at_end = place == len(draft.entries)
    last = amendment.conflicts[-1] if amendment.conflicts else None
    if last is not None and last.place == place - 1 and last.entry.moment == moment_of(state):
        return Gap(state, last.place, True, at_end)
    return Gap(state, place, False, at_end)


def find_shiftable(view: TableView, draft: AmendmentDraft, amendment: Amendment) -> int | None:
    """The place of an entry put in behind which less is left over once the rest moves on."""
    first = amendment.conflicts[0].place if amendment.conflicts else 0
    for place in reversed(range(first)):
        new, moment = draft.entries[place], amendment.moment_at(first)
        if new.index is None and new.moment == moment:
            moved = judge(view.game.setup, shift(view.game.setup, draft.entries, place))
            fewer = len(moved.conflicts) < len(amendment.conflicts)
            return place if fewer and moved.missing is None else None
    return None


def compare(view: TableView, draft: AmendmentDraft, amendment: Amendment) -> list[MomentComparison]:
    """The certain moments of both games: after the last deal changed, and now."""
    changes = list_changes(draft)
    if not changes:
        return []
    last = max(change.moment.deal for change in changes)
    found: list[MomentComparison] = []
    ended = [state_after_deal(states, last) for states in (view.states, amendment.states)]
    if amendment.certain_until(last) and ended[0] and ended[1] and not ended[1].over:
        found.append(MomentComparison(last, False, _stand(ended[0]), _stand(ended[1])))
    if amendment.stands:
        then = amendment.states[-1]
        now = _same_moment(view.states, then)
        found.append(MomentComparison(None, then.over, _stand(now) if now else None, _stand(then)))
    return found


def _same_moment(states: Sequence[GameState], then: GameState) -> GameState | None:
    """The last state at a moment, the end of the game being one wherever it comes."""
    if then.over or moment_of(states[-1]) == moment_of(then):
        return states[-1] if states[-1].over == then.over else None
    return next((s for s in reversed(states) if moment_of(s) == moment_of(then)), None)


def _stand(state: GameState) -> list[SeatStanding]:
    """The scores of all players, in seat order."""
    ore = payout(state) if state.setup.stake_ore else None
    return [SeatStanding(seat.name, seat.score, (ore or {}).get(seat.name)) for seat in state.seats]

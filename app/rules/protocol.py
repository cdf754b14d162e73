"""The protocol of a game as data: deals hold lines, an event each, and the marks of players.

It is the same for the terminal and the web; the words and the looks are theirs. So are what
statistics tell in words: the large swings of a game, its course, and a table's records.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec

from app.rules.codes import BestCode, CourseCode, EffectCode, MarkCode
from app.rules.events import Event
from app.rules.rights import Verdict, is_stopped, may_exchange
from app.rules.state import Effect, GameState

# The mark of an effect in the column of its player.
MARKS: Mapping[EffectCode, tuple[MarkCode, ...]] = {
    "zeroes": ("zeroes",),
    "zeroed": ("zeroed",),
    "illegal_exchange": ("zeroed",),
    "false_claim": ("zeroed", "out"),
    "requirement_unmet": ("zeroed", "requirement_unmet"),
    "passed_over": ("requirement_unmet",),
    "bid": ("bid",),
    "blind_bid": ("blind_bid",),
    "chicago_won": ("chicago_won",),
    "chicago_won_with_two": ("chicago_won",),
    "chicago_lost": ("chicago_lost",),
    "blind_won": ("blind_won",),
    "blind_won_with_two": ("blind_won",),
    "blind_lost": ("blind_lost",),
    "joins": ("joins",),
    "leaves": ("out",),
    "leaves_for_nothing": ("out",),
}
# How a Chicago went says that it was bid.
_BIDS: Mapping[MarkCode, MarkCode] = {
    "chicago_won": "bid",
    "chicago_lost": "bid",
    "blind_won": "blind_bid",
    "blind_lost": "blind_bid",
}


class Mark(msgspec.Struct, frozen=True):
    """A mark in the column of `player`, and why it stands there.

    `index` is that (from 0) of the event it came from, which may be of an earlier deal; `why` what
    that set off, or of a right that is lost the verdict.
    """

    player: str
    code: MarkCode
    index: int
    why: Effect | Verdict


def opening_marks(
    states: Sequence[GameState], start: int, since: Mapping[str, int]
) -> tuple[Mark, ...]:
    """The marks at the start of a deal, whose first state is at `start`: stops, a tie-break."""
    state, marks = states[start], list[Mark]()
    for name in state.playing:
        if is_stopped(state, name):
            before = start and _was_stopped(states[start - 1], name)
            code: MarkCode = "stopped" if before else "stop_begins"
            marks.append(Mark(name, code, since[name], may_exchange(state, name)))
    tie = Effect("tie_break_begins", players=state.tie_break)
    return (*marks, *(Mark(name, "tie_break", start - 1, tie) for name in state.tie_break))


def add_marks(marks: tuple[Mark, ...], states: Sequence[GameState], index: int) -> tuple[Mark, ...]:
    """A deal's marks with those of one more event: each once for a player, where it came first."""
    before, after = states[index], states[index + 1]
    marks = tuple(mark for mark in marks if not _is_undone(mark, before, after))
    for new in _event_marks(states, index):
        marks = tuple(m for m in marks if (m.player, m.code) != (new.player, _BIDS.get(new.code)))
        if (new.player, new.code) not in [(mark.player, mark.code) for mark in marks]:
            marks = (*marks, new)
    return marks


def _is_undone(mark: Mark, before: GameState, after: GameState) -> bool:
    """Whether a zeroing is cancelled, or a stop corrected away between deals (reading 21)."""
    if mark.code == "zeroes":
        voided = [e.player for e in after.effects if e.code == "zeroing_voided"]
        return mark.player in voided
    between = not after.deal.begun and after.deal.number == before.deal.number
    return (
        between and mark.code in ("stop_begins", "stopped") and not is_stopped(after, mark.player)
    )


def _event_marks(states: Sequence[GameState], index: int) -> Iterator[Mark]:
    """The marks of an event; a player without points to lose is not marked as zeroed."""
    after = states[index + 1]
    for effect in after.effects:
        for code in MARKS.get(effect.code, ()):
            if effect.player is not None and (code != "zeroed" or effect.points):
                yield Mark(effect.player, code, index, effect)
        if effect.code == "zeroed" and effect.by is not None:
            yield Mark(effect.by, "zeroes", index, effect)
    if after.over or after.deal.number != states[index].deal.number:
        return
    for name in after.playing:
        if is_stopped(after, name) and not _was_stopped(states[index], name):
            yield Mark(name, "stop_begins", index, may_exchange(after, name))


def _was_stopped(state: GameState, name: str) -> bool:
    return name in state.players and is_stopped(state, name)


def _find_stopped(states: Iterable[GameState]) -> Iterator[Mapping[str, int]]:
    """Who is at the exchange stop in each state of a game, and the event that took them there."""
    since = dict[str, int]()
    for event, state in enumerate(states, -1):
        limit = state.rules.exchange_stop
        at_stop = [seat.name for seat in state.seats if limit is not None and seat.score >= limit]
        since = {name: since.get(name, event) for name in at_stop}
        yield since


ZEROINGS: frozenset[EffectCode] = frozenset(
    {"zeroed", "requirement_unmet", "illegal_exchange", "false_claim"}
)


class Line(msgspec.Struct, frozen=True):
    """One line of the protocol: an event, its index in the game from 0, and what it set off."""

    index: int
    event: Event
    effects: tuple[Effect, ...]


class ProtocolDeal(msgspec.Struct, frozen=True):
    """One deal of the protocol, in seat order.

    `dealer`, `playing` and `stopped` (by the exchange stop) are as the deal began, with what came
    ahead of its first hand, bid or trick; `scores` as it stands or ended, in points, by player:
    those who had a seat by then. `marks` are those of all players, in the order in which they came.
    """

    number: int
    dealer: str
    tie_break: bool
    playing: tuple[str, ...]
    stopped: tuple[str, ...]
    lines: tuple[Line, ...]
    scores: dict[str, int]
    marks: tuple[Mark, ...] = ()

    def effects(self, player: str) -> list[Effect]:
        """What the deal's events set off for a player."""
        return [each for line in self.lines for each in line.effects if each.player == player]

    def inherited(self) -> list[Mark]:
        """The marks that come from deals before, each reason once."""
        own = {line.index for line in self.lines}
        earlier = [mark for mark in self.marks if mark.index not in own]
        whys = [(mark.code, mark.why) for mark in earlier]
        return [mark for n, mark in enumerate(earlier) if whys.index(whys[n]) == n]


def assemble(
    states: Sequence[GameState], events: Sequence[Event], first: int = 1, last: int | None = None
) -> list[ProtocolDeal]:
    """Lay out a game deal by deal, from its events and the states between them.

    There is one state more than events. The deal now being played is the last, with or without
    lines. Of `first` and `last` (None: to the end) only the deals between are laid out.
    """
    last = states[-1].deal.number if last is None else last
    starts = [find_deal(states, number) for number in range(first, last + 2)]
    stopped = [*_find_stopped(states)]
    return [
        _lay_out(states, events, start, min(end, len(states) - 1), stopped[start])
        for start, end in pairwise(starts)
        if start < len(states)
    ]


def find_deal(states: Sequence[GameState], number: int) -> int:
    """The place of a deal's first state, and how many states there are for one never played."""
    return bisect_left(states, number, key=lambda state: state.deal.number)


def _lay_out(
    states: Sequence[GameState],
    events: Sequence[Event],
    start: int,
    end: int,
    since: Mapping[str, int],
) -> ProtocolDeal:
    """One deal, of the events from `start` up to `end`."""
    first, marks = states[start], opening_marks(states, start, since)
    deal = [each for each in states[start : end + 1] if each.deal.number == first.deal.number]
    *_, began = (each for each in deal if not (each.deal.begun or each.over))
    for index in range(start, end):
        marks = add_marks(marks, states, index)
    return ProtocolDeal(
        number=first.deal.number,
        dealer=began.deal.dealer,
        tie_break=bool(first.tie_break),
        playing=began.playing,
        stopped=tuple(name for name in began.playing if is_stopped(began, name)),
        lines=tuple(Line(n, events[n], states[n + 1].effects) for n in range(start, end)),
        scores=states[end].scores,
        marks=marks,
    )


class Swing(msgspec.Struct, frozen=True):
    """The deal of a game that moved the scores of `players` the most: by `points`, up or down.

    `why` is the effect that did most of it to each of them.
    """

    game: int
    deal: int
    players: tuple[str, ...]
    points: int
    why: Effect


class Best(msgspec.Struct, frozen=True):
    """The most of something, and when it was first reached: in a `game`, or 0 for all evening.

    The value counts öre, points, deals, wins or times; of `finest_hand` it is the hand's rank from
    1, of `quickest_win` the deals, negative, as fewer are better.
    """

    value: int
    evening: str = ""
    game: int = 0


class TableRecord(msgspec.Struct, frozen=True):
    """The best at a table, and who did it: the first, then those who did as well later."""

    code: BestCode
    best: Best
    holders: tuple[str, ...]


class Episode(msgspec.Struct, frozen=True):
    """One thing to tell: of whom, the `value` (a sum, points of one deal, or times), and when."""

    code: CourseCode
    players: tuple[str, ...] = ()
    value: int = 0
    step: int = 0

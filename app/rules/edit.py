"""Editing a game: it was otherwise than recorded.

Every entry stays in its deal, at its step, unless it is moved on. What no longer fits is left out,
with the reason. Nothing is asked for: a missing hand is one that nobody had, and a deal that no
longer comes to its end counts by the rules it was played by, or is left out.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed
from app.rules.events import (
    BestHand,
    BreakOff,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    Joins,
    LastTrick,
    Leaves,
    NoBestHand,
    Rules,
    read_any_event,
)
from app.rules.game import apply, begin, find_dealer, replay
from app.rules.gamefile import MAX_EVENTS
from app.rules.hands import Hand
from app.rules.house import common_hands, listed_hands
from app.rules.names import clockwise
from app.rules.outcome import hand_events
from app.rules.rights import can, speaking_order
from app.rules.state import (
    BEFORE_PLAY,
    HAND_DUE,
    GameState,
    Setup,
    Step,
    scorers,
    steps_before_play,
)

# Events that belong to no step of their deal; for some of them the deal must not have begun.
ANY_STEP = (Correction, Leaves, Joins, FalseClaim, IllegalExchange, BreakOff, Rules)
MOST_OPERATIONS, MOST_DEALS = 100, 10
_ORDER = {step: place for place, step in enumerate(Step)}


Kind = Literal["insert", "change", "remove", "move", "insert_deal", "remove_deal"]


class Operation(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """One operation of an edit; `at` is the index of a recorded entry, or the number of a deal.

    `insert`: `event` before that entry. `change`: that entry is `event`. `remove`: it did not
    happen. `move`: it and what follows belongs one step on, up to a hand that nobody had.
    `insert_deal`: a deal before that one, whose last trick `event` is. `remove_deal`: that one.
    """

    kind: Kind
    at: Annotated[int, Meta(ge=0, le=2 * MAX_EVENTS)]
    event: dict[str, Any] | None = None


class Moment(NamedTuple):
    """A moment of a game: the number of the deal, from 1, and the step due in it."""

    deal: int
    step: Step


class Entry(msgspec.Struct, frozen=True):
    """An event at the moment it belongs to; without one it belongs to whichever it comes to.

    `index` is that of the recorded entry, None for a new one, which stands before the recorded one
    at `at`, or for it. `moves`: it and those behind it belong one step on.
    """

    event: Event
    moment: Moment | None = None
    index: int | None = None
    at: int = 0
    moves: bool = False


class LeftOut(msgspec.Struct, frozen=True):
    """An entry that no longer fits, the moment it belongs to, and why."""

    entry: Entry
    moment: Moment
    reason: NotAllowed


class UnfinishedDeal(msgspec.Struct, frozen=True):
    """A deal that no longer comes to its end, by its recorded number, and is left out.

    `due` is the state in which an entry is missing, which goes before the recorded one at `at`;
    `left` are those of its entries that do not fit.
    """

    deal: int
    due: GameState
    at: int
    left: Sequence[LeftOut] = ()


class DealAsPlayed(msgspec.Struct, frozen=True):
    """A deal that counts by the rules it was played by, and what does not fit by the new ones."""

    deal: int
    left: LeftOut | None


class Edited(msgspec.Struct, frozen=True):
    """A game after an edit: its states, the first before any entry, and its entries.

    `came` holds each recorded entry, or the one for it, by its index, with the state it came to.
    """

    setup: Setup
    states: Sequence[GameState]
    entries: Sequence[Entry]
    came: Mapping[int, tuple[Entry, GameState]] = {}
    left: Sequence[LeftOut] = ()
    unfinished: Sequence[UnfinishedDeal] = ()
    as_played: Sequence[DealAsPlayed] = ()

    @property
    def items(self) -> list[int | Event]:
        """The entries, those that are kept by their index."""
        return [each.event if each.index is None else each.index for each in self.entries]

    def dealt_by(self, dealer: str) -> "Edited":
        """The same where this player deals now. Raises NotAllowed where that cannot be."""
        if self.states[-1].deal.dealer == dealer:
            return self
        for first in self.setup.players:
            if find_dealer(self.states, first) == dealer:
                setup = replace(self.setup, dealer=first)
                events = [entry.event for entry in self.entries]
                return replace(self, setup=setup, states=replay(setup, events))
        raise NotAllowed("cannot_deal", player=dealer)


def moment_of(state: GameState) -> Moment:
    """The moment of a game that a state stands at."""
    return Moment(state.deal.number, state.deal.step)


def place_entries(states: Iterable[GameState], events: Iterable[Event]) -> list[Entry]:
    """A recorded game: each event at the moment at which it was recorded."""
    recorded = enumerate(zip(states, events, strict=False))
    return [Entry(event, moment_of(state), index, index) for index, (state, event) in recorded]


def read_operations(text: str) -> tuple[Operation, ...]:
    """Read the operations of an edit. Raises BadFile for what is none, or too many."""
    try:
        operations = msgspec.json.decode(text.encode("utf-8", "replace"), type=list[Operation])
    except (msgspec.MsgspecError, RecursionError):
        raise BadFile("edit_unreadable") from None
    if len(operations) > MOST_OPERATIONS:
        raise BadFile("too_many_edits", limit=MOST_OPERATIONS)
    return tuple(operations)


def operate(recorded: Sequence[Entry], operations: Iterable[Operation]) -> list[Entry]:
    """The entries after some operations, not yet judged. Raises BadFile."""
    inserted = defaultdict[int, list[Entry]](list)
    kept: dict[int, Entry | None] = dict(enumerate(recorded))
    deals = list[Operation]()
    for each in operations:
        if each.kind in ("insert_deal", "remove_deal"):
            deals.append(each)
        elif each.kind == "insert" and each.at <= len(recorded):
            inserted[each.at].append(Entry(read_any_event(each.event), at=each.at))
        elif (entry := kept.get(each.at)) is None:
            raise BadFile("edit_unreadable")
        elif each.kind == "change":
            event = read_any_event(each.event)
            index = each.at if event == recorded[each.at].event else None
            kept[each.at] = replace(entry, event=event, index=index)
        else:
            kept[each.at] = replace(entry, moves=True) if each.kind == "move" else None
    entries = list[Entry]()
    for index in range(len(recorded) + 1):
        entries += inserted[index]
        entries += [entry] if (entry := kept.get(index)) else []
    if len(deals) > MOST_DEALS:
        raise BadFile("too_many_edits", limit=MOST_DEALS)
    for each in deals:
        entries = _move_deals(entries, each)
    return entries


def _move_deals(entries: Iterable[Entry], operation: Operation) -> list[Entry]:
    """The entries with a deal more, or less but for what belongs to no step of it."""
    at, moved, new = operation.at, list[Entry](), list[Entry]()
    inserts = operation.kind == "insert_deal"
    if inserts:
        new = [Entry(read_any_event(operation.event), Moment(at, Step.PLAY))]
    for each in entries:
        deal = _deal_of(each)
        if deal >= at and new:
            moved, new = [*moved, *new], []
        if inserts or deal != at or isinstance(each.event, ANY_STEP):
            later = inserts - (not inserts and deal > at) if deal >= at else 0
            moment = each.moment and each.moment._replace(deal=deal + later)
            moved.append(replace(each, moment=moment))
    return [*moved, *new]


def find_deal_after(operations: Iterable[Operation], deal: int) -> int:
    """The deal that is played after one was put in or taken out; 0 where none was."""
    kinds = [each.kind for each in operations]
    more, less = kinds.count("insert_deal"), kinds.count("remove_deal")
    return deal + more - less if more or less else 0


def replay_entries(
    setup: Setup, entries: Sequence[Entry], *, exact: bool = False, deal: int = 0
) -> Edited:
    """The game that these entries make; one that is not over comes to a `deal` at its end.

    Raises NotAllowed, with the place of the entry, for the first that does not fit where it has to
    be `exact`.
    """
    walk = _Walk(setup, exact)
    walk.take(entries)
    walk.bring_to(Moment(deal, Step.HAND_0), len(entries))
    return walk.edited()


def replay_by(setup: Setup, entries: Sequence[Entry], recorded: Sequence[GameState]) -> Edited:
    """The whole game by other rules, which do not change in it any more.

    A deal that would not come to its end counts by the rules that it has in the `recorded` states.
    """
    walk = _Walk(setup, played={state.deal.number: state.setup for state in recorded})
    walk.take([each for each in entries if not isinstance(each.event, Rules)])
    if not recorded[-1].over:
        walk.bring_to(Moment(recorded[-1].deal.number, Step.HAND_0), len(entries))
    return walk.edited()


def change_rules(entries: Sequence[Entry], deal: int, began: Setup, rules: Setup) -> list[Entry]:
    """The entries where other rules hold from a deal on, which `began` with those of a setup."""
    place = next((n for n, each in enumerate(entries) if _deal_of(each) >= deal), len(entries))
    earlier, later = entries[:place], entries[place:]
    held = began.preset, began.rules
    for each in earlier:
        if isinstance(each.event, Rules):
            held = each.event.preset, each.event.rules
    later = [each for each in later if not isinstance(each.event, Rules)]
    if held == (rules.preset, rules.rules):
        return [*earlier, *later]
    return [*earlier, Entry(Rules(preset=rules.preset, rules=rules.rules)), *later]


def _deal_of(entry: Entry) -> int:
    return entry.moment.deal if entry.moment else 0


class _Walk:
    """Entries replayed one after another.

    `played` are the setups that the recorded deals were played by, where other rules are to hold
    for all of them; the present deal counts by its own if `by_old`. `left_deals` of the recorded
    deals are left out so far.
    """

    def __init__(
        self, setup: Setup, exact: bool = False, played: Mapping[int, Setup] | None = None
    ) -> None:
        self.setup, self.exact, self.played = setup, exact, played or {}
        self.states, self.kept = [begin(setup)], list[Entry]()
        self.came = dict[int, tuple[Entry, GameState]]()
        self.left = list[LeftOut]()
        self.unfinished, self.as_played = list[UnfinishedDeal](), list[DealAsPlayed]()
        self.moving, self.by_old, self.left_deals = False, False, 0
        self._begin_deal()

    @property
    def state(self) -> GameState:
        return self.states[-1]

    def edited(self) -> Edited:
        results = self.left, self.unfinished, self.as_played
        return Edited(self.setup, self.states, self.kept, self.came, *results)

    def take(self, entries: Sequence[Entry]) -> None:
        for place, entry in enumerate(entries):
            self.moving = self.moving or entry.moves
            after = next(iter(entries[place + 1 : place + 2]), None)
            try:
                if not (self.moving and self._move(entry, after)):
                    self._place(entry)
            except NotAllowed as refusal:
                refusal.event = place
                raise

    def bring_to(self, moment: Moment, at: int) -> None:
        """Come to a moment: where only hands are missing, else without the deals between."""
        deal = moment.deal - self.left_deals
        while not self.state.over and self.state.deal.number < deal:
            if self.state.deal.step in HAND_DUE:
                self._pass()
            else:
                self._give_up(at)
                deal = moment.deal - self.left_deals
        due = moment._replace(deal=deal)
        while self._is_before(due) and self.state.deal.step in HAND_DUE:
            self._pass()

    def _is_before(self, moment: Moment) -> bool:
        return not self.state.over and rank(moment_of(self.state)) < rank(moment)

    def _due(self, entry: Entry) -> Moment:
        """The moment that an entry belongs to, now that some deals are left out."""
        if entry.moment is None:
            return moment_of(self.state)
        return entry.moment._replace(deal=entry.moment.deal - self.left_deals)

    def _move(self, entry: Entry, after: Entry | None) -> bool:
        """Let an entry come to the next moment if it fits; a hand of nobody ends the moving."""
        fits, now = can(self.state, entry.event), moment_of(self.state)
        nobody = isinstance(entry.event, NoBestHand) and entry.event.tied is None
        gap = nobody and (self._due(after) == now if after else not fits)
        self.moving = fits and not gap
        if self.moving:
            self._try(replace(entry, moment=None))
        return self.moving or gap

    def _place(self, entry: Entry) -> None:
        """Let an entry come to its moment, or leave it out."""
        if entry.moment is not None and self._is_before(self._due(entry)):
            step = Step.HAND_0 if isinstance(entry.event, ANY_STEP) else entry.moment.step
            self.bring_to(entry.moment._replace(step=step), entry.at)
        self.deal_entries.append(entry)
        self._try(entry)

    def _try(self, entry: Entry) -> None:
        """Add an entry, or leave it out; a hand that zeroes no longer scores."""
        before, due = self.state, self._due(entry)
        # One that is put in before it has the same index, and comes first.
        self.came[entry.at] = entry, before
        ways, refusals = [entry], list[NotAllowed]()
        if isinstance(entry.event, BestHand) and entry.event.choose == "zero" and not self.exact:
            scored = replace(entry.event, choose="score", victim=None)
            ways.append(replace(entry, event=scored, index=None))
        for way in ways:
            try:
                require_moment(before, way.event, due)
                after = apply(before, way.event)
            except NotAllowed as refusal:
                refusals.append(refusal)
            else:
                self._add(way, after)
                return
        if self.exact:
            raise refusals[0]
        self.left.append(LeftOut(entry, due, refusals[0]))

    def _pass(self) -> None:
        """Let nobody have the hand that is due."""
        if self.exact:
            raise NotAllowed("entry_missing", deal=self.state.deal.number)
        self._add(Entry(NoBestHand()), apply(self.state, NoBestHand()))

    def _add(self, entry: Entry, after: GameState) -> None:
        before = self.state
        self.kept.append(replace(entry, moment=moment_of(before), moves=False))
        self.states.append(after)
        if after.deal.number > before.deal.number:
            if self.by_old and not after.over:
                self.by_old = False
                self._change_rules(self.setup)
            self._begin_deal()

    def _change_rules(self, setup: Setup) -> None:
        event = Rules(preset=setup.preset, rules=setup.rules)
        self._add(Entry(event), apply(self.state, event))

    def _begin_deal(self) -> None:
        """Note where the present deal begins, and what belongs to it from now on."""
        self.begun, self.left_before = len(self.kept), len(self.left)
        self.deal_entries = list[Entry]()

    def _give_up(self, at: int) -> None:
        """Play the present deal anew by the rules it was played by; else leave it out."""
        if self.exact:
            raise NotAllowed("entry_missing", deal=self.state.deal.number)
        entries, due, left = self.deal_entries, self.state, self.left[self.left_before :]
        at = next((each.entry.at for each in left if each.reason.code == "entry_missing"), at)
        # What belongs to no step goes with the deal that follows, but for rules of this walk.
        stays = [each for each in self.kept[self.begun :] if isinstance(each.event, ANY_STEP)]
        stays = [each for each in stays if not (self.played and isinstance(each.event, Rules))]
        del self.kept[self.begun :], self.states[self.begun + 1 :], self.left[self.left_before :]
        number = self.state.deal.number + self.left_deals
        if number in self.played and not self.by_old:
            self.by_old, self.deal_entries = True, []
            self._change_rules(self.played[number])
            self.as_played.append(DealAsPlayed(number, left[0] if left else None))
            for entry in entries:
                self._place(entry)
            return
        if self.by_old:
            self.as_played.pop()
        self.by_old, self.left_deals = False, self.left_deals + 1
        self.unfinished.append(UnfinishedDeal(number, due, at, left))
        self._begin_deal()
        for entry in stays:
            self._place(replace(entry, moment=None))


def rank(moment: Moment) -> tuple[int, int]:
    """The place of a moment in the order of the game."""
    return moment.deal, _ORDER[moment.step]


def require_moment(state: GameState, event: Event, due: Moment) -> None:
    """Raise NotAllowed where an event belongs to another moment than the one a state stands at.

    One of no step belongs to any moment of its deal.
    """
    if state.over:
        raise NotAllowed("game_was_over", deal=state.deal.number)
    if due.deal < state.deal.number:
        raise NotAllowed("deal_was_over", deal=due.deal)
    now = moment_of(state)
    if due != now and not (due.deal == now.deal and isinstance(event, ANY_STEP)):
        _refuse_elsewhere(state, due)


def _refuse_elsewhere(state: GameState, due: Moment) -> None:
    """Raise NotAllowed: the entry's step is over, never came, or has not come."""
    deal = state.deal
    if due.step is Step.CHICAGO_PLAY and deal.declarer is None:
        raise NotAllowed("no_chicago_bid", deal=deal.number)
    if rank(moment_of(state)) < rank(due):
        raise NotAllowed("entry_missing", deal=deal.number)
    if due.step is Step.LAST_TRICK and deal.declarer in (None, deal.taker):
        raise NotAllowed("no_chicago_lost", deal=deal.number)
    if deal.declarer is not None and (deal.blind or due.step is Step.PLAY):
        raise NotAllowed("chicago_was_bid", deal=deal.number, by=deal.declarer)
    if due.step in BEFORE_PLAY and due.step not in steps_before_play(state.setup):
        raise NotAllowed("hand_not_told", deal=deal.number)
    raise NotAllowed("recorded_already", deal=deal.number)


def neighbours(state: GameState, event: Event, doubters: Sequence[str] = ()) -> list[Event]:
    """What an entry was most likely instead, likeliest first: what may be recorded at its state.

    A hand's are the next one up and down, the same of the next players, and nobody's. Where nobody
    had one, whoever doubts it did. The event is one that may be recorded there.
    """
    found, states = list[Event](), [apply(state, event)]
    for each in _alternatives(state, event, doubters):
        # What the rules make no difference of is the same.
        if can(state, each) and (after := apply(state, each)) not in states:
            found.append(each)
            states.append(after)
    return found


def _alternatives(state: GameState, event: Event, doubters: Sequence[str]) -> Iterable[Event]:
    match event:
        case BestHand(player=player, hand=hand):
            # The next hand up, and the next one down, of those that the rules tell apart.
            hands = listed_hands(state.rules)
            place = hands.index(hand) if hand in hands else len(hands) - 1
            for each in (*hands[place + 1 : place + 2], *hands[max(place - 1, 0) : place]):
                yield from _book(state, event, player, each)
            for other in _others(state, player):
                yield from _book(state, event, other, hand)
            # Of everybody's own hands one is taken out instead: nobody's would end the step.
            if scorers(state) != "everyone":
                yield NoBestHand()
        case NoBestHand(hand=tied):
            for name in doubters if tied is None else ():
                yield from (BestHand(player=name, hand=hand) for hand in common_hands(state.rules))
            # Who was not seen to have anything had little.
            for name in event.tied or speaking_order(state):
                yield from hand_events(state, name, tied or listed_hands(state.rules)[0])
            yield NoBestHand()
        case ChicagoResult():
            yield ChicagoResult(won=True)
            yield ChicagoResult(won=True, with_two=True)
            yield ChicagoResult(won=False)
            yield from (ChicagoResult(won=False, broken_by=name) for name in speaking_order(state))
        case LastTrick(player=player):
            yield from (replace(event, player=other) for other in _others(state, player))
            yield replace(event, with_two=not event.with_two)
        case Correction():
            yield replace(event, points=-event.points)
            yield from (replace(event, player=other) for other in _others(state, event.player))
        case Chicago() | Leaves() | FalseClaim() | IllegalExchange():
            yield from (replace(event, player=other) for other in _others(state, event.player))


def _others(state: GameState, player: str) -> Iterable[str]:
    return (name for name in clockwise(state.players, player) if name in state.playing)


def _book(state: GameState, was: BestHand, player: str, hand: Hand) -> list[BestHand]:
    """A player's hand booked as another one was, where the rules allow that; else as they do."""
    ways = [way for way in hand_events(state, player, hand) if can(state, way)]
    alike = [way for way in ways if (way.choose, way.victim) == (was.choose, was.victim)]
    return alike or ways[:1]

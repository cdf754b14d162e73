"""Hypothesis strategies: house rules of every kind, and possible games under them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

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
)
from app.rules.game import apply, begin
from app.rules.gamefile import Game, write_game
from app.rules.hands import Hand
from app.rules.house import OPTIONS
from app.rules.presets import PRESETS, read_rules
from app.rules.rights import can
from app.rules.state import GameState, Setup
from tests.told import read_tables

NAMES = ("Anna", "Bo", "Cilla", "Dan", "Eva", "Fia", "Gun", "Hans")
USUAL_NUMBERS = 60
LONGEST_GAME = 40
EITHER = (False, True)

Draw = st.DrawFn


def _numbers(kind: inspect.IntType) -> st.SearchStrategy[int]:
    """Draw a number within bounds, mostly one that a real table could have."""
    low, high = kind.ge or 0, kind.le if kind.le is not None else USUAL_NUMBERS
    usual = st.integers(low, min(high, max(low, USUAL_NUMBERS)))
    return usual | usual | usual | st.integers(low, high)


def _object(kind: inspect.StructType) -> st.SearchStrategy[object]:
    fields = {field.encode_name: field for field in kind.fields}
    required = {name: values_of(f.type) for name, f in fields.items() if f.required}
    optional = {name: values_of(f.type) for name, f in fields.items() if not f.required}
    return st.fixed_dictionaries(required, optional=optional)


def values_of(kind: inspect.Type) -> st.SearchStrategy[object]:
    """Draw a value of this type, as a game file writes it."""
    match kind:
        case inspect.Metadata(type=inner):
            return values_of(inner)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.IntType():
            return _numbers(kind)
        case inspect.LiteralType(values=values):
            return st.sampled_from(sorted(values, key=str))
        case inspect.EnumType(cls=cls):
            return st.sampled_from([member.value for member in cls])
        case inspect.UnionType(types=types):
            return st.one_of([values_of(each) for each in types])
        case inspect.FrozenSetType(item_type=item):
            return st.lists(values_of(item), unique=True, max_size=3)
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(values_of(key).map(str), values_of(value), max_size=3)
        case inspect.StructType():
            return _object(kind)
        case inspect.StrType():
            return st.permutations("hsdc").map("".join)
        case _:
            raise TypeError(kind)


@cache
def values_of_field(field: str) -> st.SearchStrategy[object]:
    """Draw a value of one house rule, as a game file writes it."""
    return values_of(inspect.type_info(OPTIONS[field].file_type or OPTIONS[field].kind))


_TOLD = read_tables(__file__)
# Rules that have their effect only in combination.
_TOGETHER: list[dict[str, object]] = _TOLD["together"]
# Rules that give and take Chicagos so often that most games have both.
TAKING_CHICAGOS: dict[str, object] = _TOLD["taking chicagos"]


@st.composite
def raw_rules(draw: Draw) -> dict[str, object]:
    """Draw the `rules` of a game file: a rule set, and a few or any differing fields."""
    few = st.lists(st.sampled_from(list(OPTIONS)), max_size=6)
    many = st.lists(st.sampled_from(list(OPTIONS)), max_size=len(OPTIONS))
    changes = {field: draw(values_of_field(field)) for field in dict.fromkeys(draw(few | many))}
    preset, together = draw(st.sampled_from(list(PRESETS))), draw(st.sampled_from(_TOGETHER))
    return {"preset": preset, **changes, **together}


@st.composite
def setups(draw: Draw, raw: dict[str, object] | None = None) -> Setup:
    """Draw the setup of a game, with these house rules or any."""
    players = NAMES[: draw(st.integers(2, 4))]
    preset, rules = read_rules(draw(raw_rules()) if raw is None else raw)
    dealer, stake = draw(st.sampled_from(players)), draw(st.sampled_from([0, 1, 7, 100]))
    return Setup(players, dealer, stake, preset, rules)


@dataclass(frozen=True, repr=False)
class Played:
    """A possible game, with its states from live play."""

    setup: Setup
    events: tuple[Event, ...]
    states: tuple[GameState, ...]

    def __repr__(self) -> str:
        """Return the game file, which is enough to reproduce a failure."""
        return msgspec.json.encode(write_game(Game(self.setup, self.events))).decode()


USUAL_HANDS = (*list(Hand)[:7], Hand.FOUR_OF_A_KIND, Hand.PAIR)


def _best_hands(players: tuple[str, ...]) -> Iterator[Event]:
    for player in players:
        for hand in (*USUAL_HANDS, *Hand):
            for victim in (None, *players):
                yield BestHand(player=player, hand=hand, victim=victim)
                yield BestHand(player=player, hand=hand, choose="zero", victim=victim)


def _ties(players: tuple[str, ...]) -> Iterator[Event]:
    yield NoBestHand()
    for hand in Hand:
        yield NoBestHand(hand=hand, tied=(players[-1], players[0]))
        yield NoBestHand(hand=hand, tied=players)


def _results(players: tuple[str, ...]) -> Iterator[Event]:
    yield from (ChicagoResult(won=True), ChicagoResult(won=True, with_two=True))
    for breaker in (None, *players):
        yield ChicagoResult(won=False, broken_by=breaker)


POINTS = (-30, -1, 1, 15, 30)
# Scores before the first fact, so that a short game shows the events of a long one.
STANDINGS = (0, 52, 47, 15, 40, 45, 51)


# The points that latecomers begin with.
BROUGHT = (0, 15, 46, 52, -20)


def _latecomers(players: tuple[str, ...]) -> Iterator[Event]:
    fresh = [name for name in NAMES if name not in players][:1]
    for name in (*fresh, players[0]):
        for after in players:
            yield from (Joins(player=name, after=after, points=points) for points in BROUGHT)


def rules_event(raw: dict[str, object]) -> Rules:
    """Return the event that other house rules hold, given as a game file writes them."""
    preset, rules = read_rules(raw)
    return Rules(preset=preset, rules=rules)


# Rule sets that a game may change to.
OTHER_RULES = (
    *(rules_event({"preset": preset}) for preset in PRESETS),
    *map(rules_event, _TOGETHER),
    rules_event({"exchanges": 1}),
)


@cache
def candidates(players: tuple[str, ...]) -> dict[type[Event], tuple[Event, ...]]:
    """Return every event that a keeper could try to record between these players, by kind."""
    return {
        BestHand: tuple(_best_hands(players)),
        NoBestHand: tuple(_ties(players)),
        LastTrick: tuple(LastTrick(player=p, with_two=two) for p in players for two in EITHER),
        Chicago: tuple(Chicago(player=p, blind=blind) for p in players for blind in EITHER),
        ChicagoResult: tuple(_results(players)),
        Correction: tuple(Correction(player=p, points=n) for p in players for n in POINTS),
        IllegalExchange: tuple(IllegalExchange(player=p) for p in players),
        Leaves: tuple(Leaves(player=p) for p in players),
        Joins: tuple(_latecomers(players)),
        Rules: OTHER_RULES,
        FalseClaim: tuple(FalseClaim(player=p) for p in players),
        BreakOff: tuple(BreakOff(settle=settle) for settle in EITHER),
    }


def all_candidates(players: tuple[str, ...]) -> tuple[Event, ...]:
    """Return every event that a keeper could try to record between these players."""
    return tuple(event for kind in candidates(players).values() for event in kind)


_USUAL = (NoBestHand, LastTrick, BestHand, ChicagoResult, Chicago)
_RARE = (IllegalExchange, FalseClaim, Leaves, Correction, BreakOff)
_KINDS: tuple[type[Event], ...] = (*_USUAL * 6, *(IllegalExchange,) * 2, *_RARE)
_BETWEEN_DEALS: tuple[type[Event], ...] = (*_KINDS, *(Joins,) * 6, *(Rules,) * 3)


@st.composite
def happenings(draw: Draw, state: GameState) -> Event:
    """Draw an event that may be recorded now; the game must not be over."""
    first = draw(st.sampled_from(_KINDS if state.deal.begun else _BETWEEN_DEALS))
    for kind in (first, *_USUAL, BreakOff):
        tries = candidates(state.players)[kind]
        start = draw(st.integers(0, len(tries) - 1))
        for event in tries[start:] + tries[:start]:
            if can(state, event):
                return event
    raise AssertionError("a game that is not over can always be broken off")


@st.composite
def beginnings(draw: Draw, players: tuple[str, ...]) -> list[Event]:
    """Draw corrections that give the players the scores of a longer game."""
    level = st.sampled_from(STANDINGS).map(lambda points: [points] * len(players))
    standings = draw(level | st.lists(st.sampled_from(STANDINGS), max_size=len(players)))
    dealt = zip(players, standings, strict=False)
    return [Correction(player=name, points=points) for name, points in dealt if points]


@st.composite
def games(draw: Draw, agreed: st.SearchStrategy[Setup] | None = None) -> Played:
    """Draw a game, played live event by event, finished or not."""
    # Drawn first: hypothesis tends to shrink the last draw to nothing.
    length = draw(st.integers(0, LONGEST_GAME))
    setup = draw(agreed if agreed is not None else setups())
    states, events = [begin(setup)], draw(beginnings(setup.players))
    for event in events:
        states.append(apply(states[-1], event))
    while len(events) < length and not states[-1].over:
        events.append(draw(happenings(states[-1])))
        states.append(apply(states[-1], events[-1]))
    return Played(setup, tuple(events), tuple(states))


@st.composite
def ended_games(draw: Draw, agreed: st.SearchStrategy[Setup] | None = None) -> Played:
    """Draw a game that is over, by breaking it off if necessary."""
    played = draw(games(agreed))
    if played.states[-1].over:
        return played
    event = BreakOff(settle=draw(st.booleans()))
    after = apply(played.states[-1], event)
    return Played(played.setup, (*played.events, event), (*played.states, after))


def json(written: object) -> object:
    """Send a value through JSON and back, as a file does."""
    return msgspec.json.decode(msgspec.json.encode(written))

"""Events that the keeper can record: one frozen record per kind of fact."""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated, ClassVar, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from app.rules.codes import BadFile, FaultCode, Immutable
from app.rules.hands import Hand
from app.rules.house import HouseRules
from app.rules.names import MAX_PLAYERS, read_name, tidy
from app.rules.presets import read_rules, write_rules

LONGEST_BITS = 3000
# Characters that a remark may have, where it is text; and any other, as JSON.
LONGEST_REMARKS, LONGEST_OTHER_REMARK = {"id": 64, "name": 80, "note": 200}, 1000
REMARKS = ("id", "name", "at", "note")
MOST_JOINING_POINTS = 1000

Remark = object | UnsetType
JoiningPoints = Annotated[int, Meta(ge=-MOST_JOINING_POINTS, le=MOST_JOINING_POINTS)]


class Event(Immutable, frozen=True, tag_field="event", omit_defaults=True, kw_only=True):
    """A fact somebody saw at the table; the remarks are kept and never looked at."""

    id: Remark = UNSET
    name: Remark = UNSET
    at: Remark = UNSET
    note: Remark = UNSET

    people: ClassVar[tuple[str, ...]] = ("player",)

    def players(self) -> tuple[str, ...]:
        """Every player the event names; all of them must be playing."""
        return tuple([name for key in self.people if (name := getattr(self, key)) is not None])

    def fault(self) -> FaultCode | None:
        """The code of a contradiction within the event itself, or None."""
        return None


class BestHand(Event, frozen=True, tag="best_hand", kw_only=True):
    """`player` has the one best hand, and scores it or zeroes with it."""

    player: str
    hand: Hand
    choose: Literal["score", "zero"] = "score"
    victim: str | None = None

    people: ClassVar[tuple[str, ...]] = ("player", "victim")


class NoBestHand(Event, frozen=True, tag="no_best_hand", kw_only=True):
    """Nobody scores: all passed, or the best were equal (`hand`, `tied`)."""

    hand: Hand | None = None
    tied: tuple[str, ...] | None = None

    def players(self) -> tuple[str, ...]:
        """The players who tied for best hand."""
        return self.tied or ()

    def fault(self) -> FaultCode | None:
        """A tie needs its hand and two or more different players."""
        if (self.hand is None) != (self.tied is None):
            return "hand_and_tied_together"
        if self.tied is not None and (len(self.tied) < 2 or len(set(self.tied)) < len(self.tied)):
            return "tied_needs_two"
        return None


class Chicago(Event, frozen=True, tag="chicago", kw_only=True):
    """`player` pledges to take all five tricks; `blind` before looking at the cards."""

    player: str
    blind: bool = False


class ChicagoResult(Event, frozen=True, tag="chicago_result", kw_only=True):
    """The Chicago was made (the last trick `with_two`), or `broken_by` somebody."""

    won: bool
    with_two: bool = False
    broken_by: str | None = None

    people: ClassVar[tuple[str, ...]] = ("broken_by",)

    def fault(self) -> FaultCode | None:
        """A lost Chicago has no two, a won one no breaker."""
        if self.with_two and not self.won:
            return "two_on_lost_chicago"
        if self.broken_by is not None and self.won:
            return "breaker_of_won_chicago"
        return None


class LastTrick(Event, frozen=True, tag="last_trick", kw_only=True):
    """`player` took the last trick, perhaps `with_two`."""

    player: str
    with_two: bool = False


class IllegalExchange(Event, frozen=True, tag="illegal_exchange", kw_only=True):
    """`player` exchanged in spite of the exchange stop."""

    player: str


class FalseClaim(Event, frozen=True, tag="false_claim", kw_only=True):
    """`player` claimed a hand that was not there."""

    player: str


class Leaves(Event, frozen=True, tag="leaves", kw_only=True):
    """`player` goes home."""

    player: str


class Joins(Event, frozen=True, tag="joins", kw_only=True):
    """`player` sits down behind `after`, clockwise, and begins with `points`, by agreement."""

    player: str
    after: str
    points: JoiningPoints

    # Neither has to be playing: one has not been until now, and the other may be out.
    people: ClassVar[tuple[str, ...]] = ()


class Rules(Event, frozen=True, tag="rules", kw_only=True):
    """From this deal on these `rules` hold; `preset` names the published set they started from.

    A file has both in its key `rules`, as a game has its rules.
    """

    preset: str
    rules: HouseRules

    people: ClassVar[tuple[str, ...]] = ()


class Correction(Event, frozen=True, tag="correction", kw_only=True):
    """`points` are added to (or taken from) the score of `player` by agreement."""

    player: str
    points: int

    def fault(self) -> FaultCode | None:
        """A correction changes something."""
        return "correction_of_nothing" if self.points == 0 else None


class BreakOff(Event, frozen=True, tag="break_off", kw_only=True):
    """The game stops here: settled at the standing, or void."""

    settle: bool

    people: ClassVar[tuple[str, ...]] = ()


AnyEvent = (
    BestHand
    | NoBestHand
    | Chicago
    | ChicagoResult
    | LastTrick
    | IllegalExchange
    | FalseClaim
    | Leaves
    | Joins
    | Rules
    | Correction
    | BreakOff
)
EVENTS: Mapping[str, type[Event]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)
}


def read_event(raw: object, players: tuple[str, ...]) -> Event:
    """Read one event of a game in which `players` sit by then.

    Raises BadFile for every fault that can be seen without playing.
    """
    event = read_any_event(raw)
    for name in (event.after,) if isinstance(event, Joins) else event.players():
        if name not in players:
            raise BadFile("unknown_player", player=name)
    if isinstance(event, Joins):
        if event.player in players:
            raise BadFile("name_taken", player=event.player)
        if len(players) >= MAX_PLAYERS:
            raise BadFile("no_seat_left")
    return event


def read_any_event(raw: object) -> Event:
    """Read one event of any game.

    Raises BadFile for every fault that can be seen without knowing the players.
    """
    if not isinstance(raw, dict):
        raise BadFile("not_an_object", what="event")
    kind = raw.get("event")
    if not isinstance(kind, str) or kind not in EVENTS:
        raise BadFile("unknown_event", value=kind)
    cls = EVENTS[kind]
    keys = _read_keys(raw, cls)
    if cls is Rules:
        keys["preset"], keys["rules"] = read_rules(keys["rules"])
    event = cls(**keys)
    if isinstance(event, Joins):
        read_name(raw["player"])
    if (fault := event.fault()) is not None:
        raise BadFile(fault)
    return event


def _read_keys(raw: dict[str, object], cls: type[Event]) -> dict[str, object]:
    types, required = _fields(cls)
    for key in raw:
        if key != "event" and key not in types:
            raise BadFile("unknown_key", key=key)
    for key in required:
        if key not in raw:
            raise BadFile("missing_key", key=key)
    return {k: _read_value(k, v, types[k]) for k, v in raw.items() if k != "event"}


@cache
def _fields(cls: type[Event]) -> tuple[dict[str, object], list[str]]:
    """The types of an event's keys, and which of them are required; rules are read as a set."""
    fields = [field for field in msgspec.structs.fields(cls) if field.name != "preset"]
    types = {f.name: object if f.type is HouseRules else f.type for f in fields}
    return types, [field.name for field in fields if field.required]


def read_remark(key: str, value: object) -> object:
    """Read a remark, which may be anything but long. Raises BadFile."""
    if isinstance(value, str):
        length, limit = len(value), LONGEST_REMARKS.get(key, LONGEST_OTHER_REMARK)
    else:
        length, limit = len(json.dumps(value, ensure_ascii=False)), LONGEST_OTHER_REMARK
    if length > limit:
        raise BadFile("remark_too_long", key=key, limit=limit)
    return value


def _read_value(key: str, value: object, kind: object) -> object:
    if key in REMARKS:
        return read_remark(key, value)
    if value is None:
        raise BadFile("wrong_value", key=key, value=value)
    try:
        converted = msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise BadFile("wrong_value", key=key, value=value) from None
    # Python writes numbers of up to 4300 digits, and sums of many shorter ones are no longer.
    if isinstance(converted, int) and converted.bit_length() > LONGEST_BITS:
        raise BadFile("wrong_value", key=key, value=value)
    if isinstance(converted, tuple):
        return tuple(map(tidy, converted))
    return tidy(converted) if type(converted) is str else converted


def write_event(event: Event) -> dict[str, object]:
    """Write an event as FORMAT's object, leaving defaults out."""
    raw: dict[str, object] = msgspec.to_builtins(event)
    if isinstance(event, Rules):
        del raw["preset"]
        raw["rules"] = write_rules(event.preset, event.rules)
    return raw


def restore_event(raw: dict[str, object]) -> Event:
    """Read an event as `write_event` wrote it: it was checked then."""
    if raw["event"] == "rules":
        preset, rules = _restore_rules(msgspec.json.encode(raw["rules"]))
        raw = {**raw, "preset": preset, "rules": rules}
    return msgspec.convert(raw, EVENTS[str(raw["event"])])


# As many as a game has events: a game is read again for most of its pages.
@lru_cache(maxsize=2000)
def _restore_rules(text: bytes) -> tuple[str, HouseRules]:
    return read_rules(msgspec.json.decode(text))

"""Consequences of an outcome: shouts, and changes of scores.

It is told beforehand on the sheet of a hand and afterwards above the scoreboard, by the names that
the scoreboard has for the players.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar, get_args

import msgspec
from msgspec.structs import asdict, replace

from app.rules.codes import EffectCode, EndCode
from app.rules.names import short_names
from app.rules.notices import Notice, exchange_notice, notices
from app.rules.outcome import Outcome, ScoreChange
from app.rules.protocol import find_deal
from app.rules.state import Effect, GameState
from app.services.table_view import TableView


class Head(msgspec.Struct, frozen=True):
    """A player's head.

    `bid`: a Chicago of theirs counts as said in this game. `exchange`: the word on the exchange
    that comes next, `chips` all other words, the most urgent first.
    """

    number: int
    name: str
    short: str
    score: int
    dealer: bool
    playing: bool
    winner: bool
    bid: bool
    exchange: Notice | None
    chips: tuple[Notice, ...]


def scoreboard(state: GameState) -> list[Head]:
    """One head for every player, in seat order."""
    shorts = short_names(state.players)
    return [
        Head(
            number=number,
            name=seat.name,
            short=shorts[seat.name],
            score=seat.score,
            dealer=state.deal.dealer == seat.name and not state.over,
            playing=seat.name in state.playing,
            winner=seat.name in state.winners,
            bid=seat.declared > 0,
            exchange=exchange_notice(state, seat.name),
            chips=notices(state, seat.name),
        )
        for number, seat in enumerate(state.seats, start=1)
    ]


SHOUTED: frozenset[EffectCode] = frozenset(
    {
        "joins",
        "bid",
        "blind_bid",
        "hand_raised",
        "zeroes",
        "zeroed",
        "chicagos_taken",
        "zeroing_voided",
        "chicago_won",
        "chicago_won_with_two",
        "chicago_lost",
        "blind_won",
        "blind_won_with_two",
        "blind_lost",
        "won_chicago_taken",
        "illegal_exchange",
        "false_claim",
        "requirement_unmet",
        "passed_over",
        "tie_break_begins",
        "tied_play_on",
    }
)
ENDS: frozenset[EffectCode] = frozenset(get_args(EndCode))
LONGEST_NAME = 16
# The fields that name players in an event, an effect or a change of a score.
NAMING = ("player", "victim", "tied", "broken_by", "by", "players")

Names = Mapping[str, str]
T = TypeVar("T", bound=msgspec.Struct)


class Consequences(msgspec.Struct, frozen=True):
    """Consequences of an outcome: the effects that are shouted about, and the scores that change.

    `ends`: why the game is over then, if it is. `cuts_short`: the deal is over before it has been
    played out. `waits`: whose zeroing is announced, and strikes later.
    """

    shouts: tuple[Effect, ...]
    changes: tuple[ScoreChange, ...]
    ends: Effect | None
    cuts_short: bool
    waits: str | None


def consequences(result: Outcome) -> Consequences:
    """The consequences of an outcome."""
    names, effects = head_names(result.after), result.after.effects
    waiting = result.after.deal.waiting
    announced = waiting is not None and result.before.deal.waiting is None
    return Consequences(
        shouts=with_names(_merge_taken(_shouts(result)), names),
        changes=with_names(result.changes(), names),
        ends=next(iter(with_names((e for e in effects if e.code in ENDS), names)), None),
        cuts_short=result.cuts_deal_short(),
        waits=names[waiting.holder] if waiting and announced else None,
    )


def head_names(state: GameState) -> Names:
    """The players' names on the scoreboard, cut off where they stay apart."""
    names = short_names(state.players)
    cut = {
        name: short if len(short) <= LONGEST_NAME else f"{short[: LONGEST_NAME - 1]}…"
        for name, short in names.items()
    }
    return cut if len({*cut.values()}) == len(names) else names


def with_names(things: Iterable[T], names: Names) -> tuple[T, ...]:
    """Events, effects or changes of scores, their players called by other names."""

    def rename(thing: T) -> T:
        fields = {key: value for key, value in asdict(thing).items() if key in NAMING and value}
        new = {
            key: names[value] if isinstance(value, str) else tuple(names[name] for name in value)
            for key, value in fields.items()
        }
        return replace(thing, **new)

    return tuple(map(rename, things))


def _shouts(result: Outcome) -> list[Effect]:
    """The effects to announce loudly, each once: a zeroing instead of its victims.

    A hand that only cuts the deal short is announced as well, since the grid begins anew.
    """
    effects = result.after.effects
    shouts = [
        Effect("zeroes", effect.by, hand=effect.hand) if effect.code == "zeroed" else effect
        for effect in effects
        if effect.code in SHOUTED
    ]
    if not shouts and result.cuts_deal_short():
        shouts = [effect for effect in effects if effect.code == "hand"]
    return list(dict.fromkeys(shouts))


def _merge_taken(shouts: list[Effect]) -> list[Effect]:
    """Merge the effects on all whose Chicagos a zeroing takes away into one."""
    taken = tuple(e.player for e in shouts if e.code == "chicagos_taken" and e.player)
    rest = [effect for effect in shouts if effect.code != "chicagos_taken"]
    return [*rest, Effect("chicagos_taken", players=taken)] if taken else rest


def wins_at_once(result: Outcome) -> bool:
    """Whether a hand ends the game there and then."""
    return result.after.ended in ("won_by_hand", "won_at_once")


def strikes_others(result: Outcome) -> bool:
    """Whether a hand zeroes others, at once or later."""
    return any(effect.code in ("zeroes", "zeroed") for effect in result.after.effects)


# More than any game has entries.
BETWEEN_GAMES = 100_000


class DealEnd(msgspec.Struct, frozen=True):
    """A deal that has just ended: its number, whose score it changed, and who deals next."""

    number: int
    changes: tuple[ScoreChange, ...]
    dealer: str


class Happened(msgspec.Struct, frozen=True):
    """The newest change as the table shows it for a moment.

    `facts` grows from 0 with every event, and gets less with every one that is taken back.
    `differences`: by how many points the newest fact changed whose score. `loud`: its meaning,
    where people shout about it. `ended`: the deal that it ended, if the game goes on.
    """

    facts: int
    differences: Mapping[str, int] = {}
    loud: Consequences | None = None
    ended: DealEnd | None = None


def happened(view: TableView) -> Happened:
    """The newest change as the table shows it for a moment."""
    events, states = view.game.events, view.states
    facts = (view.number - 1) * BETWEEN_GAMES + len(events)
    if not events:
        return Happened(facts)
    newest = Outcome(events[-1], states[-2], states[-1])
    found = consequences(newest)
    return Happened(
        facts=facts,
        differences={c.player: c.after - c.before for c in newest.changes()},
        loud=found if found.shouts and not view.state.over else None,
        ended=_deal_end(view),
    )


def _deal_end(view: TableView) -> DealEnd | None:
    before, state = view.states[-2], view.state
    number = before.deal.number
    if state.over or state.deal.number == number:
        return None
    names, began = head_names(state), view.states[find_deal(view.states, number)]
    scores = began.scores
    changes = (
        ScoreChange(names[seat.name], scores.get(seat.name, 0), seat.score)
        for seat in state.seats
        if seat.score != scores.get(seat.name, 0)
    )
    return DealEnd(number, tuple(changes), names[state.deal.dealer])

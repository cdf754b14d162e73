"""A few words in which a test tells what happened at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
)
from app.rules.game import apply, begin, why_not
from app.rules.gamefile import read_setup
from app.rules.hands import Hand
from app.rules.rights import may_bid, may_bid_blind, may_exchange, must_show
from app.rules.settlement import payout
from app.rules.state import GameState

Happening = Event | tuple[Event, ...]


@dataclass(frozen=True)
class Table:
    """A game as it was played so far, state by state."""

    states: tuple[GameState, ...]

    @property
    def state(self) -> GameState:
        """Where the game stands."""
        return self.states[-1]

    def then(self, *happened: Happening) -> Table:
        """Let more happen."""
        states = list(self.states)
        for event in _one_by_one(happened):
            states.append(apply(states[-1], event))
        return Table(tuple(states))

    def refusal(self, event: Event) -> str | None:
        """Return the code with which the event would be refused now, or None."""
        refusal = why_not(self.state, event)
        return refusal.code if refusal else None

    def __getitem__(self, name: str) -> int:
        """Return one player's score."""
        return self.state.score(name)

    @property
    def scores(self) -> dict[str, int]:
        """All scores, in seat order."""
        return {seat.name: seat.score for seat in self.state.seats}

    @property
    def deal(self) -> int:
        """The number of the deal."""
        return self.state.deal.number

    @property
    def dealer(self) -> str:
        """Who deals."""
        return self.state.deal.dealer

    @property
    def step(self) -> str:
        """What is recorded next."""
        return str(self.state.deal.step)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; nobody while the game is played."""
        return self.state.winners

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def tie_break(self) -> tuple[str, ...]:
        """Who plays a tie-break."""
        return self.state.tie_break

    @property
    def payout(self) -> dict[str, int] | None:
        """What everybody wins or loses, in öre."""
        return payout(self.state)

    @property
    def shows(self) -> dict[str, list[str]]:
        """What must be shown before it is broken up, by those who have anything to show."""
        hands = {seat.name: must_show(self.state, seat.name) for seat in self.state.seats}
        return {name: [str(hand) for hand in shown] for name, shown in hands.items() if shown}

    def may_exchange(self, name: str) -> bool:
        """Tell whether this player may exchange in the next exchange."""
        return may_exchange(self.state, name).ok

    def may_bid(self, name: str) -> bool:
        """Tell whether score and rules let this player bid an ordinary Chicago."""
        return may_bid(self.state, name).ok

    def may_bid_blind(self, name: str) -> bool:
        """Tell whether this player may bid a blind Chicago."""
        return may_bid_blind(self.state, name).ok

    def chicagos(self, name: str) -> tuple[int, int]:
        """Count the Chicagos this player has declared and won."""
        seat = self.state.seat(name)
        return seat.declared, seat.won


def play(*happened: Happening, **agreed: object) -> Table:
    """Play from the first deal under pagat's rules and what else is `agreed`.

    `agreed` holds what a game file does: `players` (here one text), `dealer`, `stake_ore`,
    `preset` and the house rules that differ from it.
    """
    names = str(agreed.pop("players", "Anna Bo Cilla")).split()
    setup: dict[str, object] = {
        key: agreed.pop(key) for key in ("dealer", "stake_ore") if key in agreed
    }
    rules = {"preset": "pagat", **agreed}
    read = read_setup({"players": names, **setup, "rules": rules})
    return Table((begin(read),)).then(*happened)


def _one_by_one(happened: tuple[Happening, ...]) -> list[Event]:
    return [event for one in happened for event in (one if isinstance(one, tuple) else (one,))]


def best(player: str, hand: str, victim: str | None = None) -> BestHand:
    """`player` scores the best hand."""
    return BestHand(player=player, hand=Hand(hand), victim=victim)


def pair(player: str) -> BestHand:
    """`player` scores a pair."""
    return best(player, "pair")


def four(player: str, victim: str | None = None) -> BestHand:
    """`player` scores four of a kind."""
    return best(player, "four_of_a_kind", victim)


def straight_flush(player: str) -> BestHand:
    """`player` scores a straight flush."""
    return best(player, "straight_flush")


def royal(player: str) -> BestHand:
    """`player` scores a royal flush, not in hearts."""
    return best(player, "royal_flush")


def royal_hearts(player: str) -> BestHand:
    """`player` scores the royal flush in hearts."""
    return best(player, "royal_flush_hearts")


def zero(player: str, hand: str = "four_of_a_kind", victim: str | None = None) -> BestHand:
    """`player` has the best hand and chooses to zero with it."""
    return BestHand(player=player, hand=Hand(hand), choose="zero", victim=victim)


def nobody() -> NoBestHand:
    """All pass."""
    return NoBestHand()


def tie(hand: str, *players: str) -> NoBestHand:
    """Let `players` hold exactly equal best hands."""
    return NoBestHand(hand=Hand(hand), tied=players)


def bid(player: str) -> Chicago:
    """`player` bids Chicago."""
    return Chicago(player=player)


def blind(player: str) -> Chicago:
    """`player` bids a blind Chicago."""
    return Chicago(player=player, blind=True)


def made(last: Literal["with_two"] | None = None) -> ChicagoResult:
    """Take all five tricks, the last one perhaps with a two."""
    return ChicagoResult(won=True, with_two=last is not None)


def broken(by: str | None = None) -> ChicagoResult:
    """Lose the Chicago."""
    return ChicagoResult(won=False, broken_by=by)


def trick(player: str, last: Literal["with_two"] | None = None) -> LastTrick:
    """`player` takes the last trick, perhaps with a two."""
    return LastTrick(player=player, with_two=last is not None)


def exchanges_illegally(player: str) -> IllegalExchange:
    """`player` exchanges in spite of the stop."""
    return IllegalExchange(player=player)


def claims_falsely(player: str) -> FalseClaim:
    """`player` claims a hand that is not there."""
    return FalseClaim(player=player)


def leaves(player: str) -> Leaves:
    """`player` goes home."""
    return Leaves(player=player)


def joins(player: str, after: str, points: int) -> Joins:
    """`player` sits down behind `after` with these points."""
    return Joins(player=player, after=after, points=points)


def gets(**points: int) -> tuple[Event, ...]:
    """Give (or take) points by agreement."""
    return tuple(Correction(player=name, points=number) for name, number in points.items())


def broken_off(how: Literal["settled", "void"]) -> BreakOff:
    """Stop the game before anybody has won."""
    return BreakOff(settle=how == "settled")


def to_the_play() -> tuple[Event, ...]:
    """Both exchanges of an ordinary deal pass without a best hand."""
    return nobody(), nobody()


def deal_with_trick_to(player: str) -> tuple[Event, ...]:
    """An ordinary deal in which nothing scores but the last trick."""
    return *to_the_play(), trick(player), nobody()

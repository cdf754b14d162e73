"""The state of a game, immutable, and the few ways in which it changes."""

from collections.abc import Mapping
from enum import StrEnum
from typing import get_args

from msgspec.structs import replace

from app.rules.codes import EffectCode, EndCode, Immutable, Status
from app.rules.hands import Hand
from app.rules.house import HouseRules, Scorers, ScoringMoment, scored_moments


class Step(StrEnum):
    """The step that the keeper records next."""

    HAND_0 = "hand_0"
    HAND_1 = "hand_1"
    HAND_2 = "hand_2"
    HAND_3 = "hand_3"
    PLAY = "play"
    CHICAGO_PLAY = "chicago_play"
    LAST_TRICK = "last_trick"
    FINAL_HAND = "final_hand"
    OVER = "over"


BEFORE_PLAY = (Step.HAND_0, Step.HAND_1, Step.HAND_2, Step.HAND_3)
HAND_DUE = (*BEFORE_PLAY, Step.FINAL_HAND)
# The steps at which a hand may score, as house rules name them (reading 22).
SCORING_MOMENTS: Mapping[Step, ScoringMoment] = dict(
    zip(HAND_DUE, get_args(ScoringMoment), strict=True)
)


class Setup(Immutable, frozen=True):
    """The setup agreed before the first deal; that of a later state has the rules agreed since.

    `players` begin, and sit in this order, clockwise; `dealer` deals first; `stake_ore` is öre
    per point; `preset` names the published set that `rules` started from.
    """

    players: tuple[str, ...]
    dealer: str
    stake_ore: int
    preset: str
    rules: HouseRules


class Seat(Immutable, frozen=True):
    """One player's standing.

    `declared` and `won` count the Chicagos bid and made in this game and not taken away since
    (reading 19). `began` is the score when this deal began, with corrections since the deal before
    (reading 21), `shows` the hands to show before they are broken up, `scored_four` whether four of
    a kind was scored in this deal.
    """

    name: str
    score: int = 0
    declared: int = 0
    won: int = 0
    began: int = 0
    shows: tuple[Hand, ...] = ()
    scored_four: bool = False


class Zeroing(Immutable, frozen=True):
    """A zeroing by `holder` with `hand`, of everybody else in play or of one `victim`."""

    holder: str
    hand: Hand
    victim: str | None


class Deal(Immutable, frozen=True):
    """The deal being played.

    `begun`: a hand, a bid or a trick has been recorded. `declarer`: holds the bid, `blind` if so,
    `early` if it came before the play, the last exchange still ahead.
    `announced`: a zeroing chosen at step play has used up the final hand. `waiting`: a zeroing
    that has not struck yet. `taker`: who took the last trick or won the Chicago. `told`: the hands
    recorded at this step, where everybody's own may be (reading 24).
    """

    number: int
    dealer: str
    step: Step
    begun: bool = False
    declarer: str | None = None
    blind: bool = False
    early: bool = False
    announced: bool = False
    waiting: Zeroing | None = None
    taker: str | None = None
    told: Mapping[str, Hand] = {}


class RuleChange(Immutable, frozen=True):
    """The house rules that held `before`, and those that hold from deal `deal` on."""

    deal: int
    before: HouseRules
    after: HouseRules


class Effect(Immutable, frozen=True):
    """One thing the last event set off: `points` is the change of `player`'s score.

    `by` and `hand` tell who or what caused it; `players` are those a code speaks of together.
    `clamped` if the score stopped at 0 where it would have gone below (reading 15). `reached`
    is the score that a game was won or left with, or the target where it was reached in vain.
    `change` tells which rules are others.
    """

    code: EffectCode
    player: str | None = None
    points: int = 0
    by: str | None = None
    hand: Hand | None = None
    players: tuple[str, ...] = ()
    clamped: bool = False
    reached: int | None = None
    change: RuleChange | None = None


class GameState(Immutable, frozen=True):
    """A game between two events.

    `setup` has the rules that hold now; the game's own setup, those that it began with.
    `players` are all who have a seat by now, clockwise, those who joined included; `seats` are how
    each of them stands. `out` in the order they went, of whom some have `left` the table;
    `effects` are the last event's.
    `ended` is the code of why the game is over, None while it is played.
    """

    setup: Setup
    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    deal: Deal
    status: Status = "playing"
    out: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    tie_break: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    ended: EndCode | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def rules(self) -> HouseRules:
        """The house rules that hold now."""
        return self.setup.rules

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.status != "playing"

    @property
    def playing(self) -> tuple[str, ...]:
        """The players of this deal, in seat order: those not out, in a tie-break only the tied."""
        if self.tie_break:
            return self.tie_break
        if not self.out:
            return self.players
        return tuple(name for name in self.players if name not in self.out)

    @property
    def staying(self) -> tuple[str, ...]:
        """Who still sits at the table, in seat order: all but those who left."""
        return tuple(name for name in self.players if name not in self.left)

    @property
    def scores(self) -> dict[str, int]:
        """All scores in points, in seat order."""
        return {seat.name: seat.score for seat in self.seats}

    def seat(self, name: str) -> Seat:
        """The standing of one player."""
        return self.seats[self.players.index(name)]

    def score(self, name: str) -> int:
        """One player's score in points."""
        return self.seat(name).score


def with_seat(state: GameState, name: str, **changes: object) -> GameState:
    """Change one player's standing."""
    seat, seats = state.players.index(name), list(state.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(state, seats=tuple(seats))


def with_deal(state: GameState, **changes: object) -> GameState:
    """Change the deal's state."""
    return replace(state, deal=replace(state.deal, **changes))


def with_step(state: GameState, step: Step) -> GameState:
    """Let another step of the deal be due."""
    return with_deal(state, step=step, told={})


def with_effect(state: GameState, effect: Effect) -> GameState:
    """Note one more thing that the event set off."""
    return replace(state, effects=(*state.effects, effect))


def book(
    state: GameState,
    code: EffectCode,
    name: str,
    points: int,
    by: str | None = None,
    hand: Hand | None = None,
) -> GameState:
    """Add points to a score; where negative scores are not played it stops at 0 (reading 15)."""
    return set_score(state, code, name, state.score(name) + points, by, hand)


def set_score(
    state: GameState,
    code: EffectCode,
    name: str,
    score: int,
    by: str | None = None,
    hand: Hand | None = None,
) -> GameState:
    """Set a score outright, clamped as `negative_scores` says, and note the effect."""
    clamped = score < 0 and not state.rules.negative_scores
    after = 0 if clamped else score
    effect = Effect(code, name, after - state.score(name), by=by, hand=hand, clamped=clamped)
    return with_effect(with_seat(state, name, score=after), effect)


def exchanges(setup: Setup) -> int:
    """The exchanges of a deal: as many as there are cards for who began (reading 33)."""
    number = setup.rules.exchanges
    return number if number != "by_players" else 3 if len(setup.players) <= 3 else 2


def scored_hands(setup: Setup) -> dict[Step, Scorers]:
    """The steps at which a hand scores, in order, and whose (reading 22)."""
    scored = scored_moments(setup.rules, exchanges(setup))
    return {step: scored[moment] for step, moment in SCORING_MOMENTS.items() if moment in scored}


def scorers(state: GameState) -> Scorers | None:
    """Whose hand scores at the step now due, where one does."""
    return scored_hands(state.setup).get(state.deal.step)


def steps_before_play(setup: Setup) -> tuple[Step, ...]:
    """The steps of a deal at which a hand scores before the play."""
    return tuple(step for step in scored_hands(setup) if step is not Step.FINAL_HAND)


def first_step(setup: Setup) -> Step:
    """The first step of a deal."""
    return (*steps_before_play(setup), Step.PLAY)[0]

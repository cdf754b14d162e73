"""Outcomes of events, read off the state that the engine makes of them.

All previews of a gain, a zeroing or a win come from here, so that no rule is worked out a second
time.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

from app.rules.codes import NotAllowed
from app.rules.events import BestHand, Chicago, ChicagoResult, Event
from app.rules.game import apply, apply_unchecked
from app.rules.hands import Hand
from app.rules.house import listed_hands, zeroing_of
from app.rules.rights import why_not, zeroes
from app.rules.state import HAND_DUE, GameState, Step, with_deal

Choose = Literal["score", "zero"]

# Effects that strike a score besides the recorded event, and those that set it instead of adding.
STRIKES = ("zeroed", "requirement_unmet")
SETS_A_SCORE = ("hand_raised", "illegal_exchange", "false_claim")
# Refusals that hold under these house rules at any time, for every player.
NEVER_HERE = (
    "not_announced",
    "hand_does_not_zero",
    "always_zeroes",
    "false_claim_not_played",
    "illegal_exchange_refused",
)


class ScoreChange(msgspec.Struct, frozen=True):
    """One player's score before an event and after it, in points."""

    player: str
    before: int
    after: int


class Outcome(msgspec.Struct, frozen=True):
    """An event, the state it is recorded in, and the state it makes."""

    event: Event
    before: GameState
    after: GameState

    def points(self, name: str) -> int:
        """By how many points a player's score changes, all in all."""
        return self.after.score(name) - self.before.score(name)

    def gain(self, name: str) -> int:
        """The change of a score by the recorded event itself, before anything else strikes."""
        effects = (e for e in self.after.effects if e.player == name and e.code not in STRIKES)
        return sum(effect.points for effect in effects)

    def score_changes(self) -> tuple[ScoreChange, ...]:
        """Every score that is another afterwards, in seat order; nobody's who had none before."""
        scores = self.after.scores
        return tuple(
            ScoreChange(was.name, was.score, scores[was.name])
            for was in self.before.seats
            if was.score != scores[was.name]
        )

    def moves_on(self) -> bool:
        """Whether the deal stands elsewhere afterwards, so that something else is due."""
        return self.after.deal != self.before.deal

    def cuts_deal_short(self) -> bool:
        """Whether the game goes on with the next deal before this one has been played out."""
        hand = isinstance(self.event, BestHand) and self.before.deal.step is not Step.FINAL_HAND
        return hand and self.after.deal.number != self.before.deal.number


class Value(msgspec.Struct, frozen=True):
    """The value of an event to one player, as short as it can be said.

    `points` are added, or the score is set to `score` outright. `final_score` is the score that the
    player ends up with where a zeroing, or the want of a Chicago, strikes besides, and `wins_with`
    the one that wins, were nothing more taken in the deal; None where a hand wins by itself. With
    it others are zeroed (`zeroes`), or may be instead (`or_zero`). `wins`: the game ends with it,
    and the player has won.
    """

    points: int
    score: int | None = None
    final_score: int | None = None
    wins_with: int | None = None
    zeroes: bool = False
    or_zero: bool = False
    wins: bool = False


def outcome(state: GameState, event: Event) -> Outcome | NotAllowed:
    """The outcome of recording an event now, or its refusal."""
    try:
        return Outcome(event, state, apply(state, event))
    except NotAllowed as refusal:
        return refusal


def hypothetical_outcome(state: GameState, event: Event) -> Outcome:
    """The outcome of an event, were it allowed, and a hand due if it books one."""
    if isinstance(event, BestHand) and state.deal.step not in HAND_DUE:
        state = with_deal(state, step=Step.FINAL_HAND)
    return Outcome(event, state, apply_unchecked(state, event))


def chicago_outcome(state: GameState, bid: Chicago) -> Outcome | NotAllowed:
    """The outcome of a Chicago bid now and made, no hand scoring in between."""
    return why_not(state, bid) or hypothetical_chicago(state, bid)


def hypothetical_chicago(state: GameState, bid: Chicago) -> Outcome:
    """The same, were the bid allowed; what it strikes is gone."""
    said = with_deal(apply_unchecked(state, bid), step=Step.CHICAGO_PLAY)
    return Outcome(bid, said, apply_unchecked(said, ChicagoResult(won=True)))


def value_of(result: Outcome, name: str) -> Value:
    """The value of an outcome to one player."""
    before, after = result.before.score(name), result.after
    points, sets, zeroing = 0, False, False
    for effect in after.effects:
        if effect.code in STRIKES:
            zeroing = zeroing or (effect.by == name and isinstance(result.event, BestHand))
        elif effect.player == name:
            points += effect.points
            sets = sets or effect.code in SETS_A_SCORE
            zeroing = zeroing or effect.code == "zeroes"
    left = after.score(name)
    return Value(
        points=0 if sets else points,
        score=before + points if sets else None,
        final_score=None if left == before + points else left,
        zeroes=zeroing,
        wins=name in after.winners,
    )


def common_value(values: Iterable[Value]) -> Value:
    """The value common to several players: the most it is to one of them.

    It is a win only where it is to all of them, whatever their scores.
    """
    values = [*values]
    some = [value for value in values if not value.wins or value.wins_with is not None] or values
    most = max(some, key=lambda w: (w.or_zero, w.zeroes, -(w.score or 0), w.points))
    wins = most.wins and most.wins_with is None
    return replace(most, final_score=None, wins_with=None, wins=wins)


def hand_events(state: GameState, player: str, hand: Hand) -> list[BestHand]:
    """Every event by which the house rules let a hand be recorded, to score or to zero whom.

    Whether one of them may be recorded now, `check` says.
    """
    score = BestHand(player=player, hand=hand)
    ways = [score]
    if zeroing_of(state.rules, hand) == "choice":
        ways.append(replace(score, choose="zero"))
    return [event for way in ways for event in _with_victims(state, way)]


def _with_victims(state: GameState, event: BestHand) -> list[BestHand]:
    if state.rules.zeroing_victims == "others" or not zeroes(state.rules, event):
        return [event]
    return [replace(event, victim=name) for name in state.playing if name != event.player]


def is_enabled(state: GameState, event: Event) -> bool:
    """Whether the house rules know of such an event at all, allowed now or not."""
    refusal = why_not(state, event)
    return refusal is None or refusal.code not in NEVER_HERE


def announcements(state: GameState) -> list[tuple[Hand, Choose]]:
    """The announcements before the play under these rules (reading 2), zeroings first."""
    fresh, somebody = with_deal(state, announced=False), state.playing[0]
    pairs: list[tuple[Hand, Choose]] = []
    for hand in listed_hands(state.rules):
        ways = {way.choose: way for way in hand_events(state, somebody, hand)}
        kinds: tuple[Choose, ...] = ("zero", "score")
        pairs += [(hand, kind) for kind in kinds if kind in ways and is_enabled(fresh, ways[kind])]
    return pairs

"""The sample game as it goes: lessons that are shown, and what is played out of sight between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import msgspec

from app.rules.codes import LessonCode
from app.rules.errors import NotAllowed
from app.rules.events import BestHand, Event, LastTrick, NoBestHand
from app.rules.game import apply
from app.rules.hands import Hand
from app.rules.house import (
    HouseRules,
    covers,
    four_ends_deal,
    listed_hands,
    points_of,
    zeroing_of,
)
from app.rules.outcome import outcome
from app.rules.rights import Verdict
from app.rules.state import HAND_DUE, GameState, Step

RARE = (Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH, Hand.ROYAL_FLUSH_HEARTS)
# More than any real table plays on for; then what was intended does not come about.
MOST_OUT_OF_SIGHT = 400

Reached = Callable[[GameState], bool]
Wishes = Mapping[str, int]


class Lesson(msgspec.Struct, frozen=True):
    """One step of the sample game: what it shows, and the states before and after it.

    `event` is what is recorded, None where nothing is. `player` is whom it is about, `answer` the
    verdict on what that player asks.
    """

    code: LessonCode
    before: GameState
    after: GameState
    event: Event | None = None
    player: str = ""
    answer: Verdict | None = None


class SampleGame:
    """The game so far, and the lessons it has given."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.lessons = [Lesson("start", state, state)]
        self.plain = _plain_hands(state.rules)

    def tell(self, code: LessonCode, player: str = "", answer: Verdict | None = None) -> None:
        """Add a lesson in which nothing is recorded."""
        self.lessons.append(Lesson(code, self.state, self.state, None, player, answer))

    def record(
        self, code: LessonCode, event: Event, player: str, answer: Verdict | None = None
    ) -> bool:
        """Add a lesson in which an event is recorded; False where the rules refuse it."""
        result = outcome(self.state, event)
        if isinstance(result, NotAllowed):
            return False
        self.lessons.append(Lesson(code, self.state, result.after, event, player, answer))
        self.state = result.after
        return True

    def play_on(self, reached: Reached, wishes: Wishes) -> bool:
        """Play on out of sight, towards the scores that are wished for.

        False where it does not come to that before the game is over: then nothing was played.
        """
        state = self.state
        for _ in range(MOST_OUT_OF_SIGHT):
            if state.over or reached(state):
                break
            state = apply(state, self.usual_event(state, wishes))
        if state.over or not reached(state):
            return False
        if state is not self.state:
            self.lessons.append(Lesson("later", self.state, state))
            self.state = state
        return True

    def usual_event(self, state: GameState, wishes: Wishes) -> Event:
        """What is recorded next where nothing special happens, for whom most points are wished."""
        trick = state.rules.last_trick
        name = max(
            state.playing,
            key=lambda each: (
                state.score(each) + trick < state.rules.target or state.deal.step in HAND_DUE,
                wishes.get(each, 0) - state.score(each),
            ),
        )
        if state.deal.step not in HAND_DUE:
            return LastTrick(player=name)
        lack = wishes.get(name, 0) - state.score(name)
        hands = [hand for hand in self.plain if points_of(state.rules, hand) <= lack]
        most = max(hands, key=lambda hand: points_of(state.rules, hand), default=None)
        return BestHand(player=name, hand=most) if most else NoBestHand()

    def finish_deal(self, taker: str) -> None:
        """Show the rest of the deal of the newest lesson: its last trick goes to `taker`."""
        deal = self.lessons[-1].before.deal.number
        for hand in count():
            if self.state.over or self.state.deal.number != deal:
                break
            if self.state.deal.step in HAND_DUE:
                self.score_hand(self._behind(hand), hand)
            else:
                self.take_trick(taker)

    def take_due(self, taker: str) -> None:
        """Show the next thing of a deal."""
        if self.state.deal.step in HAND_DUE:
            self.score_hand(self._behind(0), 0)
        else:
            self.take_trick(taker)

    def _behind(self, turn: int) -> str:
        """In turn those who are not ahead, the last of them first."""
        rising = sorted(self.state.playing, key=self.state.score)
        return rising[turn % max(1, len(rising) - 1)]

    def take_trick(self, name: str) -> None:
        """Show who takes the last trick."""
        player = name if name in self.state.playing else self.state.playing[0]
        self.record("trick", LastTrick(player=player), player)

    def score_hand(self, name: str, rank: int) -> None:
        """Show a best hand, the higher the more `rank`, or that there is none to be had."""
        if not self.plain:
            self.record("nobody", NoBestHand(), "")
            return
        code: LessonCode = "final_hand" if self.state.deal.step is Step.FINAL_HAND else "hand"
        hand = self.plain[min(rank, len(self.plain) - 1)]
        self.record(code, BestHand(player=name, hand=hand), name)


def _plain_hands(rules: HouseRules) -> list[Hand]:
    """The hands that give points and do nothing else, no rare ones where there are others."""
    hands = [
        hand
        for hand in listed_hands(rules)
        if points_of(rules, hand)
        and zeroing_of(rules, hand) is None
        and not covers(rules.winning_hands, hand)
        and not covers(rules.raising_hands, hand)
        and not four_ends_deal(rules, hand)
    ]
    return [hand for hand in hands if hand not in RARE] or hands

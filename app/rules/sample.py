"""A sample game: lessons of house rules, played by the engine under these very rules.

Each lesson is an intention, such as "somebody comes to the exchange stop", made into events that
the rules accept. One that they do not have, or that does not come about, is left out. Between two
lessons the game is played on out of sight. There is no chance in it: the same rules, the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count

import msgspec

from app.rules.checks import can, zeroes
from app.rules.codes import LessonCode
from app.rules.errors import NotAllowed
from app.rules.events import BestHand, Chicago, ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.game import apply, begin
from app.rules.hands import Hand
from app.rules.house import (
    HouseRules,
    four_ends_deal,
    hands_that_zero,
    is_special,
    listed_hands,
    points_of,
)
from app.rules.outcome import bookings, outcome
from app.rules.rights import (
    Verdict,
    chicago_required,
    is_stopped,
    may_bid,
    may_exchange,
    meets_requirement,
    speaking_order,
)
from app.rules.state import HAND_DUE, GameState, Setup, Step, first_step

RARE = (Hand.FOUR_OF_A_KIND, Hand.STRAIGHT_FLUSH, Hand.ROYAL_FLUSH, Hand.ROYAL_FLUSH_HEARTS)
# More than any real table plays on for; then the intended lesson is left out.
MOST_OUT_OF_SIGHT = 400

Reached = Callable[[GameState], bool]
Wishes = Mapping[str, int]


class Lesson(msgspec.Struct, frozen=True):
    """One step of the sample game: its lesson, and the states before and after it.

    `event` is the one recorded, None for none. `player` is whom it is about, `answer` the
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

    def explain(self, code: LessonCode, player: str = "", answer: Verdict | None = None) -> None:
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
        """The next event where nothing special happens, for the player with most points wished."""
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
        for turn in count():
            if self.state.over or self.state.deal.number != deal:
                break
            self.take_due(taker, turn)

    def take_due(self, taker: str, turn: int = 0) -> None:
        """Show the next thing of a deal; hands go in turn to those who are behind."""
        rising = sorted(self.state.playing, key=self.state.score)
        if self.state.deal.step in HAND_DUE:
            self.score_hand(rising[turn % max(1, len(rising) - 1)], turn)
        else:
            self.take_trick(taker)

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
        and not is_special(rules, hand)
        and not four_ends_deal(rules, hand)
    ]
    return [hand for hand in hands if hand not in RARE] or hands


PLAYERS = ("Anna", "Bo", "Cilla", "Dan")
# The deals in which the player who has come to the target is to win.
LAST_DEALS = 3


def play_sample(preset: str, rules: HouseRules, stake_ore: int) -> tuple[Lesson, ...]:
    """The sample game of house rules, lesson by lesson."""
    players = _players(rules)
    game = SampleGame(begin(Setup(players, players[-1], stake_ore, preset, rules)))
    for teach in (_first_deal, _chicago, _exchange_stop, _requirement, _zeroing, _win):
        if not game.state.over:
            teach(game)
    if not game.state.over:
        game.explain("goes_on")
    return tuple(game.lessons)


def _players(rules: HouseRules) -> tuple[str, ...]:
    """Four, or three where only three need a Chicago to win."""
    counts = rules.win_needs_chicago_players
    three = rules.win_needs_chicago != "no" and counts and 3 in counts and 4 not in counts
    return PLAYERS[:3] if three else PLAYERS


def _first_deal(game: SampleGame) -> None:
    """A whole deal: a best hand, a tie, a bid that is refused, the last trick, a hand once more."""
    first, second, third, *_ = game.state.players
    hands = count()
    while not game.state.over and game.state.deal.number == 1:
        if game.state.deal.step not in HAND_DUE:
            _refused_bid(game)
            game.take_trick(third)
        elif (hand := next(hands)) != 1 or not _tie(game, (first, third)):
            game.score_hand(first if hand else second, 2 if hand else 0)


def _tie(game: SampleGame, players: tuple[str, ...]) -> bool:
    """Two with equal hands; False where it takes more than that for nobody to score."""
    if game.state.rules.ties not in ("kickers", "same_type"):
        return False
    return game.record("tie", NoBestHand(hand=Hand.TWO_PAIRS, tied=players), "")


def _refused_bid(game: SampleGame) -> None:
    """Somebody asks for a Chicago with too few points, if that takes any."""
    for name in speaking_order(game.state):
        verdict = may_bid(game.state, name)
        if verdict.code == "chicago_minimum":
            return game.explain("bid_refused", name, verdict)
    return None


def _chicago(game: SampleGame) -> None:
    """One Chicago is made, and the next one broken."""
    other, declarer, third, *_ = game.state.players
    minimum = game.state.rules.chicago_minimum or 0
    wishes = {declarer: minimum + 1, other: minimum + 2, third: minimum // 2}
    if game.play_on(lambda state: _may_bid_all(state, declarer, other), wishes):
        _bid(game, declarer, won=True)
    if not game.state.over and game.play_on(lambda state: _may_bid_all(state, other), wishes):
        _bid(game, other, won=False)


def _may_bid_all(state: GameState, *names: str) -> bool:
    """Whether it is the moment to bid, and each of them may."""
    return state.deal.step is Step.PLAY and all(may_bid(state, name).ok for name in names)


def _bid(game: SampleGame, declarer: str, *, won: bool) -> None:
    game.record("bid", Chicago(player=declarer), declarer, may_bid(game.state, declarer))
    third = next(name for name in reversed(game.state.playing) if name != declarer)
    if won:
        game.record("made", ChicagoResult(won=True), declarer)
    else:
        game.record("broken", ChicagoResult(won=False, broken_by=third), third)
    game.finish_deal(third)


def _exchange_stop(game: SampleGame) -> None:
    """Somebody at the stop asks to exchange."""
    rules, name = game.state.rules, game.state.players[2]
    stop = rules.exchange_stop
    if stop is not None and stop < rules.target:
        wishes = {**_spread(game.state, stop - 1), name: stop}
        if game.play_on(lambda state: _begins_deal(state) and is_stopped(state, name), wishes):
            game.explain("stopped", name, may_exchange(game.state, name))


def _begins_deal(state: GameState) -> bool:
    return not state.deal.begun and state.deal.step is first_step(state.rules)


def _spread(state: GameState, most: int) -> Wishes:
    """Scores below `most`, as they could stand some way into a game."""
    return {name: most * (5 - seat) // 8 for seat, name in enumerate(state.players)}


def _requirement(game: SampleGame) -> None:
    """Somebody comes to the target without the Chicago that winning takes."""
    lacking = [name for name in game.state.playing if not meets_requirement(game.state, name)]
    if chicago_required(game.state) and lacking:
        _come_to_target(game, max(lacking, key=game.state.score))


def _come_to_target(game: SampleGame, name: str) -> bool:
    """Bring a player to the target, and show the rest of that deal."""
    most = game.state.rules.target - 1
    wishes = {**_spread(game.state, most), name: most}
    if not game.play_on(lambda state: _last_step(game, state, name) is not None, wishes):
        return False
    event = _last_step(game, game.state, name)
    if event is None or not game.record("target", event, name):
        return False
    others = [other for other in game.state.playing if other != name] or [name]
    game.finish_deal(name if meets_requirement(game.state, name) else others[-1])
    return True


def _last_step(game: SampleGame, state: GameState, name: str) -> Event | None:
    """The event now due that brings a player who is below it to the target."""
    lack = state.rules.target - state.score(name)
    if name not in state.playing or lack <= 0:
        return None
    if state.deal.step not in HAND_DUE:
        return LastTrick(player=name) if state.rules.last_trick >= lack else None
    hands = [hand for hand in game.plain if points_of(state.rules, hand) >= lack]
    return BestHand(player=name, hand=hands[0]) if hands else None


def _zeroing(game: SampleGame) -> None:
    """Somebody zeroes, by choice where there is one: before the play there is none."""
    holder = game.state.players[1]
    for event in _zeroings(game.state, holder):
        if game.play_on(lambda state, event=event: can(state, event), {}):  # type: ignore[misc]  # binds this event
            chosen = event.choose == "zero" and can(game.state, scoring_instead(event))
            game.record("choice" if chosen else "zeroing", event, holder)
            return game.finish_deal(game.state.players[0])
    return None


def scoring_instead(event: BestHand) -> BestHand:
    """The same hand, booked for its points."""
    return BestHand(player=event.player, hand=event.hand)


def _zeroings(state: GameState, holder: str) -> Iterator[BestHand]:
    """The ways a player may zero, the one furthest ahead where it is one; a choice first."""
    rules = state.rules
    for hand in (*hands_that_zero(rules, "choice"), *hands_that_zero(rules, "always")):
        ways = bookings(state, holder, hand)
        yield max(
            (way for way in ways if zeroes(rules, way)),
            key=lambda way: state.score(way.victim) if way.victim else 0,
        )


def _win(game: SampleGame) -> None:
    """Let the player furthest ahead who may win do so, if need be after a Chicago."""
    name = _candidate(game)
    target = game.state.rules.target
    if name is None or not (game.state.score(name) >= target or _come_to_target(game, name)):
        return
    for _ in range(LAST_DEALS):
        if not game.state.over:
            game.take_due(name)
            game.finish_deal(name)


def _candidate(game: SampleGame) -> str | None:
    """The player to win: the highest of those who have the Chicago it takes, or can make one."""
    state = game.state
    able = [name for name in state.playing if meets_requirement(state, name)]
    if able:
        return max(able, key=state.score)
    minimum = state.rules.chicago_minimum or 0
    for name in state.playing:
        if game.play_on(lambda s, name=name: _may_bid_all(s, name), {name: minimum + 1}):  # type: ignore[misc]  # binds this name
            _bid(game, name, won=True)
            return None if game.state.over else name
    return None

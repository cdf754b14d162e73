"""The keeper's grid: a row for everything that can happen now, a cell for whom it happens to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from app.i18n.game import hand_label
from app.i18n.language import Language
from app.rules.checks import can, zeroes
from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Event,
    FalseClaim,
    IllegalExchange,
    LastTrick,
    Leaves,
    NoBestHand,
)
from app.rules.hands import Hand
from app.rules.house import (
    HouseRules,
    ZeroingMode,
    announced_hands,
    covers,
    four_ends_deal,
    listed_hands,
    points_of,
    zeroing_of,
)
from app.rules.state import BEFORE_PLAY, HAND_DUE, GameState, Step
from app.web.table.event_form import event_value


class Cell(msgspec.Struct, frozen=True):
    """One tap: `event` as a game file writes it, or `ask` when it first needs an answer.

    `open` is False for a cell that answers only why it may not be used; `text` is shown in it
    where the row's label does not say enough.
    """

    label: str
    event: str | None
    ask: tuple[int, str] | None
    open: bool
    text: str = ""


class Row(msgspec.Struct, frozen=True):
    """A row of the grid: a cell for every player, or a few `wide` ones across all columns."""

    name: str
    label: str
    worth: str
    cells: tuple[Cell, ...]
    wide: bool = False


def grid_rows(state: GameState, language: Language) -> list[Row]:
    """Everything that can happen now, in the order people look for it."""
    return _due(_Maker(state, language))


def _due(maker: _Maker) -> list[Row]:
    match maker.state.deal.step:
        case Step.OVER:
            return []
        case Step.CHICAGO_PLAY:
            return list(maker.result_rows())
        case Step.LAST_TRICK:
            return list(maker.trick_rows())
        case Step.PLAY:
            return [*maker.trick_rows(), *maker.bid_rows(), *maker.announcement_rows()]
        case _:
            return [*maker.hand_rows(), maker.nobody_row(), *maker.bid_rows()]


def amend_rows(state: GameState, language: Language) -> list[Row]:
    """Everything that could have been recorded in a state, every question answered by its row."""
    maker = _Maker(state, language, asking=False)
    return [*_due(maker), *maker.zero_rows(), *maker.rare_rows()]


def worth(rules: HouseRules, hand: Hand, language: Language) -> str:
    """What a hand gives, as short as it can be said."""
    _ = language.gettext
    if covers(rules.winning_hands, hand):
        return _("wins")
    raised = covers(rules.raising_hands, hand)
    points = f"→{rules.target}" if raised else str(points_of(rules, hand))
    match zeroing_of(rules, hand):
        case "choice":
            return _("%(points)s or zero", points=points)
        case "always":
            return _("%(points)s and zero", points=points)
        case _:
            return points


def may_choose_zero(state: GameState, player: str, hand: Hand) -> bool:
    """Whether this player, with this best hand, has the choice between scoring and zeroing now."""
    victim = next(name for name in state.playing if name != player)
    one = state.rules.zeroing_victims == "one"
    event = BestHand(player=player, hand=hand, choose="zero", victim=victim if one else None)
    return player in state.playing and can(state, event)


class _Maker:
    """Makes the rows of one state."""

    def __init__(self, state: GameState, language: Language, asking: bool = True) -> None:
        self.state = state
        self.language = language
        self.asking = asking
        self._ = language.gettext

    def hand_rows(self) -> Iterator[Row]:
        for hand in listed_hands(self.state.rules):
            yield self._row(
                hand,
                hand_label(hand, self.language),
                worth(self.state.rules, hand, self.language),
                lambda name, hand=hand: BestHand(player=name, hand=hand),  # type: ignore[misc]
            )

    def nobody_row(self) -> Row:
        _ = self._
        passes = self._cell(_("Nobody"), NoBestHand(), text=_("all pass or equal"))
        if not self.asking:
            return Row("nobody", _("Nobody"), "", (passes,), wide=True)
        tie = Cell(_("Equal hands"), None, (0, "tie"), open=True, text=_("equal …"))
        return Row("nobody", _("Nobody"), "", (passes, tie), wide=True)

    def trick_rows(self) -> Iterator[Row]:
        _, rules = self._, self.state.rules
        yield self._row(
            "trick", _("Last trick"), str(rules.last_trick), lambda name: LastTrick(player=name)
        )
        if rules.last_trick_with_two is not None:
            yield self._row(
                "trick-two",
                _("… with a two"),
                str(rules.last_trick_with_two),
                lambda name: LastTrick(player=name, with_two=True),
            )

    def bid_rows(self) -> Iterator[Row]:
        _, rules, deal = self._, self.state.rules, self.state.deal
        early = deal.step in BEFORE_PLAY and rules.chicago_when == "any_time"
        if deal.step is Step.PLAY or (early and deal.declarer is None):
            yield self._row(
                "chicago", _("Chicago"), _plus(rules.chicago_points), lambda n: Chicago(player=n)
            )
        if rules.blind_chicago is not None and not deal.begun:
            yield self._row(
                "blind",
                _("Blind Chicago"),
                _plus(rules.blind_chicago.points),
                lambda name: Chicago(player=name, blind=True),
            )

    def announcement_rows(self) -> Iterator[Row]:
        """What may be laid open before the play: hands that win, zero, or end the deal."""
        _, rules = self._, self.state.rules
        for hand in announced_hands(rules):
            label = hand_label(hand, self.language)
            if zeroing_of(rules, hand) == "choice" and self.asking:
                yield self._row(f"{hand}-zero", label, _("zeroes"), _zeroing(hand))
            if covers(rules.winning_hands, hand) or four_ends_deal(rules, hand):
                yield self._row(hand, label, _scored(rules, hand, self.language), _scoring(hand))

    def zero_rows(self) -> Iterator[Row]:
        """A row for every way of zeroing, with the victim where one is named."""
        state = self.state
        one = state.rules.zeroing_victims == "one"
        for hand in listed_hands(state.rules) if state.deal.step in (*HAND_DUE, Step.PLAY) else ():
            how = zeroing_of(state.rules, hand)
            if how == "choice" or (how == "always" and one):
                for victim in state.playing if one else (None,):
                    yield self._zero_row(hand, how, victim)

    def _zero_row(self, hand: Hand, how: ZeroingMode, victim: str | None) -> Row:
        _ = self._
        zeroes = _("zeroes %(victim)s", victim=victim) if victim else _("zeroes")
        make = _zeroing(hand, how, victim)
        return self._row(f"{hand}-{victim}", hand_label(hand, self.language), zeroes, make)

    def rare_rows(self) -> Iterator[Row]:
        _, rules = self._, self.state.rules
        yield self._row("leaves", _("Leaves"), "", lambda name: Leaves(player=name))
        if rules.false_claim_loses:
            yield self._row("false", _("False claim"), "0", lambda name: FalseClaim(player=name))
        if rules.illegal_exchange == "zeroed":
            label = _("Illegal exchange")
            yield self._row("illegal", label, "0", lambda name: IllegalExchange(player=name))

    def result_rows(self) -> Iterator[Row]:
        _, rules, deal = self._, self.state.rules, self.state.deal
        blind = rules.blind_chicago if deal.blind else None
        points = blind.points if blind else rules.chicago_points
        made = self._cell(_("Chicago made"), ChicagoResult(won=True), text=_("made"))
        yield Row("made", _("All five tricks"), _plus(points), (made,), wide=True)
        if (two := _with_two(rules, deal.blind)) is not None:
            event = ChicagoResult(won=True, with_two=True)
            cell = self._cell(_("Chicago made with a two"), event, text=_("made with a two"))
            yield Row("made-two", _("… the last with a two"), _plus(two), (cell,), wide=True)
        yield self._broken_row(blind.penalty if blind else rules.chicago_penalty)

    def _broken_row(self, penalty: int) -> Row:
        _, bonus = self._, self.state.rules.chicago_breaker_bonus
        lost = self.language.signed(-penalty)
        if not bonus:
            broken = self._cell(_("Chicago broken"), ChicagoResult(won=False), text=_("broken"))
            return Row("broken", _("A trick lost"), lost, (broken,), wide=True)
        label = _("Broken by (+%(points)s)", points=bonus)
        return self._row("broken", label, lost, lambda n: ChicagoResult(won=False, broken_by=n))

    def _row(self, name: str, label: str, worth: str, make: Callable[[str], Event]) -> Row:
        cells = tuple(
            self._cell(f"{player}: {label}", make(player), number)
            for number, player in enumerate(self.state.setup.players, start=1)
        )
        return Row(str(name), label, worth, cells)

    def _cell(self, label: str, event: Event, number: int = 0, text: str = "") -> Cell:
        if isinstance(event, BestHand) and self._asks(event):
            return Cell(label, None, (number, event.hand), open=True)
        allowed = can(self.state, event)
        return Cell(label, event_value(event), None, allowed, text)

    def _asks(self, event: BestHand) -> bool:
        """Whether a hand asks: score or zero, and whom."""
        state = self.state
        if not self.asking or event.player not in state.playing:
            return False
        if state.rules.zeroing_victims == "one" and zeroes(state.rules, event):
            return True
        return state.deal.step in HAND_DUE and may_choose_zero(state, event.player, event.hand)


def _plus(points: int) -> str:
    return f"+{points}"


def _with_two(rules: HouseRules, blind: bool) -> int | None:
    """What a Chicago made with a two gives, None where the two changes nothing."""
    if blind and rules.blind_chicago is not None:
        return rules.blind_chicago.with_two
    if rules.chicago_last_trick in ("if_won", "always") and rules.last_trick_with_two is not None:
        return rules.chicago_with_two or rules.chicago_points
    return rules.chicago_with_two


def _zeroing(
    hand: Hand, how: ZeroingMode = "choice", victim: str | None = None
) -> Callable[[str], Event]:
    choose: Literal["zero", "score"] = "zero" if how == "choice" else "score"
    return lambda name: BestHand(player=name, hand=hand, choose=choose, victim=victim)


def _scoring(hand: Hand) -> Callable[[str], Event]:
    return lambda name: BestHand(player=name, hand=hand)


def _scored(rules: HouseRules, hand: Hand, language: Language) -> str:
    if covers(rules.winning_hands, hand):
        return language.gettext("wins")
    return str(points_of(rules, hand))

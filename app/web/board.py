"""The board: the heads, what an outcome has done, and the strip over it, step by step of the deal.

Consequences of an outcome, callouts and changes of scores, are told beforehand on the dialog of a
hand and afterwards above the scoreboard, by the names that the scoreboard has for the players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, get_args

import msgspec
from flask import current_app, render_template

from app.http import context
from app.http.rendered import memoize
from app.i18n.house_rules import rules_changed_text
from app.i18n.language import isolate
from app.rules.codes import EffectCode, EndCode
from app.rules.events import Event
from app.rules.facts import EXCHANGE, Fact, exchange_ahead, facts
from app.rules.names import short_names
from app.rules.outcome import Outcome, ScoreChange
from app.rules.protocol import find_deal
from app.rules.rights import chicago_step, leader, may_bid, may_exchange
from app.rules.settlement import Currency, payout
from app.rules.state import (
    Effect,
    GameState,
)
from app.services.table_view import TableView, UndoableChange, UndoItem
from app.web.grid import dialogs_key, grid_rows
from app.web.protocol import head_names, list_facts, rank, strip, with_names

if TYPE_CHECKING:
    from app.services.notes import SaidPaid


class Head(msgspec.Struct, frozen=True):
    """A player's head.

    `bid`: a Chicago of theirs counts as said in this game. `facts` are the most urgent first.
    """

    number: int
    name: str
    short: str
    score: int
    dealer: bool
    playing: bool
    winner: bool
    bid: bool
    facts: tuple[Fact, ...]

    @property
    def exchange(self) -> Fact | None:
        """The fact on the exchange that comes next, which has a bar of its own."""
        return next((fact for fact in self.facts if fact.code in EXCHANGE), None)


# So many letters have room in one line over a column, by the number of players; and so many take
# the mark of who has bid, where it has no edge of its own.
ROOM = {2: 14, 3: 11, 4: 9, 5: 7, 6: 6, 7: 12, 8: 12}
MARK = {5: 0, 6: 0}


def letters(short: str, count: int) -> int:
    """The room that a name of `count` takes, in letters, with the mark that it may come to have."""
    return len(short) + MARK.get(count, 2)


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
            facts=facts(state, seat.name),
        )
        for number, seat in enumerate(state.seats, start=1)
    ]


def seated_round(heads: Sequence[Head]) -> list[tuple[str, Head]]:
    """Each head with its side of a phone between the players, from the far end to the near one.

    The first sits at the near end, the others clockwise: pairs along the sides, and the far end
    for who is left over.
    """
    near, *others = heads
    along = len(others) // 2
    last = len(others) - along
    west, far, east = others[:along], others[along:last], others[last:]
    pairs = zip(west[::-1], east, strict=True)
    sides = [seat for one, other in pairs for seat in (("west", one), ("east", other))]
    return [*(("north", head) for head in far), *sides, ("south", near)]


CALLED_OUT: frozenset[EffectCode] = frozenset(
    {
        "joins",
        "leaves",
        "leaves_for_nothing",
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


class Consequences(msgspec.Struct, frozen=True):
    """Consequences of an outcome: the effects to call out, and the scores that change.

    `ends`: why the game is over then, if it is. `cuts_short`: the deal is over before it has been
    played out. `waits`: whose zeroing is announced, and strikes later.
    """

    callouts: tuple[Effect, ...]
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
        callouts=with_names(_callouts(result), names),
        changes=with_names(result.score_changes(), names),
        ends=next(iter(with_names((e for e in effects if e.code in ENDS), names)), None),
        cuts_short=result.cuts_deal_short(),
        waits=names[waiting.holder] if waiting and announced else None,
    )


def _callouts(result: Outcome) -> list[Effect]:
    """The effects to announce loudly, each once: a zeroing instead of its victims.

    Where it takes their Chicagos away, that is one for all of them.
    A hand that only cuts the deal short is announced as well, since the grid begins anew.
    """
    effects = result.after.effects
    callouts = [
        Effect("zeroes", effect.by, hand=effect.hand) if effect.code == "zeroed" else effect
        for effect in effects
        if effect.code in CALLED_OUT
    ]
    if not callouts and result.cuts_deal_short():
        callouts = [effect for effect in effects if effect.code == "hand"]
    taken = tuple(e.player for e in callouts if e.code == "chicagos_taken" and e.player)
    rest = dict.fromkeys(effect for effect in callouts if effect.code != "chicagos_taken")
    return [*rest, Effect("chicagos_taken", players=taken)] if taken else [*rest]


# More than any game has entries.
BETWEEN_GAMES = 100_000


class Happened(msgspec.Struct, frozen=True):
    """The newest change as the table shows it for a moment.

    `facts` grows from 0 with every event, and gets less with every one that is taken back.
    `differences`: by how many points the newest fact changed whose score. `fallen`: whose it took
    to nothing. `consequences`: those of the newest fact, where there is something to call out.
    `gave`: what the deal that it ended gave to each player, in points, if the game goes on. `lines`
    tell all phones what is agreed otherwise from now on; an edit that does so counts half a fact.
    """

    facts: float
    differences: Mapping[str, int] = {}
    fallen: Sequence[str] = ()
    consequences: Consequences | None = None
    gave: Mapping[str, int] = {}
    lines: Sequence[str] = ()


def happened(view: TableView) -> Happened:
    """The newest change as the table shows it for a moment."""
    events, states = view.game.events, view.states
    facts = (view.number - 1) * BETWEEN_GAMES + len(events)
    if lines := tell_edit(view):
        return Happened(facts + 0.5, lines=lines)
    if not events:
        return Happened(facts)
    newest = Outcome(events[-1], states[-2], states[-1])
    changes = newest.score_changes()
    found, gave = consequences(newest), _deal_gave(view)
    return Happened(
        facts=facts,
        differences={} if gave else {c.player: c.after - c.before for c in changes},
        fallen=[change.player for change in changes if not change.after],
        consequences=found if found.callouts and not view.state.over else None,
        gave=gave,
        lines=[
            rules_changed_text(each.change.before, view.state.rules, context.language())
            for each in view.state.effects
            if each.change
        ],
    )


def tell_edit(view: TableView) -> list[str]:
    """What the newest edit made otherwise for all who play."""
    edit = view.undoable
    if not isinstance(edit, UndoableChange) or edit.was is None or edit.number != view.number:
        return []
    lines = tell_change(edit.was, view.state, edit.renamed, view.currency)
    rules = rules_changed_text(edit.was.rules, view.state.rules, context.language())
    return [*lines, *filter(None, [rules])]


def tell_change(
    was: GameState, now: GameState, renamed: Mapping[str, str], currency: Currency
) -> list[str]:
    """What is otherwise but for the rules: who sits, deals, and the stake.

    `renamed` leads from names to the same persons' new ones.
    """
    language = context.language().of_pages
    _, sat = language.gettext, tuple(renamed.get(name, name) for name in was.players)
    lines = [
        _("%(was)s is now called %(player)s.", was=isolate(old), player=isolate(new))
        for old, new in renamed.items()
    ]
    lines += [
        _("%(player)s is not one of the players.", player=isolate(name))
        for name in sat
        if name not in now.players
    ]
    lines += [
        _("%(player)s is now one of the players.", player=isolate(name))
        for name in now.players
        if name not in sat
    ]
    if sat != now.players and {*sat} == {*now.players}:
        lines.append(_("The seats have been changed."))
    if renamed.get(was.deal.dealer, was.deal.dealer) != now.deal.dealer and not now.over:
        lines.append(_("%(player)s deals.", player=isolate(now.deal.dealer)))
    if was.setup.stake_ore != now.setup.stake_ore:
        amount = language.money(now.setup.stake_ore, currency)
        lines.append(_("A point is now worth %(amount)s.", amount=amount))
    return lines


def _deal_gave(view: TableView) -> dict[str, int]:
    number, state = view.states[-2].deal.number, view.state
    if state.over or state.deal.number == number:
        return {}
    began = view.states[find_deal(view.states, number)].scores
    return {seat.name: seat.score - began.get(seat.name, 0) for seat in state.seats}


MOST_NAMED = 6


class Prompts(msgspec.Struct, frozen=True):
    """The prompts for the step now due, players called as over their columns.

    `dealer` deals; `leads` begins, or leads to the first trick of a Chicago. `stopped`: who may not
    exchange, None where nobody exchanges any more; `named` is whether their names have room.
    `bidder`: who alone may bid Chicago now, where that name has room.
    """

    dealer: str
    leads: str
    stopped: Sequence[str] | None
    named: bool
    bidder: str | None


def prompts(state: GameState) -> Prompts:
    """The prompts for the step now due."""
    names = head_names(state)
    stopped = [names[name] for name in state.playing if not may_exchange(state, name).ok]
    bidders = [name for name in state.playing if may_bid(state, name).ok]
    alone = chicago_step(state).ok and len(bidders) == 1 and len(names[bidders[0]]) <= MOST_NAMED
    return Prompts(
        dealer=names[state.deal.dealer],
        leads=names[leader(state)],
        stopped=stopped if exchange_ahead(state) else None,
        named=len(", ".join(stopped)) <= MOST_NAMED,
        bidder=names[bidders[0]] if alone else None,
    )


class Doubted(msgspec.Struct, frozen=True):
    """An entry that people doubt: its game, its index there, and its event."""

    who: tuple[str, ...]
    number: int
    index: int
    event: Event


def find_doubted() -> list[Doubted]:
    """The entries that are doubted at this page's table, in the order in which that was said."""
    if not context.access().noted:
        return []
    # Only a server has readers.
    from app.services import notes

    found = dict[tuple[int, int, Event], list[str]]()
    for doubt in notes.list_doubts(context.db(), context.link()):
        found.setdefault((doubt.number, doubt.index, doubt.event), []).append(doubt.person)
    return [Doubted(tuple(who), *entry) for entry, who in found.items()]


def find_said_paid() -> list[SaidPaid]:
    """Payments at this page's table that payers say they have made."""
    if not context.access().noted:
        return []
    from app.services import notes

    return notes.list_said_paid(context.db(), context.link())


# The whole page, and the part of it that every change swaps.
PAGE, FRAGMENT = "table/page.html", "table/_table.html"


def draw_board(view: TableView) -> str:
    """The part of the page that every change swaps, drawn once for a tap and all who write."""

    def draw() -> str:
        return render_template(FRAGMENT, view=view, **view_table(view))

    # Somebody else may have been here since the change.
    return memoize(draw, FRAGMENT) if context.access().seq == view.seq else draw()


def view_table(view: TableView) -> dict[str, object]:
    """Values of the table's templates."""
    state, heads = view.state, scoreboard(view.state)
    count = len(heads)
    # Only the keeper sees the grid, and it is the most expensive part.
    rows = grid_rows(state) if context.access().writes else []
    # A player who had nothing is not listed as zeroed.
    felt = [effect for effect in state.effects if effect.code != "zeroed" or effect.points]
    return {
        "state": state,
        "heads": heads,
        # Where a name is too long for one line, all are on two.
        "two": any(letters(head.short, count) > ROOM[count] for head in heads),
        "rows": rows,
        # A phone that answers by itself fetches none ahead.
        "sheets": "" if current_app.config["PHONE"] else dialogs_key(state, rows, view.seq),
        "board_key": _find_board_key(state),
        "strip": [] if state.over else strip(state, list_facts(view)),
        "prompts": prompts(state),
        "happened": happened(view),
        "latest": [(event, felt) for event in view.game.events[-1:]],
        "undoable": undoable(view),
        "doubted": find_doubted() if context.access().writes else [],
        "said_paid": find_said_paid() if context.access().writes else [],
        **(_view_end(view) if state.over else {}),
    }


def _find_board_key(state: GameState) -> str:
    """The key of the board of a phone that shows what comes next, by who deals next; else empty."""
    goes_on = state.deal.dealer in state.playing and not state.over
    if current_app.config["PHONE"] or not (goes_on and context.access().writes):
        return ""
    # A phone that answers by itself carries nothing of it.
    from app.rules.ahead import board_key

    return board_key(state)


def _view_end(view: TableView) -> dict[str, object]:
    """Values of the end of a game; `began_by`: the rules of the evening's first game."""
    ledger = context.read_ledger()
    first = min((line.number for line in ledger.lines), default=view.number)
    return {
        "ranking": rank(view.state),
        "payout": payout(view.state),
        "ledger": ledger,
        "began_by": context.read_view(first).game.setup.rules,
    }


def undoable(view: TableView) -> UndoItem | None:
    """The change that undo takes back, its players called as on the scoreboard."""
    item = view.undoable
    if not isinstance(item, Event):
        return item
    (event,) = with_names([item], head_names(view.state))
    return event


# The page for the middle of the table, the part of it that every change swaps.
MIDDLE = "table/_middle.html"


def view_middle(view: TableView) -> dict[str, object]:
    """Values of the templates for the middle of the table."""
    return {"view": view, "seats": seated_round(scoreboard(view.state))}

"""The protocol as on paper: tally marks deal by deal, the newest on top, and the game's curve."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Literal, TypeVar

import msgspec
from flask import Blueprint, render_template, request, url_for
from msgspec.structs import asdict, replace

from app.http import context
from app.http.forms import read_flashes, read_int
from app.http.rendered import cache_page
from app.i18n.language import N_
from app.rules.codes import MarkCode
from app.rules.events import BestHand, Chicago, ChicagoResult, Event, LastTrick, NoBestHand
from app.rules.facts import exchange_ahead
from app.rules.gamefile import MAX_EVENTS
from app.rules.house import HouseRules
from app.rules.names import short_names
from app.rules.outcome import Outcome
from app.rules.protocol import ZEROINGS, ProtocolDeal, assemble
from app.rules.state import (
    BEFORE_PLAY,
    GameState,
    Seat,
    Step,
    exchanges,
    scored_hands,
    steps_before_play,
)
from app.services import evenings
from app.services.figures import describe_game, score_curve
from app.services.table_view import TableView, UndoableChange
from app.store.clock import evening_of
from app.web.curve import Curve, Levels, Sketch, draw

LONGEST_NAME = 16
# The fields that name players in an event, an effect or a change of a score.
NAMING = ("player", "victim", "tied", "broken_by", "by", "players")

Names = Mapping[str, str]
Renamed = TypeVar("Renamed", bound=msgspec.Struct)


def head_names(state: GameState) -> Names:
    """The players' names on the scoreboard, cut off where they stay apart."""
    names = short_names(state.players)
    cut = {
        name: short if len(short) <= LONGEST_NAME else f"{short[: LONGEST_NAME - 1]}…"
        for name, short in names.items()
    }
    return cut if len({*cut.values()}) == len(names) else names


def with_names(things: Iterable[Renamed], names: Names) -> tuple[Renamed, ...]:
    """Events, effects or changes of scores, their players called by other names."""

    def rename(thing: Renamed) -> Renamed:
        fields = {key: value for key, value in asdict(thing).items() if key in NAMING and value}
        new = {
            key: names[value] if isinstance(value, str) else tuple(names[name] for name in value)
            for key, value in fields.items()
        }
        return replace(thing, **new)

    return tuple(map(rename, things))


When = Literal["past", "now", "ahead"]
DEALT, PLAY, END = "dealt", "play", "end"
# Events that belong to a step; a correction and the like may come at any.
PLAYED = (BestHand, NoBestHand, Chicago, ChicagoResult, LastTrick)


class StripFact(msgspec.Struct, frozen=True):
    """Something recorded in this deal: its index in the game, and what it gave, in points.

    `who` is whom it is about, as short as tells them apart; nobody where `points` are of several.
    """

    index: int
    event: Event
    who: str = ""
    points: int = 0


_points = attrgetter("points")


class StripStep(msgspec.Struct, frozen=True):
    """A step of the deal: the number of an exchange, the play or the hand after it.

    `facts` are its events, in order.
    """

    name: str
    when: When
    facts: tuple[StripFact, ...]

    @property
    def main(self) -> StripFact | None:
        """The fact that a step is remembered by: the newest that belongs to it, else the newest.

        Of everybody's own hands it is the best, with what they gave in all.
        """
        played = [fact for fact in self.facts if isinstance(fact.event, PLAYED)]
        hands = [fact for fact in played if isinstance(fact.event, BestHand)]
        if len([fact for fact in hands if fact.points]) > 1:
            best, total = max(hands, key=_points), sum(map(_points, hands))
            return replace(best, who="", points=total)
        return next(reversed(hands or played or self.facts), None)


def strip(state: GameState, facts: Sequence[tuple[str, StripFact]] = ()) -> list[StripStep]:
    """The steps of the deal being played, as many as the table's rules have, with its facts."""
    names, now = step_names(state), at_hand(state)
    at = names.index(now[0])
    return [
        StripStep(
            name,
            "now" if name in now else "past" if place < at else "ahead",
            tuple(fact for step, fact in facts if step == name),
        )
        for place, name in enumerate(names)
    ]


def step_names(state: GameState) -> list[str]:
    """The names of the steps of a deal, in order."""
    scored = scored_hands(state.setup)
    first = [DEALT] if Step.HAND_0 in scored else []
    numbers = [str(number + 1) for number in range(exchanges(state.setup))]
    return [*first, *numbers, PLAY, *([END] if Step.FINAL_HAND in scored else [])]


def at_hand(state: GameState) -> list[str]:
    """The steps at hand: an exchange in which no hand scores goes along with the next step."""
    step = state.deal.step
    if step is Step.HAND_0:
        return [DEALT]
    if step in BEFORE_PLAY:
        return _exchanges_until(state, step)
    if step is Step.FINAL_HAND:
        return [END]
    return [*(_exchanges_until(state, step) if exchange_ahead(state) else []), PLAY]


def _exchanges_until(state: GameState, step: Step) -> list[str]:
    """The numbers of the exchanges since the hand that scored before `step`."""
    scored = [BEFORE_PLAY.index(each) for each in steps_before_play(state.setup)]
    last = BEFORE_PLAY.index(step) if step in BEFORE_PLAY else exchanges(state.setup)
    return [str(n) for n in range(max([0, *(n for n in scored if n < last)]) + 1, last + 1)]


def list_facts(view: TableView) -> list[tuple[str, StripFact]]:
    """The facts recorded in this deal, in order, with the name of their step."""
    events, number = view.game.events, view.state.deal.number
    found = []
    for index in range(len(events) - 1, -1, -1):
        before = view.states[index]
        if before.deal.number != number:
            break
        found.append((step_of(before, events[index]), index))
    names = head_names(view.state)
    return [(step, _strip_fact(view, index, names)) for step, index in found][::-1]


def _strip_fact(view: TableView, index: int, names: Names) -> StripFact:
    event, (before, after) = view.game.events[index], view.states[index : index + 2]
    (called,) = with_names([event], names)
    tied = event.tied if isinstance(event, NoBestHand) else None
    player = tied[0] if tied else getattr(event, "player", None) or before.deal.declarer
    if player is None or (isinstance(event, NoBestHand) and not tied):
        return StripFact(index, called)
    # What a bid strikes is not what the play gave.
    none = isinstance(event, Chicago) or player not in before.players
    points = 0 if none else Outcome(event, before, after).points(player)
    if tied and not points:
        return StripFact(index, called)
    who = "=".join(initial(name, before.players) for name in tied or (player,))
    return StripFact(index, called, who, points)


def initial(player: str, players: Sequence[str]) -> str:
    """The first letters of a name, as many as tell it apart."""
    for length in range(1, 4):
        if [name[:length] for name in players].count(player[:length]) == 1:
            return player[:length]
    return player[:1]


def step_of(before: GameState, event: Event) -> str:
    """The step in which a fact was recorded; laying open belongs to the last exchange."""
    step = before.deal.step
    if step in BEFORE_PLAY:
        return str(BEFORE_PLAY.index(step)) if step is not Step.HAND_0 else DEALT
    if step is Step.PLAY and isinstance(event, BestHand):
        return str(exchanges(before.setup))
    return END if step is Step.FINAL_HAND else PLAY


def played_at(before: GameState, event: Event) -> str:
    """The step at which something played was recorded; "" for a correction and the like."""
    return step_of(before, event) if isinstance(event, PLAYED) else ""


def rank(state: GameState) -> list[Seat]:
    """The seats of a game that is over: the winners first, then the highest score."""
    return sorted(state.seats, key=lambda seat: (seat.name not in state.winners, -seat.score))


def sheet_address(number: int, deal: int | None = None) -> str:
    """The score sheet of one of the table's games, scrolled to a deal where one is named."""
    anchor = None if deal is None else f"deal-{deal}"
    return url_for("protocol.game", number=number, deal=deal, _anchor=anchor)


BUNDLE, LINE, PER_LINE = 17, 15, 2
# Nobody counts more strokes than this; a correction may be of thousands.
MOST_STROKES = 200


class Tally(msgspec.Struct, frozen=True):
    """Strokes as an SVG path, five by five, ten to a line."""

    path: str
    width: int
    height: int


class TallyColumn(msgspec.Struct, frozen=True):
    """A player in a deal's line: strokes for points won, points `lost`, marks, and the score.

    `score` is None for who had no seat by then; points that a zeroing took are told by its mark.
    """

    short: str
    strokes: Tally | None
    lost: list[int]
    marks: list[MarkCode]
    score: int | None


def draw_columns(deal: ProtocolDeal, names: Sequence[tuple[str, str]]) -> list[TallyColumn]:
    """The line of a deal, for players each with a short name, in that order."""
    columns = []
    for name, short in names:
        points = [each.points for each in deal.effects(name) if each.code not in ZEROINGS]
        strokes = draw_tally(sum(each for each in points if each > 0))
        lost = [each for each in points if each < 0]
        marks = [mark.code for mark in deal.marks if mark.player == name]
        columns.append(TallyColumn(short, strokes, lost, marks, deal.scores.get(name)))
    return columns


def draw_tally(points: int) -> Tally | None:
    """Draw points as strokes, every fifth across the four before it; None where there are none."""
    if not 0 < points <= MOST_STROKES:
        return None
    strokes = [_stroke(n) for n in range(points)]
    bundles = -(-points // 5)
    lines = -(-bundles // PER_LINE)
    return Tally("".join(strokes), min(bundles, PER_LINE) * BUNDLE, lines * LINE)


def _stroke(n: int) -> str:
    bundle, place = divmod(n, 5)
    line, column = divmod(bundle, PER_LINE)
    x, y = column * BUNDLE + 2, line * LINE + 2
    if place == 4:
        return f"M{x - 1} {y + 9}l13-7"
    return f"M{x + place * 3.5:g} {y}v11"


def draw_curve(states: Sequence[GameState]) -> Curve:
    """Draw a game: its lines, the scores that matter by its rules, and its course in words."""
    language, scores, end = context.language(), score_curve(states), states[-1]
    deals = len(scores) - 1

    titles = [language.gettext("deal %(number)s", number=deal) for deal in range(deals + 1)]
    if deals == end.deal.number and not end.over:
        after = language.gettext("in %(step)s", step=titles[-1])
    else:
        after = language.ngettext("after %(num)s deal", "after %(num)s deals", deals)
    sketch = Sketch(
        scores,
        end.players,
        [str(deal) for deal in range(deals + 1)],
        titles,
        language.number,
        language.number,
    )
    return draw(sketch, describe_game(states), after, _levels(end.rules))


def _levels(rules: HouseRules) -> Levels:
    """The scores from which a player may bid, may no longer exchange, and has reached the end."""
    _ = context.gettext
    levels = {
        "target": (rules.target, _("target %(points)s", points=rules.target)),
        "stop": (rules.exchange_stop, _("exchange stop %(points)s", points=rules.exchange_stop)),
        "minimum": (
            rules.chicago_minimum,
            _("Chicago from %(points)s", points=rules.chicago_minimum),
        ),
        "zero": (0, "0"),
    }
    return {kind: (at, text) for kind, (at, text) in levels.items() if at is not None}


bp = Blueprint("protocol", __name__, url_prefix="/t/<link>")


# So many deals are on one page; hardly any game has more.
DEALS = 60

EDITED = N_("The game has been edited.")


@bp.get("/protocol", endpoint="newest")
@bp.get("/games/<int:number>")
@cache_page("deal")
def game(number: int | None = None) -> str:
    """The protocol of one of the table's games, of the one being played, `deal` laid open.

    It is the page of the newest deals, or of an older one and those before it.
    """
    view, deal = context.read_view(number), read_int(request.args.get("deal", ""), 1, MAX_EVENTS)
    # The newest deal of which something is recorded.
    count = view.states[-2].deal.number if view.game.events else 0
    flashes = read_flashes()
    deal = deal if deal is not None and deal <= count else None
    last = count if deal is None or deal > count - DEALS else deal
    deals = assemble(view.states, view.game.events, max(1, last - DEALS + 1), last)
    return render_template(
        "protocol/page.html",
        view=view,
        names=list(short_names(view.state.players).items()),
        draw_columns=draw_columns,
        played_at=played_at,
        deals=deals[::-1],
        newest=last == count,
        opened=deal or count,
        day=evening_of(view.begun_at),
        flashes=flashes,
        flashes_at=deal,
        undoable=_find_undoable(view.number, flashes),
        curve=draw_curve(view.states),
        neighbours=evenings.find_neighbours(context.db(), context.access().id, view.number),
    )


def _find_undoable(number: int, flashes: list[str]) -> int | None:
    """The version from which undo takes back the edit that is told of, None if not that."""
    if context.gettext(EDITED) not in flashes:
        return None
    newest = context.read_view()
    match newest.undoable:
        case UndoableChange(kind="edit", number=edited) if edited == number:
            return newest.seq
    return None

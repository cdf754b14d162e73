"""Boards ahead: the grid of every step that the facts of this one lead to, without any figures.

A phone without the offline bundle has them when its network goes: what it records then waits, and
the step that follows is shown all the same, where the rules alone know it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, render_template, request, url_for
from msgspec.structs import replace

from app.http import context
from app.http.limits import expensive
from app.http.rendered import cached
from app.i18n.errors import STEP_NAMES
from app.i18n.game import step_question
from app.i18n.language import N_
from app.rules.ahead import Ahead, look_ahead, may_come, name_of, with_scores, without_scores
from app.rules.events import Event
from app.rules.house import listed_hands
from app.rules.outcome import bookings
from app.rules.state import HAND_DUE, GameState, Step, with_deal
from app.services.table_view import TableView
from app.store import clock
from app.web.table.board import at_hand, head_names, initial, prompts, step_names
from app.web.table.grid import GridCell, GridRow, asked_rows, event_value, grid_rows

bp = Blueprint("ahead", __name__, url_prefix="/t/<link>")

# What a fact leads to: a board, by its place; 1 where another deal begins; 1 where that is known
# only as long as all are below the target; by seat the most points that it gives; and whom it is
# about, as the strip has them.
Known = tuple[int, int, int, tuple[int, ...], str]


class Shape(NamedTuple):
    """What a phone knows a board by: question, due steps, and cells with who has told a hand."""

    asks: str
    now: str
    cells: str


class Board(msgspec.Struct):
    """A board: its place in words, its question and grid, and where its facts lead.

    A phone knows it by what it `asks`, the steps of the strip that are due `now`, and the values of
    its `cells`; `leads` are by those values, and by those of sheets.
    """

    step: str
    asks: str
    now: str
    cells: str
    html: str
    leads: dict[str, Known]


class Boards(msgspec.Struct):
    """All that a phone needs to go on, with its `words`.

    `dealers` come to deal in this order, and `turns` is the head of the page while each does.
    """

    boards: list[Board]
    target: int
    dealers: list[str]
    turns: list[str]
    words: dict[str, str]


WORDS: Mapping[str, str] = {
    "moment": N_("next: deal {deal}, {step}"),
    "unknown": N_("what comes next depends on the scores"),
    "next": N_("That was not written: what comes after “{what}” can be when the network is back."),
    "back": N_("Take back"),
    "more": N_("… and {count} after it"),
}


@bp.get("/ahead")
@expensive
def ahead(link: str) -> Response:
    """The boards ahead of this one; a phone has them already until something else is agreed."""
    view = context.read_view()
    state, language = without_scores(view.state), context.language().code
    of = f"ahead {state} {link} {language} {context.prefix()} {context.access().writes}"
    key = sha256(of.encode("utf-8", "surrogatepass")).hexdigest()
    response = Response(mimetype="application/json")
    if request.if_none_match.contains_weak(key):
        response.status_code = HTTPStatus.NOT_MODIFIED
    else:
        response.set_data(cached(key, lambda: msgspec.json.encode(draw_ahead(view))))
    response.set_etag(key, weak=True)
    return response


def draw_ahead(view: TableView) -> Boards:
    """The boards ahead of a table as it stands; none where it is no keeper's, or a game is over."""
    state = view.state
    goes_on = context.access().writes and not state.over
    return Boards(
        boards=_merge(view, look_ahead(state, list_events) if goes_on else []),
        target=state.rules.target,
        dealers=[head_names(state)[name] for name in state.playing],
        turns=[_turn(state, name) for name in state.playing if goes_on],
        words={key: context.gettext(text) for key, text in WORDS.items()},
    )


def _turn(state: GameState, dealer: str) -> str:
    state = with_deal(state, dealer=dealer, declarer=None)
    return render_template(
        "table/_turn.html", deal="{deal}", state=state, prompts=prompts(state)
    ).strip()


def list_events(state: GameState) -> list[Event]:
    """All that people record of a step that is due."""
    rows = [*_rows_of(state), *asked_rows(state)]
    cells = [cell.event for row in rows for cell in row.cells]
    if state.deal.step not in (*HAND_DUE, Step.PLAY):
        return cells
    hands = listed_hands(state.rules)
    ways = [bookings(state, name, hand) for name in state.playing for hand in hands]
    return [*dict.fromkeys([*cells, *(event for way in ways for event in way)])]


def _merge(view: TableView, found: Sequence[Ahead]) -> list[Board]:
    """The boards of states; of those that show the same, with what holds for all of them.

    Of states that lie too far ahead nothing is known, so neither of any that may look like them.
    """
    far = {_moment(each.state) for each in found if not each.known}
    shapes = {name_of(each.state): shape_of(each.state) for each in found if each.known}
    alike = defaultdict[Shape, list[Ahead]](list)
    for each in found:
        if each.known:
            alike[shapes[name_of(each.state)]].append(each)
    order = {shape: place for place, shape in enumerate(alike)}
    places = {name: order[shape] for name, shape in shapes.items()}
    boards = [_draw(view, shape, same) for shape, same in alike.items()]
    for board, same in zip(boards, alike.values(), strict=True):
        if _moment(same[0].state) not in far:
            board.leads = agreed(same, places)
    return boards


def _moment(state: GameState) -> str:
    return f"{at_hand(state)} {[*state.deal.told]}"


def shape_of(state: GameState) -> Shape:
    """What a phone knows the board of a state by."""
    names, cells = step_names(state), [cell for row in _rows_of(state) for cell in row.cells]
    at, called = url_for("table.page"), head_names(state)
    shown = [f"{at}/{cell.ask}" if cell.ask else event_value(cell.event) for cell in cells]
    told = [called[name] for name in state.players if name in state.deal.told]
    told += [called[name] for name in state.players if name == state.deal.declarer]
    return Shape(
        step_question(state, context.language()),
        "".join(str(names.index(step)) for step in at_hand(state)),
        # Whether a sheet of bids is there depends on scores.
        ",".join([*(value for value in shown if "/row/" not in value), *told]),
    )


def _draw(view: TableView, shape: Shape, same: Sequence[Ahead]) -> Board:
    state, language = same[0].state, context.language()
    html = render_template(
        "table/_ahead.html",
        view=view,
        state=state,
        rows=[_without_figures(state, row) for row in _rows(state)],
        names=[*head_names(state).items()],
    )
    return Board(
        step=language.gettext(STEP_NAMES[state.deal.step]),
        asks=shape.asks,
        now=shape.now,
        cells=shape.cells,
        html=html.strip(),
        leads={},
    )


def _rows(state: GameState) -> list[GridRow]:
    """The rows while anybody may bid whom points may keep from it."""
    blind = state.rules.blind_chicago
    minimum = max(state.rules.chicago_minimum or 0, (blind and blind.minimum) or 0)
    return _rows_of(with_scores(state, minimum))


def _rows_of(state: GameState) -> list[GridRow]:
    """The rows of one of many states, between which others are served."""
    clock.give_way()
    return grid_rows(state)


def _without_figures(state: GameState, row: GridRow) -> GridRow:
    cells = tuple(_without_value(state, cell) for cell in row.cells)
    return replace(row, cells=cells, leads_to=None)


def _without_value(state: GameState, cell: GridCell) -> GridCell:
    """A cell that says nothing of scores; what leads to a sheet is shut."""
    is_open = not cell.ask and may_come(state, cell.event)
    return replace(cell, open=is_open, value=None, fate=None, short=None, turn=None)


def agreed(same: Sequence[Ahead], places: Mapping[str, int]) -> dict[str, Known]:
    """Where events lead from states that a phone cannot tell apart, by the places of boards."""
    found = dict[str, Known]()
    for event in dict.fromkeys(event for each in same for event in each.leads):
        leads = [each.leads[event] for each in same if event in each.leads]
        known = [lead for lead in leads if lead and name_of(lead.state) in places]
        to = {(places[name_of(lead.state)], lead.ends_deal) for lead in known}
        if len(to) == 1 and len(known) == len(leads):
            ((place, ends_deal),) = to
            gains = tuple(max(each) for each in zip(*(lead.gains for lead in known), strict=True))
            risky = any(lead.risky for lead in known)
            who = getattr(event, "player", None) or same[0].state.deal.declarer
            mark = initial(who, same[0].state.players) if who else "–"
            found[event_value(event)] = (place, int(ends_deal), int(risky), gains, mark)
    return found

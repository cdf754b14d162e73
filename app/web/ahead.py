"""Boards ahead: the grid of every step that the facts of this one lead to, without any figures.

A phone without the offline bundle has them when its network goes: what it records then waits, and
the step that follows is shown all the same, where the rules alone know it.
"""

from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, render_template, request
from markupsafe import Markup
from msgspec.structs import replace

from app.http import context
from app.http.limits import one_at_a_time
from app.http.rendered import memoize_by_key
from app.i18n.errors import STEP_NAMES
from app.i18n.language import N_
from app.rules.ahead import (
    HIGH,
    Ahead,
    Lead,
    board_key,
    look_ahead,
    may_come,
    name_of,
    with_scores,
    without_scores,
)
from app.rules.events import Event
from app.rules.house import listed_hands
from app.rules.outcome import hand_events
from app.rules.state import HAND_DUE, GameState, Step, with_deal
from app.services.table_view import TableView
from app.store import clock
from app.web.board import prompts
from app.web.grid import GridRow, asked_rows, event_value, grid_rows
from app.web.protocol import at_hand, head_names, initial, step_names, strip

bp = Blueprint("ahead", __name__, url_prefix="/t/<link>")

# What a fact leads to: a board, by its key; 1 where another deal begins; 1 where that is known
# only as long as all are below the target; by seat the most points that it gives; and whom it is
# about, as the strip has them.
Known = tuple[str, int, int, tuple[int, ...], str]


@bp.get("/ahead")
@one_at_a_time()
def ahead() -> Response:
    """The boards ahead of this one; a phone has them already until something else is agreed."""
    view = context.read_view()
    state, language = without_scores(view.state), context.language().code
    of = f"ahead {state} {context.link()} {language} {context.prefix()} {context.access().writes}"
    key = sha256(of.encode("utf-8", "surrogatepass")).hexdigest()
    response = Response(mimetype="application/json")
    if request.if_none_match.contains_weak(key):
        response.status_code = HTTPStatus.NOT_MODIFIED
    else:
        response.set_data(memoize_by_key(key, lambda: msgspec.json.encode(draw_ahead(view))))
    response.set_etag(key, weak=True)
    return response


def draw_ahead(view: TableView) -> dict[str, object]:
    """All that a phone needs to go on: `boards` by the keys that tables have of theirs.

    There are none where it is no keeper's, or a game is over. `turns` are the head of the page
    while each deals, in the order in which they come to it; the rest are words.
    """
    state, _ = view.state, context.gettext
    goes_on = context.access().writes and not state.over
    found = [each for each in (look_ahead(state, list_events) if goes_on else []) if each.known]
    keys = {name_of(each.state): board_key(each.state) for each in found}
    back = _("Take back")
    return {
        "boards": {keys[name_of(each.state)]: _draw(view, each, keys) for each in found},
        "target": state.rules.target,
        "turns": [_turn(state, name) for name in state.playing if goes_on],
        "unknown": f" · {_(UNKNOWN)}",
        "back": back,
        "more": f"{back} {_(MORE)}",
    }


UNKNOWN = N_("what comes next depends on the scores, and can be written when the network is back")
MORE = N_("… and {count} after it")


def _turn(state: GameState, dealer: str) -> str:
    state = with_deal(state, dealer=dealer, declarer=None)
    return render_template(
        "table/_turn.html", deal="{deal}", state=state, prompts=prompts(state)
    ).strip()


def list_events(state: GameState) -> list[Event]:
    """All that people record of a step that is due."""
    clock.give_way()
    rows = [*grid_rows(state), *asked_rows(state)]
    cells = [cell.event for row in rows for cell in row.cells]
    if state.deal.step not in (*HAND_DUE, Step.PLAY):
        return cells
    hands = listed_hands(state.rules)
    ways = [hand_events(state, name, hand) for name in state.playing for hand in hands]
    return [*dict.fromkeys([*cells, *(event for way in ways for event in way)])]


def _draw(view: TableView, at: Ahead, keys: Mapping[str, str]) -> dict[str, object]:
    """A board: its head and grid, what is said of it as the `next`, and where its facts lead.

    `now` is the place in the strip of the step that is due; `leads` are by the values of cells and
    of dialogs.
    """
    state, own = at.state, keys[name_of(at.state)]
    blind, minimum = state.rules.blind_chicago, state.rules.chicago_minimum or 0
    # Anybody may bid whom points may keep from it.
    bidding = with_scores(state, max(minimum, (blind and blind.minimum) or 0))
    clock.give_way()
    html = render_template(
        "table/_ahead.html",
        view=view,
        state=state,
        strip=strip(state),
        rows=[_without_figures(state, row) for row in grid_rows(bidding)],
        names=[*head_names(state).items()],
    )
    leads = {
        event_value(event): _lead(state, event, lead, keys[name_of(lead.state)])
        for event, lead in at.leads.items()
        if lead and name_of(lead.state) in keys
    }
    # It leads nowhere else, but what depends on scores is not known any more.
    corrected = (own, 0, 0, (HIGH,) * len(state.players), "")
    step = context.gettext(STEP_NAMES[state.deal.step])
    return {
        "html": html.strip(),
        "now": step_names(state).index(at_hand(state)[-1]),
        "next": " · " + context.gettext(N_("next: deal {deal}, {step}")).replace("{step}", step),
        "leads": {**leads, "correction": corrected},
    }


def _lead(state: GameState, event: Event, lead: Lead, key: str) -> Known:
    who = getattr(event, "player", None) or state.deal.declarer
    mark = Markup("<em>{}</em>").format(initial(who, state.players) if who else "–")
    return key, int(lead.ends_deal), int(lead.risky), lead.gains, str(mark)


def _without_figures(state: GameState, row: GridRow) -> GridRow:
    """A row whose cells say nothing of scores; those that lead to a dialog are shut."""
    cells = [
        replace(
            cell,
            open=not cell.ask and may_come(state, cell.event),
            value=None,
            fate=None,
            short=None,
            turn=None,
        )
        for cell in row.cells
    ]
    return replace(row, cells=tuple(cells), leads_to=None)

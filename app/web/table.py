"""The table's page: the keeper's board to record on, its dialogs, and the readers' view."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from http import HTTPStatus

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.cookies import remember_table
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    read_flashes,
    read_int,
    redirect_to,
    submit,
)
from app.http.limits import one_at_a_time
from app.http.rendered import cache_page
from app.i18n.language import N_
from app.rules.ahead import needs
from app.rules.events import (
    BestHand,
    BreakOff,
    Event,
    FalseClaim,
    IllegalExchange,
    Leaves,
    NoBestHand,
)
from app.rules.facts import FactCode, facts, may_exchange_now
from app.rules.gamefile import MAX_EVENTS
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.names import MAX_PLAYERS
from app.rules.outcome import Outcome, hand_events, hypothetical_outcome, is_enabled, outcome
from app.rules.rights import (
    Verdict,
    bid_ahead,
    can_win,
    chicago_step,
    may_bid,
    may_join,
    may_tell,
)
from app.rules.state import GameState, scorers
from app.services import evenings, people
from app.services.commit import Change
from app.services.evenings import LONGEST_QUERY, Search, read_query
from app.services.play import Record, Redo, Undo
from app.services.table_view import TableView
from app.web.board import (
    FRAGMENT,
    PAGE,
    Consequences,
    consequences,
    draw_board,
    letters,
    view_middle,
    view_table,
)
from app.web.grid import (
    GridRow,
    asked_rows,
    dialogs_key,
    grid_rows,
    rare_hand_rows,
    read_event_form,
    strikes_others,
)
from app.web.protocol import head_names, sheet_address
from app.web.templates import render, tell

bp = Blueprint("table", __name__, url_prefix="/t/<link>")
bp.add_app_template_filter(letters)

STALE = N_("Somebody else got there first. This is the table now.")


@bp.get("")
def page() -> Response:
    """The table as it stands."""
    if not context.wants_fragment():
        remember_table(context.link())
    if context.access().writes:
        return _keepers_page()
    # A phone that answers by itself always writes: it carries nothing for readers.
    from app.web.readers import readers_page

    return readers_page()


@cache_page(queued=False, vary_on=context.warns_of_dark)
def _keepers_page() -> Response:
    flashed = "" if context.wants_fragment() else " ".join(read_flashes())
    return render_table(context.read_view(), flashed=flashed)


@bp.post("/events")
def record() -> Response:
    """Record a tap, or a dialog that was filled in, which a refusal shows again."""
    outcome = submit(lambda: Record(read_event_form(request.form)), STALE)
    if isinstance(outcome, Refusal):
        view = context.read_view()
        return render_filled_in(view, outcome) or render_table(view, outcome)
    return _answer(outcome)


@bp.post("/undo")
def undo() -> Response:
    """Take the newest change back, and show the table, or the score sheet of `game` and `deal`."""
    game, deal = (read_int(request.form.get(name, ""), 1, MAX_EVENTS) for name in ("game", "deal"))
    if game is None:
        return _change(Undo)
    outcome, address = submit(Undo, STALE), sheet_address(game, deal)
    undone = context.gettext("The change has been undone.")
    return redirect_to(address, outcome.message if isinstance(outcome, Refusal) else undone)


@bp.post("/redo")
def redo() -> Response:
    """Redo the change undone last."""
    return _change(Redo)


def _change(read: Callable[[], Change]) -> Response:
    """Make a change and show the table; a refusal shows it too, with the reason in words."""
    outcome = submit(read, STALE)
    if isinstance(outcome, Refusal):
        return render_table(context.read_view(), outcome)
    return _answer(outcome)


def _answer(view: TableView) -> Response:
    """The table after a change."""
    if not context.wants_fragment():
        return redirect_to(url_for("table.page"))
    context.advance_table(view.seq, of_ledger=False)
    return make_response(draw_board(view))


def render_table(view: TableView, refusal: Refusal | None = None, flashed: str = "") -> Response:
    """The keeper's table: the whole page, or the part of it that htmx swaps.

    `flashed` is shown on it.
    """
    shown = view_table(view)
    return render(PAGE, FRAGMENT, refusal, view=view, name=view.name, flashed=flashed, **shown)


@bp.get("/middle")
@cache_page(queued=False)
def middle() -> Response:
    """The scores alone, each turned to its seat round a phone that lies between the players."""
    return render("table/middle.html", **view_middle(context.read_view()))


# Of more games than any table holds.
MOST_PAGES = 10_000


@bp.get("/games")
@cache_page("q", "won", "page", of_ledger=True)
def games() -> Response:
    """A page of the games, of those that the address looks for alone."""
    query, won = request.args.get("q", "").strip()[:LONGEST_QUERY], "won" in request.args
    number = read_int(request.args.get("page", ""), 1, MOST_PAGES) or 1
    search = Search(read_query(query), won, context.language().day)
    found = evenings.read_games(context.db(), context.link(), search, number)
    return render("table/games.html", found=found, query=query, won=won, number=found.number)


@bp.get("/settings")
def settings() -> Response:
    """The page of further ways on, for which the menu has no room."""
    return render("table/settings.html")


# Rows of some hundred tables, in three languages.
MOST_ROWS = 2_048


@bp.app_template_filter("drawn")
def _drawn(row: GridRow) -> Markup:
    """A row of this table's grid as it was drawn before: most are the same from tap to tap."""
    return _draw_row(row, context.link(), context.prefix(), context.language())


@lru_cache(MOST_ROWS)
def _draw_row(row: GridRow, *_of: object) -> Markup:
    return Markup(render_template("table/_row.html", row=row))  # noqa: S704  # a template's


class Choice(msgspec.Struct, frozen=True):
    """One choice: a message to be translated, its event, and whether it may be chosen now.

    `moves_on`: something else is due at the table afterwards.
    """

    label: str
    event: Event
    open: bool
    moves_on: bool


class HandChoice(msgspec.Struct, frozen=True):
    """One way of booking a hand, and by how many points it changes its holder's score.

    `zeroes`: it strikes others besides; `wins`: scored, it ends the game, and its holder has won.
    `consequences` is None for a way that may not be chosen now.
    """

    event: BestHand
    points: int
    zeroes: bool
    wins: bool
    consequences: Consequences | None

    @property
    def open(self) -> bool:
        """Whether it may be chosen now."""
        return self.consequences is not None


# Facts that the verdicts tell with their numbers.
TOLD: frozenset[FactCode] = frozenset(
    {
        *("out", "sits_out", "exchanges", "exchanges_last", "stopped", "may_bid", "bid_already"),
        *("bid_by", "points_to_bid", "too_high_to_bid", "chicago_needed", "wins_with_trick"),
    }
)


def verdicts(state: GameState, name: str) -> list[Verdict]:
    """May this player exchange, bid and win; each reason once."""
    reasons: list[Verdict] = []
    bid = may_bid(state, name)
    if bid.ok and not bid_ahead(state):
        bid = chicago_step(state)
    for verdict in (may_exchange_now(state, name), bid, can_win(state, name)):
        if verdict not in reasons:
            reasons.append(verdict)
    return reasons


def hand_choices(state: GameState, player: str, hand: Hand) -> list[HandChoice]:
    """Every way of booking a hand for a player, as the house rules know it."""
    choices = []
    for way in hand_events(state, player, hand):
        result = outcome(state, way)
        if isinstance(result, Outcome):
            points, meaning = result.points(way.player), consequences(result)
        else:
            result = hypothetical_outcome(state, way)
            points, meaning = result.gain(way.player), None
        wins = way.choose == "score" and way.player in result.after.winners
        choices.append(HandChoice(way, points, strikes_others(result), wins, meaning))
    return choices


def break_off_choices(state: GameState) -> list[Choice]:
    """Choices to break a game off, with its standing or void."""
    words = {
        True: N_("Break off the game – the standing counts"),
        False: N_("Break off the game – nobody pays"),
    }
    return [_choice(state, words[settle], BreakOff(settle=settle)) for settle in words]


def rare_choices(state: GameState, name: str) -> list[Choice]:
    """The rare events of a player, as far as the house rules know them."""
    choices = [_choice(state, N_("Leaves the game"), Leaves(player=name))]
    somebody = state.playing[0]
    if is_enabled(state, FalseClaim(player=somebody)):
        choices.append(_choice(state, N_("False claim: out"), FalseClaim(player=name)))
    if is_enabled(state, IllegalExchange(player=somebody)):
        label = N_("Exchanged despite the stop: zero")
        choices.append(_choice(state, label, IllegalExchange(player=name)))
    return choices


def _choice(state: GameState, label: str, event: Event) -> Choice:
    result = outcome(state, event)
    if not isinstance(result, Outcome):
        return Choice(label, event, open=False, moves_on=False)
    return Choice(label, event, open=True, moves_on=result.moves_on())


MOST_KNOWN = 12


def latecomer_values(state: GameState) -> dict[str, object]:
    """Values of the form: whether somebody may join, and the defaults where they may.

    `known` are names to choose from, `begins` the lowest score still playing, in points, `behind`
    whom they sit down behind.
    """
    joining = may_join(state)
    known = people.list_people(context.db(), context.access().id).persons if joining.ok else []
    return {
        "joining": joining,
        "known": [name for name in known if name not in state.players][:MOST_KNOWN],
        "begins": min(state.score(name) for name in state.playing),
        "behind": state.players[-1],
    }


def tie_values(state: GameState) -> dict[str, object]:
    """Values of the dialog of a tie: the hands, who may have one, and what each of the tied gets.

    `worth` is in points by hand, empty where nobody scores.
    """
    names, hands = may_tell(state), listed_hands(state.rules)
    worth = {
        hand: hypothetical_outcome(state, NoBestHand(hand=hand, tied=names[:2])).gain(names[0])
        for hand in hands
        if scorers(state) == "equal"
    }
    return {"hands": hands, "names": names, "worth": worth}


class Dialog(msgspec.Struct, frozen=True):
    """A dialog: the name of its template, and the values that the template shows.

    `due` is False where there is nothing to ask for any more. `field` is where a text stands that
    cannot be read.
    """

    name: str
    values: dict[str, object]
    due: bool = True
    field: str = ""


# Each by its name, with what stands behind that in its address.
DIALOGS: Mapping[str, str] = {
    "more": "",
    "comings": "",
    "latecomer": "",
    "tie": "",
    "rare": "",
    "row": "/<name>",
    "player": "/<int:number>",
    "hand": "/<int:number>/<name>",
}


def dialog(kind: str, number: int = 0, name: str = "") -> Response:
    """A dialog: within the page, or as a page of its own where there is no script."""
    view = context.read_view()
    asked = find_dialog(view.state, kind, number, name)
    response = _render_dialog(view, asked)
    if not asked.due:
        response.status_code = HTTPStatus.NOT_FOUND
    return response


for _kind, _rest in DIALOGS.items():
    bp.add_url_rule(f"/{_kind}{_rest}", _kind, partial(dialog, _kind))


def find_dialog(state: GameState, kind: str, number: int = 0, name: str = "") -> Dialog:
    """A dialog about a player by `number`, about a row or a hand by `name`. Raises NotFound."""
    players = state.players
    if kind in ("player", "hand") and not 1 <= number <= len(players):
        raise NotFound
    match kind:
        case "hand" if name in list(Hand):
            player, held = players[number - 1], Hand(name)
            ways = hand_choices(state, player, held)
            # Where none is allowed now, all of them with their reasons.
            allowed = [way for way in ways if way.open]
            return Dialog(kind, {"player": player, "hand": held, "choices": allowed or ways})
        case "player":
            return player_dialog(state, players[number - 1])
        case "row":
            return rows_dialog(state, [row for row in asked_rows(state) if row.name == name])
        case "rare":
            return rows_dialog(state, rare_hand_rows(state), N_("A rare hand"))
        case "tie":
            field = "tied" if request.form.get("hand") else "hand"
            return Dialog(kind, tie_values(state), field=field)
        case "latecomer":
            return Dialog(kind, latecomer_values(state), field="name")
        case "comings":
            choices = break_off_choices(state)
            return Dialog(kind, {"joining": may_join(state), "choices": choices})
        case "more":
            return Dialog(kind, {})
    raise NotFound


def rows_dialog(state: GameState, rows: list[GridRow], title: str = "") -> Dialog:
    """A dialog of rows, or of one that is its own title."""
    values: dict[str, object] = {"rows": rows, "called": head_names(state), "question": title}
    return Dialog("rows", values, bool(rows))


def read_dialog(state: GameState, ask: str) -> Dialog:
    """The dialog at an address below the table's, as a cell asks for it. Raises NotFound."""
    kind, *about = ask.split("/")
    number = read_int(about[0], 1, MAX_PLAYERS) if about else None
    return find_dialog(state, kind, number or 0, "".join(about[-1:]))


@bp.get("/sheets")
@one_at_a_time()
def sheets() -> str:
    """The dialogs that cells of this step lead to, by their addresses: they record what is rare.

    A phone has them at hand when its network goes. All others are fetched when they are opened.
    """
    view = context.read_view()
    state, rows = view.state, grid_rows(view.state)
    key, found = dialogs_key(state, rows, view.seq), [*rows, *rare_hand_rows(state)]
    asks = dict.fromkeys(cell.ask for row in found for cell in row.cells if cell.ask)
    drawn = {ask: draw_dialog(read_dialog(state, ask), view=view, state=state) for ask in asks}
    return render_template("dialogs/sheets.html", key=key, sheets=drawn)


def draw_dialog(dialog: Dialog, refusal: Refusal | None = None, **values: object) -> str:
    """A dialog as a part of another page; `view` and `state` are among the values it needs."""
    filled = {"typed": {}, **values, **dialog.values, **tell(_at_its_field(dialog, refusal))}
    return render_template(f"dialogs/{dialog.name}.html", fragment=True, **filled)


def render_filled_in(view: TableView, refusal: Refusal) -> Response | None:
    """The dialog whose form was refused, filled in as it was; None for a tap that filled none."""
    if (dialog := find_filled_in(view.state)) is None:
        return None
    response = _render_dialog(view, dialog, _at_its_field(dialog, refusal))
    # The answer belongs where the form was filled in.
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#ask", "innerHTML"
    return response


def find_filled_in(state: GameState) -> Dialog | None:
    """The dialog whose form this request sends, None for a tap that filled in none."""
    match request.form.get("event"):
        case "correction" if (name := request.form.get("player", "")) in state.players:
            return player_dialog(state, name)
        case "joins":
            return find_dialog(state, "latecomer")
        case "no_best_hand":
            return find_dialog(state, "tie")
    return None


def _at_its_field(dialog: Dialog, refusal: Refusal | None) -> Refusal | None:
    return refusal.at(dialog.field) if refusal and refusal.malformed else refusal


def player_dialog(state: GameState, name: str) -> Dialog:
    """A player's dialog: each fact of their head once, reasons, needs, and events to record."""
    values: dict[str, object] = {
        "player": name,
        "facts": [fact for fact in facts(state, name) if fact.code not in TOLD],
        "verdicts": verdicts(state, name),
        "choices": rare_choices(state, name),
        "needs": needs(state, name) if name in state.playing and not state.over else None,
    }
    return Dialog("player", values, field="points")


def _render_dialog(view: TableView, dialog: Dialog, refusal: Refusal | None = None) -> Response:
    """A dialog within the page, or as a page of its own where there is no script."""
    page, shown = f"dialogs/{dialog.name}.html", {"view": view, "state": view.state}
    return render(page, "", refusal, typed=read_typed(), **shown, **dialog.values)


def read_typed() -> dict[str, object]:
    """The fields of a dialog as this request's form has them."""
    typed: dict[str, object] = {
        field: request.form.get(field, "")[:LONGEST_TEXT]
        for field in ("points", "hand", "name", "known", "after", "begins")
    }
    typed["tied"] = request.form.getlist("tied")
    return typed

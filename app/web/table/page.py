"""The table's page: the keeper's board to record on, its dialogs, and the readers' view."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from itertools import islice

import msgspec
from flask import Blueprint, Response, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.exceptions import NotFound

from app.http import context, cookies
from app.http.cookies import remember_table
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    read_flashes,
    read_int,
    redirect_to,
    submit,
)
from app.http.limits import expensive
from app.http.rendered import cache_page
from app.i18n.language import N_
from app.rules.events import BestHand, BreakOff, Event, FalseClaim, IllegalExchange, Leaves
from app.rules.gamefile import MAX_EVENTS
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.needs import needs
from app.rules.notices import exchange_notice, may_exchange_now, notices
from app.rules.outcome import Outcome, bookings, is_played, outcome, supposed_outcome
from app.rules.rights import Verdict, can_win, may_bid, may_join, must_show
from app.rules.state import GameState
from app.services import lists, people
from app.services.commit import Change
from app.services.lists import LONGEST_QUERY, Search, list_tables, read_query
from app.services.play import Record, Redo, Start, Undo
from app.services.table_view import TableView
from app.web.table.board import FRAGMENT, PAGE, view_table
from app.web.table.consequences import (
    Consequences,
    consequences,
    head_names,
    strikes_others,
    wins_at_once,
)
from app.web.table.event_form import read_event_form
from app.web.table.grid import GridRow, asked_rows, grid_rows, rare_hand_rows
from app.web.table.protocol import sheet_address
from app.web.templates import render

bp = Blueprint("table", __name__, url_prefix="/t/<link>")

STALE = N_("Somebody else was first. This is the table now.")


@bp.get("")
def page(link: str) -> Response:
    """The table as it stands."""
    if not context.wants_fragment():
        remember_table(link)
    if context.access().writes:
        return _keepers_page(link=link)
    # A phone that answers by itself always writes: it carries nothing for readers.
    from app.web.table.follow import readers_page

    return readers_page(link)


@cache_page(quick=True)
def _keepers_page(link: str) -> Response:
    flashed = "" if context.wants_fragment() else " ".join(read_flashes())
    return render_table(context.read_view(), flashed=flashed)


@bp.post("/events")
def record(link: str) -> Response:
    """Record a tap, or a sheet that was filled in, which a refusal shows again."""
    outcome = submit(lambda: Record(read_event_form(request.form)), STALE)
    if isinstance(outcome, Refusal):
        view = context.read_view()
        return render_filled_in(view, outcome) or render_table(view, outcome)
    return _answer(outcome)


@bp.post("/undo")
def undo(link: str) -> Response:
    """Take the newest change back, and show the table, or the score sheet of `game` and `deal`."""
    game, deal = (read_int(request.form.get(name, ""), 1, MAX_EVENTS) for name in ("game", "deal"))
    if game is None:
        return _change(Undo)
    outcome, address = submit(Undo, STALE), sheet_address(game, deal)
    undone = context.gettext("The change is undone.")
    return redirect_to(address, outcome.message if isinstance(outcome, Refusal) else undone)


@bp.post("/redo")
def redo(link: str) -> Response:
    """Redo the change undone last."""
    return _change(Redo)


@bp.post("/games")
def rematch(link: str) -> Response:
    """Start the next game: same seats and rules, the deal moves on."""
    return _change(Start)


def _change(read: Callable[[], Change]) -> Response:
    """Make a change and show the table; a refusal shows it too, with the reason in words."""
    outcome = submit(read, STALE)
    if isinstance(outcome, Refusal):
        return render_table(context.read_view(), outcome)
    return _answer(outcome)


def _answer(view: TableView) -> Response:
    """The table after a change."""
    if context.wants_fragment():
        return render_table(view)
    return redirect_to(url_for("table.page"))


def render_table(view: TableView, refusal: Refusal | None = None, flashed: str = "") -> Response:
    """The keeper's table: the whole page, or the part of it that htmx swaps.

    `flashed` is shown on it.
    """
    shown = view_table(view)
    return render(PAGE, FRAGMENT, refusal, view=view, name=view.name, flashed=flashed, **shown)


# Of more games than any table holds.
MOST_PAGES = 10_000


@bp.get("/games")
@cache_page("q", "won", "page", of_ledger=True)
def games(link: str) -> Response:
    """A page of the games, of those that the address looks for alone."""
    query, won = request.args.get("q", "").strip()[:LONGEST_QUERY], "won" in request.args
    number = read_int(request.args.get("page", ""), 1, MOST_PAGES) or 1
    search = Search(read_query(query), won, context.language().day)
    found = lists.read_games(context.db(), link, search, number)
    if number > 1 and not found.evenings:  # beyond the last page, as after games were forgotten
        number, found = 1, lists.read_games(context.db(), link, search)
    return render("table/games.html", found=found, query=query, won=won, number=number)


@bp.get("/settings")
def settings(link: str) -> Response:
    """The page of further ways on, for which the menu has no room."""
    return render("table/settings.html")


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

    `zeroes`: it strikes others besides; `wins`: it ends the game there and then. `consequences` is
    None for a way that may not be chosen now.
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


def verdicts(state: GameState, name: str) -> list[Verdict]:
    """May this player exchange, bid and win; each reason once."""
    reasons: list[Verdict] = []
    for verdict in (may_exchange_now(state, name), may_bid(state, name), can_win(state, name)):
        if verdict not in reasons:
            reasons.append(verdict)
    return reasons


def hand_choices(state: GameState, player: str, hand: Hand) -> list[HandChoice]:
    """Every way of booking a hand for a player, as the house rules know it."""
    return [_hand_choice(state, way) for way in bookings(state, player, hand)]


def offered(choices: list[HandChoice]) -> list[HandChoice]:
    """The choices allowed now; where none is, all of them with their reasons."""
    return [choice for choice in choices if choice.open] or choices


def break_off_choices(state: GameState) -> list[Choice]:
    """Choices to break a game off, with its standing or void."""
    settled = N_("Break off the game – the standing counts")
    void = N_("Break off the game – nobody pays")
    return [
        _choice(state, settled, BreakOff(settle=True)),
        _choice(state, void, BreakOff(settle=False)),
    ]


def _hand_choice(state: GameState, way: BestHand) -> HandChoice:
    result = outcome(state, way)
    if isinstance(result, Outcome):
        points, meaning = result.points(way.player), consequences(result)
    else:
        result = supposed_outcome(state, way)
        points, meaning = result.booked(way.player), None
    return HandChoice(way, points, strikes_others(result), wins_at_once(result), meaning)


def rare_choices(state: GameState, name: str) -> list[Choice]:
    """The rare events of a player, as far as the house rules know them."""
    choices = [_choice(state, N_("Leaves the game"), Leaves(player=name))]
    somebody = state.playing[0]
    if is_played(state, FalseClaim(player=somebody)):
        choices.append(_choice(state, N_("Claimed falsely: out"), FalseClaim(player=name)))
    if is_played(state, IllegalExchange(player=somebody)):
        label = N_("Exchanged in spite of the stop: zero")
        choices.append(_choice(state, label, IllegalExchange(player=name)))
    return choices


def _choice(state: GameState, label: str, event: Event) -> Choice:
    result = outcome(state, event)
    if not isinstance(result, Outcome):
        return Choice(label, event, open=False, moves_on=False)
    return Choice(label, event, open=True, moves_on=result.moves_on())


MOST_KNOWN, MOST_TABLES = 12, 12


def latecomer_values(view: TableView) -> dict[str, object]:
    """Values of the form: whether somebody may join, and the defaults where they may.

    `known` are names to choose from, `begins` the lowest score still playing, in points, `behind`
    whom they sit down behind.
    """
    state, joining = view.state, may_join(view.state)
    return {
        "joining": joining,
        "known": _known_names(state) if joining.ok else [],
        "begins": min(state.score(name) for name in state.playing),
        "behind": state.players[-1],
    }


def _known_names(state: GameState) -> list[str]:
    """Names from this table and others of this phone, without those who have a seat now."""
    db, known = context.db(), cookies.tables()
    persons = people.list_people(db, context.access().id).persons
    tables = list_tables(db, cookies.pen(), known, MOST_TABLES)
    others = [name for table in tables for name in table.state.players]
    names = dict.fromkeys(name for name in (*persons, *others) if name not in state.players)
    return list(islice(names, MOST_KNOWN))


class Dialog(msgspec.Struct, frozen=True):
    """A dialog: the name of its template, and the values that the template shows."""

    name: str
    values: dict[str, object]


@bp.get("/hand/<int:number>/<name>")
def hand(link: str, number: int, name: str) -> Response:
    """Score or zero, and whom."""
    view = context.read_view()
    if name not in list(Hand):
        raise NotFound
    return _render_dialog(view, _hand_dialog(view, _player(view, number), Hand(name)))


@bp.get("/row/<name>")
def row(link: str, name: str) -> Response:
    """The players of a row, where the grid has no room for everybody's column."""
    view = context.read_view()
    rows = {row.name: row for row in asked_rows(view.state)}
    response = _render_dialog(view, Dialog("row", {"row": rows.get(name)}))
    if name not in rows:
        response.status_code = HTTPStatus.NOT_FOUND
    return response


@bp.get("/rare")
def rare(link: str) -> Response:
    """The hands that few deals have, with the choice of their holder."""
    view = context.read_view()
    rows = rare_hand_rows(view.state)
    response = _render_dialog(view, _rare_dialog(view, rows))
    if not rows:
        response.status_code = HTTPStatus.NOT_FOUND
    return response


@bp.get("/tie")
def tie(link: str) -> Response:
    """The form of a tie: the hand, and the tied."""
    view = context.read_view()
    return _render_dialog(view, _tie_dialog(view))


@bp.get("/player/<int:number>")
def player(link: str, number: int) -> Response:
    """A player's rights and reasons, and the other events of that player."""
    view = context.read_view()
    return _render_dialog(view, player_dialog(view.state, _player(view, number)))


@bp.get("/latecomer")
def latecomer(link: str) -> Response:
    """The form of a latecomer: name, seat and points."""
    view = context.read_view()
    return _render_dialog(view, _latecomer_dialog(view))


@bp.get("/comings")
def comings(link: str) -> Response:
    """Latecomers, leavers, and breaking the game off."""
    view = context.read_view()
    return _render_dialog(view, _comings_dialog(view))


@bp.get("/more")
def more(link: str) -> Response:
    """The menu: seven ways on."""
    view = context.read_view()
    return _render_dialog(view, Dialog("more", {}))


@bp.get("/sheets")
@expensive
def every_dialog(link: str) -> str:
    """Every dialog that records something at this step, by its address.

    A phone has them at hand when its network goes. `rows`: those of rows as well.
    """
    view = context.read_view()
    found = _dialogs(view, with_rows="rows" in request.args)
    drawn = {f"{context.prefix()}/t/{link}/{end}": dialog for end, dialog in found}
    parts = [(address, _draw(view, dialog, address)) for address, dialog in drawn.items()]
    return render_template("dialogs/sheets.html", view=view, dialogs=parts)


def _draw(view: TableView, dialog: Dialog, address: str) -> str:
    return render_template(
        f"dialogs/{dialog.name}.html",
        fragment=True,
        view=view,
        state=view.state,
        typed={},
        faults={},
        back=address,
        **dialog.values,
    )


def _dialogs(view: TableView, with_rows: bool) -> Iterator[tuple[str, Dialog]]:
    """The end of each dialog's address, and the dialog."""
    players, rare_rows = view.state.players, rare_hand_rows(view.state)
    yield "more", Dialog("more", {})
    yield "comings", _comings_dialog(view)
    if may_join(view.state).ok:
        yield "latecomer", _latecomer_dialog(view)
    for number, name in enumerate(players, start=1):
        yield f"player/{number}", player_dialog(view.state, name)
    asking = asked_rows(view.state)
    rows = [*grid_rows(view.state), *asking, *rare_rows]
    if rare_rows:
        yield "rare", _rare_dialog(view, rare_rows)
    for row in asking if with_rows else ():
        yield f"row/{row.name}", Dialog("row", {"row": row})
    for ask in dict.fromkeys(cell.ask for row in rows for cell in row.cells):
        kind, *about = ask.split("/")
        if kind == "tie":
            yield ask, _tie_dialog(view)
        elif kind == "hand":
            seat, hand = about
            yield ask, _hand_dialog(view, players[int(seat) - 1], Hand(hand))


def render_filled_in(view: TableView, refusal: Refusal) -> Response | None:
    """The sheet whose form was refused, as it was filled in; None for a tap that filled in none."""
    form = request.form
    match form.get("event"):
        case "correction" if (name := form.get("player", "")) in view.state.players:
            response = _render_dialog(view, player_dialog(view.state, name), refusal)
        case "joins":
            # A fault that is not the form's own is the name's.
            at = "name" if refusal.malformed and not refusal.field else refusal.field
            response = _render_dialog(view, _latecomer_dialog(view), replace(refusal, field=at))
        case "no_best_hand":
            response = _render_dialog(view, _tie_dialog(view), refusal)
        case _:
            return None
    # The answer belongs where the form was filled in.
    response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#ask", "innerHTML"
    return response


def _hand_dialog(view: TableView, name: str, held: Hand) -> Dialog:
    choices = offered(hand_choices(view.state, name, held))
    return Dialog("hand", {"player": name, "hand": held, "choices": choices})


def _tie_dialog(view: TableView) -> Dialog:
    return Dialog("tie", {"hands": listed_hands(view.state.rules)})


def player_dialog(state: GameState, name: str) -> Dialog:
    """A player's sheet: all words of their head, reasons, needs, and events to record."""
    values: dict[str, object] = {
        "player": name,
        "notices": [*filter(None, [exchange_notice(state, name)]), *notices(state, name)],
        "verdicts": verdicts(state, name),
        "shows": must_show(state, name),
        "choices": rare_choices(state, name),
        "needs": needs(state, name) if name in state.playing and not state.over else None,
    }
    return Dialog("player", values)


def _latecomer_dialog(view: TableView) -> Dialog:
    return Dialog("latecomer", latecomer_values(view))


def _rare_dialog(view: TableView, rows: list[GridRow]) -> Dialog:
    return Dialog("rare", {"rows": rows, "called": head_names(view.state)})


def _comings_dialog(view: TableView) -> Dialog:
    state = view.state
    return Dialog("comings", {"joining": may_join(state), "choices": break_off_choices(state)})


def _render_dialog(view: TableView, dialog: Dialog, refusal: Refusal | None = None) -> Response:
    """A dialog within the page, or as a page of its own where there is no script.

    After a refusal it shows the text again, and the reason: at the field that is `wrong`, or
    over the whole.
    """
    typed = {
        "points": request.form.get("points", "")[:LONGEST_TEXT],
        "hand": request.form.get("hand", ""),
        "tied": request.form.getlist("tied"),
        **{
            name: request.form.get(name, "")[:LONGEST_TEXT]
            for name in ("name", "known", "after", "begins")
        },
    }
    values: dict[str, object] = {"view": view, "state": view.state, "typed": typed}
    wrong = refusal is not None and refusal.malformed
    page = f"dialogs/{dialog.name}.html"
    return render(page, "", refusal, wrong=wrong, **values, **dialog.values)


def _player(view: TableView, number: int) -> str:
    players = view.state.players
    if not 1 <= number <= len(players):
        raise NotFound
    return players[number - 1]

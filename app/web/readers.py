"""Readers' view of a table: the newest deals of its score sheet, the curve, and themselves.

Here are also the streams, which only a server has: a page as it stands, then again after each
change. Such an update does not grow with the game.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain, zip_longest
from zlib import crc32

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from markupsafe import Markup
from msgspec.structs import replace

from app.http import context, cookies, rendered, stream
from app.http.forms import read_flashes
from app.http.rendered import cache_page
from app.i18n.effects import effect_text
from app.i18n.game import event_text
from app.rules import protocol
from app.rules.ahead import Needs, needs
from app.rules.codes import EffectCode
from app.rules.events import BestHand, LastTrick, write_event
from app.rules.facts import Fact
from app.rules.hands import COMMON_HANDS
from app.rules.names import short_names
from app.rules.state import GameState
from app.services import people
from app.services.people import pseudonym_of
from app.services.table_view import TableView
from app.web import evening
from app.web.board import (
    FRAGMENT,
    MIDDLE,
    PAGE,
    Head,
    draw_board,
    find_doubted,
    scoreboard,
    view_middle,
    view_table,
)
from app.web.protocol import Names, draw_columns, draw_curve, head_names, played_at
from app.web.templates import render

COOKIE, NO_PLAYER, BY_STANDING = "me", "none", "standing"
# Who has said to be somebody that does not play in this game.
AWAY = "away"


class Reader(msgspec.Struct, frozen=True):
    """A reader's choice: seat order or `by_standing`, and which player the reader is.

    `me` is the code of a player of the game, `NO_PLAYER` or `AWAY` for none of them, empty while
    they have not said. `lost`: they are to be told that their pen was taken back.
    """

    by_standing: bool
    me: str
    lost: bool


def current_reader(base: Base) -> Reader:
    """The reader's choice in this request. There are no more of them than players, and a few."""
    said = _said()
    me = said if said in ("", NO_PLAYER, *base.codes) else AWAY
    # A reader who says who they are has seen the message before.
    told = COOKIE in request.args or (_said() and not _cookie().endswith(cookies.WROTE))
    return Reader(_by_standing(), me, lost=context.access().revoked and not told)


def _by_standing() -> bool:
    return request.args.get("order") == BY_STANDING


def _said() -> str:
    """Who this request's reader has said to be, in the address or before."""
    said = request.args[COOKIE] if COOKIE in request.args else cookies.read_me()
    return said if said == NO_PLAYER or people.is_pseudonym(said) else ""


def remember(response: Response) -> Response:
    """Keep on the phone which player of this table its reader is."""
    if COOKIE in request.args and _said() != _cookie():
        _keep(response, _said())
    return response


def note_pen(response: Response) -> Response:
    """Note that a phone gets the pen: as a reader it is the same again, and is told of the loss."""
    if me := cookies.read_me():
        _keep(response, f"{me}{cookies.WROTE}")
    return response


def _cookie() -> str:
    return cookies.read(COOKIE, url_for("table.page"))


def _keep(response: Response, me: str) -> None:
    """Keep on the phone which player its reader is, or nobody."""
    cookies.write(response, COOKIE, me, url_for("table.page"))


class OwnDebt(msgspec.Struct, frozen=True):
    """A debt between a player and `other`: öre to get (+) or to pay (−).

    `between` names the two in addresses.
    """

    other: str
    ore: int
    between: str


class Own(msgspec.Struct, frozen=True):
    """A player's own card: their head, the facts on it, the danger first, and the needs to win.

    `fresh` is whether the deal is yet to begin; `needs` are None for who cannot win any more.
    `debts` are what is left to settle once the game is over, None where there is no money. Others
    are called as over their columns.
    """

    head: Head
    facts: tuple[Fact, ...]
    fresh: bool
    needs: Needs | None
    debts: tuple[OwnDebt, ...] | None


def own_card(state: GameState, name: str) -> Own:
    """The own card of one player at this moment."""
    head = next(head for head in scoreboard(state) if head.name == name)
    # The last exchange tells of the stop after it.
    last = any(fact.code == "exchanges_last" for fact in head.facts)
    told = [fact for fact in head.facts if not (last and fact.code == "stopped_next_deal")]
    plays = name in state.playing and not state.over
    return Own(
        head=head,
        facts=tuple(told),
        fresh=not (state.over or state.deal.begun),
        needs=_common_needs(state, name) if plays else None,
        debts=_debts(name, head_names(state)) if state.over else None,
    )


def _common_needs(state: GameState, name: str) -> Needs:
    """The needs to win; a way that takes a rare hand need not be told at every deal."""
    found = needs(state, name)
    ways = (way for way in found.ways if way.hand is None or way.hand in COMMON_HANDS)
    return replace(found, ways=tuple(ways))


def _debts(name: str, names: Names) -> tuple[OwnDebt, ...] | None:
    """The debts between a player and others, of this evening and before."""
    now = context.read_ledger()
    if not now.has_money:
        return None
    person, numbers = now.people.whose.get(name, name), now.people.numbers
    found = []
    for each in now.debts:
        if person in (each.payer, each.payee):
            pays = person == each.payer
            other, ore = (each.payee, -each.ore) if pays else (each.payer, each.ore)
            between = f"{numbers[each.payer]}-{numbers[each.payee]}"
            found.append(OwnDebt(names.get(other, other), ore, between))
    return tuple(found)


# Effects of a hand or a trick that say no more than these and their points.
PLAIN: tuple[EffectCode, ...] = ("hand", "last_trick", "last_trick_with_two")
# The deal being played and those before it.
NEWEST_DEALS = 5
# The markers in the common part where a reader's own parts are put in.
OWN, FACTS, WHO = Markup("<!-- own -->"), Markup("<!-- facts -->"), Markup("<!-- who -->")


class DealFact(msgspec.Struct, frozen=True):
    """A fact in words: the index of its entry, and the step of the deal that it belongs to."""

    index: int
    text: str
    step: str


class Base(msgspec.Struct, frozen=True):
    """The changing part of a table's page, the same for all who read it in the same order.

    It is in four pieces: each reader's own parts go between them. `name` is the table's, `number`
    and `state` are its game's, `codes` those of its players. `newest` are the facts of the deal
    being played and of the one before, by its number; `doubted` leads from players to the index of
    the entry that they doubt.
    """

    name: str
    number: int
    state: GameState
    codes: Mapping[str, str]
    newest: Mapping[int, Sequence[DealFact]]
    doubted: Mapping[str, int]
    pieces: tuple[str, ...]

    def __sizeof__(self) -> int:
        return sum(map(sys.getsizeof, self.pieces))

    def fill(self, reader: Reader) -> Markup:
        """The part for one reader, all in one line."""
        parts = [_join_lines(part) for part in (*personal(self, reader), "")]
        pairs = zip(self.pieces, parts, strict=True)
        return Markup("".join(chain(*pairs)))  # noqa: S704  # templates have escaped it


def readers_page() -> Response:
    """The table's page, or the part of it that htmx swaps, for this request's reader."""
    return remember(_readers_page())


@cache_page(queued=False, vary_on=lambda: current_reader(find_base()))
def _readers_page() -> Response:
    flashed = "" if context.wants_fragment() else " ".join(read_flashes())
    # A page with a message is one reader's own.
    base = render_base(flashed) if flashed else find_base()
    part = base.fill(current_reader(base))
    if context.wants_fragment():
        return make_response(part)
    return render(PAGE, name=base.name, state=base.state, part=part)


def find_base() -> Base:
    """The table for all who read it in this order. Raises NotFound.

    It is rendered once for them, the live stream's included.
    """
    return rendered.memoize(render_base, "base", _by_standing())


def render_base(flashed: str = "") -> Base:
    """The same, on which `flashed` is shown."""
    context.refresh_table()
    view = context.read_view()
    shown = {**view_table(view), **view_for_readers(view)}
    text = _join_lines(render_template(FRAGMENT, view=view, flashed=flashed, **shown))
    codes = people.players_by_pseudonym(context.db(), context.access(), view.state.players)
    newest, doubted = _newest_facts(view), _doubted(view, codes)
    pieces = re.split(f"{OWN}|{FACTS}|{WHO}", text)
    return Base(view.name, view.number, view.state, codes, newest, doubted, tuple(pieces))


def _newest_facts(view: TableView) -> Mapping[int, Sequence[DealFact]]:
    """The facts of the deal being played, and of the one before, the newest deal first."""
    deal = view.state.deal.number
    found: dict[int, list[DealFact]] = {n: [] for n in (deal, deal - 1) if n}
    for index in range(len(view.game.events) - 1, -1, -1):
        if (number := view.states[index].deal.number) not in found:
            break
        found[number].append(_deal_fact(view, index))
    return found


def _deal_fact(view: TableView, index: int) -> DealFact:
    """An entry as a line of its deal: `Bosse two pairs +2`, and what else it set off."""
    language, event = context.language().of_pages, view.game.events[index]
    before, after = view.states[index : index + 2]
    plain = PLAIN if isinstance(event, BestHand | LastTrick) else ()
    words = [
        f"{event_text(event, language)} {language.signed(effect.points)}"
        if effect.code in plain
        else effect_text(effect, language)
        for effect in after.effects
    ]
    told = "; ".join(words) or event_text(event, language, before)
    return DealFact(index, told, played_at(before, event))


def _doubted(view: TableView, codes: Mapping[str, str]) -> dict[str, int]:
    """By player the index of the entry that they doubt, where it is of this game."""
    table = context.access()
    return {
        codes[code]: doubted.index
        for doubted in find_doubted()
        for name in doubted.who
        if doubted.number == view.number and (code := pseudonym_of(table.link, name)) in codes
    }


def view_for_readers(view: TableView) -> dict[str, object]:
    """Values of the templates for every reader who looks at the table in the same order."""
    state = view.state
    heads = scoreboard(state)
    ordered = heads
    if _by_standing():
        # Equals stay in seat order.
        ordered = sorted(heads, key=lambda head: (head.name not in state.winners, -head.score))
    first = max(1, state.deal.number - NEWEST_DEALS + 1)
    return {
        "heads": ordered,
        "names": [(head.name, head.short) for head in ordered],
        "seats": [*short_names(state.players).items()],
        "deals": protocol.assemble(view.states, view.game.events, first)[::-1],
        "older": first > 1,
        "before": _before(view, [head.name for head in ordered]),
        "draw_columns": draw_columns,
        "played_at": played_at,
        # The figures are on the score sheet: a page of many numbers is none to send at each change.
        "curve": replace(draw_curve(view.states), rows={}),
        "own_part": OWN,
        "facts_part": FACTS,
        "who_part": WHO,
    }


def personal(base: Base, reader: Reader) -> tuple[str, str, str]:
    """The parts for one reader alone: their card, the newest facts, and who they are.

    A reader who has not said so is asked.
    """
    state, name = base.state, base.codes.get(reader.me)
    own = own_card(state, name) if name else None
    codes = [pseudonym_of(context.link(), player) for player in state.players]
    who = {
        "reader": reader,
        "own": own,
        "seats": [*short_names(state.players).items()],
        "codes": codes,
    }
    first = "table/_own.html" if own else "table/_whoami.html"
    said = base.doubted.get(name) if name else None
    return (
        render_template(first, state=state, **who),
        render_template("table/_facts.html", base=base, said=said, **who),
        render_template("table/_who.html", **who),
    )


def _join_lines(text: str) -> str:
    """A text in one line: an event stream has a word to say before each."""
    return " ".join(map(str.strip, text.splitlines()))


def _before(view: TableView, names: Sequence[str]) -> dict[int, str]:
    """By deal a hash of all deals before it, and of the names in the order of their columns.

    So a phone can keep older ones for as long as they are the same.
    """
    found, link = dict[int, str](), crc32(repr((view.number, names)).encode())
    for state, event in zip_longest(view.states, view.game.events):
        found.setdefault(state.deal.number, f"{link:x}")
        link = crc32(msgspec.json.encode(write_event(event)), link) if event else link
    return found


bp = Blueprint("live", __name__, url_prefix="/t/<link>")


@bp.get("/live")
def table() -> Response:
    """The table as it stands, then again after each change."""

    def find_reader() -> Reader | None:
        return None if context.access().writes else current_reader(find_base())

    def draw() -> str:
        if reader := find_reader():
            return find_base().fill(reader)
        return draw_board(context.read_view())

    return _stream(draw, "table", find_reader)


@bp.get("/middle/live")
def middle() -> Response:
    """The scores for the middle of the table as they stand, then again after each change."""

    def draw() -> str:
        return render_template(MIDDLE, **view_middle(context.read_view()))

    return _stream(draw, "middle")


@bp.get("/evening/live", endpoint="evening")
def evening_stream() -> Response:
    """The newest evening as it stands, then again after each change."""

    def draw() -> str:
        shown = evening.view_evening(context.read_ledger())
        return render_template(evening.FRAGMENT, **shown)

    return _stream(draw, "evening", of_ledger=True)


def _stream(
    draw: Callable[[], str],
    name: str,
    vary_on: Callable[[], Hashable] = lambda: None,
    *,
    of_ledger: bool = False,
) -> Response:
    """Stream a part of a page, drawn once for all who are shown the same."""

    def draw_anew(seq: int) -> bytes:
        context.refresh_table()
        return stream.event(context.access().ledger_seq if of_ledger else seq, draw())

    def render(seq: int) -> bytes:
        context.advance_table(seq, of_ledger=of_ledger)
        return rendered.memoize(lambda: draw_anew(seq), name, vary_on(), of_ledger=of_ledger)

    return stream.stream(render, request.args.get("seen", 0, int))

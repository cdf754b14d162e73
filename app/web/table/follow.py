"""What readers see of a table: the newest deals of its score sheet, the curve, and themselves.

However long a game gets, what is sent after each change stays as long as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

import msgspec
from flask import Response, make_response, render_template
from markupsafe import Markup
from msgspec.structs import replace

from app.http import context, rendered
from app.http.forms import read_flashes
from app.http.rendered import cache_page
from app.i18n.own import fact_text, why_text
from app.rules import protocol
from app.rules.state import GameState
from app.services import sheets
from app.services.people import code_of
from app.services.sheets import Sheet
from app.web.table import readers
from app.web.table.curve import draw_curve
from app.web.table.own_card import own_card
from app.web.table.readers import Reader
from app.web.table.scoreboard import Head, scoreboard, short_names
from app.web.table.tally import draw_columns
from app.web.table.view import FRAGMENT, PAGE, view_table
from app.web.templates import render

# The deal being played and those before it.
NEWEST_DEALS = 5
# Where what is shown to one reader alone goes into what is shown to all.
OWN, WHO = Markup("<!-- own -->"), Markup("<!-- who -->")
_LINE_END = re.compile(r"\s*\n\s*")


class Base(msgspec.Struct, frozen=True):
    """The part of a table's page that changes, as all are shown it who read it in the same order.

    It is in three pieces: what each reader has alone goes between them. `name` is the table's,
    `state` is how its game stands.
    """

    name: str
    state: GameState
    pieces: tuple[str, str, str]

    def __sizeof__(self) -> int:
        return 2 * sum(map(len, self.pieces))

    def fill(self, reader: Reader) -> Markup:
        """The part as one reader is shown it, all in one line."""
        top, middle, bottom = self.pieces
        own, who = (_join_lines(part) for part in personal(self.state, reader))
        return Markup(f"{top}{own}{middle}{who}{bottom}")  # noqa: S704  # templates have escaped it


def readers_page(link: str) -> Response:
    """The table's page, or the part of it that htmx swaps, for whoever this request is of."""
    return readers.remember(_readers_page(link=link))


@cache_page(quick=True, differs=readers.current_reader)
def _readers_page(link: str) -> Response:
    reader = readers.current_reader()
    told = "" if context.wants_fragment() else " ".join(read_flashes())
    # Who is told something has a page of their own.
    base = render_base(link, reader, told) if told else find_base(link, reader)
    part = base.fill(reader)
    if context.wants_fragment():
        return make_response(part)
    return render(PAGE, name=base.name, part=part)


def find_base(link: str, reader: Reader) -> Base:
    """The table as all are shown it who read it in this order. Raises NotFound.

    It is rendered once for them, the live stream's included.
    """
    return rendered.once(lambda: render_base(link, reader), "base", reader.by_standing)


def render_base(link: str, reader: Reader, told: str = "") -> Base:
    """The same, on which `told` is said."""
    sheet = sheets.read_sheet(context.db(), link)
    shown = {**view_table(sheet), **follow(sheet, reader)}
    text = _join_lines(render_template(FRAGMENT, sheet=sheet, told=told, **shown))
    top, _, rest = text.partition(OWN)
    middle, _, bottom = rest.partition(WHO)
    return Base(sheet.name, sheet.state, (top, middle, bottom))


def follow(sheet: Sheet, reader: Reader) -> dict[str, object]:
    """What the templates show of a table to every reader who looks at it in the same order."""
    state = sheet.state
    heads = scoreboard(state)
    ordered = by_standing(state, heads) if reader.by_standing else heads
    first = max(1, state.deal.number - NEWEST_DEALS + 1)
    return {
        "heads": ordered,
        "names": [(head.name, head.short) for head in ordered],
        "seats": _seats(state),
        "deals": protocol.assemble(sheet.states, sheet.game.events, first)[::-1],
        "older": first > 1,
        "chain": " ".join(_chain(sheet, first)),
        "draw_columns": draw_columns,
        # The figures are on the score sheet: a page of many numbers is none to send at each change.
        "curve": replace(draw_curve(sheet.states), rows={}),
        "own_part": OWN,
        "who_part": WHO,
    }


def personal(state: GameState, reader: Reader) -> tuple[str, str]:
    """The parts for one reader alone: their card, and who they are.

    Who has not said so is asked.
    """
    name = readers.find_name(reader, state.players)
    own = own_card(state, name) if name in state.players else None
    codes = [code_of(context.link(), player) for player in state.players]
    who = {"reader": reader, "own": own, "seats": _seats(state), "codes": codes}
    return _render_first(state, who), render_template("table/_who.html", **who)


def _render_first(state: GameState, who: Mapping[str, object]) -> str:
    """The reader's card, or where there is none yet, the question whose it is to be."""
    language = context.language()
    if who["own"]:
        words = {
            "fact_text": lambda fact: fact_text(fact, language),
            "why_text": lambda fact: why_text(fact, language),
        }
        return render_template("table/_own.html", state=state, **words, **who)
    return render_template("table/_whoami.html", **who)


def _join_lines(text: str) -> str:
    """A text in one line: an event stream has a word to say before each."""
    return _LINE_END.sub(" ", text)


def _seats(state: GameState) -> list[tuple[str, str]]:
    return list(short_names(state.players).items())


def by_standing(state: GameState, heads: Sequence[Head]) -> list[Head]:
    """The heads with the winners first, then whoever is ahead; equals stay as they sit."""
    return sorted(heads, key=lambda head: (head.name not in state.winners, -head.score))


def _chain(sheet: Sheet, first: int) -> Iterator[str]:
    """What a page knows deals by, from the one before deal `first` on: each tells all before it.

    So it can keep older ones for as long as they are what they were.
    """
    link, number = crc32(str(sheet.number).encode()), 1
    for before, event in zip(sheet.states, sheet.game.events, strict=False):
        if before.deal.number != number:
            if number >= first - 1:
                yield f"{number}.{link:x}"
            number = before.deal.number
        link = crc32(msgspec.json.encode(event), link)
    if sheet.state.deal.number != number:
        yield f"{number}.{link:x}"

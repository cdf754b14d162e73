"""The protocol in a terminal: a column for each player, deal by deal, a line for each fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import get_args

import msgspec

from app.cli.terminal import (
    bold,
    faint,
    pad_left,
    pad_right,
    paint,
    plain,
    short_names,
    shorten,
    width,
    wrap,
)
from app.i18n.game import cell_word, effect_text, row_label
from app.i18n.language import Language
from app.rules.codes import EffectCode, EndCode, RowCode
from app.rules.protocol import ZEROINGS, Cell, DealSheet, Row
from app.rules.state import BEFORE_PLAY, Effect

WON: Sequence[EffectCode] = (
    "chicago_won",
    "chicago_won_with_two",
    "blind_won",
    "blind_won_with_two",
)
LOST: Sequence[EffectCode] = ("chicago_lost", "blind_lost")
NO_WINNER: Sequence[RowCode] = ("nobody", "tied")
_GUTTER, _LABEL = 3, 20
# A change and the score after it; where there is no room for both, the score.
_STYLES = ("%s → %s", "%s→%s", "%.0s%s")


class Layout(msgspec.Struct, frozen=True):
    """How wide everything is: the label of a line and the column of each player, in columns.

    `style` writes a change and the score after it, which is `digits` wide; `names` are the
    players' as the heads show them.
    """

    label: int
    column: int
    gap: int
    style: str
    digits: int
    names: dict[str, str]

    @property
    def page(self) -> int:
        """The width of the whole table."""
        return _GUTTER + self.label + len(self.names) * (self.column + self.gap)

    def line(self, gutter: str, label: str, cells: Iterable[str]) -> str:
        """One line of the table, from a label and cells that already have their widths."""
        return pad_right(gutter, _GUTTER) + label + "".join(" " * self.gap + cell for cell in cells)


def deal_lines(sheets: Sequence[DealSheet], layout: Layout, language: Language) -> Iterator[str]:
    """The table of a game; deals in which nothing was recorded yet are left out."""
    for sheet in sheets:
        rows = [row for row in sheet.rows if not _tells_the_end(row)]
        if not rows:
            continue
        yield faint("─" * layout.page)
        yield from _head(sheet, layout, language)
        for _, event_rows in groupby(rows, key=lambda row: row.index):
            yield from _event_lines(list(event_rows), layout, language)
        yield _foot(sheet, layout, language)


def _tells_the_end(row: Row) -> bool:
    """Whether a row says how the game ended, which the result tells."""
    return row.code in get_args(EndCode)


def fit(
    sheets: Sequence[DealSheet], players: Sequence[str], language: Language, page: int
) -> Layout:
    """Find the roomiest way of writing scores that the page has room for."""
    gap = 2 if len(players) <= 5 else 1
    room = (page - _GUTTER - _LABEL) // len(players) - gap
    cells = [cell for sheet in sheets for row in sheet.rows for cell in row.cells]
    changes = [cell for cell in cells if not _is_word(cell, language)]
    digits = max((width(language.number(cell.score)) for cell in changes), default=0)
    needs = {style: _widest(changes, style, digits, language) for style in _STYLES}
    style = next((style for style in _STYLES if needs[style] <= room), _STYLES[-1])
    least = max(needs[style], width(language.gettext("stop")))
    words = [cell_word(cell.code, language) for cell in cells]
    column = max(least, min(room, max(map(width, [*players, *words]))))
    names = short_names(players, column)
    label = max(_LABEL, page - _GUTTER - len(players) * (column + gap))
    longest = max((width(text) for text in _labels(sheets, names, language)), default=0)
    return Layout(min(label, max(longest, _LABEL)), column, gap, style, digits, names)


def _widest(cells: Iterable[Cell], style: str, digits: int, language: Language) -> int:
    return max((width(_cell_text(cell, style, digits, language)) for cell in cells), default=0)


def _is_word(cell: Cell, language: Language) -> bool:
    return not cell.points and bool(cell_word(cell.code, language))


def _cell_text(cell: Cell, style: str, digits: int, language: Language) -> str:
    if _is_word(cell, language):
        return cell_word(cell.code, language)
    return style % (language.signed(cell.points), pad_left(language.number(cell.score), digits))


def _labels(
    sheets: Sequence[DealSheet], names: dict[str, str], language: Language
) -> Iterator[str]:
    for sheet in sheets:
        yield _title(sheet, names, language)
        yield from (_label(row, names, language) for row in sheet.rows if row.cells)


def _title(sheet: DealSheet, names: dict[str, str], language: Language) -> str:
    values = {"deal": sheet.number, "player": names[sheet.dealer]}
    return language.gettext("Deal %(deal)s · %(player)s deals", **values)


def _fitted_title(sheet: DealSheet, layout: Layout, language: Language) -> str:
    """The title beside the heads, its dealer's name cut once more if need be."""
    title = _title(sheet, layout.names, language)
    room = _GUTTER + layout.label - width(title) + width(layout.names[sheet.dealer])
    return _title(sheet, short_names(list(layout.names), room), language)


def _label(row: Row, names: dict[str, str], language: Language) -> str:
    return row_label(row.code, row.hand, names.get(row.by or ""), language)


def _head(sheet: DealSheet, layout: Layout, language: Language) -> Iterator[str]:
    """The players' names, with whoever does not play in brackets, and who is stopped.

    Whoever joins in a later deal has no name here yet.
    """
    title = bold(pad_right(_fitted_title(sheet, layout, language), _GUTTER + layout.label))
    names = "".join(" " * layout.gap + _name(name, sheet, layout) for name in layout.names)
    yield title + names
    if sheet.tie_break:
        yield " " * _GUTTER + paint(language.gettext("Tie-break"), "cyan")
    if sheet.stopped:
        stop = paint(pad_left(language.gettext("stop"), layout.column), "yellow")
        cells = (stop if name in sheet.stopped else " " * layout.column for name in layout.names)
        label = pad_right(language.gettext("Exchange stop"), layout.label)
        yield layout.line("", label, cells).rstrip()


def _name(name: str, sheet: DealSheet, layout: Layout) -> str:
    if name not in sheet.scores:
        return " " * layout.column
    if name in sheet.playing:
        return bold(pad_left(layout.names[name], layout.column))
    return faint(pad_left(f"({shorten(layout.names[name], layout.column - 2)})", layout.column))


def _foot(sheet: DealSheet, layout: Layout, language: Language) -> str:
    scores = (_score(sheet.scores.get(name), layout, language) for name in layout.names)
    return layout.line("", pad_right(language.gettext("Score"), layout.label), scores)


def _score(score: int | None, layout: Layout, language: Language) -> str:
    if score is None:
        return " " * layout.column
    return bold(pad_left(language.number(score), layout.column))


def _event_lines(rows: Sequence[Row], layout: Layout, language: Language) -> Iterator[str]:
    """The lines of one event, and what the keeper noted about it."""
    for row in rows:
        yield from _row_lines(row, layout, language)
    note = rows[0].event.note
    if isinstance(note, str):
        yield from (faint(line) for line in _spanning(f"– {plain(note)}", layout))


def _row_lines(row: Row, layout: Layout, language: Language) -> Iterator[str]:
    match row.code:
        case "nobody" | "tied":
            yield from _table_lines(row, layout, language)
        case code if not row.cells:
            effect = Effect(code, players=row.players, reached=row.reached)
            yield from _spanning(effect_text(effect, language), layout)
        case _:
            yield from _table_lines(row, layout, language)


def _spanning(text: str, layout: Layout) -> Iterator[str]:
    yield from (" " * _GUTTER + line for line in wrap(text, layout.page - _GUTTER))


def _table_lines(row: Row, layout: Layout, language: Language) -> Iterator[str]:
    """A line for a row; a label that is too long goes on in the next."""
    first, *rest = wrap(_label(row, layout.names, language), layout.label)
    cells = (_cell(row.cell(name), layout, language) for name in layout.names)
    style = faint if row.code in NO_WINNER else str
    label = style(first) + " " * (layout.label - width(first))
    yield layout.line(_gutter(row), label, cells).rstrip()
    yield from (" " * _GUTTER + line for line in rest)


def _gutter(row: Row) -> str:
    """The mark before a line: which exchange, a zeroing, a Chicago made or broken."""
    if row.code == "zeroes" or row.code in ZEROINGS:
        return "✗"
    if row.code in WON:
        return "★"
    if row.code in LOST:
        return "☆"
    hand = row.code in ("hand", "hand_raised", *NO_WINNER)
    return row.step[-1] if hand and row.step in BEFORE_PLAY else ""


def _cell(cell: Cell | None, layout: Layout, language: Language) -> str:
    if cell is None:
        return " " * layout.column
    text = shorten(_cell_text(cell, layout.style, layout.digits, language), layout.column)
    return _style(cell)(pad_left(text, layout.column))


def _style(cell: Cell) -> Callable[[str], str]:
    if cell.code in ZEROINGS:
        return lambda text: bold(paint(text, "red"))
    if cell.points:
        return lambda text: paint(text, "green" if cell.points > 0 else "red")
    return str

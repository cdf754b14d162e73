"""Older deals of a long game folded into stretches: its page has as many lines as a short one's."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from app.rules.protocol import DealSheet, assemble, find_deal
from app.services.sheets import Sheet

# How many make the next larger stretch, and how many are shown before any is folded.
FOLD, LEAST = 10, 5

# From the first deal to the last.
Span = tuple[int, int]


class Stretch(msgspec.Struct, frozen=True):
    """Deals from `first` to `last`, with the scores at their end by player.

    One that is open has its `deals`, or of a long one the stretches that it is made of; the newest
    are first.
    """

    first: int
    last: int
    scores: dict[str, int]
    deals: tuple[DealSheet, ...] = ()
    parts: tuple[Stretch, ...] = ()


def newest_deal(sheet: Sheet) -> int:
    """The newest deal of which something is recorded, 0 where nothing is."""
    return sheet.states[-2].deal.number if sheet.game.events else 0


def shown_deals(sheet: Sheet) -> tuple[DealSheet, ...]:
    """The deals that are not folded, the newest first: between 5 and 14 of a long game."""
    newest = newest_deal(sheet)
    return _lay_out(sheet, (_folded(newest, 1) + 1, newest)) if newest else ()


def fold_deals(sheet: Sheet, wanted: Span | None) -> list[Stretch]:
    """The older deals as stretches, the newest first; those open that have all `wanted` deals."""
    folded = _folded(newest_deal(sheet), 1)
    return [_stretch(sheet, span, wanted) for span in _spans(folded, FOLD)]


def find_stretch(sheet: Sheet, wanted: Span) -> Stretch | None:
    """The stretch of just these deals, open; None where they are none, or are not played yet."""
    last, size = wanted[1], wanted[1] - wanted[0] + 1
    if size not in (FOLD, FOLD**2, FOLD**3) or last % size or last >= sheet.state.deal.number:
        return None
    return _stretch(sheet, wanted, wanted)


def _folded(last: int, size: int) -> int:
    """The last deal that goes into a larger stretch, of which there are so many of `size`."""
    larger = FOLD * size
    return max(0, (last - LEAST * size) // larger * larger)


def _spans(last: int, size: int) -> Iterator[Span]:
    """The stretches up to a deal, larger and larger towards the beginning."""
    if last:
        rest = _folded(last, size)
        yield from ((end - size + 1, end) for end in range(last, rest, -size))
        yield from _spans(rest, FOLD * size)


def _stretch(sheet: Sheet, span: Span, wanted: Span | None) -> Stretch:
    (first, last), states = span, sheet.states
    after = states[find_deal(states, last + 1)]
    folded = Stretch(first, last, {seat.name: seat.score for seat in after.seats})
    if wanted is None or not first <= wanted[0] <= wanted[1] <= last:
        return folded
    size = (last - first + 1) // FOLD
    if size == 1:
        return replace(folded, deals=_lay_out(sheet, span))
    spans = [(end - size + 1, end) for end in range(last, first, -size)]
    parts = tuple(_stretch(sheet, each, wanted) for each in spans)
    return replace(folded, parts=parts)


def _lay_out(sheet: Sheet, span: Span) -> tuple[DealSheet, ...]:
    return tuple(reversed(assemble(sheet.states, sheet.game.events, *span)))

"""The curve of an evening: what each has won or lost together, game by game."""

from __future__ import annotations

from app.http import context
from app.rules.course import add_along, find_top, tell_lead
from app.web.curve import ZERO, Curve, Sketch, draw
from app.web.evening.view import Evening
from app.web.table.scoreboard import short_names
from app.web.templates import FILTERS


def draw_evening(evening: Evening, *, newest: bool) -> Curve | None:
    """Draw an evening as its ledger adds it up: öre where there was a stake, else points.

    None before a second game: one says no more than its own curve. The newest may go on.
    """
    language, money = context.language(), evening.money
    games = [line for line in evening.lines if line.payout is not None or not money]
    if len(games) < 2:
        return None
    steps = add_along((line.payout or {}) if money else line.scores for line in games)

    def title(step: int) -> str:
        return language.gettext("game %(number)s", number=games[step - 1].number)

    if games[-1].payout is None:
        after = language.gettext("in %(step)s", step=title(len(games)))
    else:
        after = language.ngettext("after %(num)s game", "after %(num)s games", len(games))
    # Who came to the game being played alone has won and lost nothing yet.
    names = tuple(name for name in evening.totals if name in steps[-1])
    sketch = Sketch(
        steps,
        short_names(names),
        ["", *(str(line.number) for line in games)],
        title,
        language.signed_amount if money else language.number,
        lambda total: str(FILTERS["signed_money" if money else "points"](total)),
        ZERO,
    )
    winners = () if newest else find_top(steps[-1])
    return draw("evening", sketch, tell_lead(steps, winners), after)

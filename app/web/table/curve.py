"""The curve of a game: everybody's score at the end of each deal, and as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from app.http import context
from app.rules.course import lay_out, tell_game
from app.rules.house import HouseRules
from app.rules.state import GameState
from app.web.curve import Curve, Levels, Sketch, draw
from app.web.table.scoreboard import short_names


def draw_curve(states: Sequence[GameState]) -> Curve:
    """Draw a game: its lines, the scores that matter by its rules, and its course in words."""
    language, scores, end = context.language(), lay_out(states), states[-1]
    deals = len(scores) - 1

    def title(deal: int) -> str:
        return language.gettext("deal %(number)s", number=deal)

    if deals == end.deal.number and not end.over:
        after = language.gettext("in %(step)s", step=title(deals))
    else:
        after = language.ngettext("after %(num)s deal", "after %(num)s deals", deals)
    sketch = Sketch(
        scores,
        short_names(end.players),
        [str(deal) for deal in range(deals + 1)],
        title,
        language.number,
        language.number,
        _levels(end.rules),
    )
    return draw("game", sketch, tell_game(states), after)


def _levels(rules: HouseRules) -> Levels:
    """The scores from which a player may bid, may no longer exchange, and has reached the end."""
    _ = context.language().gettext
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

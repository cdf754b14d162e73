"""Stories of games and evenings that are over, as texts for the picture and for a chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from app.http import context
from app.i18n.notices import MARKS
from app.i18n.records import record_text
from app.rules.settlement import Transfer
from app.rules.state import Effect
from app.services.ledger import Ledger
from app.services.statistics import Highlights
from app.services.table_view import TableView
from app.web.curve import Curve
from app.web.evening import page
from app.web.evening.page import draw_evening
from app.web.table.board import result
from app.web.table.protocol import draw_curve
from app.web.templates import FILTERS

# A name as it is to be told: whole, or shortened where there is little room.
Naming = Callable[[str], str]

MOST_RECORDS = 3
# As on the score sheet: zeroed, at the target without a Chicago.
_FALL = f"{MARKS['zeroed'].sign} {MARKS['requirement_unmet'].sign}"


class Standing(msgspec.Struct, frozen=True):
    """One player's line: what they reached, and what they won (+) or lost (−).

    `short` is the name as it is told elsewhere.
    """

    name: str
    short: str
    reached: str
    amount: str
    tone: str
    best: bool


class Story(msgspec.Struct, frozen=True):
    """A story in the language of the request.

    `facts` are told by their headings. `payments` are who pays whom, and how much, below a heading.
    """

    day: date
    place: str
    headline: str
    standings: tuple[Standing, ...]
    facts: Mapping[str, str]
    records: tuple[str, ...]
    heading: str
    payments: tuple[tuple[str, str], ...]
    curve: Curve | None


def whole(name: str) -> str:
    """Tell a name as it is."""
    return name


def tell_game(
    view: TableView, told: Highlights, left: Sequence[Transfer] | None, naming: Naming = whole
) -> Story:
    """Tell of a game that is over, and of what is `left` to settle once it is the newest."""
    end, _ = result(view.state), context.language().gettext
    stake = view.state.setup.stake_ore
    owed = left is not None and (left or stake)
    return Story(
        day=told.evening,
        place=_join([view.name, _("Game %(number)s", number=view.number)]),
        headline=str(FILTERS["effect_text"](_rename(end.why, naming))),
        standings=tuple(
            Standing(
                name=seat.name,
                short=naming(seat.name),
                reached=str(FILTERS["points"](seat.score)),
                amount=_signed(end.payout[seat.name]) if stake else "",
                tone=_tone(end.payout[seat.name]) if stake else "",
                best=seat.name in view.state.winners,
            )
            for seat in end.ranking
        ),
        facts=_tell_facts(told, naming),
        records=_tell_records(told, naming),
        heading=_("The evening so far") if owed else "",
        payments=_tell_payments(left or [], naming),
        curve=draw_curve(view.states),
    )


def tell_evening(ledger: Ledger, told: Highlights, naming: Naming = whole) -> Story:
    """Tell of an evening; what is left to settle is told of the newest."""
    day, _ = told.evening, context.language().gettext
    evening = page.summarize(ledger, day)
    newest = day == ledger.evenings[-1] and ledger.has_money
    best = _find_best(evening, told)
    names = sorted(evening.totals, key=lambda name: (name not in best, -evening.totals[name]))
    return Story(
        day=day,
        place=ledger.name,
        headline=_tell_best(evening, best, told, naming),
        standings=tuple(
            Standing(
                name=name,
                short=naming(name),
                reached=_tell_reached(evening, name, told),
                amount=_signed(evening.totals[name]) if evening.money else "",
                tone=_tone(evening.totals[name]) if evening.money else "",
                best=name in best,
            )
            for name in names
        ),
        facts=_tell_facts(told, naming),
        records=_tell_records(told, naming),
        heading=_("Left to settle") if newest else "",
        payments=_tell_payments(ledger.transfers if newest else [], naming),
        curve=draw_evening(evening, newest=newest),
    )


def write(story: Story, address: str) -> str:
    """A story as text, to be put into a chat, with an address for more."""
    lines = [_join(["Chicago", str(FILTERS["day"](story.day)), story.place]), story.headline, ""]
    lines += [
        ", ".join(filter(None, [f"{each.name}: {each.reached}", each.amount]))
        for each in story.standings
    ]
    lines += ["", *(f"★ {record}" for record in story.records)]
    lines += [f"{heading}: {fact}" for heading, fact in story.facts.items()]
    if story.heading:
        lines += ["", f"{story.heading}:"]
        lines += [f"{who}: {amount}" for who, amount in story.payments] or [
            context.language().gettext("Nobody owes anything.")
        ]
    return "\n".join([*lines, "", address])


def _join(texts: Iterable[str]) -> str:
    return " · ".join(filter(None, texts))


def _signed(ore: int) -> str:
    return str(FILTERS["signed_money"](ore))


def _tone(ore: int) -> str:
    return str(FILTERS["won_or_lost"](ore))


def _rename(effect: Effect, naming: Naming) -> Effect:
    return replace(effect, players=tuple(map(naming, effect.players)))


def _find_best(evening: page.Evening, told: Highlights) -> list[str]:
    """Whom the evening goes to: by öre where there was a stake, else by games won."""
    figures = evening.totals if evening.money else told.wins
    most = max(figures.values(), default=0)
    return [name for name, figure in figures.items() if figure == most > 0]


def _tell_best(evening: page.Evening, best: Sequence[str], told: Highlights, naming: Naming) -> str:
    _, language = context.language().gettext, context.language()
    if not best:
        return _("The evening of %(day)s", day=FILTERS["day"](evening.day))
    what = _signed(evening.totals[best[0]]) if evening.money else _wins(told, best[0])
    players = language.listing(map(naming, best))
    return _("The evening goes to %(players)s: %(sum)s", players=players, sum=what)


def _wins(told: Highlights, name: str) -> str:
    return context.language().ngettext("%(num)s win", "%(num)s wins", told.wins.get(name, 0))


def _tell_reached(evening: page.Evening, name: str, told: Highlights) -> str:
    """The games won, and the points together where there was no stake."""
    if evening.money:
        return _wins(told, name)
    points = str(FILTERS["points"](evening.totals[name]))
    return ", ".join([_wins(told, name), points])


def _tell_facts(told: Highlights, naming: Naming) -> dict[str, str]:
    """The facts under their heading; nothing where no game counts."""
    language, _ = context.language(), context.language().gettext
    if not told.games:
        return {}
    zeroings = [f"{naming(name)} {language.number(n)}" for name, n in told.zeroings.items()]
    zeroings += [f"{naming(name)} {_FALL}{_times(n)}" for name, n in told.falls.items()]
    facts = {
        _("Zeroings"): ", ".join(zeroings) or language.number(0),
        "Chicago": _tell_chicagos(told),
    }
    if told.swing is None:
        return facts
    swing = f"{naming(told.swing.name)}, {language.points(told.swing.biggest_swing)}"
    return {_("Biggest swing"): swing, **facts}


def _times(times: int) -> str:
    """The multiplier of a sign, if more than one."""
    return f" × {context.language().number(times)}" if times > 1 else ""


def _tell_chicagos(told: Highlights) -> str:
    said, made = map(context.language().number, (told.chicagos_said, told.chicagos_made))
    if not told.chicagos_said:
        return said
    return context.language().gettext("%(said)s said, %(made)s made", said=said, made=made)


def _tell_records(told: Highlights, naming: Naming) -> tuple[str, ...]:
    records = [
        replace(each, players=tuple(map(naming, each.players)))
        for each in told.records[:MOST_RECORDS]
    ]
    return tuple(
        record_text(each, str(FILTERS["money"](each.value)), context.language()) for each in records
    )


def _tell_payments(payments: Sequence[Transfer], naming: Naming) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{naming(each.payer)} → {naming(each.payee)}", str(FILTERS["money"](each.ore)))
        for each in payments
    )

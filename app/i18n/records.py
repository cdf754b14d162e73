"""A table's records, and the course of a game or of years, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.rules.codes import BestCode, CourseCode
from app.rules.hands import Hand
from app.rules.settlement import Currency
from app.rules.statistics import Episode, TableRecord

BESTS: Mapping[BestCode, str] = {
    "highest_win": N_("Highest win in a game"),
    "win_of_evening": N_("Highest win in an evening"),
    "wins_in_a_row": N_("Most wins in a row"),
    "highest_score": N_("Highest score"),
    "quickest_win": N_("Quickest win"),
    "biggest_swing": N_("Biggest swing in a deal"),
    "longest_stop": N_("Longest under the exchange stop"),
    "zeroings_of_evening": N_("Most zeroings in an evening"),
    "chicagos_of_evening": N_("Most Chicagos made in an evening"),
    "finest_hand": N_("Finest hand"),
}


def best_text(record: TableRecord, currency: Currency, language: Language) -> str:
    """The value of a table's record: `120 kr`, `7 deals`."""
    value = abs(record.best.value)
    match record.code:
        case "highest_win" | "win_of_evening":
            return language.money(value, currency)
        case "highest_score" | "biggest_swing":
            return language.points(value)
        case "quickest_win" | "longest_stop":
            return language.ngettext("%(num)s deal", "%(num)s deals", value)
        case "finest_hand":
            return hand_name([*Hand][value - 1], language)
        case _:
            return language.number(value)


# The first four begin the sentence; a name is never declined.
EPISODES: Mapping[CourseCode, str] = {
    "leads": N_("%(players)s leads with %(sum)s %(after)s"),
    "level": N_("%(players)s are level at the top with %(sum)s %(after)s"),
    "won": N_("%(players)s won with %(sum)s %(after)s"),
    "was_ahead": N_("%(players)s stood highest with %(sum)s %(after)s"),
    "led_until": N_("%(players)s led until %(step)s"),
    "led_throughout": N_("nobody else has led"),
    "lead_changes": N_("the lead changed hands %(times)s times"),
    "best_deal": N_("most in one deal: %(players)s, %(points)s in %(step)s"),
    "zeroed": N_("zeroed in %(step)s: %(players)s"),
}


def course_text(
    episodes: Iterable[Episode],
    after: str,
    sum_text: Callable[[int], str],
    step_text: Callable[[int], str],
    language: Language,
) -> str:
    """Tell a course: `Anna leads with 41 after 9 deals; Bo led until deal 6`."""
    parts = [
        language.gettext(EPISODES[episode.code])
        % {
            "players": language.listing(episode.players),
            "sum": sum_text(episode.value),
            "points": language.points(episode.value),
            "times": language.number(episode.value),
            "step": step_text(episode.step),
            "after": after,
        }
        for episode in episodes
    ]
    return f"{'; '.join(parts)}." if parts else language.gettext("Nothing recorded yet.")

"""Records in words: those that a game or an evening set at its table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.rules.codes import BestCode, CourseCode, RecordCode
from app.rules.course import Episode
from app.rules.hands import Hand
from app.rules.records import GameRecord, TableRecord
from app.rules.settlement import Currency

RECORDS: Mapping[RecordCode, str] = {
    "first_hand": N_("%(whose)s first %(hand)s"),
    "wins_in_a_row": N_("%(player)s: win number %(times)s in a row"),
    "biggest_swing": N_("The biggest swing so far: %(player)s, %(points)s in one deal"),
    "highest_win": N_("The highest win so far: %(player)s, %(amount)s in one game"),
    "zeroings_of_game": N_("The most zeroings in one game: %(times)s"),
    "zeroings_of_evening": N_("The most zeroings in one evening: %(times)s"),
    "chicagos_of_game": N_("The most Chicagos made in one game: %(times)s"),
    "chicagos_of_evening": N_("The most Chicagos made in one evening: %(times)s"),
    "win_at_last": N_("%(whose)s first win in %(times)s games"),
    "first_chicago": N_("%(whose)s first Chicago made"),
    "first_win": N_("%(whose)s first win"),
    "jubilee": N_("The table’s game number %(times)s"),
}


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


def record_text(record: GameRecord, amount: str, language: Language) -> str:
    """A record in a few words: `Annas första royal`; `amount` is its value where that is money."""
    return language.gettext(RECORDS[record.code]) % {
        "whose": genitive(language.listing(record.players), language),
        "player": language.listing(record.players),
        "hand": hand_name(record.hand, language) if record.hand else "",
        "points": language.points(record.value),
        "times": language.number(record.value),
        "amount": amount,
    }


def genitive(name: str, language: Language) -> str:
    """A name in the genitive: `Annas`, `Lars`, `Anna’s`; as it is in a language without one."""
    if language.code == "sv":
        return name if name[-1:].lower() in ("s", "x", "z") else f"{name}s"
    return f"{name}’s" if language.code == "en" else name


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

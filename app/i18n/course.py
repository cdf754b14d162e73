"""The course of a game, an evening or years in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from app.i18n.language import N_, Language
from app.rules.codes import CourseCode
from app.rules.course import Episode

# The first four begin the sentence; a name stands as it is, whatever case it would be in.
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
    told = [
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
    return f"{'; '.join(told)}." if told else language.gettext("Nothing recorded yet.")

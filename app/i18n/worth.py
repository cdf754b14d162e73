"""What recording something is worth to a player, as short as it can be said."""

from __future__ import annotations

from app.i18n.language import Language
from app.rules.outcome import Worth


def worth_text(
    worth: Worth, language: Language, signed: bool = False, victim: str | None = None
) -> str:
    """A worth in a word or two: `4`, `+15`, `8 or zero`; `victim`: whom it zeroes, where named."""
    _, points = language.gettext, _points_text(worth, language)
    if worth.wins:
        return _("wins, and zero %(victim)s", victim=victim) if victim else _("wins")
    if worth.or_zero:
        return _("%(points)s or zero", points=points)
    if not worth.zeroes:
        return _points_text(worth, language, signed)
    if _gives_nothing(worth):
        return _("zeroes %(victim)s", victim=victim) if victim else _("zeroes")
    if victim:
        return _("%(points)s, and zero %(victim)s", points=points, victim=victim)
    return _("%(points)s and zero", points=points)


def own_worth_text(worth: Worth, common: Worth, language: Language, signed: bool = False) -> str:
    """What is otherwise for one player than what is said of all."""
    if _kind(worth) == _kind(common):
        return _points_text(worth, language, signed)
    return worth_text(worth, language, signed)


def _kind(worth: Worth) -> tuple[bool, bool, bool]:
    return worth.wins, worth.or_zero, worth.zeroes


def _gives_nothing(worth: Worth) -> bool:
    return not worth.points and worth.score is None and worth.left_with is None


def _points_text(worth: Worth, language: Language, signed: bool = False) -> str:
    """What is added, or after an arrow the score that it leads to."""
    leads_to = worth.score if worth.left_with is None else worth.left_with
    if leads_to is not None:
        return f"→{language.number(leads_to)}"
    return language.signed(worth.points) if signed else language.number(worth.points)

"""What tells one rule set from another, in a few words each."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.rules.house import HouseRules, announced_hands, covers, listed_hands, zeroing_of

PRESET_LABELS: Mapping[str, str] = {
    "huvudregler": N_("Main rules"),
    "vanlig": N_("Common rules"),
    "pagat": N_("Pagat's rules"),
    "kortspelsregler": N_("Kortspelsregler's rules"),
    "gamerules": N_("Gamerules' rules"),
    "wikipedia": N_("Wikipedia's rules"),
}


def preset_label(preset: str, language: Language) -> str:
    """A published rule set's name."""
    return language.gettext(PRESET_LABELS[preset])


def features(rules: HouseRules, language: Language) -> list[str]:
    """The distinguishing points of a rule set, most asked for first."""
    return [
        *_stop(rules, language),
        *_requirement(rules, language),
        *_chicago(rules, language),
        *_zeroing(rules, language),
        *_winning(rules, language),
        *_deal(rules, language),
        *_ending(rules, language),
    ]


def _stop(rules: HouseRules, language: Language) -> list[str]:
    _ = language.gettext
    if rules.exchange_stop is None:
        return [_("no exchange stop")]
    return [_("exchange stop %(limit)s", limit=rules.exchange_stop)]


def _requirement(rules: HouseRules, language: Language) -> list[str]:
    _ = language.gettext
    match rules.win_needs_chicago:
        case "declared":
            said = _("Chicago must have been bid")
        case "won":
            said = _("Chicago must have been won")
        case _:
            return []
    counts = rules.win_needs_chicago_players
    if counts is not None:
        numbers = language.either(map(str, sorted(counts)))
        said += " " + _("(with %(counts)s players)", counts=numbers)
    return [said]


def _chicago(rules: HouseRules, language: Language) -> list[str]:
    _ = language.gettext
    said = [_("Chicago ±%(points)s", points=rules.chicago_points)]
    if rules.chicago_penalty != rules.chicago_points:
        values = {"points": rules.chicago_points, "penalty": rules.chicago_penalty}
        said = [_("Chicago +%(points)s/−%(penalty)s", **values)]
    if rules.chicago_minimum is None:
        said.append(_("Chicago at any score"))
    if rules.chicago_when == "any_time":
        said.append(_("Chicago at any time"))
    if rules.blind_chicago is not None:
        said.append(_("blind Chicago"))
    return said


def _zeroing(rules: HouseRules, language: Language) -> list[str]:
    _, said = language.gettext, []
    for hand in listed_hands(rules):
        if zeroing_of(rules, hand) == "choice":
            said.append(_("%(hand)s may zero", hand=hand_name(hand, language)))
        elif zeroing_of(rules, hand) == "always":
            said.append(_("%(hand)s zeroes", hand=hand_name(hand, language)))
    return said


def _winning(rules: HouseRules, language: Language) -> list[str]:
    winning = [hand for hand in announced_hands(rules) if covers(rules.winning_hands, hand)]
    if not winning:
        return []
    names = language.listing(hand_name(hand, language) for hand in winning)
    return [language.ngettext("%(hands)s wins", "%(hands)s win", len(winning), hands=names)]


def _deal(rules: HouseRules, language: Language) -> list[str]:
    _, said = language.gettext, []
    if rules.exchanges != 3:
        said.append(language.ngettext("%(num)s exchange", "%(num)s exchanges", rules.exchanges))
    if rules.last_trick != 5:
        said.append(_("last trick %(points)s", points=rules.last_trick))
    if rules.negative_scores:
        said.append(_("scores below zero"))
    return said


def _ending(rules: HouseRules, language: Language) -> list[str]:
    _, said = language.gettext, []
    if rules.target != 52:
        said.append(_("to %(target)s", target=rules.target))
    if rules.tied_winners == "tie_break":
        said.append(_("ties are played off"))
    if rules.false_claim_loses:
        said.append(_("a false claim loses"))
    return said

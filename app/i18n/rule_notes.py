"""Notes on rules: contradictions, and our readings of what the texts leave open."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.i18n.game import hand_name
from app.i18n.language import N_, Language
from app.rules.codes import ContradictionCode
from app.rules.contradictions import Contradiction, contradictions
from app.rules.hands import Hand
from app.rules.house import HouseRules, hands_that_win, hands_that_zero, points_of

NOTES: Mapping[ContradictionCode, str] = {
    "scored_beyond": N_(
        "Exchange %(numbers)s is never made, so no hand scores after it: this table has"
        " %(exchanges)s."
    ),
    "no_hand_scores": N_("No hand ever scores: neither before the play nor after it."),
    "no_stop": N_("There is no exchange stop, so this never applies."),
    "stop_above_target": N_(
        "The exchange stop at %(limit)s comes no sooner than the target, %(target)s."
    ),
    "points_fall": N_("%(hand)s gives %(points)s, less than %(other)s, which is lower."),
    "winning_hand_falls_short": N_(
        "%(hand)s gives %(points)s: from 0 that does not reach %(target)s, so it only ends the"
        " deal. It wins for a player who reaches the target with it."
    ),
    "same_type_before_suits": N_(
        "Nobody scores for equal kinds of hands, straight flushes included, so no suit decides."
    ),
    "nobody_zeroes": N_("No hand zeroes at this table, so this never applies."),
    "deal_ends_first": N_("The deal is over after a zeroing, so no Chicago follows it."),
    "no_zeroing_waits": N_(
        "Every zeroing strikes at once or ends the deal, so none waits for a Chicago."
    ),
    "four_has_no_choice": N_(
        "Four of a kind never chooses to zero at this table, so this never applies."
    ),
    "four_ends_deal_first": N_(
        "Four of a kind ends the deal when it scores, so it cannot zero later in it."
    ),
    "chicagos_only_counted": N_(
        "No Chicago is needed to win and each may bid any number: only their count changes."
    ),
    "two_worth_less": N_("With a two it gives %(points)s, less than the %(plain)s without."),
    "minimum_above_target": N_(
        "Chicago needs %(minimum)s, but the game is over at %(target)s: hardly anybody may bid."
    ),
    "nobody_may_bid": N_("Nobody has both enough points for Chicago and fewer than %(maximum)s."),
    "penalty_cut_short": N_(
        "No score goes below zero: a player with less than %(points)s whose Chicago is"
        " broken only loses what there is."
    ),
    "made_only_counted": N_(
        "No Chicago made is needed to win, so only the count of those made changes."
    ),
    "once_and_won": N_(
        "Each player has one Chicago only. If it is broken, that player can no longer"
        " win, save by a hand that wins at once."
    ),
    "no_requirement": N_("No Chicago is needed to win, so this never applies."),
    "requirement_of_nobody": N_("No number of players is ticked, so nobody needs a Chicago."),
    "at_once_and_trick": N_(
        "The last trick is needed to win and is only taken in the play, so nobody wins before it."
    ),
    "nothing_before_play": N_("No hand scores before the play, so nobody wins before it."),
    "nobody_below_zero": N_("No score goes below zero here, so nobody pays double."),
}


def note_text(contradiction: Contradiction, language: Language) -> str:
    """A contradiction in a sentence."""
    values = {k: _in_words(k, value, language) for k, value in contradiction.values.items()}
    text = language.gettext(NOTES[contradiction.code]) % values
    return text[0].upper() + text[1:]


def notes_by_field(rules: HouseRules, language: Language) -> dict[str, list[str]]:
    """The contradictions of each rule that they concern."""
    notes: dict[str, list[str]] = {}
    for contradiction in contradictions(rules):
        for field in contradiction.fields:
            notes.setdefault(field, []).append(note_text(contradiction, language))
    return notes


def _in_words(key: str, value: object, language: Language) -> str:
    match value:
        case Hand():
            return hand_name(value, language)
        case tuple():
            return language.listing(map(str, value))
        case int() if key in ("points", "minimum"):
            return language.points(value)
        case int() if key == "exchanges":
            return language.ngettext("%(num)s exchange", "%(num)s exchanges", value)
        case _:
            return str(value)


Applies = Callable[[HouseRules], bool]


def _zeroing_waits(rules: HouseRules) -> bool:
    return rules.after_zeroing == "deal_goes_on" and not rules.four_of_a_kind_ends_deal


def _zeroes_by_choice(rules: HouseRules) -> bool:
    return bool(hands_that_zero(rules, "choice"))


def _zeroing_takes_chicagos(rules: HouseRules) -> bool:
    return rules.zeroing_takes_chicagos and bool(hands_that_zero(rules))


def _wins_at_once(rules: HouseRules) -> bool:
    return bool(hands_that_win(rules))


def _needs_chicago(rules: HouseRules) -> bool:
    return rules.win_needs_chicago != "no"


def _may_fall_short(rules: HouseRules) -> bool:
    """Whether a winning hand may leave its holder below the target."""
    return any(
        rules.negative_scores or points_of(rules, hand) < rules.target
        for hand in hands_that_win(rules)
    )


def _winner_may_be_behind(rules: HouseRules) -> bool:
    """Whether somebody may stand above the winner."""
    passed = _needs_chicago(rules) and rules.win_needs_chicago_unmet == "plays_on"
    late, blind = rules.finish != "at_target", rules.blind_chicago is not None
    return _wins_at_once(rules) or late or passed or blind


def _looks_at_the_start(rules: HouseRules) -> bool:
    """Whether the scores with which a deal begins decide anything in it."""
    stopped = rules.exchange_stop is not None and rules.exchange_stop_when == "deal_end"
    return stopped or rules.finish == "trick_later_deal"


# Readings of points that the rule texts leave open: the number, when it matters, and its words.
READINGS: tuple[tuple[int, Applies, str], ...] = (
    (
        1,
        lambda rules: _zeroes_by_choice(rules) and not _zeroing_waits(rules),
        N_("A zeroing after the last exchange is laid open before the play, or not at all."),
    ),
    (
        1,
        lambda rules: _zeroes_by_choice(rules) and _zeroing_waits(rules),
        N_("A zeroing after the last exchange may be chosen before the play or after it."),
    ),
    (
        3,
        _may_fall_short,
        N_("A winning hand that does not reach the target only ends the deal."),
    ),
    (
        5,
        lambda rules: rules.exchange_stop is not None and rules.exchange_stop_when == "deal_end",
        N_("Whoever falls below the exchange stop may exchange again at once."),
    ),
    (
        6,
        _needs_chicago,
        N_("A Chicago made in the very deal counts; all who lack one are judged together."),
    ),
    (
        7,
        lambda rules: _needs_chicago(rules) and rules.chicago_priority == "overbid",
        N_("A bid that was overbid does not count as a Chicago."),
    ),
    (
        8,
        lambda rules: _needs_chicago(rules) and _wins_at_once(rules),
        N_("A hand that wins at once does so without any Chicago."),
    ),
    (9, _winner_may_be_behind, N_("Whoever stands above the winner neither pays nor is paid.")),
    (
        10,
        lambda rules: rules.finish != "at_target",
        N_("A Chicago made counts as the last trick."),
    ),
    (
        11,
        lambda rules: rules.tied_winners == "tie_break",
        N_("Among those who play on only one thing counts: who is ahead after a deal."),
    ),
    (
        12,
        lambda _: True,
        N_(
            "If the dealer leaves or is out before the deal’s first hand, bid or trick, the next"
            " player deals."
        ),
    ),
    (
        14,
        lambda rules: rules.chicago_minimum is not None,
        N_("Points already written in this deal count when Chicago is bid."),
    ),
    (
        17,
        lambda rules: rules.ties in ("suits", "suits_of_highest"),
        N_("The ace is low only in ace, two, three, four, five."),
    ),
    (
        19,
        lambda rules: _zeroing_takes_chicagos(rules) and rules.chicago_when == "any_time",
        N_("A Chicago bid but not yet played when its bidder is zeroed counts if it is made."),
    ),
    (
        21,
        _looks_at_the_start,
        N_(
            "A correction before a deal’s first hand, bid or trick counts as if the deal had begun"
            " with it."
        ),
    ),
)


def readings(rules: HouseRules, language: Language) -> list[str]:
    """Our readings that matter under these rules."""
    return [language.gettext(text) for _, applies, text in READINGS if applies(rules)]

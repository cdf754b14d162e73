"""What a table plays, in sentences: from every rule, in both languages, on one page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from app.i18n.house_rules import GROUPS, differences, label, words_of
from app.i18n.language import CODES, Language, get_language
from app.i18n.rule_notes import NOTES, note_text, readings
from app.i18n.rule_sentences import points_table, sections
from app.i18n.rule_summary import group_brief
from app.rules.contradictions import contradictions
from app.rules.house import FIELD_TYPES, OPTIONS, HouseRules
from app.rules.presets import PRESETS, read_rules
from tests.rules.strategies import raw_rules
from tests.rules.test_contradictions import CASES
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone

ENGLISH = get_language("en")


def page_text(rules: HouseRules, spoken: Language = ENGLISH) -> str:
    """Return everything the page says of these rules."""
    lines = [text for section in sections(rules, spoken) for text in section.sentences]
    lines += [f"{line.hand} {line.points} {line.also}" for line in points_table(rules, spoken)]
    return "\n".join(lines)


# Two values that the page must tell apart, and what else must be so for the rule to apply at all.
TOLD_APART: dict[str, tuple[object, object, dict[str, object]]] = {
    **{field: (True, False, {}) for field, kind in FIELD_TYPES.items() if kind is bool},
    "exchanges": (3, 2, {}),
    "scored_exchanges": (None, [1, 2, 3], {}),
    "max_exchange": (5, 4, {}),
    "redeal_low_hand": ("below_ten", "ten_or_below", {}),
    "exchange_stop": (None, 47, {}),
    "exchange_stop_when": ("deal_end", "at_once", {}),
    "exchange_stop_style": ("no_exchange", "six_cards", {}),
    "illegal_exchange": ("refused", "zeroed", {}),
    "hand_points": ({"pair": 1}, {"pair": 2}, {}),
    "winning_hands": (["royal_flush"], ["straight_flush"], {}),
    "raising_hands": ([], ["straight_flush"], {}),
    "ties": ("kickers", "same_type", {}),
    "suit_order": ("hsdc", "hdsc", {"ties": "suits"}),
    "zeroing": ({"four_of_a_kind": "choice"}, {"four_of_a_kind": "always"}, {}),
    "zeroing_victims": ("others", "one", {}),
    "after_zeroing": ("deal_ends", "deal_goes_on", {}),
    "zeroing_and_chicago": ("zeroing_first", "zeroing_last", {"after_zeroing": "deal_goes_on"}),
    "last_trick": (5, 2, {}),
    "last_trick_with_two": (None, 10, {}),
    "chicago_points": (15, 13, {}),
    "chicago_penalty": (15, 13, {}),
    "chicago_with_two": (None, 30, {}),
    "chicago_minimum": (None, 15, {}),
    "chicago_when": ("before_play", "any_time", {}),
    "chicago_hand": ("if_won", "always", {}),
    "chicago_last_trick": ("never", "if_lost", {}),
    "chicago_breaker_bonus": (0, 8, {}),
    "chicago_breaker": ("taker", "first_over", {"chicago_breaker_bonus": 8}),
    "chicago_lead": ("declarer", "eldest", {}),
    "chicago_priority": ("eldest_first", "overbid", {}),
    "blind_chicago": (None, {"points": 30, "penalty": 20}, {}),
    "target": (52, 51, {}),
    "win_needs_chicago": ("declared", "won", {}),
    "win_needs_chicago_players": (None, [3], {}),
    "win_needs_chicago_unmet": ("zeroed", "plays_on", {}),
    "finish": ("trick_same_deal", "trick_later_deal", {}),
    "win_when": ("deal_end", "at_once", {}),
    "tied_winners": ("share", "tie_break", {}),
    "first_dealer_by": ("random", "lowest_card", {}),
}


def test_no_rule_is_left_out() -> None:
    """The cases below hold every house rule there is."""
    assert set(TOLD_APART) == set(OPTIONS)


@pytest.mark.parametrize("code", CODES)
def test_every_rule_is_told(code: str) -> None:
    """A table that plays a rule differently reads something else on its page."""
    spoken = get_language(code)
    for field, (one, other, besides) in TOLD_APART.items():
        texts = [page_text(read_rules({**besides, field: v})[1], spoken) for v in (one, other)]
        assert texts[0] != texts[1], field


@settings(max_examples=20)
@given(raw_rules())
def test_any_rules_can_be_told(raw: dict[str, object]) -> None:
    """In both languages, whole sentences with every value filled in."""
    preset, rules = read_rules(raw)
    for code in CODES:
        spoken = get_language(code)
        texts = [*page_text(rules, spoken).splitlines(), *readings(rules, spoken)]
        texts += differences(preset, rules, spoken)
        texts += [group_brief(group, rules, spoken) for group in GROUPS]
        assert all(text.strip() and "%(" not in text for text in texts)


@pytest.mark.parametrize("code", CODES)
def test_every_rule_has_a_name_of_its_own(code: str) -> None:
    """No two house rules are called the same, and none by its name in the code."""
    spoken = get_language(code)
    names = [label(field, spoken) for field in OPTIONS]
    assert len(set(names)) == len(names)
    assert not [name for name in names if "_" in name]
    helps = {field: words_of(field).help for field in OPTIONS if words_of(field).help}
    assert all(spoken.gettext(text) != label(field, spoken) for field, text in helps.items())


def test_every_contradiction_can_be_said() -> None:
    """Each finding has its sentence, with its numbers, in both languages."""
    assert set(NOTES) == set(CASES)
    for changes in CASES.values():
        for found in contradictions(read_rules({"preset": "pagat", **changes})[1]):
            for code in CODES:
                assert "%(" not in note_text(found, get_language(code))


def test_a_table_shows_what_it_plays(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """One tap from the table, for the keeper and for everybody with the link."""
    seat(phone, stake_ore=250, rules={"exchange_stop": 47, "target": 60})
    other = new_phone()
    for each in (phone, other):
        each.open(phone.table)
        each.follow("Rules")
        assert each.answer.status_code == 200
        assert "Main rules but for: Exchange stop at: 47 · Played to: 60." in each.page.text
        assert "Whoever has 47 points or more may not exchange." in each.page.text
        assert "A point is worth 2,50 kr." in each.page.text.replace("2.50", "2,50")
        assert "The rules stand while a game is played" in each.page.text


def test_the_page_says_how_open_questions_are_read_where_it_matters() -> None:
    """A table that asks for no Chicago is not told how one is counted."""
    assert len(readings(PRESETS["huvudregler"], ENGLISH)) > len(readings(PRESETS["pagat"], ENGLISH))
    counted = "A hand that wins at once does so without any Chicago."
    assert counted in readings(PRESETS["huvudregler"], ENGLISH)
    assert counted not in readings(PRESETS["kortspelsregler"], ENGLISH)

"""Values of every house rule, as a game file writes them."""

import json

import pytest

from app.rules.codes import BadFile
from app.rules.hands import Hand
from app.rules.house import FIELD_TYPES, OPTIONS
from app.rules.presets import read_rules, write_value

JUNK: list[object] = [[], {}, "", "5", "null", 1.0, 5.0, -1, 10**30, [None], "Pair"]

POINTS = ["last_trick", "chicago_points", "chicago_breaker_bonus"]
POINTS_OR_NULL = ["last_trick_with_two", "chicago_minimum", "chicago_maximum", "chicago_with_two"]
YES_OR_NO = [field for field, kind in FIELD_TYPES.items() if kind is bool]
WORDS: dict[str, list[object]] = {
    field: list(words.split())
    for field, words in {
        "ties": "kickers same_type suits suits_of_highest",
        "zeroing_victims": "others one",
        "after_zeroing": "deal_ends deal_goes_on",
        "zeroing_and_chicago": "zeroing_first chicago_voids_zeroing zeroing_last",
        "chicago_hand": "if_won never always others struck",
        "chicago_wins": "never made",
        "chicago_last_trick": "never if_lost if_won always",
        "chicago_when": "before_play any_time first_exchange",
        "exchange_stop_when": "deal_end at_once",
        "illegal_exchange": "refused zeroed",
        "win_needs_chicago": "no declared won",
        "win_needs_chicago_unmet": "zeroed plays_on",
        "finish": "at_target trick_same_deal trick_later_deal",
        "win_when": "deal_end at_once every_booking",
        "tied_winners": "share tie_break play_on",
        "exchange_stop_style": "no_exchange six_cards",
        "chicago_lead": "declarer eldest",
        "chicago_priority": "eldest_first overbid",
        "chicago_breaker": "taker first_over",
        "redeal_low_hand": "below_ten ten_or_below",
        "first_dealer_by": "random lowest_card",
    }.items()
}
HANDS = list(map(str, Hand))

ALLOWED: dict[str, list[object]] = {
    **{field: [0, 5, 1000] for field in POINTS},
    **{field: [None, 0, 5, 1000] for field in POINTS_OR_NULL},
    **{field: [True, False] for field in YES_OR_NO},
    **WORDS,
    **{field: [[], ["pair"], HANDS] for field in ("winning_hands", "raising_hands")},
    "redeal_low_hand": [None, *WORDS["redeal_low_hand"]],
    "target": [1, 52, 1000],
    "exchange_stop": [None, 1, 46, 1000],
    "exchanges": [3, 2, 1, "by_players"],
    "chicago_penalty": [0, 5, 1000, "all"],
    "open_card": [False, True, "last"],
    "flush_suits": [False, True, "suit_first"],
    "max_exchange": [1, 2, 3, 4, 5],
    "scored_hands": [
        None,
        {},
        {"play": "everyone"},
        {"1": "equal", "2": "equal", "play": "equal"},
        {"dealt": "best", "1": "everyone", "3": "equal"},
    ],
    "win_needs_chicago_players": [None, [], [3], [2, 8]],
    "suit_order": ["hsdc", "hdsc", "cdhs"],
    "hand_points": [{}, {"pair": 0}, {"royal_flush_hearts": 1000}],
    "zeroing": [{}, {"pair": "choice"}, {"flush": "always"}, {"flush": None}],
    "blind_chicago": [
        None,
        {"points": 30, "penalty": 20},
        {"points": 0, "penalty": 1000, "with_two": 0, "minimum": 1000},
        {"points": 30, "penalty": 20, "with_two": None, "minimum": None},
        {"points": 30, "penalty": 20, "when": "last_exchange"},
    ],
}


def refused(text: str) -> list[object]:
    """Read a list of values."""
    return list(json.loads(f"[{text}]"))


# Besides the values of JUNK that the rule does not allow.
REFUSED: dict[str, list[object]] = {
    **{field: refused("null, true, 1001") for field in POINTS},
    **{field: refused("false, 1001, 0.5") for field in POINTS_OR_NULL},
    **{field: refused("null, 0, 1") for field in YES_OR_NO},
    **{field: [None, True, [word[0]]] for field, word in WORDS.items()},
    **{
        field: refused(text)
        for field, text in {
            "redeal_low_hand": 'false, ["below_ten"]',
            "winning_hands": 'null, ["poker"], ["Pair"], [1], {"pair": 1}',
            "raising_hands": 'null, ["poker"], ["Pair"], [1], {"pair": 1}',
            "target": "null, true, 0, 1001",
            "exchange_stop": "false, 0, 1001, 46.0",
            "exchanges": 'null, true, 0, 4, 2.0, [3], "two"',
            "chicago_penalty": 'null, true, 1001, "none", ["all"]',
            "open_card": 'null, 0, 1, "first", ["last"]',
            "flush_suits": 'null, 0, 1, "suit", ["suit_first"]',
            "max_exchange": "null, true, 0, 6",
            "scored_hands": 'true, "best", ["play"], {"4": "best"}, {"play": null}, {"1": "all"}',
            "win_needs_chicago_players": '3, [1], [9], [true], [3.0], ["3"], {"3": 3}',
            "suit_order": r'null, "hsd", "hsdcc", "hsdd", "HSDC", "hsdc\n", ["hsdc"]',
            "hand_points": 'null, [1], {"poker": 5}, {"pair": -1}, {"pair": 1001}, {"pair": 1.0}',
            "zeroing": 'null, "choice", ["flush"], {"poker": "choice"}, {"flush": "never"}',
        }.items()
    },
    "blind_chicago": refused(
        'true, [30, 20], {"points": 30}, {"penalty": 20}, {"points": null, "penalty": 20},'
        ' {"points": 30, "penalty": -20}, {"points": 1001, "penalty": 20},'
        ' {"points": true, "penalty": 20}, {"points": 30, "penalty": 20, "with_two": "60"},'
        ' {"points": 30, "penalty": 20, "minimum": -1}, {"points": 30, "penalty": 20, "bonus": 1}'
    ),
}


@pytest.mark.parametrize("values", [ALLOWED, REFUSED])
def test_every_house_rule_is_tried(values: dict[str, list[object]]) -> None:
    """Both lists of values name every house rule."""
    assert sorted(values) == sorted(OPTIONS)
    assert all(values.values())


@pytest.mark.parametrize("field", OPTIONS)
def test_a_value_within_the_rule_is_read_as_it_is_written(field: str) -> None:
    """Every allowed value is read, and the rules then have it."""
    pagat = write_value(read_rules({"preset": "pagat"})[1].hand_points)
    for value in ALLOWED[field]:
        _, rules = read_rules({"preset": "pagat", "zeroing": {"flush": "always"}, field: value})
        expected = value
        if field == "hand_points":
            expected = {**write_as_object(pagat), **write_as_object(value)}
        elif field == "zeroing":
            expected = {k: v for k, v in write_as_object(value).items() if v is not None}
        elif field == "blind_chicago" and value:
            usual = {"with_two": None, "minimum": None, "when": "before_looking"}
            expected = {**usual, **write_as_object(value)}
        assert write_value(getattr(rules, field)) == expected


def write_as_object(value: object) -> dict[str, object]:
    """Return an object of the rules, with plain text for its hands."""
    assert isinstance(value, dict)
    return {str(hand): each for hand, each in value.items()}


@pytest.mark.parametrize("field", OPTIONS)
def test_a_value_outside_the_rule_is_refused(field: str) -> None:
    """Every other value is refused; the error names the house rule and the value."""
    own = [(type(value), value) for value in ALLOWED[field]]
    junk = [value for value in JUNK if (type(value), value) not in own]
    for value in REFUSED[field] + junk:
        with pytest.raises(BadFile) as caught:
            read_rules({"preset": "pagat", field: value})
        assert caught.value.code in {"wrong_rule_value", "repeated_rule_value"}
        assert caught.value.values == {"field": field, "value": value}
        assert caught.value.event is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"scored_exchanges": [1, 2, 3]}, {"1": "best", "2": "best", "3": "best", "play": "best"}),
        ({"hand_after_play": False}, {"1": "best", "2": "best"}),
        ({"hand_after_play": False, "exchanges": 2}, {"1": "best"}),
        ({"scored_exchanges": [], "hand_after_play": False}, {}),
        ({"scored_exchanges": None}, None),
        ({"hand_after_play": True}, None),
    ],
)
def test_old_words_are_read_as_the_new_one(
    old: dict[str, object], new: dict[str, str] | None
) -> None:
    """`scored_exchanges` and `hand_after_play` are `scored_hands` with the best hand."""
    _, rules = read_rules({"preset": "pagat", **old})
    assert rules.scored_hands == new


@pytest.mark.parametrize(
    ("old", "code"),
    [
        ({"scored_exchanges": [2, 2]}, "repeated_rule_value"),
        ({"scored_exchanges": [4]}, "wrong_rule_value"),
        ({"hand_after_play": None}, "wrong_rule_value"),
        ({"scored_exchanges": None, "scored_hands": None}, "old_words_beside"),
    ],
)
def test_old_words_are_refused_as_before_and_beside_the_new_one(
    old: dict[str, object], code: str
) -> None:
    """An exchange named twice is a repetition; old and new together say two things."""
    with pytest.raises(BadFile, match=code):
        read_rules(old)

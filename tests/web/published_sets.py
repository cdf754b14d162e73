"""Rule sets as people publish them, each as its differences from a set that the form offers."""

from __future__ import annotations

Rules = dict[str, object]

MINE = {"four_of_a_kind": "choice"}
LOW = {"preset": "pagat", "false_claim_loses": False}

SETS: dict[str, Rules] = {
    "pagat, four of a kind always ends the deal": {
        "preset": "pagat",
        "zeroing": MINE,
        "four_of_a_kind_ends_deal": True,
    },
    "pagat, below zero pays double": {
        "preset": "pagat",
        "negative_scores": True,
        "chicago_minimum": None,
        "negative_pays_double": True,
        "open_card": True,
    },
    "wikipedia, high hands lift to the target or zero one": {
        "preset": "wikipedia",
        "raising_hands": ["straight_flush"],
        "hand_points": {"royal_flush": 9},
        "zeroing": {**MINE, "straight_flush": "always"},
        "zeroing_victims": "one",
        "after_zeroing": "deal_goes_on",
    },
    "huvudregler G H I J K L": {
        "open_card": True,
        "max_exchange": 4,
        "ties": "same_type",
        "flush_suits": False,
        "zeroing_after_scoring": False,
        "after_zeroing": "deal_goes_on",
        "zeroing_and_chicago": "chicago_voids_zeroing",
        "lay_aside": True,
    },
    "huvudregler M O P Q R": {
        "chicago_lead": "eldest",
        "last_trick": 2,
        "last_trick_with_two": 5,
        "chicago_breaker_bonus": 10,
        "chicago_hand": "always",
        "negative_scores": True,
        "chicago_minimum": None,
    },
    "students: no stop, no minimum, everything counts": {
        **LOW,
        "exchange_stop": None,
        "chicago_minimum": None,
        "chicago_hand": "always",
        "chicago_last_trick": "always",
        "scored_exchanges": [1, 2, 3],
        "tied_winners": "play_on",
    },
    "a short evening: to 30, one exchange": {
        **LOW,
        "target": 30,
        "exchange_stop": 25,
        "exchanges": 1,
        "scored_exchanges": [1],
        "suit_order": "shdc",
        "illegal_exchange": "zeroed",
        "first_dealer_by": "lowest_card",
    },
    "a cautious family: blind Chicago from 20": {
        "preset": "vanlig",
        "blind_chicago": {"points": 40, "penalty": 20, "with_two": None, "minimum": 20},
        "chicago_breaker": "first_over",
        "win_needs_chicago": "declared",
        "win_needs_chicago_unmet": "plays_on",
        "hand_after_play": False,
        "tied_winners": "tie_break",
        "chicago_when": "any_time",
    },
}

"""Every code of the core as a closed type: effects, ends, reasons, and the errors that carry them.

The type checker finds a code that is none of these where it is given; a code that nothing gives
or that has no words is found by `tests/test_wording.py`.
"""

from typing import Literal

import msgspec

Status = Literal["playing", "finished", "broken_off"]

# Why a game is over, which is told as the last effect of its last event.
EndCode = Literal[
    "won_highest",
    "won_shared",
    "won_tie_break",
    "won_by_hand",
    "won_at_once",
    "won_by_blind_two",
    "won_by_chicago",
    "won_last_left",
    "broken_off_settled",
    "broken_off_void",
]

# Effects that an event sets off.
EffectCode = Literal[
    "hand",
    "hand_raised",
    "zeroes",
    "zeroed",
    "chicagos_taken",
    "zeroing_voided",
    "bid",
    "blind_bid",
    "bid_withdrawn",
    "struck",
    "chicago_won",
    "chicago_won_with_two",
    "chicago_lost",
    "blind_won",
    "blind_won_with_two",
    "blind_lost",
    "won_chicago_taken",
    "breaker",
    "last_trick",
    "last_trick_with_two",
    "illegal_exchange",
    "false_claim",
    "leaves",
    "leaves_for_nothing",
    "joins",
    "rules",
    "correction",
    "requirement_unmet",
    "passed_over",
    "tie_break_begins",
    "tied_play_on",
    EndCode,
]

# Marks of the score sheet in a player's column.
MarkCode = Literal[
    "stop_begins",
    "stopped",
    "zeroes",
    "zeroed",
    "requirement_unmet",
    "bid",
    "chicago_won",
    "chicago_lost",
    "blind_bid",
    "blind_won",
    "blind_lost",
    "tie_break",
    "joins",
    "out",
]

# Faults of input, as can be seen without playing.
FaultCode = Literal[
    "not_json",
    "not_an_object",
    "wrong_format",
    "unknown_key",
    "missing_key",
    "wrong_value",
    "unknown_event",
    "unknown_player",
    "players_not_a_list",
    "events_not_a_list",
    "wrong_number_of_players",
    "name_twice",
    "name_taken",
    "name_not_text",
    "name_empty",
    "name_too_long",
    "name_unprintable",
    "wrong_stake",
    "unknown_preset",
    "unknown_rule",
    "wrong_rule_value",
    "too_many_rule_sets",
    "repeated_rule_value",
    "old_words_beside",
    "hand_and_tied_together",
    "tied_needs_two",
    "two_on_lost_chicago",
    "breaker_of_won_chicago",
    "correction_of_nothing",
    "points_unreadable",
    "edit_unreadable",
    "too_many_edits",
    "too_few_names",
    "look_alike",
    "rule_unreadable",
    "stake_unreadable",
    "stake_unreadable_in_euros",
    "stake_out_of_range",
    "too_many_files",
    "too_many_events",
    "remark_too_long",
    "game_too_long",
    "archive_too_long",
    "file_unreadable",
    "no_games",
    "not_ours",
    "cookies_refused",
    "amount_unreadable",
    "amount_unreadable_in_euros",
    "two_amounts",
    "swish_number_unreadable",
    "unreadable_card",
    "not_five_cards",
    "dealt_twice",
    "hand_without_name",
]

# Why the house rules, or the state of the game, forbid something.
RefusalCode = Literal[
    "game_over",
    "player_out",
    "player_frozen",
    "no_hand_due",
    "told_already",
    "declarers_hand",
    "no_trick_due",
    "no_chicago_played",
    "announced_already",
    "not_announced",
    "hand_does_not_zero",
    "always_zeroes",
    "zeroing_after_scoring",
    "zero_before_play",
    "victim_needed",
    "no_victim_to_name",
    "victim_is_holder",
    "chicago_already_bid",
    "chicago_once",
    "chicago_minimum",
    "chicago_maximum",
    "chicago_before_play",
    "chicago_too_late",
    "no_blind_chicago",
    "blind_too_late",
    "blind_too_early",
    "breaker_needed",
    "breaker_is_declarer",
    "exchange_stop",
    "exchanges_over",
    "illegal_exchange_refused",
    "not_stopped",
    "false_claim_not_played",
    "declarer_stays",
    "joins_too_late",
    "no_joining_tie_break",
    "rules_too_late",
    "no_seat_left",
    "win_needs_chicago_declared",
    "win_needs_chicago_won",
    "win_needs_trick_later",
]

# Why the house rules and the state of the game allow something.
PermissionCode = Literal[
    "no_exchange_stop",
    "below_exchange_stop",
    "exchange_stop_next_deal",
    "may_bid",
    "may_bid_from",
    "chicago_time",
    "may_join",
    "wins_at_target",
    "wins_with_trick",
    "wins_by_most",
]

# Reasons why something cannot be done at any table.
TableCode = Literal[
    "files_busy",
    "import_still_playing",
    "no_pen",
    "no_conflict",
    "not_fetched",
    "not_a_table",
    "no_such_table",
    "no_such_game",
    "no_such_event",
    "newest_game_stays",
    "key_reused",
    "key_too_old",
    "table_full",
    "points_too_large",
    "game_full",
    "too_many_games",
    "too_many_people",
    "too_many_payments",
    "too_many_pens",
    "stale",
    "still_playing",
    "nothing_to_undo",
    "nothing_to_redo",
    "no_such_person",
    "same_person_already",
    "played_each_other",
    "not_merged",
    "nothing_owed",
    "pays_too_much",
    "pays_oneself",
    "advance_too_large",
    "all_settled",
    "swish_in_kronor",
    "currency_settled",
    "no_such_payment",
    "one_person_twice",
    "cannot_deal",
]

# Why an entry no longer fits into an edited game.
ConflictCode = Literal[
    "game_was_over",
    "deal_was_over",
    "no_chicago_bid",
    "no_chicago_lost",
    "chicago_was_bid",
    "hand_not_told",
    "recorded_already",
    "entry_missing",
]

VerdictCode = Literal[RefusalCode, PermissionCode]
ReasonCode = Literal[FaultCode, VerdictCode, ConflictCode, TableCode]

# Episodes in the course of a game, or of years.
CourseCode = Literal[
    "leads",
    "level",
    "won",
    "was_ahead",
    "led_until",
    "led_throughout",
    "lead_changes",
    "best_deal",
    "zeroed",
]

# Records of a table over the years, in this order: those that are told first, first.
BestCode = Literal[
    "highest_win",
    "wins_in_a_row",
    "biggest_swing",
    "highest_score",
    "quickest_win",
    "win_of_evening",
    "chicagos_of_evening",
    "zeroings_of_evening",
    "longest_stop",
    "finest_hand",
]


class Immutable(msgspec.Struct, frozen=True, gc=False):
    """A value that never changes: it can be in no cycle, so the garbage collector passes it over.

    Else it would go through every game that is kept in memory.
    """


class ChicagoError(Exception):
    """Something a person has to be told: a code and the values its sentence needs."""

    def __init__(self, code: ReasonCode, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values


class BadFile(ChicagoError):
    """The input is malformed, as can be seen without playing.

    `event` is the index (from 0) of the event at fault, None when the fault is elsewhere.
    """

    kind = "bad_file"
    event: int | None = None


class NotAllowed(ChicagoError):
    """The house rules, or the state of the game, forbid the event.

    `event` is the index (from 0) of the event at fault in a replay, None in live play.
    """

    kind = "not_allowed"
    event: int | None = None


class BadHand(ChicagoError):
    """Cards that cannot be read, or that cannot be a hand."""


class Stale(ChicagoError):
    """Somebody else recorded something first; the sender's picture of the table is old."""

"""The house rules: one field each, and OPTIONS, which says all there is to say of each.

Every row that changes a score, a right or a payout is one field here, one row in OPTIONS and one
place in the code that asks it; its name and its sentences are its row in app/i18n/rule_words.py, or
play_words.py. A remark names the text a rule comes from (`pagat`, `wikipedia`, `huvudregler` and
its lettered variants), or the reading in RULES.md of one that is in no text; points, penalties and
minimums are stored positive.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

from app.rules.codes import BadFile
from app.rules.hands import COMMON_HANDS, Hand, Ties

Points = Annotated[int, Meta(ge=0, le=1000)]
Limit = Annotated[int, Meta(ge=1, le=1000)]
PlayerCount = Annotated[int, Meta(ge=2, le=8)]
ZeroingMode = Literal["choice", "always"]
# When a hand may score: as dealt, after an exchange, after the play (reading 22); and whose does.
ScoringMoment = Literal["dealt", "1", "2", "3", "play"]
Scorers = Literal["best", "equal", "everyone"]
# The moments of a deal, by its number of exchanges.
DEAL_MOMENTS: Mapping[int, tuple[ScoringMoment, ...]] = {
    number: (*get_args(ScoringMoment)[: number + 1], "play") for number in (1, 2, 3)
}
SuitOrder = Annotated[str, Meta(pattern=r"^(?!.*(.).*\1)[hsdc]{4}\Z")]


class BlindChicago(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points of a Chicago bid before looking at the cards (`wikipedia`), or at the last ones."""

    points: Points
    penalty: Points
    with_two: Points | None = None
    minimum: Points | None = None
    when: Literal["before_looking", "last_exchange"] = "before_looking"


class ChicagoTerms(NamedTuple):
    """The terms of a Chicago, in points: made, made with a two, lost; and the score to bid it."""

    points: int
    penalty: int | Literal["all"]
    with_two: int | None
    minimum: int | None


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """The house rules of one table; every field is explained by its row in OPTIONS."""

    exchanges: Literal[3, 2, 1, "by_players"]
    scored_hands: dict[ScoringMoment, Scorers] | None
    hand_points: dict[Hand, Points]
    winning_hands: frozenset[Hand]
    raising_hands: frozenset[Hand]
    ties: Ties
    suit_order: SuitOrder
    flush_suits: bool | Literal["suit_first"]

    zeroing: dict[Hand, ZeroingMode]
    zeroing_victims: Literal["others", "one"]
    after_zeroing: Literal["deal_ends", "deal_goes_on"]
    four_of_a_kind_ends_deal: bool
    zeroing_after_scoring: bool
    zeroing_and_chicago: Literal["zeroing_first", "chicago_voids_zeroing", "zeroing_last"]
    zeroing_takes_chicagos: bool

    last_trick: Points
    last_trick_with_two: Points | None
    chicago_points: Points
    chicago_penalty: Points | Literal["all"]
    chicago_wins: Literal["never", "made"]
    chicago_minimum: Points | None
    chicago_maximum: Points | None
    chicago_with_two: Points | None
    chicago_breaker_bonus: Points
    chicago_hand: Literal["if_won", "never", "always", "others", "struck"]
    chicago_last_trick: Literal["never", "if_lost", "if_won", "always"]
    chicago_when: Literal["before_play", "any_time", "first_exchange"]
    chicago_once: bool
    lost_chicago_takes_won: bool
    blind_chicago: BlindChicago | None

    negative_scores: bool
    exchange_stop: Limit | None
    exchange_stop_when: Literal["deal_end", "at_once"]
    illegal_exchange: Literal["refused", "zeroed"]
    target: Limit
    win_needs_chicago: Literal["no", "declared", "won"]
    win_needs_chicago_players: frozenset[PlayerCount] | None
    win_needs_chicago_unmet: Literal["zeroed", "plays_on"]
    finish: Literal["at_target", "trick_same_deal", "trick_later_deal"]
    win_when: Literal["deal_end", "at_once", "every_booking"]
    tied_winners: Literal["share", "tie_break", "play_on"]
    negative_pays_double: bool
    false_claim_loses: bool

    exchange_stop_style: Literal["no_exchange", "six_cards"]
    max_exchange: Annotated[int, Meta(ge=1, le=5)]
    chicago_lead: Literal["declarer", "eldest"]
    chicago_priority: Literal["eldest_first", "overbid"]
    chicago_breaker: Literal["taker", "first_over"]
    open_card: bool | Literal["last"]
    chicago_needs_best_hand: bool
    redeal_low_hand: Literal["below_ten", "ten_or_below"] | None
    lay_aside: bool
    first_dealer_by: Literal["random", "lowest_card"]


Group = Literal[
    "exchanges", "hands", "zeroing", "trick", "chicago", "stop", "end", "money", "table"
]
Affects = Literal["score", "right", "payout", "shown"]


class Option(msgspec.Struct, frozen=True):
    """One house rule: where it belongs, its usual value and what it touches.

    `usual` holds the values people really use, for the parts of a value under their names.
    `file_type` is the type of a game file's value where that is wider than the rule's own:
    it `merges` that into the rule set's value.
    """

    field: str
    group: Group
    default: object
    affects: Affects = "score"
    file_type: object = None
    merges: bool = False
    usual: tuple[object, ...] | Mapping[str, tuple[object, ...]] = ()

    @property
    def kind(self) -> object:
        """The type of the values this rule may have."""
        return FIELD_TYPES[self.field]

    def read(self, value: object) -> object:
        """Read a value as a game file writes it. Raises BadFile when this rule cannot have it."""
        return check_value(self.field, value, self.file_type or self.kind)


def check_value(field: str, value: object, kind: object) -> object:
    """Check a rule's whole value, merged with nothing. Raises BadFile for one of another type."""
    try:
        converted: object = msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError):
        raise BadFile("wrong_rule_value", field=field, value=value) from None
    return converted


FIELD_TYPES: Mapping[str, object] = get_type_hints(HouseRules, include_extras=True)

USUAL_POINTS: Mapping[Hand, int] = {
    Hand.PAIR: 1,
    Hand.TWO_PAIRS: 2,
    Hand.THREE_OF_A_KIND: 3,
    Hand.STRAIGHT: 4,
    Hand.FLUSH: 5,
    Hand.FULL_HOUSE: 6,
    Hand.FOUR_OF_A_KIND: 7,
    Hand.STRAIGHT_FLUSH: 8,
    Hand.ROYAL_FLUSH: 52,
}

_ROWS = (
    Option("exchanges", "exchanges", 3, "right"),  # pagat; huvudregler F
    Option("max_exchange", "exchanges", 5, "shown"),  # huvudregler H
    Option("open_card", "exchanges", False, "shown"),  # wikipedia; huvudregler G
    Option("redeal_low_hand", "exchanges", None, "shown"),  # wikipedia; huvudregler E
    Option("lay_aside", "exchanges", False, "shown"),  # huvudregler L
    Option(  # pagat; huvudregler V
        "exchange_stop",
        "stop",
        46,
        "right",
        usual=(None, 40, 41, 42, 43, 44, 45, 46, 47, 48),
    ),
    Option("exchange_stop_when", "stop", "deal_end", "right"),  # huvudregler Z
    Option("exchange_stop_style", "stop", "no_exchange", "shown"),  # wikipedia
    Option("illegal_exchange", "stop", "refused"),  # reading 5
    Option(  # huvudregler B
        "hand_points",
        "hands",
        dict(USUAL_POINTS),
        merges=True,
        usual={
            "four_of_a_kind": (7, 8),
            "straight_flush": (8, 10, 11, 52),
            "royal_flush": (9, 20, 52),
            "royal_flush_hearts": (None, 52),
        },
    ),
    Option("winning_hands", "hands", frozenset()),  # huvudregler
    Option("raising_hands", "hands", frozenset()),  # wikipedia
    Option("scored_hands", "hands", None),  # wikipedia; reading 22
    Option("ties", "hands", "kickers"),  # huvudregler A, I
    Option("suit_order", "hands", "hdsc", usual=("hsdc", "hdsc", "shdc")),  # pagat; huvudregler
    Option("flush_suits", "hands", False),  # huvudregler
    Option(  # pagat; huvudregler C, D
        "zeroing",
        "zeroing",
        {},
        file_type=dict[Hand, ZeroingMode | None],
        merges=True,
    ),
    Option("zeroing_victims", "zeroing", "others"),  # wikipedia
    Option("after_zeroing", "zeroing", "deal_ends"),  # huvudregler K
    Option("four_of_a_kind_ends_deal", "zeroing", False),  # pagat
    Option("zeroing_after_scoring", "zeroing", True, "right"),  # huvudregler J
    Option("zeroing_and_chicago", "zeroing", "zeroing_first"),  # huvudregler
    Option("zeroing_takes_chicagos", "zeroing", False),  # reading 19
    Option("last_trick", "trick", 5, usual=(2, 5)),  # pagat; huvudregler O
    Option(  # wikipedia; huvudregler N, O
        "last_trick_with_two",
        "trick",
        None,
        usual=(None, 5, 10),
    ),
    Option("chicago_points", "chicago", 15, usual=(13, 15)),  # pagat
    Option("chicago_penalty", "chicago", 15, usual=(13, 15)),  # pagat
    Option("chicago_wins", "chicago", "never"),  # reading 27
    Option("chicago_with_two", "chicago", None, usual=(None, 30)),  # wikipedia
    Option("chicago_minimum", "chicago", 15, "right", usual=(None, 13, 15)),  # pagat; huvudregler R
    Option("chicago_maximum", "chicago", None, "right", usual=(None, 32)),  # huvudregler
    Option("chicago_once", "chicago", False, "right"),  # huvudregler S
    Option("lost_chicago_takes_won", "chicago", False),  # reading 19
    Option("chicago_when", "chicago", "before_play", "right"),  # wikipedia
    Option("chicago_hand", "chicago", "if_won"),  # pagat; huvudregler Q
    Option("chicago_last_trick", "chicago", "never"),  # wikipedia
    Option("chicago_breaker_bonus", "chicago", 0, usual=(0, 8, 10)),  # pagat; huvudregler P
    Option("chicago_needs_best_hand", "chicago", False, "shown"),  # reading 18
    Option("chicago_breaker", "chicago", "taker", "shown"),  # huvudregler P
    Option("chicago_lead", "chicago", "eldest", "shown"),  # pagat; huvudregler M
    Option("chicago_priority", "chicago", "eldest_first", "shown"),  # huvudregler T
    Option(  # wikipedia
        "blind_chicago",
        "chicago",
        None,
        usual={"points": (30,), "penalty": (20, 30), "with_two": (60, None), "minimum": (None, 15)},
    ),
    Option("target", "end", 52, usual=(51, 52)),  # huvudregler U
    Option("win_needs_chicago", "end", "no"),  # huvudregler W, X
    Option("win_needs_chicago_players", "end", None),  # pagat
    Option("win_needs_chicago_unmet", "end", "zeroed"),  # pagat; wikipedia
    Option("finish", "end", "at_target"),  # wikipedia; huvudregler Y
    Option("win_when", "end", "deal_end"),  # huvudregler Z
    Option("tied_winners", "end", "share"),  # pagat; gamerules
    Option("false_claim_loses", "end", True),  # pagat
    Option("negative_scores", "money", False),  # pagat; huvudregler R
    Option("negative_pays_double", "money", False),  # pagat
    Option("first_dealer_by", "table", "random", "shown"),  # gamerules
)

OPTIONS: Mapping[str, Option] = {row.field: row for row in _ROWS}


def groups(order: Iterable[str] = ()) -> dict[str, list[str]]:
    """The fields of each group, the groups in this order and then as OPTIONS names them."""
    fields: dict[str, list[str]] = {group: [] for group in order}
    for option in OPTIONS.values():
        fields.setdefault(option.group, []).append(option.field)
    return fields


def changed_fields(base: HouseRules, rules: HouseRules) -> list[str]:
    """The fields in which rules differ from those they started from."""
    return [field for field in OPTIONS if getattr(rules, field) != getattr(base, field)]


_T = TypeVar("_T")


# Royal flush speaks for royal flush in hearts unless that has its own row.
_COVERED_BY: Mapping[Hand, Hand] = {Hand.ROYAL_FLUSH_HEARTS: Hand.ROYAL_FLUSH}


def _covering(table: Mapping[Hand, _T], hand: Hand) -> _T | None:
    """Look up a hand, or the one that speaks for it."""
    return table.get(hand if hand in table else _COVERED_BY.get(hand, hand))


def covers(hands: frozenset[Hand], hand: Hand) -> bool:
    """Tell whether a list of hands names `hand`, or covers it by naming royal flush."""
    return hand in hands or _COVERED_BY.get(hand) in hands


def points_of(rules: HouseRules, hand: Hand) -> int:
    """Points for the best hand."""
    return _covering(rules.hand_points, hand) or 0


def zeroing_of(rules: HouseRules, hand: Hand) -> ZeroingMode | None:
    """Whether a hand may zero (`choice`), always does, or never (None)."""
    return _covering(rules.zeroing, hand)


def scored_moments(rules: HouseRules, exchanges: int) -> dict[ScoringMoment, Scorers]:
    """Whose hands score at the moments of a deal with so many exchanges, in order (reading 22).

    Unless the table says: the best after every exchange but the last, and after the play.
    """
    moments, agreed = DEAL_MOMENTS[exchanges], rules.scored_hands
    if agreed is None:
        return dict.fromkeys((*moments[1:-2], "play"), "best")
    return {moment: agreed[moment] for moment in moments if moment in agreed}


def listed_hands(rules: HouseRules) -> list[Hand]:
    """The hands this table tells apart: royal flush in hearts only where a rule says it differs."""
    same = _treatment(rules, Hand.ROYAL_FLUSH) == _treatment(rules, Hand.ROYAL_FLUSH_HEARTS)
    return [hand for hand in Hand if not (same and hand is Hand.ROYAL_FLUSH_HEARTS)]


def _treatment(rules: HouseRules, hand: Hand) -> tuple[object, ...]:
    wins, raises = covers(rules.winning_hands, hand), covers(rules.raising_hands, hand)
    return points_of(rules, hand), zeroing_of(rules, hand), wins, raises


def hands_that_zero(rules: HouseRules, how: ZeroingMode | None = None) -> list[Hand]:
    """The hands that zero, of those this table tells apart: all, or by choice, or always."""
    hands = [hand for hand in listed_hands(rules) if zeroing_of(rules, hand)]
    return [hand for hand in hands if how in (None, zeroing_of(rules, hand))]


def common_hands(rules: HouseRules) -> list[Hand]:
    """The common hands that give points at this table and do nothing else."""
    return [hand for hand in COMMON_HANDS if not any(_treatment(rules, hand)[1:])]


def chicago_terms(rules: HouseRules, blind: bool) -> ChicagoTerms:
    """The terms of a Chicago, ordinary or blind; a blind one is bid only where it is played."""
    if blind and (own := rules.blind_chicago) is not None:
        return ChicagoTerms(own.points, own.penalty, own.with_two, own.minimum)
    return ChicagoTerms(
        rules.chicago_points,
        rules.chicago_penalty,
        rules.chicago_with_two,
        rules.chicago_minimum,
    )

"""A Chicago as a requirement to win: the ones that count, and the rules that take them away."""

from tests.rules.table import Rules, cases, play, reading, rule

DECLARED: Rules = {"win_needs_chicago": "declared"}
WON: Rules = {"win_needs_chicago": "won"}
OF_THREE: Rules = {**DECLARED, "win_needs_chicago_players": [3]}
TWO: Rules = {"players": "Anna Bo"}
FOUR: Rules = {"players": "Anna Bo Cilla Dan"}
AT_TARGET = "Anna 52, deal Bo"
LOSES = "Anna 15, no hands, Anna chicago, broken"
MAKES = "Anna 15, no hands, Anna chicago, made, nobody"


@rule("win_needs_chicago", "no", "declared", "won")
@rule("win_needs_chicago_unmet", "zeroed", "plays_on")
@rule("win_needs_chicago_players", None)
@rule("chicago_priority", "overbid")
@reading(7)
@cases(
    ("text", "rules", "wins", "score"),
    [
        (AT_TARGET, {"win_needs_chicago": "no"}, True, 52),
        (AT_TARGET, DECLARED, False, 0),
        (f"{LOSES}, {AT_TARGET}", DECLARED, True, 52),
        (f"{LOSES}, {AT_TARGET}", WON, False, 0),
        (f"{MAKES}, Anna -30, {AT_TARGET}", WON, True, 52),
        ("Anna 60, Bo 20, no hands, Bo chicago, broken", DECLARED, False, 0),
        (AT_TARGET, {**DECLARED, **TWO}, False, 0),
        (AT_TARGET, {**DECLARED, **FOUR}, False, 0),
        (AT_TARGET, {**OF_THREE, **TWO}, True, 52),
        (AT_TARGET, OF_THREE, False, 0),
        (AT_TARGET, {**OF_THREE, **FOUR}, True, 52),
        (f"Cilla leaves, {AT_TARGET}", {**OF_THREE, **FOUR}, True, 52),
        (AT_TARGET, {**DECLARED, "win_needs_chicago_unmet": "plays_on"}, False, 52),
        # The requirement is checked after the deal, or at once where the game is won at once.
        ("Anna 51, Anna pair", DECLARED, False, 52),
        ("Anna 51, Anna pair", {**DECLARED, "win_when": "at_once"}, False, 0),
    ],
)
def test_what_winning_needs_at_the_target(
    text: str, rules: Rules, score: int, *, wins: bool
) -> None:
    """A player who meets the requirement wins; another is zeroed or, if agreed, plays on."""
    table = play(text, **rules)
    assert (table.state.winners, table["Anna"]) == (("Anna",) if wins else (), score)


CHOICE: Rules = {"zeroing": {"four_of_a_kind": "choice"}}
TAKES: Rules = {**CHOICE, "zeroing_takes_chicagos": True}
GOES_ON: Rules = {**TAKES, "after_zeroing": "deal_goes_on"}
EARLY: Rules = {**GOES_ON, "chicago_when": "any_time", "chicago_minimum": None}
AT_ONCE: Rules = {**TAKES, "illegal_exchange": "zeroed", "exchange_stop_when": "at_once"}
LOST_TAKES: Rules = {"lost_chicago_takes_won": True, "target": 100}
BLIND: Rules = {"preset": "wikipedia", "lost_chicago_takes_won": True}
BO_MAKES = "Bo 15, no hands, Bo chicago, made, nobody"
BO_LOSES = "Bo 15, no hands, Bo chicago, broken"
CILLA_MAKES = "Cilla 15, no hands, Cilla chicago, made, nobody"
BID_AND_ZEROED = "Bo chicago, nobody, Anna zeroes"


@rule("zeroing_takes_chicagos", True, False)
@rule("lost_chicago_takes_won", True, False)
@reading(19)
@cases(
    ("text", "rules", "bos", "cillas"),
    [
        (f"{BO_MAKES}, Anna zeroes", CHOICE, (1, 1), (0, 0)),
        (f"{BO_MAKES}, {CILLA_MAKES}, Cilla zeroes", TAKES, (0, 0), (1, 1)),
        (
            f"{BO_MAKES}, {CILLA_MAKES}, Anna zeroes Cilla",
            {**TAKES, "zeroing_victims": "one"},
            (1, 1),
            (0, 0),
        ),
        (
            "Bo 20, no hands, Anna zeroes, Bo chicago, made",
            {**GOES_ON, "zeroing_and_chicago": "zeroing_last"},
            (0, 0),
            (0, 0),
        ),
        # Only a hand takes Chicagos.
        (f"{BO_MAKES}, Bo 20, Bo exchanges", AT_ONCE, (1, 1), (0, 0)),
        (f"{BO_MAKES}, Bo claims", TAKES, (1, 1), (0, 0)),
        ("Bo 67, no hands, Bo chicago, broken", {**TAKES, **WON}, (1, 0), (0, 0)),
        # A zeroed bidder's bid stands: a made one counts as made, a broken one as nothing.
        (BID_AND_ZEROED, EARLY, (0, 0), (0, 0)),
        (f"{BID_AND_ZEROED}, made", EARLY, (0, 1), (0, 0)),
        (f"{BID_AND_ZEROED}, broken", EARLY, (0, 0), (0, 0)),
        (f"{BO_MAKES}, {BO_LOSES}", {}, (2, 1), (0, 0)),
        (f"{BO_MAKES}, {BO_LOSES}", LOST_TAKES, (2, 0), (0, 0)),
        (f"{BO_MAKES}, {BO_MAKES}, {CILLA_MAKES}, {BO_LOSES}", LOST_TAKES, (3, 1), (1, 1)),
        (f"{BO_MAKES}, {BO_LOSES}, {BO_LOSES}", LOST_TAKES, (3, 0), (0, 0)),
        ("Bo blind, made, Bo blind, broken", BLIND, (2, 0), (0, 0)),
    ],
)
def test_chicagos_said_and_made(
    text: str, rules: Rules, bos: tuple[int, int], cillas: tuple[int, int]
) -> None:
    """A zeroing takes its victims' Chicagos, and a lost one takes an earlier one that was made."""
    table = play(text, **rules)
    assert (table.chicagos("Bo"), table.chicagos("Cilla")) == (bos, cillas)


@reading(19)
def test_who_has_made_a_chicago_has_said_one() -> None:
    """A made Chicago meets a requirement to have bid one, though the bid was taken."""
    table = play(BID_AND_ZEROED, **EARLY, chicago_hand="never", **DECLARED)
    assert table.refusal("Cilla chicago") == "chicago_already_bid"
    assert table.then("made, Bo 37, deal Anna").state.winners == ("Bo",)
    assert table.then("broken, Bo 52, deal Anna")["Bo"] == 0

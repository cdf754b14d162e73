"""Seats: a latecomer, a player who goes home, and one who claimed falsely."""

import pytest

from app.rules.errors import BadFile
from app.rules.events import Joins
from app.rules.gamefile import read_game
from app.rules.json_input import decode
from app.rules.protocol import assemble
from app.rules.rights import may_exchange, speaking_order
from app.services.game_statistics import seat_statistics
from tests.rules.strategies import NAMES
from tests.rules.table import Rules, cases, play, reading, rule

EARLY: Rules = {"chicago_when": "any_time", "chicago_minimum": None}
BLIND: Rules = {"blind_chicago": {"points": 30, "penalty": 20}}
ZEROES: Rules = {"zeroing": {"four_of_a_kind": "choice"}}
DECLARED: Rules = {"win_needs_chicago": "declared"}


@rule("false_claim_loses", False)
@reading(12, 20)
@cases(
    ("before", "rules", "fact", "refusal"),
    [
        # Reading 12: no further fact is recorded for a player who is out.
        *[("Anna leaves", {}, f"Anna {what}", "player_out") for what in ("pair", "leaves", "1")],
        ("Anna leaves", {}, "tie pair Anna Bo", "player_out"),
        ("Anna leaves, no hands", {}, "Anna trick", "player_out"),
        ("", {"false_claim_loses": False}, "Anna claims", "false_claim_not_played"),
        # During the play of the Chicago the declarer neither leaves nor is put out.
        ("Bo 20, no hands, Bo chicago", {}, "Bo leaves", "declarer_stays"),
        ("Bo 20, no hands, Bo chicago", {}, "Bo claims", "declarer_stays"),
        ("Bo 20, no hands, Bo chicago", {}, "Anna leaves", None),
        ("Bo 20, no hands, Bo chicago, made", {}, "Bo leaves", None),
        # An early bid ends with its declarer, and with nobody else.
        ("Bo chicago, Bo claims, no hands", EARLY, "Anna chicago", None),
        ("Bo chicago, Anna leaves", EARLY, "Cilla chicago", "chicago_already_bid"),
        # Reading 20: nobody joins after a deal has begun, in a tie-break, or after the game.
        *[
            (begun, {**EARLY, **BLIND}, "Dan joins Cilla 0", "joins_too_late")
            for begun in ("Anna pair", "nobody", "tie pair Anna Bo", "Anna chicago", "Anna blind")
        ],
        *[
            (
                f"Bo 50, deal Anna, {between}",
                {"illegal_exchange": "zeroed"},
                "Dan joins Cilla 0",
                None,
            )
            for between in ("Anna 5", "Anna leaves", "Anna claims", "Bo exchanges")
        ],
        (
            "Anna 52, Bo 57, deal Anna",
            {"tied_winners": "tie_break"},
            "Dan joins Cilla 0",
            "no_joining_tie_break",
        ),
        ("settled", {}, "Dan joins Cilla 0", "game_over"),
        ("Dan joins Cilla 0", {}, "Dan joins Anna 0", "name_taken"),
        ("", {}, "Eva joins Fia 0", "unknown_player"),
        ("", {}, "Eva pair", "unknown_player"),
        ("", {"players": " ".join(NAMES)}, "Ida joins Anna 0", "no_seat_left"),
    ],
)
def test_who_may_come_and_go(before: str, rules: Rules, fact: str, refusal: str | None) -> None:
    """A player who is out stays out, and a new one waits for the next deal."""
    assert play(before, **rules).refusal(fact) == refusal


@rule("false_claim_loses", True)
@reading(12, 20)
@cases(
    ("text", "rules", "stands"),
    [
        ("Anna 20, Bo 30, Anna claims", {}, "1 hand_1: 0 30 0"),
        # A player who is out is neither zeroed nor wins; a waiting zeroing does not reach them.
        ("Bo 60, Bo leaves, deal Anna", DECLARED, "2 hand_1: 5 60 0"),
        ("Anna 47, Bo 60, Bo leaves, deal Anna", {}, "won Anna: 52 60 0"),
        (
            "Bo 30, Cilla 10, no hands, Anna zeroes Bo, Bo leaves, Anna trick",
            {
                **ZEROES,
                "zeroing_victims": "one",
                "after_zeroing": "deal_goes_on",
                "zeroing_and_chicago": "zeroing_last",
            },
            "2 hand_1: 5 30 10",
        ),
        # Without its early bid the deal is one without a Chicago again.
        (
            "Cilla 20, Bo chicago, Bo leaves, no hands, Anna zeroes",
            {**EARLY, **ZEROES},
            "2 hand_1: 0 0 0",
        ),
        (
            "Bo chicago, Bo leaves, no hands, Anna trick, Anna four_of_a_kind",
            {**EARLY, **ZEROES},
            "2 hand_1: 12 0 0",
        ),
        # Reading 20: a latecomer's points are clamped, lack a Chicago, and do not win at once.
        ("Dan joins Cilla -10", {}, "1 hand_1: 0 0 0 0"),
        ("Dan joins Cilla -10", {"negative_scores": True}, "1 hand_1: 0 0 0 -10"),
        ("Dan joins Cilla 60, deal Anna", DECLARED, "2 hand_1: 5 0 0 0"),
        ("Dan joins Cilla 60", {"win_when": "at_once"}, "1 hand_1: 0 0 0 60"),
        ("Dan joins Cilla 60, nobody, Anna pair", {"win_when": "at_once"}, "1 play: 1 0 0 60"),
        ("Dan joins Cilla 60, deal Anna", {}, "won Dan: 5 0 0 60"),
    ],
)
def test_what_coming_and_going_does(text: str, rules: Rules, stands: str) -> None:
    """A player who leaves keeps the score and no longer counts; a new one begins as agreed."""
    assert play(text, **rules).stands == stands


@reading(12, 20)
@cases(
    ("text", "dealer"),
    [
        ("Cilla leaves", "Anna"),
        ("Bo 3, Cilla claims", "Anna"),
        ("Cilla leaves, deal Bo", "Bo"),
        ("nobody, Cilla leaves", "Cilla"),
        ("Anna blind, Cilla leaves", "Cilla"),
        ("Bo leaves", "Cilla"),
        ("Bo leaves, Cilla leaves", "Cilla"),
        ("Dan joins Cilla 0", "Cilla"),
        ("Dan joins Cilla 0, deal Anna", "Dan"),
        ("Dan joins Cilla 0, deal Anna, deal Anna", "Anna"),
    ],
)
def test_who_deals_when_somebody_comes_or_goes(text: str, dealer: str) -> None:
    """A dealer who leaves before the first hand passes the deal on; a new seat deals in turn."""
    assert play(text, **BLIND).state.deal.dealer == dealer


@reading(20, 21)
def test_a_latecomer_speaks_and_is_stopped_by_the_new_seat() -> None:
    """Before the deal's first hand a correction changes the points of the latecomer's start."""
    assert speaking_order(play("Dan joins Cilla 0").state) == ("Dan", "Anna", "Bo", "Cilla")
    for text, may in (("44, Dan 2", False), ("46, Dan -2", True), ("44, nobody, Dan 2", True)):
        assert may_exchange(play(f"Dan joins Cilla {text}").state, "Dan").ok == may


JOINS = '{"event": "joins", "player": "  Eva ", "after": " Bo", "points": 1000}'
NAMED = '{"event": "correction", "player": "Eva", "points": 1}'
BEHIND = '{"event": "joins", "player": "Fia", "after": "Eva", "points": 0}'


def read(events: str) -> list[object]:
    """Read the events of a game file of Anna and Bo."""
    head = '{"format": "chicago-game/1", "players": ["Anna", "Bo"], "events": ['
    return list(read_game(decode(f"{head}{events}]}}".encode())).events)


@cases(
    ("old", "new"),
    [
        *[("1000", points) for points in ("1001", "-1001", "1.0", "true")],
        *[('" Bo"', after) for after in ('"Cilla"', '"Eva"', "1")],
        *[('"  Eva "', name) for name in ('"  "', f'"{"x" * 41}"', r'"a\u2028b"', "1", '" Bo "')],
        ('"points"', '"seat"'),
        (', "points": 1000', ""),
    ],
)
def test_what_is_no_latecomer(old: str, new: str) -> None:
    """Bad points, names and neighbours, and taken names, are found without play."""
    with pytest.raises(BadFile) as caught:
        read(f'{{"event": "no_best_hand"}}, {JOINS.replace(old, new)}')
    assert caught.value.event == 1


def test_who_joins_may_be_named_from_then_on_and_not_before() -> None:
    """The list of names grows event by event, before any rule judges the event."""
    (first, *_) = read(f"{JOINS}, {NAMED}, {BEHIND}")
    assert first == Joins(player="Eva", after="Bo", points=1000)
    for early in (NAMED, BEHIND):
        with pytest.raises(BadFile, match="unknown_player"):
            read(f"{early}, {JOINS}")


def test_protocol_and_statistics_of_a_latecomer() -> None:
    """A deal has the players seated by its end; points brought along do not count as played."""
    table = play("deal Anna, Dan joins Anna 50, deal Dan, settled", target=70)
    first, second, _ = assemble(table.states, table.events)
    assert (list(first.scores), first.playing) == (["Anna", "Bo", "Cilla"], ("Anna", "Bo", "Cilla"))
    assert (second.playing, second.stopped) == (("Anna", "Dan", "Bo", "Cilla"), ("Dan",))
    (cell,) = second.rows[0].cells
    assert (second.rows[0].code, second.rows[0].by) == ("joins", "Anna")
    assert (cell.player, cell.points, cell.score) == ("Dan", 50, 50)
    anna, dan, *_ = seat_statistics(table.states)
    assert (dan.seat, dan.deals, dan.longest_stop, dan.biggest_swing) == (2, 2, 2, 5)
    assert (anna.deals, dan.won, dan.score) == (3, True, 55)

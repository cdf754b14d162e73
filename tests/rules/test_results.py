"""Where a game stands, as other programs read it."""

from app.rules.gamefile import write_result
from tests.rules.table import (
    Table,
    bid,
    broken_off,
    deal_with_trick_to,
    gets,
    leaves,
    made,
    nobody,
    pair,
    play,
    tie,
    to_the_play,
    trick,
)


def result(table: Table) -> dict[str, object]:
    """Write where the table stands."""
    return write_result(table.states)


def test_a_game_that_is_being_played() -> None:
    """Four facts of a first deal, as the file format's own example has them."""
    table = play(
        pair("Anna"),
        tie("pair", "Anna", "Bo"),
        trick("Cilla"),
        nobody(),
        players="Anna Bo Cilla Dan",
        exchange_stop=42,
    )
    everybody = ["Anna", "Bo", "Cilla", "Dan"]
    after_the_hand = {"Anna": 1, "Bo": 0, "Cilla": 0, "Dan": 0}
    after_the_trick = {"Anna": 1, "Bo": 0, "Cilla": 5, "Dan": 0}
    assert result(table) == {
        "format": "chicago-result/1",
        "status": "playing",
        "deal": 2,
        "dealer": "Anna",
        "step": "hand_1",
        "scores": after_the_trick,
        "may_exchange": dict.fromkeys(everybody, True),
        "may_bid_chicago": dict.fromkeys(everybody, False),
        "must_show": {},
        "chicagos": {name: {"declared": 0, "won": 0} for name in everybody},
        "out": [],
        "tie_break": [],
        "winners": [],
        "payout_ore": None,
        "history": [
            {"deal": 1, "scores": after_the_hand},
            {"deal": 1, "scores": after_the_hand},
            {"deal": 1, "scores": after_the_trick},
            {"deal": 1, "scores": after_the_trick},
        ],
    }


def test_a_new_game() -> None:
    """Before the first event everybody has 0 points and there is no history."""
    new = result(play(players="Bo Anna"))
    assert (new["deal"], new["dealer"], new["scores"]) == (1, "Anna", {"Bo": 0, "Anna": 0})
    assert (new["status"], new["history"]) == ("playing", [])


def test_the_keys_are_written_in_the_formats_order() -> None:
    """The keys of a result come in the order of the file format, players in seat order."""
    written = result(play(players="Cilla Anna Bo"))
    assert list(written) == [
        "format",
        "status",
        "deal",
        "dealer",
        "step",
        "scores",
        "may_exchange",
        "may_bid_chicago",
        "must_show",
        "chicagos",
        "out",
        "tie_break",
        "winners",
        "payout_ore",
        "history",
    ]
    assert written["scores"] == {"Cilla": 0, "Anna": 0, "Bo": 0}
    assert [*play(players="Cilla Anna Bo").scores] == ["Cilla", "Anna", "Bo"]


def test_a_game_that_is_finished() -> None:
    """The last deal stays named; nobody exchanges, bids or shows; the payout is there."""
    over = result(play(gets(Anna=47, Bo=20), pair("Bo"), nobody(), trick("Anna"), nobody()))
    assert (over["status"], over["deal"], over["dealer"], over["step"]) == (
        "finished", 1, "Cilla", "over",
    )  # fmt: skip
    nobody_may = {"Anna": False, "Bo": False, "Cilla": False}
    assert over["may_exchange"] == over["may_bid_chicago"] == nobody_may
    assert (over["must_show"], over["winners"]) == ({}, ["Anna"])
    assert over["payout_ore"] == {"Anna": 8_300, "Bo": -3_100, "Cilla": -5_200}


def test_a_game_that_is_broken_off_as_void() -> None:
    """It has no winners, and a payout of 0 for everybody."""
    over = result(play(gets(Anna=20), broken_off("void")))
    assert (over["status"], over["step"], over["winners"]) == ("broken_off", "over", [])
    assert over["payout_ore"] == {"Anna": 0, "Bo": 0, "Cilla": 0}


def test_who_is_out_is_listed_in_the_order_they_went() -> None:
    """Out names Cilla before Anna when Cilla left first, and both keep their place in scores."""
    gone = result(play(gets(Anna=1), leaves("Cilla"), leaves("Anna"), players="Anna Bo Cilla Dan"))
    assert gone["out"] == ["Cilla", "Anna"]
    assert gone["scores"] == {"Anna": 1, "Bo": 0, "Cilla": 0, "Dan": 0}
    assert gone["may_exchange"] == {"Anna": False, "Bo": True, "Cilla": False, "Dan": True}


def test_a_tie_break_names_who_plays_it_until_the_game_is_over() -> None:
    """tie_break is in seat order while it is played, and empty afterwards."""
    happened = (*gets(Anna=48, Bo=53), *deal_with_trick_to("Anna"))
    table = play(*happened, tied_winners="tie_break")
    assert result(table)["tie_break"] == ["Anna", "Bo"]
    assert result(table.then(broken_off("void")))["tie_break"] == []


def test_chicagos_are_counted() -> None:
    """A Chicago counts as declared from the bid on, and as won when it is made."""
    table = play(gets(Bo=20), *to_the_play(), bid("Bo"))
    assert result(table)["chicagos"] == {
        "Anna": {"declared": 0, "won": 0},
        "Bo": {"declared": 1, "won": 0},
        "Cilla": {"declared": 0, "won": 0},
    }
    assert table.then(made()).chicagos("Bo") == (1, 1)


def test_the_history_holds_what_an_event_set_off() -> None:
    """The entry of the deal's last event belongs to that deal and has the zeroing at its end."""
    happened = (*gets(Anna=60), *deal_with_trick_to("Bo"), pair("Bo"))
    history = result(play(*happened, win_needs_chicago="declared"))["history"]
    assert isinstance(history, list)
    assert len(history) == 6
    assert history[-3] == {"deal": 1, "scores": {"Anna": 60, "Bo": 5, "Cilla": 0}}
    assert history[-2] == {"deal": 1, "scores": {"Anna": 0, "Bo": 5, "Cilla": 0}}
    assert history[-1] == {"deal": 2, "scores": {"Anna": 0, "Bo": 6, "Cilla": 0}}

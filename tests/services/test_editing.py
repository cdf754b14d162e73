"""Edits of a game: its entries, names, seats, dealer, stake and rules, in mid-game."""

from __future__ import annotations

import msgspec
import pytest
from sqlite_utils.utils import sqlite3

from app.rules.codes import ChicagoError
from app.rules.edit import Operation
from app.rules.events import Correction
from app.rules.gamefile import MAX_EVENTS
from app.rules.hands import Hand
from app.services import table_view
from app.services.edit import Edit, Plan, find_consequences, preview
from app.services.figures import recount_all
from app.services.ledger import read_ledger
from app.services.table_view import Changed, EditBody, TableView, decode
from tests.services.conftest import Seat
from tests.services.keeper import Keeper

PAIR = ("Anna", "Bo")
DEAL = "Bo pair, Anna flush, Bo trick, nobody"


@pytest.fixture
def keeper(seat: Seat) -> Keeper:
    """Return the keeper of a table in the second exchange of deal 3."""
    keeper = seat(rules={"exchange_stop": 45})
    keeper.record(DEAL, DEAL, "Bo pair")
    return keeper


def look(keeper: Keeper, change: Edit) -> Plan:
    """Return the preview of a change."""
    return preview(keeper.db, keeper.link, change)


def scores(view: TableView) -> dict[str, int]:
    """Return the scores by name."""
    return {seat.name: seat.score for seat in view.state.seats}


def told(view: TableView) -> tuple[str, int, int]:
    """Return what undo says of the newest change."""
    assert isinstance(view.undoable, Changed)
    return view.undoable.kind, view.undoable.number, view.undoable.deal


def rules(**changes: object) -> dict[str, object]:
    """Return the agreed rules with changes."""
    return {"rules": {"preset": "huvudregler", "exchange_stop": 45, **changes}}


def refusal(keeper: Keeper, change: Edit) -> str:
    """Return the code of a refused change; assert that nothing changes."""
    before = keeper.view
    with pytest.raises(ChicagoError) as caught:
        keeper.commit(change)
    assert keeper.view == before
    return caught.value.code


SCORES = {"Anna": 10, "Bo": 13, "Cilla": 0, "Dan": 0}
# The edit, and the scores and the dealer after it.
CHANGES: list[tuple[Edit, dict[str, int], str]] = [
    (Edit(agreed=rules(last_trick=2)), SCORES, "Bo"),
    (Edit(agreed=rules(last_trick=2), whole=True), SCORES | {"Bo": 7}, "Bo"),
    (Edit(agreed=rules(win_needs_chicago="no")), SCORES, "Bo"),
    (Edit(agreed={"stake_ore": 10}, currency="EUR"), SCORES, "Bo"),
    (Edit(agreed={"players": ["Bo", "Anna", "Dan", "Cilla"]}), SCORES, "Bo"),
    (Edit(names={"Bo": "Bosse"}), {"Anna": 10, "Bosse": 13, "Cilla": 0, "Dan": 0}, "Bosse"),
    (Edit(names={"Anna": "Bo", "Bo": "Anna"}), SCORES | {"Anna": 13, "Bo": 10}, "Anna"),
    (Edit(others={"Dan": "Erik"}), {"Anna": 10, "Bo": 13, "Cilla": 0, "Erik": 0}, "Bo"),
    (Edit(dealer="Dan"), SCORES, "Dan"),
    (Edit(agreed={"dealer": "Anna"}), SCORES, "Cilla"),
    (
        Edit(
            agreed={"players": ["Bo", "Anna", "Dag", "Erik"], **rules()},
            names={"Dan": "Dag"},
            others={"Cilla": "Erik"},
        ),
        {"Bo": 13, "Anna": 10, "Dag": 0, "Erik": 0},
        "Bo",
    ),
]


@pytest.mark.parametrize(("change", "after", "dealer"), CHANGES, ids=range(len(CHANGES)))
def test_each_change_is_undone_and_redone_as_one(
    keeper: Keeper, change: Edit, after: dict[str, int], dealer: str
) -> None:
    """An edit in deal 3 matches its preview; undo restores the table, and redo the edit."""
    before, people = keeper.view, keeper.people
    promised = look(keeper, change)
    edited = keeper.commit(change)
    assert told(edited)[:2] == ("edit", 1)
    assert (scores(edited), edited.state.deal.dealer) == (after, dealer)
    assert (promised.edited.setup, promised.edited.states) == (edited.game.setup, edited.states)
    assert (edited.game, edited.currency) != (before.game, before.currency)
    undone = keeper.undo()
    # A new name keeps its number, and what is undone stays in the log.
    known = {"names": before.names, "numbers": before.numbers, "entries": before.entries}
    assert before.names.items() <= undone.names.items()
    kept = msgspec.structs.replace(undone, seq=before.seq, redoable=None, **known)
    assert (kept, keeper.people) == (before, people)
    assert keeper.redo().states == edited.states


def test_rules_hold_from_the_deal_that_is_played(keeper: Keeper) -> None:
    """What was booked stays, the next tricks count by the new rule; undo brings back the old."""
    before = keeper.view
    lower = Edit(agreed=rules(last_trick=2, exchange_stop=10))
    plan = look(keeper, lower)
    found = find_consequences(before.state, plan.state, plan.was)
    assert [(each.player, each.score) for each in found] == [("Anna", None), ("Bo", None)]
    keeper.commit(lower)
    assert scores(keeper.view) == scores(before)
    assert keeper.view.game.setup == before.game.setup
    assert keeper.view.state.rules.last_trick == 2
    keeper.record("nobody, Dan trick")
    assert keeper.view.state.score("Dan") == 2
    keeper.undo(3)
    assert keeper.view.game == before.game


def test_a_whole_game_counts_by_other_rules(keeper: Keeper) -> None:
    """The last tricks of earlier deals count by them too."""
    keeper.commit(Edit(agreed=rules(last_trick=2), whole=True))
    assert scores(keeper.view) == SCORES | {"Bo": 7}
    assert "Rules" not in keeper.recorded


def test_a_rule_off_after_it_was_used_asks_for_nothing(seat: Seat) -> None:
    """A zeroing that cut a deal short stands, whichever way the rule goes."""
    for whole in (False, True):
        keeper = seat(rules={"after_zeroing": "deal_ends"})
        keeper.record(DEAL, "Anna zeroes", DEAL, "Bo pair")
        before = scores(keeper.view)
        off = rules(zeroing={"four_of_a_kind": None})
        keeper.commit(Edit(agreed=off, whole=whole))
        assert scores(keeper.view) == before
        assert Hand.FOUR_OF_A_KIND not in keeper.view.state.rules.zeroing


def test_an_earlier_game_keeps_an_end(keeper: Keeper) -> None:
    """Without its last entry it is settled as it stands; another end may be put in."""
    keeper.record("Bo pair, settled")
    keeper.next_game()
    last = len(table_view.read_view(keeper.db, keeper.link, 1).game.events) - 1
    keeper.commit(Edit(1, [Operation("remove", last)]))
    view = table_view.read_view(keeper.db, keeper.link, 1)
    assert view.state.winners
    assert view.state.status == "broken_off"
    void = {"event": "break_off", "settle": False}
    keeper.commit(Edit(1, [Operation("change", last, void)]))
    assert not table_view.read_view(keeper.db, keeper.link, 1).state.winners


def test_a_latecomer_is_taken_back(keeper: Keeper) -> None:
    """What they won goes with them, and is named."""
    keeper.record("nobody, Anna trick, nobody", "Erik joins Anna 3", "Erik pair")
    index = len(keeper.view.game.events) - 2
    edit = Edit(operations=[Operation("remove", index)])
    assert [each.reason.code for each in look(keeper, edit).edited.left] == ["unknown_player"]
    keeper.commit(edit)
    assert list(keeper.view.state.players) == ["Anna", "Bo", "Cilla", "Dan"]


def test_an_edit_says_where_it_begins(keeper: Keeper) -> None:
    """Its row names the first deal that it changes, counted from 1; entries before are a range."""
    correction = {"event": "correction", "player": "Bo", "points": 5}
    for place, deal in ((len(keeper.view.game.events), 3), (5, 2), (0, 1)):
        keeper.commit(Edit(operations=[Operation("insert", place, correction)]))
        assert told(keeper.view) == ("edit", 1, deal)
    body = keeper.db.connection.table("changes").get((keeper.table_id, keeper.seq))["body"]
    assert len(decode(body, EditBody).entries) == 2


@pytest.mark.parametrize("entries", [(40,), (-1,), (1, 0), (0, 0), (2**70,)])
def test_entries_that_are_not_there_are_refused(keeper: Keeper, entries: tuple[int, ...]) -> None:
    """Indices that do not exist, repeat or go backwards change nothing."""
    assert refusal(keeper, Edit(1, entries=entries)) == "wrong_value"


def test_an_edited_game_holds_as_much_as_any(keeper: Keeper) -> None:
    """An edited game holds as many events as a game file, so that it can be imported again."""
    many = [Correction(player="Anna", points=1)] * (MAX_EVENTS + 1)
    assert refusal(keeper, Edit(1, entries=many)) == "too_many_events"


@pytest.mark.parametrize("column", ["table_id", "seq", "key", "at"])
def test_what_was_recorded_is_never_changed(keeper: Keeper, column: str) -> None:
    """The database itself refuses a change of a recorded row."""
    with pytest.raises(sqlite3.IntegrityError, match="never changed"), keeper.db.transaction():
        keeper.db.connection.execute(f"UPDATE changes SET {column} = {column}")


def test_a_name_can_go_back_and_to_somebody_else(keeper: Keeper) -> None:
    """A person who takes another's former name is not that person."""
    keeper.commit(Edit(names={"Bo": "Bosse"}))
    keeper.commit(Edit(names={"Anna": "Bo"}))
    assert scores(keeper.view) == {"Bo": 10, "Bosse": 13, "Cilla": 0, "Dan": 0}
    keeper.commit(Edit(names={"Bo": "Bosse", "Bosse": "Bo"}))
    assert scores(keeper.view) == {"Bosse": 10, "Bo": 13, "Cilla": 0, "Dan": 0}
    keeper.commit(Edit(names={"Bosse": "Anna"}))
    assert tuple(keeper.people.numbers) == ("Anna", "Bo", "Cilla", "Dan")


def test_a_name_that_another_has_makes_them_the_same_person(keeper: Keeper) -> None:
    """A rename to another person's name merges the two, unless both sat in one game."""
    keeper.record("settled")
    keeper.next_game(players=["Anna", "Erik"])
    assert refusal(keeper, Edit(names={"Erik": "Anna"})) == "name_twice"
    assert refusal(keeper, Edit(names={"Bo": "Cilla"})) == "played_each_other"
    keeper.commit(Edit(names={"Erik": "Bo"}))
    assert tuple(keeper.people.numbers) == ("Anna", "Bo", "Cilla", "Dan")
    keeper.record("Bo pair, settled")
    assert keeper.view.state.winners == ("Bo",)


def test_somebody_else_sat_there_in_this_game_alone(keeper: Keeper) -> None:
    """All entries of one person become the other's; other games are unchanged."""
    keeper.record("settled")
    keeper.next_game()
    keeper.record(DEAL)
    keeper.commit(Edit(others={"Bo": "Erik"}))
    assert scores(keeper.view) == {"Anna": 5, "Erik": 6, "Cilla": 0, "Dan": 0}
    assert scores(table_view.read_view(keeper.db, keeper.link, 1))["Bo"] == 13
    keeper.commit(Edit(others={"Erik": "Anna", "Anna": "Erik"}))
    assert scores(keeper.view) == {"Erik": 5, "Anna": 6, "Cilla": 0, "Dan": 0}


def test_seats_change_and_whoever_deals_deals_on(keeper: Keeper) -> None:
    """Latecomers sit in the new order too; the dealer of the current deal stays."""
    keeper.record("nobody, Anna trick, nobody")
    keeper.record("Erik joins Anna 3")
    assert keeper.view.state.deal.dealer == "Cilla"
    order = ["Anna", "Cilla", "Bo", "Erik", "Dan"]
    keeper.commit(Edit(agreed={"players": order}))
    state = keeper.view.state
    assert (list(state.players), state.deal.dealer) == (order, "Cilla")
    assert scores(keeper.view)["Erik"] == 3
    assert told(keeper.commit(Edit(agreed={"players": order}))) == ("edit", 1, 0)


REFUSED: list[tuple[Edit, str]] = [
    (Edit(names={"Erik": "Bosse"}), "no_such_person"),
    (Edit(names={"Bo": " "}), "name_empty"),
    (Edit(others={"Bo": "Anna"}), "name_twice"),
    (Edit(dealer="Erik"), "cannot_deal"),
    (Edit(agreed={"rules": {"preset": "huvudregler", "no_rule": 1}}), "unknown_rule"),
    (Edit(agreed={"players": ["Anna"]}), "wrong_number_of_players"),
]


@pytest.mark.parametrize(("change", "code"), REFUSED)
def test_what_cannot_be_agreed_is_refused(keeper: Keeper, change: Edit, code: str) -> None:
    """The refusal has its code, and nothing changes."""
    assert refusal(keeper, change) == code


def test_nothing_changed_is_no_change(keeper: Keeper) -> None:
    """The table stays at its version."""
    seq = keeper.seq
    setup = keeper.view.game.setup
    keeper.commit(Edit(agreed={"players": list(setup.players), "stake_ore": setup.stake_ore}))
    assert keeper.seq == seq


def test_the_currency_changes_where_all_amounts_are_this_games(keeper: Keeper) -> None:
    """The currency is fixed once another game was for money."""
    assert keeper.commit(Edit(agreed={"stake_ore": 10}, currency="EUR")).currency == "EUR"
    assert keeper.access.currency == "EUR"
    keeper.commit(Edit(currency="SEK"))
    keeper.record("settled")
    keeper.next_game()
    assert refusal(keeper, Edit(currency="EUR")) == "currency_settled"


def test_somebody_who_was_another_all_the_time_keeps_the_seat(keeper: Keeper) -> None:
    """The name has two numbers then; new events are recorded for the number in the seat."""
    keeper.record("Bo 5, settled")
    keeper.next_game(players=["Eva", "Bo"], dealer="Bo")
    keeper.commit(Edit(names={"Eva": "Anna"}))
    keeper.record("Anna 5")
    assert read_ledger(keeper.db, keeper.link).people.persons
    keeper.record("settled")
    seats = [*keeper.db.connection.table("seats").rows]
    recount_all(keeper.db)
    assert [*keeper.db.connection.table("seats").rows] == seats


def test_nobody_gets_another_number_by_other_rules(keeper: Keeper) -> None:
    """Only new names get a number."""
    keeper.commit(Edit(agreed={"stake_ore": 500}))
    keeper.commit(Edit(names={"Bo": "Bosse"}))
    names = [row["name"] for row in keeper.db.connection.table("people").rows]
    assert sorted(names) == ["Anna", "Bo", "Bosse", "Cilla", "Dan"]

"""Revisions of the newest game: names, seats, dealer, stake and rules, in mid-game."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.amendment import settle
from app.rules.errors import ChicagoError
from app.rules.events import NoBestHand, write_event
from app.rules.presets import PRESETS
from app.services import play, table_view, tables
from app.services.figures import recount_all
from app.services.ledger import read_ledger
from app.services.revise import Preview, Revise, preview
from app.services.table_view import Changed, TableView
from app.store.database import Database
from tests.rules.strategies import Played, games
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


def look(keeper: Keeper, change: Revise) -> Preview:
    """Return the preview of a change."""
    return preview(keeper.db, keeper.link, change)


def scores(view: TableView) -> dict[str, int]:
    """Return the scores by name."""
    return {seat.name: seat.score for seat in view.state.seats}


def rules(**changes: object) -> dict[str, object]:
    """Return the agreed rules with changes."""
    return {"rules": {"preset": "huvudregler", "exchange_stop": 45, **changes}}


def refusal(keeper: Keeper, change: Revise) -> str:
    """Return the code of a refused change; assert that nothing changes."""
    before = keeper.view
    with pytest.raises(ChicagoError) as caught:
        keeper.commit(change)
    assert keeper.view == before
    return caught.value.code


SCORES = {"Anna": 10, "Bo": 13, "Cilla": 0, "Dan": 0}
# The revision, and the scores and the dealer after it.
CHANGES: list[tuple[Revise, dict[str, int], str]] = [
    (Revise(rules(last_trick=2)), SCORES | {"Bo": 7}, "Bo"),
    (Revise(rules(win_needs_chicago="no")), SCORES, "Bo"),
    (Revise({"stake_ore": 10}, currency="EUR"), SCORES, "Bo"),
    (Revise({"players": ["Bo", "Anna", "Dan", "Cilla"]}), SCORES, "Bo"),
    (Revise(names={"Bo": "Bosse"}), {"Anna": 10, "Bosse": 13, "Cilla": 0, "Dan": 0}, "Bosse"),
    (Revise(names={"Anna": "Bo", "Bo": "Anna"}), SCORES | {"Anna": 13, "Bo": 10}, "Anna"),
    (Revise(others={"Dan": "Erik"}), {"Anna": 10, "Bo": 13, "Cilla": 0, "Erik": 0}, "Bo"),
    (Revise(dealer="Dan"), SCORES, "Dan"),
    (Revise({"dealer": "Anna"}), SCORES, "Cilla"),
    (
        Revise(
            {"players": ["Bo", "Anna", "Dag", "Erik"], **rules()}, {"Dan": "Dag"}, {"Cilla": "Erik"}
        ),
        {"Bo": 13, "Anna": 10, "Dag": 0, "Erik": 0},
        "Bo",
    ),
]


@pytest.mark.parametrize(("change", "after", "dealer"), CHANGES, ids=range(len(CHANGES)))
def test_each_change_is_undone_and_redone_as_one(
    keeper: Keeper, change: Revise, after: dict[str, int], dealer: str
) -> None:
    """A revision in deal 3 matches its preview; undo restores the table, and redo the revision."""
    before, people = keeper.view, keeper.people
    promised = look(keeper, change)
    revised = keeper.commit(change)
    assert revised.undoable == Changed("revise", 1)
    assert (scores(revised), revised.state.deal.dealer) == (after, dealer)
    assert (promised.state.setup, [*promised.amendment.states]) == (
        revised.game.setup,
        revised.states,
    )
    assert (revised.game.setup, revised.currency) != (before.game.setup, before.currency)
    undone = keeper.undo()
    # A new name keeps its number.
    known = {"names": before.names, "numbers": before.numbers}
    assert before.names.items() <= undone.names.items()
    kept = msgspec.structs.replace(undone, seq=before.seq, redoable=None, **known)
    assert (kept, keeper.people) == (before, people)
    assert keeper.redo().states == revised.states


def test_a_preview_tells_whose_score_changes(keeper: Keeper) -> None:
    """The preview includes the last tricks of earlier deals, which a new rule counts otherwise."""
    changes = look(keeper, Revise(rules(last_trick=2))).changes
    assert [(each.player, each.before, each.after) for each in changes] == [("Bo", 13, 7)]


def test_the_standing_is_kept_by_corrections(keeper: Keeper) -> None:
    """The corrections are part of the same change; later events count by the new rule."""
    before = scores(keeper.view)
    keeper.commit(Revise(rules(last_trick=2), keeps_standing=True))
    assert scores(keeper.view) == before
    assert keeper.recorded[-1] == "Correction"
    keeper.record("nobody, Dan trick")
    assert keeper.view.state.score("Dan") == 2
    keeper.undo(3)
    assert keeper.recorded[-1] == "BestHand"


def test_the_standing_of_a_game_that_is_over_is_kept_before_its_end(keeper: Keeper) -> None:
    """The amounts stay; a change is refused where no correction can keep them."""
    keeper.record("settled")
    before = scores(keeper.view)
    change = Revise(
        {"players": ["Anna", "Bo", "Cilla"], **rules(last_trick=2)}, keeps_standing=True
    )
    keeper.commit(change)
    assert keeper.view.state.over
    assert scores(keeper.view) == {name: before[name] for name in ("Anna", "Bo", "Cilla")}
    won = rules(target=12, win_needs_chicago="no")
    assert refusal(keeper, Revise(won, keeps_standing=True)) == "game_was_over"


def test_a_standing_that_corrections_cannot_bring_back_is_not_kept(seat: Seat) -> None:
    """A player who has left is not corrected."""
    keeper = seat()
    keeper.record(DEAL, "Bo leaves")
    change = Revise(rules(last_trick=2), keeps_standing=True)
    assert refusal(keeper, change) == "standing_not_kept"


def test_what_no_longer_fits_is_named_and_left_out(seat: Seat) -> None:
    """The conflict has its reason; the change is refused until it is settled."""
    keeper = seat(rules={"after_zeroing": "deal_goes_on"})
    keeper.record("Anna zeroes, nobody, Bo trick, nobody")
    none = Revise(rules(zeroing={"four_of_a_kind": None}, after_zeroing="deal_goes_on"))
    promised = look(keeper, none)
    assert [m.reason.code for m in promised.amendment.conflicts] == ["hand_does_not_zero"]
    assert refusal(keeper, none) == "hand_does_not_zero"
    without = msgspec.structs.replace(none, entries=[1, 2, 3])
    assert look(keeper, without).amendment.missing is not None
    assert refusal(keeper, without) == "entry_missing"
    keeper.commit(msgspec.structs.replace(none, entries=[NoBestHand(), 1, 2, 3]))
    assert keeper.recorded == ["NoBestHand", "NoBestHand", "LastTrick", "NoBestHand"]


def test_a_name_can_go_back_and_to_somebody_else(keeper: Keeper) -> None:
    """A person who takes another's former name is not that person."""
    keeper.commit(Revise(names={"Bo": "Bosse"}))
    keeper.commit(Revise(names={"Anna": "Bo"}))
    assert scores(keeper.view) == {"Bo": 10, "Bosse": 13, "Cilla": 0, "Dan": 0}
    keeper.commit(Revise(names={"Bo": "Bosse", "Bosse": "Bo"}))
    assert scores(keeper.view) == {"Bosse": 10, "Bo": 13, "Cilla": 0, "Dan": 0}
    keeper.commit(Revise(names={"Bosse": "Anna"}))
    assert tuple(keeper.people.numbers) == ("Anna", "Bo", "Cilla", "Dan")


def test_a_name_that_another_has_makes_them_the_same_person(keeper: Keeper) -> None:
    """A rename to another person's name merges the two, unless both sat in one game."""
    keeper.record("settled")
    keeper.next_game(players=["Anna", "Erik"])
    assert refusal(keeper, Revise(names={"Erik": "Anna"})) == "name_twice"
    assert refusal(keeper, Revise(names={"Bo": "Cilla"})) == "played_each_other"
    keeper.commit(Revise(names={"Erik": "Bo"}))
    assert tuple(keeper.people.numbers) == ("Anna", "Bo", "Cilla", "Dan")
    keeper.record("Bo pair, settled")
    assert keeper.view.state.winners == ("Bo",)


def test_somebody_else_sat_there_in_this_game_alone(keeper: Keeper) -> None:
    """All entries of one person become the other's; other games are unchanged."""
    keeper.record("settled")
    keeper.next_game()
    keeper.record(DEAL)
    keeper.commit(Revise(others={"Bo": "Erik"}))
    assert scores(keeper.view) == {"Anna": 5, "Erik": 6, "Cilla": 0, "Dan": 0}
    assert scores(table_view.read_view(keeper.db, keeper.link, 1))["Bo"] == 13
    keeper.commit(Revise(others={"Erik": "Anna", "Anna": "Erik"}))
    assert scores(keeper.view) == {"Erik": 5, "Anna": 6, "Cilla": 0, "Dan": 0}


def test_seats_change_and_whoever_deals_deals_on(keeper: Keeper) -> None:
    """Latecomers sit in the new order too; the dealer of the current deal stays."""
    keeper.record("nobody, Anna trick, nobody")
    keeper.record("Erik joins Anna 3")
    assert keeper.view.state.deal.dealer == "Cilla"
    order = ["Anna", "Cilla", "Bo", "Erik", "Dan"]
    keeper.commit(Revise({"players": order}))
    state = keeper.view.state
    assert (list(state.players), state.deal.dealer) == (order, "Cilla")
    assert scores(keeper.view)["Erik"] == 3
    assert keeper.commit(Revise({"players": order})).undoable == Changed("revise", 1)


REFUSED: list[tuple[Revise, str]] = [
    (Revise(names={"Erik": "Bosse"}), "no_such_person"),
    (Revise(names={"Bo": " "}), "name_empty"),
    (Revise(others={"Bo": "Anna"}), "name_twice"),
    (Revise(dealer="Erik"), "cannot_deal"),
    (Revise({"rules": {"preset": "huvudregler", "no_rule": 1}}), "unknown_rule"),
    (Revise({"players": ["Anna"]}), "wrong_number_of_players"),
    (Revise({"players": ["Anna", "Bo"], "dealer": "Bo"}, entries=[8]), "entry_missing"),
]


@pytest.mark.parametrize(("change", "code"), REFUSED)
def test_what_cannot_be_agreed_is_refused(keeper: Keeper, change: Revise, code: str) -> None:
    """The refusal has its code, and nothing changes."""
    assert refusal(keeper, change) == code


def test_nothing_changed_is_no_change(keeper: Keeper) -> None:
    """The table stays at its version."""
    seq = keeper.seq
    setup = keeper.view.game.setup
    keeper.commit(Revise({"players": list(setup.players), "stake_ore": setup.stake_ore}))
    assert keeper.seq == seq


def test_the_currency_changes_where_all_amounts_are_this_games(keeper: Keeper) -> None:
    """The currency is fixed once another game was for money."""
    assert keeper.commit(Revise({"stake_ore": 10}, currency="EUR")).currency == "EUR"
    assert keeper.access.currency == "EUR"
    keeper.commit(Revise(currency="SEK"))
    keeper.record("settled")
    keeper.next_game()
    assert refusal(keeper, Revise(currency="EUR")) == "currency_settled"


@settings(max_examples=25)
@given(games(), st.sampled_from(list(PRESETS)), st.permutations(range(8)))
def test_any_game_is_played_by_any_rules_and_undone(
    played: Played, preset: str, order: list[int]
) -> None:
    """With conflicts settled, the preview matches the result, and undo restores the game."""
    with TemporaryDirectory() as folder, closing(Database(Path(folder) / "chicago.db")) as db:
        pen = tables.new_pen()
        keeper = Keeper(db, play.open_table(db, played.setup, "", pen), pen)
        for event in played.events:
            keeper.commit(play.Record(write_event(event)))
        before = keeper.view
        players = [before.state.players[n] for n in order if n < len(before.state.players)]
        change = Revise({"players": players, "rules": {"preset": preset}})
        promised = look(keeper, change)
        draft = settle(promised.state.setup, promised.amendment.draft)
        items = [e.event if e.index is None else e.index for e in draft]
        change = msgspec.structs.replace(change, entries=items)
        promised = look(keeper, change)
        if promised.amendment.conflicts or promised.amendment.gap < len(items):
            return
        revised = keeper.commit(change)
        assert list(promised.amendment.states) == revised.states == keeper.view.states
        assert set(revised.state.players) == set(before.state.players)
        if revised.seq != before.seq:
            assert keeper.undo().states == before.states


def test_somebody_who_was_another_all_the_time_keeps_the_seat(keeper: Keeper) -> None:
    """The name has two numbers then; new events are recorded for the number in the seat."""
    keeper.record("Bo 5, settled")
    keeper.next_game(players=["Eva", "Bo"], dealer="Bo")
    keeper.commit(Revise(names={"Eva": "Anna"}))
    keeper.record("Anna 5")
    assert read_ledger(keeper.db, keeper.link).people.persons
    keeper.record("settled")
    seats = [*keeper.db.connection.table("seats").rows]
    recount_all(keeper.db)
    assert [*keeper.db.connection.table("seats").rows] == seats


def test_nobody_gets_another_number_by_other_rules(keeper: Keeper) -> None:
    """Only new names get a number."""
    keeper.commit(Revise({"stake_ore": 500}))
    keeper.commit(Revise(names={"Bo": "Bosse"}))
    names = [row["name"] for row in keeper.db.connection.table("people").rows]
    assert sorted(names) == ["Anna", "Bo", "Bosse", "Cilla", "Dan"]

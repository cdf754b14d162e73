import pytest
from msgspec.structs import replace

from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import BestHand
from app.rules.hands import Hand
from app.services import table_view, tables
from app.services.commit import KeyReused, commit
from app.services.play import Mend, Record, Redo, Start, Undo
from app.services.tables import NoPen, NotFound, Write
from tests.services.conftest import Seat
from tests.services.keeper import (
    NOBODY,
    SETTLE,
    VOID,
    Keeper,
    best_hand,
    correction,
    form_key,
    last_trick,
)

SOME = (best_hand("Anna"), best_hand("Bo", "flush"), last_trick("Cilla"))
LINK_LENGTH = 22  # 16 random bytes as text: 128 bits


CHANGES = [Record(best_hand("Anna")), Undo(), Redo(), Mend(1, ()), Start()]


def test_links_are_long_and_differ(seat: Seat) -> None:
    """A link holds at least 128 random bits, so nobody finds a table by trying."""
    links = {seat().link for _ in range(20)}
    assert len(links) == 20
    assert {len(link) for link in links} == {LINK_LENGTH}


def test_undo_and_redo_survive_a_restart(keeper: Keeper) -> None:
    """A server started again still knows what was undone, and what can be undone further."""
    keeper.record(*SOME)
    keeper.undo()
    keeper.restart()
    assert keeper.undo().game.events == (BestHand(player="Anna", hand=Hand.PAIR),)
    keeper.restart()
    assert keeper.redo(2).game.events == keeper.view.game.events
    assert keeper.recorded == ["BestHand", "BestHand", "LastTrick"]


def test_another_request_from_an_old_version_is_stale(keeper: Keeper) -> None:
    """Whoever saw an older table is told so, and nothing is booked."""
    write = keeper.write(seq=1)
    commit(keeper.db, write, Record(best_hand("Anna")), form_key("one"))
    with pytest.raises(Stale):
        commit(keeper.db, write, Record(best_hand("Bo")), form_key("two"))
    assert keeper.seq == 2


def test_the_same_request_again_changes_nothing(keeper: Keeper) -> None:
    """It is answered with the table as it left it, however it stands by now."""
    first = keeper.send("one", Record(NOBODY))
    keeper.record(best_hand("Bo"))
    again = keeper.send("one", Record(NOBODY))
    assert (again.seq, again.game.events) == (first.seq, first.game.events)
    assert keeper.recorded == ["NoBestHand", "BestHand"]
    with pytest.raises(KeyReused):
        keeper.commit(Record(NOBODY), replace(form_key("one", keeper.pen), request=b"another"))


def test_a_request_that_was_refused_is_judged_again(keeper: Keeper) -> None:
    """A refusal leaves nothing, not even its key."""
    with pytest.raises(NotAllowed):
        keeper.send("trick", Record(last_trick("Anna")))
    keeper.record(NOBODY, NOBODY)
    assert keeper.send("trick", Record(last_trick("Anna"))).state.score("Anna") > 0


@pytest.mark.parametrize("seq", [-1, 0, 3, 10**15])
def test_a_version_that_never_was_is_stale(keeper: Keeper, seq: int) -> None:
    """A made-up version is refused like an old one."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(Stale):
        commit(keeper.db, keeper.write(seq=seq), Record(best_hand("Bo")))


def test_a_link_and_a_pen_open_a_table(seat: Seat) -> None:
    """Whoever has the link reads, whoever has this table's pen writes; nobody else is let in."""
    here, elsewhere = seat(), seat()
    here.record(NOBODY)
    access = tables.find_access(here.db.connection, here.link, here.pen)
    assert (access.link, access.name, access.seq, access.writes) == (here.link, "", 2, True)
    assert access.id == here.table_id
    for pen in (None, "", "guessed", elsewhere.pen):
        assert not tables.find_access(here.db.connection, here.link, pen).writes
    with pytest.raises(NotFound):
        tables.find_access(here.db.connection, "nowhere", here.pen)


@pytest.mark.parametrize("pen", [None, "", "guessed"])
def test_without_the_pen_nothing_is_written(keeper: Keeper, pen: str | None) -> None:
    """Whoever only has the link reads."""
    keeper.record(best_hand("Anna"))
    before = keeper.view
    for change in CHANGES:
        with pytest.raises(NoPen):
            commit(keeper.db, Write(keeper.link, pen), change)
    assert keeper.view == before


def test_a_pen_that_was_revoked_does_not_write(keeper: Keeper) -> None:
    """A pen taken back is no pen."""
    with keeper.db.transaction():
        keeper.db.connection.execute("UPDATE pens SET revoked_at = '2026-10-17'")
    with pytest.raises(NoPen):
        keeper.record(NOBODY)


def test_a_link_to_nothing_is_not_found(keeper: Keeper) -> None:
    """A link that opens no table says so, to readers and writers alike."""
    with pytest.raises(NotFound):
        table_view.read_view(keeper.db, "nowhere")
    for change in CHANGES:
        with pytest.raises(NotFound):
            commit(keeper.db, Write("nowhere", keeper.pen), change)


@pytest.mark.parametrize("number", [-1, 0, 2, 10**30])
def test_a_game_that_was_not_played_is_not_found(keeper: Keeper, number: int) -> None:
    """Games are numbered from 1."""
    with pytest.raises(NotFound):
        table_view.read_view(keeper.db, keeper.link, number)


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        (last_trick("Anna"), NotAllowed),
        ({"event": "chicago", "player": "Anna"}, NotAllowed),
        ({"event": "false_claim", "player": "Anna"}, NotAllowed),
        (best_hand("Eva"), BadFile),
        (best_hand("Anna", "five_of_a_kind"), BadFile),
        (correction("Anna", 0), BadFile),
        ({"event": "sneeze"}, BadFile),
        ([], BadFile),
        (None, BadFile),
    ],
)
def test_a_refusal_changes_nothing(keeper: Keeper, raw: object, error: type[Exception]) -> None:
    """What is refused leaves the events, the version and what can be redone as they were."""
    keeper.record(best_hand("Anna"), NOBODY)
    keeper.undo()
    before = keeper.view
    with pytest.raises(error):
        keeper.record(raw)
    assert keeper.view == before
    assert before.redoable is not None


def test_undo_and_redo_with_nothing_to_do_change_nothing(keeper: Keeper) -> None:
    """At the first and the last step there is nothing further, and the version stays."""
    with pytest.raises(NotAllowed, match="nothing_to_undo"):
        keeper.undo()
    with pytest.raises(NotAllowed, match="nothing_to_redo"):
        keeper.redo()
    assert keeper.seq == 1


def test_the_next_game_keeps_seats_and_rules_and_the_deal_moves_on(seat: Seat) -> None:
    """A rematch has the same players, stake and house rules, and the next dealer."""
    keeper = seat(rules={"preset": "pagat", "exchange_stop": 42}, dealer="Bo")
    keeper.record(SETTLE)
    view = keeper.next_game()
    assert (view.number, view.games) == (2, 2)
    assert view.game.setup.dealer == "Cilla"
    assert view.game.setup.rules.exchange_stop == 42
    assert view.game.events == ()


def test_no_next_game_while_one_is_played(keeper: Keeper) -> None:
    """A game is ended, or broken off, before another begins."""
    keeper.record(best_hand("Anna"))
    with pytest.raises(NotAllowed, match="still_playing"):
        keeper.next_game()
    assert (keeper.seq, keeper.view.games) == (2, 1)


def test_a_next_game_that_cannot_be_changes_nothing(keeper: Keeper) -> None:
    """Bad input for the next game starts none."""
    keeper.record(VOID)
    with pytest.raises(BadFile):
        keeper.next_game(players=["Anna"])
    assert (keeper.seq, keeper.view.games) == (2, 1)

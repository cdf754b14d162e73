"""Erasure removes exactly the announced data, also from the disk."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.rules.codes import NotAllowed
from app.rules.events import Correction
from app.rules.gamefile import read_game
from app.rules.names import MAX_NAME
from app.services import access, erasure, import_export, ledger, play, table_view
from app.services.access import NoPen, NotFound, Write
from app.services.commit import add_names, commit
from app.services.edit import Edit, Item
from app.services.people import Rename
from app.store import log, schema
from app.store.database import Database
from tests.rules.table import write_facts
from tests.services.keeper import SETTLE, Keeper

NAMED = "Annabella Forsgren"
(FIVE,) = write_facts("Bo 5")
# The name in every text of a row's body that is not one of a few.
HIDE = (
    """UPDATE changes SET body = replace(body, '{"event":', '{"id":"' || :name || '","name":{"' ||
        :name || '":1},"at":["' || :name || '"],"note":"' || :name || ' again","event":')""",
    f"""UPDATE changes SET body = json_set(body, '$.id', :name || '1', '$.name', :name || 's bord')
        WHERE {schema.STARTS}""",
    "UPDATE changes SET body = json_quote(:name) WHERE kind = 'rename'",
)


@pytest.fixture
def table(db: Database) -> Write:
    """Return a table with two games, years apart, of the person to forget."""
    games = [read_game(game_file(year)) for year in (2019, 2026)]
    return Write(import_export.open_with_games(db, games, f"{NAMED}s bord", "pen"), "pen")


def game_file(year: int, other: str = "Bo") -> dict[str, object]:
    """Return the file of a game with a remark that names the person to forget."""
    at = f"{year}-05-01T19:00:00.000+00:00"
    hand = {"event": "best_hand", "player": NAMED, "hand": "pair", "note": f"{NAMED} log"}
    return {
        "format": "chicago-game/1",
        "at": at,
        "players": [NAMED, other],
        "rules": {"preset": "pagat"},
        "events": [{**hand, "at": at}, {**SETTLE, "at": at}],
    }


def numbers(db: Database, table: Write) -> list[int]:
    """Return the numbers of a table's games."""
    key = access.find_access(db.connection, table.link, None).id
    return log.find_game_numbers(db.connection, key)


def on_disk(db: Database) -> bytes:
    """Return the content of the database's files."""
    return b"".join(path.read_bytes() for path in Path(db.path).parent.glob("*.db*"))


def test_a_forgotten_name_is_nowhere_and_the_scores_stay(db: Database, table: Write) -> None:
    """The name goes from every game, remark and file on disk; the scores stay."""
    before = [
        [seat.score for seat in table_view.read_view(db, table.link, n).state.seats] for n in (1, 2)
    ]
    assert NAMED.encode() in on_disk(db)
    new = erasure.erase_name(db, table, NAMED, "Spelare")
    after = [table_view.read_view(db, table.link, n) for n in (1, 2)]
    assert new == "Spelare 1"
    assert [view.game.setup.players for view in after] == [("Spelare 1", "Bo")] * 2
    assert [[seat.score for seat in view.state.seats] for view in after] == before
    assert NAMED.encode() not in on_disk(db)


def test_undo_and_redo_go_on_behind_a_forgotten_name(db: Database, table: Write) -> None:
    """Changes undone before are redone under the new name, also in the table's own name."""
    commit(db, table, play.Undo())
    erasure.erase_name(db, table, NAMED, "Spelare")
    view = commit(db, table, play.Redo())
    assert (view.state.over, view.name) == (True, "Spelare 1s bord")


def test_a_name_is_forgotten_where_it_was_undone(keeper: Keeper) -> None:
    """A redone game or edit does not bring the name back."""
    keeper.record("Bo 5, settled")
    keeper.next_game(players=["Eva", "Bo"])
    keeper.record({**FIVE, "note": "Eva knows"})
    keeper.commit(Edit(2, entries=[]))
    keeper.undo(3)
    new = erasure.erase_name(keeper.db, keeper.write(), "Eva", "Player")
    keeper.redo(3)
    assert keeper.view.game.setup.players == (new, "Bo")
    assert "Eva" not in repr(log.read_all_of_game(keeper.db.connection, keeper.table_id, 2))


def test_a_name_is_forgotten_in_every_text_of_every_row(keeper: Keeper) -> None:
    """Also where no row that is written now has a name."""
    keeper.commit(Rename("Stugan"))
    keeper.record("Bo 5", "settled")
    keeper.next_game(players=[NAMED, "Bo"])
    keeper.commit(Edit(2, entries=[Correction(player="Bo", points=1)]))
    keeper.commit(Edit(entries=[0, Correction(player="Bo", points=2)]))
    keeper.record("settled")
    games = [read_game(game_file(year)) for year in (2027, 2028)]
    import_export.import_games(keeper.db, keeper.write(), games)
    with keeper.db.transaction() as connection:
        for sql in HIDE:
            connection.execute(sql, {"name": NAMED})
    keeper.db.connection.newest.clear()
    assert on_disk(keeper.db).count(NAMED.encode()) > 20
    erasure.erase_name(keeper.db, keeper.write(), NAMED, "Player")
    assert NAMED.encode() not in on_disk(keeper.db)


def test_a_name_nobody_has_is_refused(db: Database, table: Write) -> None:
    """A name that never played here is refused, and nothing changes."""
    seq = table_view.read_view(db, table.link).seq
    with pytest.raises(NotAllowed, match="no_such_person"):
        erasure.erase_name(db, table, "Cilla", "Spelare")
    assert table_view.read_view(db, table.link).seq == seq


def test_a_game_goes_with_its_money_and_the_rest_stays(keeper: Keeper) -> None:
    """A deleted game is in no list, no ledger and no file; later ones keep their numbers."""
    for note in ("first night", "second night"):
        keeper.record({**FIVE, "note": note}, "settled")
        keeper.next_game()
    owed = ledger.read_ledger(keeper.db, keeper.link).outstanding["Bo"]
    erasure.delete_game(keeper.db, keeper.write(), 2)
    assert table_view.list_game_numbers(keeper.db, keeper.link) == [1, 3]
    assert ledger.read_ledger(keeper.db, keeper.link).outstanding["Bo"] == owed // 2
    assert (b"first night" in on_disk(keeper.db), b"second night" in on_disk(keeper.db)) == (
        True,
        False,
    )
    keeper.record("settled")
    assert keeper.next_game().number == 4


def test_the_next_game_opens_a_table_whose_first_is_deleted(db: Database, table: Write) -> None:
    """The table keeps its name, redo is empty, and undo stops at the oldest game."""
    keeper = Keeper(db, table.link, "pen")
    keeper.next_game()
    keeper.undo()
    erasure.delete_game(db, table, 1)
    assert numbers(db, table) == [2]
    assert keeper.view.redoable is None
    assert keeper.undo(2).undoable is None
    assert keeper.view.name == f"{NAMED}s bord"
    with pytest.raises(NotFound):
        table_view.read_view_at(db.connection, keeper.access, 1)
    keeper.redo(2)
    games = [read_game(game_file(year)) for year in (2001, 2002, 2003)]
    assert import_export.import_games(db, keeper.write(), games) == 3
    assert numbers(db, table) == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("number", "code"), [(2, "newest_game_stays"), (0, "no_such_game"), (7, "no_such_game")]
)
def test_only_an_earlier_game_is_deleted(
    db: Database, table: Write, number: int, code: str
) -> None:
    """The newest game is undone instead, so that a table always has one."""
    with pytest.raises(NotAllowed, match=code):
        erasure.delete_game(db, table, number)
    assert numbers(db, table) == [1, 2]
    assert not erasure.is_pending(db)


def test_an_edited_name_holds_when_its_game_is_deleted(db: Database) -> None:
    """Of a deleted game only the new name of a person is left."""
    game = read_game(game_file(2019))
    keeper = Keeper(db, import_export.open_with_games(db, [game], "", "pen"), "pen")
    entries: list[Item] = [0, Correction(player="Anna", points=1, note="between us"), 1]
    keeper.commit(Edit(names={NAMED: "Anna"}, entries=entries))
    keeper.next_game()
    erasure.delete_game(db, keeper.write(), 1)
    assert keeper.view.game.setup.players == ("Anna", "Bo")
    assert b"between us" not in on_disk(db)
    erasure.erase_name(db, keeper.write(), "Anna", "Spelare")
    assert keeper.view.game.setup.players == ("Spelare 1", "Bo")


@pytest.mark.parametrize("name", ["a", "bb", NAMED])
def test_the_tables_own_name_stays_short(keeper: Keeper, name: str) -> None:
    """However often a name in the name of the table is forgotten, that grows to no page."""
    keeper.record("void")
    for _ in range(12):
        keeper.commit(Rename((name * MAX_NAME)[:MAX_NAME]))
        keeper.next_game(players=[name, "Bo"])
        keeper.record("void")
        erasure.erase_name(keeper.db, keeper.write(), name, name)
    keeper.undo()
    assert len(keeper.view.name) <= MAX_NAME
    sql = "SELECT MAX(length(body)) FROM changes WHERE kind = 'rename'"
    assert keeper.db.connection.find_number(sql) <= MAX_NAME + 2


def test_a_name_that_only_the_people_know_is_forgotten_too(db: Database, table: Write) -> None:
    """A payer who plays in no game can be forgotten; a label in use is not given again."""
    with db.transaction() as connection:
        known = {1: NAMED, 2: "Bo"}
        add_names(connection, 1, known, ["Spelare 1", "Doris Karlsson"])
    assert erasure.erase_name(db, table, "Doris Karlsson", "Spelare") == "Spelare 2"
    assert b"Doris Karlsson" not in on_disk(db)


def test_a_key_is_never_given_to_another_table(db: Database, table: Write) -> None:
    """A new table never gets the key of a deleted one, so that no leftover data becomes its own."""
    before = access.find_access(db.connection, table.link, None).id
    erasure.delete_table(db, table)
    link = import_export.open_with_games(db, [read_game(game_file(2020))], "", "pen")
    assert access.find_access(db.connection, link, None).id > before


def test_only_the_pen_forgets(db: Database, table: Write) -> None:
    """A reader can erase nothing."""
    reader = Write(table.link, "another")
    erase: list[Callable[[], object]] = [
        lambda: erasure.delete_table(db, reader),
        lambda: erasure.erase_name(db, reader, "Bo", "Spelare"),
        lambda: erasure.delete_game(db, reader, 1),
    ]
    for each in erase:
        with pytest.raises(NoPen):
            each()
    assert numbers(db, table) == [1, 2]

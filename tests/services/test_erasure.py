"""Erasure removes exactly the announced data, also from the disk."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from app.rules.errors import NotAllowed
from app.rules.events import Correction
from app.rules.gamefile import read_game
from app.services import erasure, import_export, people, play, table_view, tables
from app.services.commit import commit
from app.services.ledger import PayInAdvance, Unpay
from app.services.play import DraftItem
from app.services.revise import Revise
from app.services.tables import NoPen, NotFound, Write
from app.store import log
from app.store.database import Database
from tests.services.keeper import SETTLE, Keeper, correction

NAMED = "Annabella Forsgren"


@pytest.fixture
def table(db: Database) -> Write:
    """Return a table with two games, years apart, of the person to forget."""
    games = [read_game(game_file(year)) for year in (2019, 2026)]
    return Write(import_export.open_table(db, games, f"{NAMED}s bord", "pen"), "pen")


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
    key = tables.find_access(db.connection, table.link, None).id
    return [row.game for row in log.read_starts(db.connection, key)]


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
    """A redone game or mend does not bring the name back."""
    keeper.record(correction("Bo", 5), SETTLE)
    keeper.next_game(players=["Eva", "Bo"])
    keeper.record({**correction("Bo", 7), "note": "Eva knows"})
    keeper.commit(play.Mend(2, []))
    keeper.undo(3)
    new = erasure.erase_name(keeper.db, keeper.write(), "Eva", "Player")
    keeper.redo(3)
    assert keeper.view.game.setup.players == (new, "Bo")
    assert "Eva" not in repr(log.read_all_of_game(keeper.db.connection, keeper.table_id, 2))


def test_a_name_nobody_has_is_refused(db: Database, table: Write) -> None:
    """A name that never played here is refused, and nothing changes."""
    seq = table_view.read_view(db, table.link).seq
    with pytest.raises(NotAllowed, match="no_such_person"):
        erasure.erase_name(db, table, "Cilla", "Spelare")
    assert table_view.read_view(db, table.link).seq == seq


def test_what_is_older_goes_and_the_rest_stays(db: Database, table: Write) -> None:
    """Games begun before the day go, later ones and the newest stay, as the preview counts them."""
    day = date(2020, 1, 1)
    assert erasure.count_before(db, table.link, day)[0] == 1
    erasure.delete_before(db, table, day)
    assert numbers(db, table) == [2]
    erasure.delete_before(db, table, date(2100, 1, 1))
    assert numbers(db, table) == [2]


def test_games_come_in_after_earlier_ones_went(db: Database, table: Write) -> None:
    """Imported games get the numbers after the newest game that is left."""
    erasure.delete_before(db, table, date(2020, 1, 1))
    games = [read_game(game_file(year)) for year in (2001, 2002, 2003)]
    assert import_export.import_games(db, table, games) == 3
    assert numbers(db, table) == [2, 3, 4, 5]


def test_nothing_is_redone_or_opened_anew_once_earlier_games_went(
    db: Database, table: Write
) -> None:
    """Redo is empty, undo stops at the oldest game that is left, and the table keeps its name."""
    keeper = Keeper(db, table.link, "pen")
    keeper.next_game()
    keeper.undo(2)
    erasure.delete_before(db, table, date(2020, 1, 1))
    assert keeper.view.redoable is None
    assert keeper.undo().undoable is None
    assert keeper.redo().name == f"{NAMED}s bord"
    with pytest.raises(NotFound):
        table_view.read_view_at(db.connection, keeper.access, 1)


def test_who_only_played_before_the_day_is_not_known_any_more(db: Database, table: Write) -> None:
    """A person goes with the last of their games, and so does their Swish number."""
    number = "0701740605"
    with db.transaction() as connection:
        connection.execute("UPDATE people SET swish = ? WHERE number = 1", [number])
    new = game_file(2027) | {"players": ["Bo", "Cilla"], "events": []}
    import_export.import_games(db, table, [read_game(new)])
    assert number.encode() in on_disk(db)
    erasure.delete_before(db, table, date(2027, 1, 1))
    assert erasure.list_names(db, table.link) == ["Bo", "Cilla"]
    assert number.encode() not in on_disk(db)
    # The name is left in the name of the table, and nowhere else.
    assert f"{NAMED} log".encode() not in on_disk(db)


def test_payments_before_the_day_go_with_all_that_became_of_them(db: Database) -> None:
    """Old payments go with their take-backs and undos; later ones stay, with their payers."""
    game = read_game(game_file(2019, "Doris"))
    keeper = Keeper(db, import_export.open_table(db, [game], "", "pen"), "pen")
    old = datetime(2019, 6, 1, 12, tzinfo=UTC)
    for payee in ("Doris", NAMED):
        between = (NAMED, "Doris") if payee == "Doris" else ("Doris", NAMED)
        keeper.commit(PayInAdvance(between, "cash", 100), at=old)
    keeper.commit(Unpay(keeper.seq))
    keeper.undo()
    import_export.import_games(db, keeper.write(), [read_game(game_file(2026))])
    left = keeper.seq + 1
    keeper.commit(PayInAdvance(("Bo", NAMED), "cash", 70))
    keeper.commit(Unpay(left))
    day = date(2020, 1, 1)
    assert erasure.count_before(db, keeper.link, day) == (1, 2)
    erasure.delete_before(db, keeper.write(), day)
    rows = log.read_settings(db.connection, keeper.table_id)
    assert [row.seq for row in rows] == [left, left + 1, left + 2]
    assert erasure.list_names(db, keeper.link) == [NAMED, "Bo"]


def test_a_revised_name_holds_for_the_games_that_are_left(db: Database) -> None:
    """Of a deleted game only the new name of a person is left."""
    game = read_game(game_file(2019))
    keeper = Keeper(db, import_export.open_table(db, [game], "", "pen"), "pen")
    entries: list[DraftItem] = [0, Correction(player="Anna", points=1, note="between us"), 1]
    keeper.commit(Revise(names={NAMED: "Anna"}, entries=entries))
    keeper.next_game()
    erasure.delete_before(db, keeper.write(), date(2020, 1, 1))
    assert keeper.view.game.setup.players == ("Anna", "Bo")
    assert b"between us" not in on_disk(db)
    assert erasure.list_names(db, keeper.link) == [NAMED, "Bo", "Anna"]
    erasure.erase_name(db, keeper.write(), "Anna", "Spelare")
    assert keeper.view.game.setup.players == ("Spelare 1", "Bo")


def test_a_name_that_only_the_people_know_is_forgotten_too(db: Database, table: Write) -> None:
    """A payer who plays in no game can be forgotten; a label in use is not given again."""
    with db.transaction() as connection:
        known = {1: NAMED, 2: "Bo"}
        people.add_names(connection, 1, known, ["Spelare 1", "Doris Karlsson"])
    assert erasure.erase_name(db, table, "Doris Karlsson", "Spelare") == "Spelare 2"
    assert b"Doris Karlsson" not in on_disk(db)


def test_a_games_id_may_tell_a_name_as_well(db: Database, table: Write) -> None:
    """The id of an imported game is replaced where it contains the name."""
    import_export.import_games(db, table, [read_game(game_file(2027) | {"id": f"{NAMED} 3"})])
    erasure.erase_name(db, table, NAMED, "Spelare")
    assert NAMED.encode() not in on_disk(db)


def test_a_key_is_never_given_to_another_table(db: Database, table: Write) -> None:
    """A new table never gets the key of a deleted one, so that no leftover data becomes its own."""
    before = tables.find_access(db.connection, table.link, None).id
    erasure.delete_table(db, table)
    link = import_export.open_table(db, [read_game(game_file(2020))], "", "pen")
    assert tables.find_access(db.connection, link, None).id > before


def test_only_the_pen_forgets(db: Database, table: Write) -> None:
    """A reader can erase nothing."""
    reader = Write(table.link, "another")
    erase: list[Callable[[], object]] = [
        lambda: erasure.delete_table(db, reader),
        lambda: erasure.erase_name(db, reader, "Bo", "Spelare"),
        lambda: erasure.delete_before(db, reader, date(2100, 1, 1)),
    ]
    for each in erase:
        with pytest.raises(NoPen):
            each()
    assert numbers(db, table) == [1, 2]

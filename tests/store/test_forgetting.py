"""Forgetting takes exactly what it says, also from the disk."""

from datetime import date
from pathlib import Path

import pytest

from app import archive, forgetting, tables
from app.rules.errors import NotAllowed
from app.rules.gamefile import read_game
from app.store import Store
from app.tables import NoPen, NotFound, Write

NAMED = "Annabella Forsgren"


@pytest.fixture
def table(store: Store) -> Write:
    """Return a table with two games, years apart, that a person to be forgotten has played."""
    games = [read_game(_game(year)) for year in (2019, 2026)]
    return Write(archive.open_table(store, games, f"{NAMED}s bord", "pen"), "pen")


def _game(year: int) -> dict[str, object]:
    return {
        "format": "chicago-game/1",
        "at": f"{year}-05-01T19:00:00.000+00:00",
        "players": [NAMED, "Bo"],
        "rules": {"preset": "pagat"},
        "events": [
            {"event": "best_hand", "player": NAMED, "hand": "pair", "note": f"{NAMED} log"},
            {"event": "break_off", "settle": True},
        ],
    }


def on_disk(store: Store) -> bytes:
    """Return everything that stands in the database's files."""
    return b"".join(path.read_bytes() for path in Path(store.path).parent.glob("*.db*"))


def test_a_forgotten_name_is_nowhere_and_the_scores_stay(store: Store, table: Write) -> None:
    """The name goes from every game, remark and file on disk; what was scored does not."""
    before = [
        [seat.score for seat in tables.sheet(store, table.link, n).state.seats] for n in (1, 2)
    ]
    assert NAMED.encode() in on_disk(store)
    new = forgetting.forget_name(store, table, NAMED, "Spelare")
    sheets = [tables.sheet(store, table.link, n) for n in (1, 2)]
    assert new == "Spelare 1"
    assert [sheet.game.setup.players for sheet in sheets] == [("Spelare 1", "Bo")] * 2
    assert [[seat.score for seat in sheet.state.seats] for sheet in sheets] == before
    assert NAMED.encode() not in on_disk(store)


def test_other_tables_keep_the_name(store: Store, table: Write) -> None:
    """A name is forgotten at one table only."""
    other = archive.open_table(store, [read_game(_game(2020))], "", "pen")
    forgetting.forget_name(store, table, NAMED, "Spelare")
    assert tables.sheet(store, other).game.setup.players == (NAMED, "Bo")


def test_what_was_recorded_is_guarded_again_afterwards(store: Store, table: Write) -> None:
    """Forgetting lifts the guards of the log only while it lasts."""
    guards = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_kept'"
    before = store.db.execute(guards).fetchone()
    forgetting.forget_name(store, table, "Bo", "Spelare")
    assert store.db.execute(guards).fetchone() == before != (0,)


def test_a_name_nobody_has_is_refused(store: Store, table: Write) -> None:
    """Who never played here cannot be forgotten, and nothing changes."""
    seq = tables.sheet(store, table.link).seq
    with pytest.raises(NotAllowed, match="no_such_person"):
        forgetting.forget_name(store, table, "Cilla", "Spelare")
    assert tables.sheet(store, table.link).seq == seq


def test_what_is_older_goes_and_the_rest_stays(store: Store, table: Write) -> None:
    """Games begun before the day go, later ones and the newest stay, as was said before."""
    day = date(2020, 1, 1)
    assert forgetting.going(store, table.link, day).games == 1
    forgetting.delete_before(store, table, day)
    assert tables.game_numbers(store, table.link) == [2]
    forgetting.delete_before(store, table, date(2100, 1, 1))
    assert tables.game_numbers(store, table.link) == [2]


def test_a_deleted_table_is_gone(store: Store, table: Write) -> None:
    """Nothing of a deleted table is left, on disk either."""
    forgetting.delete_table(store, table)
    with pytest.raises(NotFound):
        tables.sheet(store, table.link)
    assert NAMED.encode() not in on_disk(store)


def test_only_the_pen_forgets(store: Store, table: Write) -> None:
    """Whoever reads can take nothing away."""
    reader = Write(table.link, "another")
    with pytest.raises(NoPen):
        forgetting.delete_table(store, reader)
    with pytest.raises(NoPen):
        forgetting.forget_name(store, reader, "Bo", "Spelare")
    with pytest.raises(NoPen):
        forgetting.delete_before(store, reader, date(2100, 1, 1))
    assert tables.game_numbers(store, table.link) == [1, 2]

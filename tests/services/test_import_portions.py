"""Imports are written in portions of whole games, and keep nobody else waiting."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from app import store
from app.rules.errors import NotAllowed
from app.rules.events import BreakOff, NoBestHand
from app.rules.gamefile import MAX_EVENTS, Game, read_game
from app.services import import_export, play, prepared_games, sheets, throttle
from app.services.import_export import Busy
from app.services.tables import NoPen, Write
from app.services.throttle import Cancelled, Throttle
from app.store.database import Pool
from app.store.imports import add_unfinished_table, find_unfinished_tables
from tests.services.keeper import SETTLE

CORRECTION: dict[str, object] = {"event": "correction", "player": "Anna", "points": 1}


def make_games(count: int, events: int = 2) -> list[Game]:
    """Return games of so many events each, that ended in different months."""
    raw = {"format": "chicago-game/1", "players": ["Anna", "Bo", "Cilla"]}
    game = read_game({**raw, "events": [*[CORRECTION] * (events - 1), SETTLE]})
    return [
        replace(game, remarks={"id": f"{n}", "at": f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}T20:00Z"})
        for n in range(count)
    ]


@pytest.fixture
def table(pool: Pool) -> Write:
    """Return how to write at a table where one game has ended."""
    first = replace(make_games(1)[0], remarks={"id": "first", "at": "2025-01-01T20:00Z"})
    return Write(import_export.open_table(pool, [first], "", "pen"), "pen")


def test_a_portion_is_bounded(pool: Pool) -> None:
    """By its games, its events and its bytes; a game is never divided."""
    longest = (make_games(25), make_games(12, 300), make_games(2, MAX_EVENTS))
    for games in longest:
        prepared = [prepared_games.prepare_game(game) for game in games]
        portions = list(prepared_games.split(prepared))
        assert [game for portion in portions for game in portion] == prepared
        assert len(portions) > 1
        for portion in portions:
            assert len(portion) <= prepared_games.MAX_GAMES
            assert len(portion) == 1 or sum(g.count for g in portion) <= prepared_games.MAX_EVENTS


def ending_after(rests: int) -> Callable[[], None]:
    """Return a rest from which nobody returns the so manieth time: the client has gone."""
    left = iter(range(rests))

    def rest() -> None:
        if next(left, None) is None:
            raise Cancelled

    return rest


def test_an_import_broken_off_leaves_whole_games(pool: Pool, table: Write) -> None:
    """Each as it was, and the same files complete them."""
    games = make_games(35)
    with pytest.raises(Cancelled):
        # Two rests for each game that is made ready, then one for each portion.
        import_export.import_games(pool, table, games, ending_after(2 * len(games) + 1))
    there = sheets.list_game_numbers(pool, table.link)
    assert 1 < len(there) < 36
    for number in there:
        assert len(sheets.read_sheet(pool, table.link, number).game.events) == 2
    assert import_export.import_games(pool, table, games) == 36 - len(there)
    assert sheets.list_game_numbers(pool, table.link) == list(range(1, 37))


def test_a_new_table_broken_off_is_gone(pool: Pool) -> None:
    """Nobody has its link, so nobody could take out of it what it holds of anybody."""
    games = make_games(35)
    with pytest.raises(Cancelled):
        import_export.open_table(pool, games, "", "pen", ending_after(2 * len(games) + 2))
    for kind in ("tables", "pens", "games", "events", "game_statistics"):
        assert pool.connection.execute(f"SELECT COUNT(*) FROM {kind}").fetchone() == (0,), kind


def test_a_table_that_a_killed_server_left_unfinished_goes_with_the_next_import(
    pool: Pool,
) -> None:
    """It is no table yet: no link opens it."""
    games = import_export._new_games(  # noqa: SLF001  # what a killed server has written
        [prepared_games.prepare_game(game) for game in make_games(25)], 1
    )
    with pool.transaction() as connection:
        table = add_unfinished_table(connection, "token", "")
        store.imports.add_games(connection, table.id, 1, games)
    assert find_unfinished_tables(pool.connection) == [table.id]
    rests: list[None] = []
    import_export.discard_unfinished(pool, lambda: rests.append(None))
    assert len(rests) == 26, "after each game others have their turn"
    import_export.open_table(pool, make_games(1), "", "pen")
    assert find_unfinished_tables(pool.connection) == []
    assert pool.connection.execute("SELECT COUNT(*) FROM games").fetchone() == (1,)


def test_a_game_begun_meanwhile_is_played_and_the_rest_comes_after_it(
    pool: Pool, table: Write
) -> None:
    """The import stops in words; when that game has ended, the same files complete it."""
    begun = False

    def rest() -> None:
        nonlocal begun
        if sheets.read_sheet(pool, table.link).games > 1 and not begun:
            begun = True
            play.next_game(pool, table, {})

    games = make_games(25)
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(pool, table, games, rest)
    assert begun
    assert sheets.read_sheet(pool, table.link).games == 12
    play.record(pool, table, SETTLE)
    assert import_export.import_games(pool, table, games) == 15
    assert sheets.read_sheet(pool, table.link).games == 27


def test_another_change_of_the_table_meanwhile_stops_nothing(pool: Pool, table: Write) -> None:
    """A portion made ready for a version that is no more is made ready again."""
    real, hurried = import_export._new_games, False  # noqa: SLF001  # where somebody is quicker

    def new_games(games: list[prepared_games.PreparedGame], first: int) -> object:
        nonlocal hurried
        if not hurried:
            hurried = True
            play.next_game(pool, table, {})
            play.record(pool, table, SETTLE)
        return real(games, first)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_export, "_new_games", new_games)
        assert import_export.import_games(pool, table, make_games(3)) == 3
    assert sheets.list_game_numbers(pool, table.link) == [1, 2, 3, 4, 5]


def test_one_import_at_a_time(pool: Pool, table: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is told; afterwards it may come again."""
    monkeypatch.setattr(import_export, "TURN_SECONDS", 0)
    refusals: list[BaseException] = []

    def second() -> None:
        try:
            import_export.open_table(pool, make_games(1), "", "pen")
        except Busy as busy:
            refusals.append(busy)

    def rest() -> None:
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()

    import_export.import_games(pool, table, make_games(1), rest)
    assert [str(busy.args[0]) for busy in refusals] == ["import_busy"] * 3
    second()
    assert len(refusals) == 3


def test_nothing_is_worked_out_for_who_may_not_write(pool: Pool, table: Write) -> None:
    """Nor while a game is being played: the files are not even unpacked."""

    def files() -> Iterator[Game]:
        yield pytest.fail("A file was read.")

    with pytest.raises(NoPen):
        import_export.import_games(pool, Write(table.link, "another"), files())
    play.next_game(pool, table, {})
    with pytest.raises(NotAllowed, match="still_playing"):
        import_export.import_games(pool, table, files())


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_no_clock_can_tell_is_none(pool: Pool, at: str) -> None:
    """A game of the year 1 or 9999 is taken in as a game of now."""
    setup = make_games(1)[0].setup
    game = Game(setup, (NoBestHand(at=at), BreakOff(settle=True)), {"at": at})
    link = import_export.open_table(pool, [game], "", "pen")
    rows = pool.connection.execute("SELECT begun_at, recorded_at FROM games, events").fetchall()
    assert all(time[:2] == "20" for row in rows for time in row)
    assert sheets.read_sheet(pool, link).state.over


def test_work_rests_for_a_share_of_the_time_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a slice took, no rest is long; who has gone is noticed at once."""
    clock, rests = [0.0], list[float]()
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(time, "sleep", rests.append)
    gone = threading.Event()
    work = Throttle(gone.is_set)
    for seconds in (0.0, 0.01, 10.0):
        clock[0] += seconds
        work.rest()
    assert rests == [0.0, 0.01 * throttle.REST_SHARE, throttle.LONGEST_REST]
    gone.set()
    with pytest.raises(Cancelled):
        work.rest()

"""What the page of the years costs over many games and over few: `python -m tests.bench.years`.

Both are measured in turns within one run, so a busy machine slows both down alike. Before each page
its table is changed, so that no page is one that was kept.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

from flask.testing import FlaskClient

from app import create_app, store
from app.rules.gamefile import Game, read_game
from app.services import import_export, phone_tables, tables
from app.services.statistics import sum_months
from app.services.tables import Write
from app.store.database import Pool
from app.store.statistics import Columns
from tests.bench.row import say
from tests.bench.weight import EIGHT

FEW, MANY = 100, 10_000
YEARS, ROUNDS, WARM_UP = 10, 41, 5
GOAL = 2.0
BEGAN = date(2016, 1, 1)


def one_game() -> Game:
    """Return a short game of eight."""
    events: list[dict[str, object]] = [
        {"event": "correction", "player": EIGHT[0], "points": 30},
        {"event": "best_hand", "player": EIGHT[1], "hand": "flush"},
        {"event": "break_off", "settle": True},
    ]
    raw = {"format": "chicago-game/1", "players": EIGHT, "at": f"{BEGAN}T20:00:00+00:00"}
    return read_game({**raw, "events": events})


def fill(pool: Pool, count: int) -> Write:
    """Open a table with one game played, and as many figures as if there had been more.

    The figures are the game's own, moved about in time and spread among the players.
    """
    pen = tables.new_pen()
    link = import_export.open_table(pool, [one_game()], "", pen)
    table_id = tables.read_table_id(pool, link)
    seats, pairs = (
        list(pool.connection.query(f"SELECT * FROM {name} WHERE table_id = ?", [table_id]))
        for name in ("game_statistics", "game_pair_statistics")
    )
    chance = random.Random(count)  # the same figures every time
    sql = "UPDATE games SET begun_at = ? WHERE id = ?"
    with pool.transaction() as connection:
        setup = store.games.find_all(connection, table_id)[0].setup
        for number in range(2, count + 1):
            day = BEGAN + timedelta(days=365 * YEARS * number // count)
            game = store.games.add(connection, table_id, number, f"{table_id}-{number}", setup)
            connection.execute(sql, [f"{day}T20:00:00+00:00", game.id])
            winner = chance.choice(EIGHT)
            rows = [_moved(row, day, chance) | {"won": row["name"] == winner} for row in seats]
            met = [_moved(row, day, chance) for row in pairs]
            store.statistics.replace(connection, game.id, rows, met)
        began = time.perf_counter()
        sum_months(connection, table_id)
        say(f"{count:6} games: all months worked out in {time.perf_counter() - began:.2f} s")
        month = f"{BEGAN + timedelta(days=365 * YEARS // 2)}"[:7]
        began = time.perf_counter()
        sum_months(connection, table_id, [month])
        say(f"{count:6} games: one month in {(time.perf_counter() - began) * 1000:.1f} ms")
    return Write(link, pen)


def _moved(row: Columns, day: date, chance: random.Random) -> Columns:
    moved = {key: value for key, value in row.items() if key != "game_id"} | {
        "month": day.isoformat()[:7],
        "ore": chance.randrange(-100, 100) * 100,
    }
    if "seat" in row:
        moved |= {"straight": chance.randrange(3), "score": chance.randrange(60)}
        moved |= {"biggest_swing": chance.randrange(30), "longest_stop": chance.randrange(9)}
        moved |= {"zeroings_given": chance.randrange(2), "chicagos_made": chance.randrange(2)}
    return moved


def measure(folder: Path) -> tuple[list[float], list[float], int]:
    """Return the seconds of pages over few and over many games, and how heavy the page is."""
    app = create_app({"DATABASE": str(folder / "chicago.db"), "LIMITS": False})
    pool = Pool(app.config["DATABASE"])
    client = app.test_client()
    few, many = (fill(pool, count) for count in (FEW, MANY))
    seconds: tuple[list[float], list[float]] = ([], [])
    for turn in range(ROUNDS + WARM_UP):
        for taken, write in zip(seconds, (few, many), strict=True):
            phone_tables.rename(pool, write, f"{turn}")
            spent = _timed(client, f"/t/{write.link}/years")
            if turn >= WARM_UP:
                taken.append(spent)
    weight = len(client.get(f"/t/{many.link}/years").data)
    pool.close()
    return *seconds, weight


def _timed(client: FlaskClient, address: str) -> float:
    began = time.perf_counter()
    if client.get(address).status_code != 200:
        raise SystemExit(f"{address} does not open")
    return time.perf_counter() - began


def main() -> None:
    """Print what the page costs over few games and over many, and how the two compare."""
    with tempfile.TemporaryDirectory() as folder:
        few, many, weight = measure(Path(folder))
    one, other = statistics.median(few), statistics.median(many)
    say(f"{FEW:6} games: {one * 1000:6.1f} ms")
    say(f"{MANY:6} games: {other * 1000:6.1f} ms, {weight} bytes")
    say(f"ratio {other / one:.2f}, at most {GOAL}")


if __name__ == "__main__":
    main()

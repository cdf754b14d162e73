"""Totals of a month by person, streaks and records among them, in place of its sums by name."""

# ruff: noqa: S608  # every piece of SQL here is put together from our own names alone

from __future__ import annotations

from sqlite_utils import Database

from app.store.migrations.m001_schema import VIEWS


def m010_month_totals(db: Database) -> None:
    """A row for each month and person; they are worked out from those of games at the start."""
    for view in VIEWS:
        db.execute(f"DROP VIEW {view.split()[2]}")
    db.execute("DROP TABLE month_statistics")
    for statement in (*_TABLE, *_VIEWS):
        db.execute(statement)


_TABLE = (
    # `body` is JSON. In no index, and small: names are erased from what is like that.
    """CREATE TABLE month_totals (
        table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
        month TEXT NOT NULL,
        place INTEGER NOT NULL,
        person TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (table_id, month, place)
    ) STRICT""",
)


def _figure(view: str, **columns: str) -> str:
    """A view of one figure by table, month and person; `columns` are where it is in the totals."""
    paths = ", ".join(f"COALESCE(body ->> '$.{path}', 0) AS {c}" for c, path in columns.items())
    return f"""CREATE VIEW {view} AS
        SELECT table_id, month, person, {paths} FROM month_totals"""


_VIEWS = (
    # Merged names lead on to the name that is the person's.
    """CREATE VIEW person_names AS
        WITH RECURSIVE links (table_id, name, id) AS (
            SELECT table_id, name, id FROM people
            UNION
            SELECT l.table_id, l.name, p.same_as FROM links l JOIN people p ON p.id = l.id
            WHERE p.same_as IS NOT NULL
        ), ends (table_id, name, person) AS (
            SELECT l.table_id, l.name, p.name FROM links l JOIN people p ON p.id = l.id
            WHERE p.same_as IS NULL
        )
        SELECT DISTINCT f.table_id, f.name, COALESCE(e.person, f.name) AS person
        FROM month_pair_statistics f
        LEFT JOIN ends e ON e.table_id = f.table_id AND e.name = f.name""",
    _figure("figure_games", games="games"),
    _figure("figure_wins", wins="won"),
    _figure("figure_ore", ore="ore", staked="staked", evenings="evenings"),
    _figure("figure_score", points="score"),
    _figure("figure_chicagos_said", said="chicagos_said"),
    _figure("figure_chicagos_made", made="chicagos_made"),
    _figure("figure_zeroings_given", given="zeroings_given"),
    _figure("figure_zeroings_suffered", suffered="zeroings_suffered"),
    _figure("figure_last_tricks", last_tricks="last_tricks"),
    _figure("figure_biggest_swing", points="bests.biggest_swing[0]"),
    _figure("figure_longest_stop", deals="bests.longest_stop[0]"),
    _figure(
        "figure_streaks",
        games="games",
        opening="streaks.opening[0]",
        longest="streaks.longest[0]",
        closing="streaks.closing",
    ),
    """CREATE VIEW figure_bests AS
        SELECT table_id, month, person, b.key AS best, b.value ->> 0 AS value,
            b.value ->> 1 AS evening, b.value ->> 2 AS game
        FROM month_totals m, json_each(m.body, '$.bests') b""",
    """CREATE VIEW figure_best_hands AS
        SELECT table_id, month, person, h.key AS hand, h.value AS times
        FROM month_totals m, json_each(m.body, '$.hands') h""",
    """CREATE VIEW figure_head_to_head AS
        SELECT f.table_id, f.month, w.person, o.person AS other, SUM(f.games) AS games,
            SUM(f.ahead) AS ahead, SUM(f.behind) AS behind, SUM(f.ore) AS ore
        FROM month_pair_statistics f
        JOIN person_names w ON w.table_id = f.table_id AND w.name = f.name
        JOIN person_names o ON o.table_id = f.table_id AND o.name = f.other
        GROUP BY f.table_id, f.month, w.person, o.person""",
)

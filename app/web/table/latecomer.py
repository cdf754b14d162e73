"""The form for somebody who joins in mid-game: what it offers."""

from __future__ import annotations

from itertools import islice

from app.http import context, cookies
from app.rules.rights import may_join
from app.rules.state import GameState
from app.services import people
from app.services.lists import list_tables
from app.services.sheets import Sheet

MOST_KNOWN, MOST_TABLES = 12, 12


def latecomer_values(sheet: Sheet) -> dict[str, object]:
    """What the form shows: whether somebody may join, and what is usual where they may.

    `known` are names to choose from, `begins` the lowest score still playing, in points, `behind`
    whom they sit down behind.
    """
    state, joining = sheet.state, may_join(sheet.state)
    return {
        "joining": joining,
        "known": _known_names(state) if joining.ok else [],
        "begins": min(state.score(name) for name in state.playing),
        "behind": state.players[-1],
    }


def _known_names(state: GameState) -> list[str]:
    """Who has played at this table or at others of this phone, and has no seat now."""
    db, known = context.db(), cookies.tables()
    persons = people.list_people(db, context.access().id).persons
    tables = list_tables(db, cookies.pen(), known, MOST_TABLES)
    others = [name for table in tables for name in table.state.players]
    names = dict.fromkeys(name for name in (*persons, *others) if name not in state.players)
    return list(islice(names, MOST_KNOWN))

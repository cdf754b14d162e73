"""The payments that are suggested, what of them is older, and why they are not who won of whom."""

from __future__ import annotations

from pathlib import Path

from app.services import ledger
from app.services.ledger import Owed
from app.services.payments import Pay
from tests.services.keeper import game_from, open_archive


def test_rows_say_what_is_older_and_why(path: Path) -> None:
    """Bosse owes Anna since last time, and Cissi has lost to him tonight."""
    keeper = open_archive(
        path,
        [
            game_from("2026-10-01T20:00:00Z", "Anna Bosse", "Anna 56, settled", stake_ore=1),
            game_from("2026-10-08T20:00:00Z", "Bosse Cissi", "Bosse 20, settled", stake_ore=1),
        ],
    )
    assert ledger.read_ledger(keeper.db, keeper.link).owed == [
        Owed("Bosse", "Anna", 36, 36, (36, 56)),
        Owed("Cissi", "Anna", 20, 0, (20, 56)),
    ]
    keeper.commit(Pay(("Cissi", "Anna"), "cash"))
    keeper.commit(Pay(("Bosse", "Anna"), "cash", 30))
    # It is all that is owed, so that nothing has to be said of it.
    assert ledger.read_ledger(keeper.db, keeper.link).owed == [Owed("Bosse", "Anna", 6, 6, None)]
    keeper.db.close()

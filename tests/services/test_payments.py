"""The cache of the ledger, what suggested payments are made of, and who is known by which code."""

from pathlib import Path

from app.services import bounds, ledger, people
from app.services.ledger import Owed
from app.services.payments import Pay
from app.services.people import Merge
from tests.services.keeper import Keeper, game_from, open_archive


def test_in_the_midst_of_a_game_the_ledger_stays_as_it_was(keeper: Keeper) -> None:
    """The sums of the largest tables are numbers of SQLite."""
    keeper.record("Bo 1")
    before = keeper.ledger
    keeper.record("Bo 1")
    assert keeper.ledger is before
    assert bounds.MAX_POINTS * 1_000_000 * 8 * bounds.MAX_GAMES < 2**63


def test_rows_say_what_is_older_and_why(path: Path) -> None:
    """Bosse owes Anna since last time, and Cissi has lost to him tonight."""
    old, new = "2026-10-01T20:00:00Z", "2026-10-08T20:00:00Z"
    games = [
        game_from(old, "Anna Bosse", "Anna 56, settled", stake_ore=1),
        game_from(new, "Bosse Cissi", "Bosse 20, settled", stake_ore=1),
    ]
    keeper = open_archive(path, games)
    assert keeper.ledger.owed == [
        Owed("Bosse", "Anna", 36, 36, (36, 56)),
        Owed("Cissi", "Anna", 20, 0, (20, 56)),
    ]
    suggested = ledger.suggest_payments(keeper.db, keeper.link)
    assert suggested["balance_ore"] == {"Anna": 56, "Bosse": -36, "Cissi": -20}
    keeper.commit(Pay(("Cissi", "Anna"), "cash"))
    keeper.commit(Pay(("Bosse", "Anna"), "cash", 30))
    # It is all that is owed, so that nothing has to be said of it.
    assert keeper.ledger.owed == [Owed("Bosse", "Anna", 6, 6, None)]
    keeper.db.close()


def test_a_reader_is_known_by_every_name_of_a_player(keeper: Keeper) -> None:
    """The codes of all names of a player lead to them; others than the newest players have none."""
    keeper.record("void")
    keeper.next_game(players=["Bosse", "Cilla"])
    keeper.commit(Merge("Bosse", "Bo"))
    bo, bosse, cilla, anna = (
        people.pseudonym_of(keeper.link, name) for name in ("Bo", "Bosse", "Cilla", "Anna")
    )
    coded = people.players_by_pseudonym(keeper.db, keeper.access, keeper.view.state.players)
    assert coded == {bo: "Bosse", bosse: "Bosse", cilla: "Cilla"}
    assert people.is_pseudonym(anna)
    assert [keeper.people.find_name(number) for number in (5, 0, 6, -1)] == ["Bosse", *[None] * 3]

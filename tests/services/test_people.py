"""A table remembers its people by name, and two names may be the same person."""

import pytest

from app.rules.codes import ChicagoError, NotAllowed
from app.services import ledger, people, play, statistics
from app.services.commit import Change
from app.services.edit import Edit
from app.services.people import Merge, Split
from app.services.table_view import Changed
from tests.services.conftest import Seat
from tests.services.keeper import Keeper


def play_with(keeper: Keeper, *players: str) -> None:
    """End the game, and start the next with these players."""
    keeper.record("void")
    keeper.next_game(players=list(players))


@pytest.fixture
def regulars(seat: Seat) -> Keeper:
    """Return the keeper of a table at which Bo has also been written Bosse, and B."""
    keeper = seat(["Anna", "Bo"])
    play_with(keeper, "Anna", "Bosse", "Cilla")
    play_with(keeper, "B", "Cilla")
    return keeper


@pytest.mark.parametrize(
    ("changes", "persons"),
    [
        ([], {}),
        ([Merge("B", "Bosse"), Merge("Bosse", "Bo")], {"B": "Bo", "Bosse": "Bo"}),
        ([Merge("B", "Bosse"), Merge("Bosse", "Bo"), Split("Bosse")], {"B": "Bosse"}),
        ([Merge("Bosse", "Bo"), Merge("B", "Bosse"), Split("Bosse")], {"B": "Bo"}),
    ],
)
def test_names_lead_to_persons(
    regulars: Keeper, changes: list[Change], persons: dict[str, str]
) -> None:
    """Persons stand in order of first appearance; merges chain, and a split undoes one of them."""
    for change in changes:
        regulars.commit(change)
    names = ["Anna", "Bo", "Bosse", "Cilla", "B"]
    whose = {name: persons.get(name, name) for name in names}
    assert list(regulars.people.canonical.items()) == list(whose.items())
    assert regulars.people.persons == tuple(dict.fromkeys(whose.values()))


def test_undo_names_who_was_merged(regulars: Keeper) -> None:
    """Undo and redo name both people of a merge."""
    merged = Changed("people", 0, 0, "B", "Bosse")
    assert regulars.commit(Merge("B", "Bosse")).undoable == merged
    assert regulars.undo().redoable == merged


@pytest.mark.parametrize(
    ("change", "code", "number"),
    [
        (Merge("Anna", "Bo"), "played_each_other", 1),
        # Cilla played with Bosse.
        (Merge("Cilla", "Bo"), "played_each_other", 2),
        (Merge("Bosse", "Bo"), "same_person_already", None),
        (Merge("Anna", "Anna"), "same_person_already", None),
        (Merge("Eva", "Bo"), "no_such_person", None),
        (Split("Bo"), "not_merged", None),
    ],
)
def test_two_people_are_never_merged(
    regulars: Keeper, change: Change, code: str, number: int | None
) -> None:
    """Names from the same game are two people; only a merged name is split."""
    regulars.commit(Merge("Bosse", "Bo"))
    before = regulars.seq
    with pytest.raises(ChicagoError) as refusal:
        regulars.commit(change)
    assert (refusal.value.code, refusal.value.values.get("number")) == (code, number)
    assert regulars.seq == before


def test_one_person_takes_one_seat(regulars: Keeper) -> None:
    """Two names of one person do not sit in the same game."""
    regulars.commit(Merge("Bosse", "Bo"))
    regulars.record("void")
    changes: dict[str, object] = {"players": ["Bosse", "Anna", "Bo"], "dealer": "Anna"}
    with pytest.raises(NotAllowed) as refusal:
        regulars.commit(play.Start(changes))
    assert refusal.value.values == {"player": "Bosse", "by": "Bo"}
    changes["players"] = ["Bosse", "Anna", "Eva"]
    assert regulars.commit(play.Start(changes)).state.players[0] == "Bosse"


def test_people_have_numbers_that_stay(regulars: Keeper) -> None:
    """A person's number is the place of the name, and stays when more people come."""
    regular = regulars.people
    assert [regular.numbers[name] for name in ("Anna", "Cilla")] == [1, 4]
    assert regular.find_name(4) == "Cilla"
    assert [regular.find_name(number) for number in (0, 6, -1)] == [None, None, None]


def test_a_reader_is_known_by_every_name_of_a_player(regulars: Keeper) -> None:
    """The codes of all names of a player lead to them; others than the newest players have none."""
    regulars.commit(Merge("B", "Bosse"))
    names = ("B", "Bosse", "Cilla", "Anna")
    b, bosse, cilla, anna = (people.pseudonym_of(regulars.link, name) for name in names)
    coded = people.find_pseudonym(regulars.db, regulars.access, regulars.view.state.players)
    assert coded == {b: "B", bosse: "B", cilla: "Cilla"}
    assert people.is_pseudonym(anna)


def told(keeper: Keeper) -> set[str]:
    """Return the persons of the ledger; compare them with the statistics and the views."""
    now = ledger.read_ledger(keeper.db, keeper.link)
    persons = {*now.people.persons}
    assert {name for line in now.lines for name in line.scores} == persons
    figures = statistics.read_statistics(keeper.db, keeper.table_id)
    rows = keeper.db.connection.query("SELECT person FROM person_games")
    assert {each.name for each in figures.people} == {row["person"] for row in rows} <= persons
    return persons


def test_a_new_name_is_the_persons_everywhere(seat: Seat) -> None:
    """Old games and merged names have the new name too, until it is undone."""
    keeper = seat(["Anna", "Bo"])
    keeper.record("settled")
    keeper.next_game(players=["Bosse", "Cilla"])
    keeper.record("settled")
    keeper.commit(Merge("Bosse", "Bo"))
    keeper.next_game(players=["Bo", "Cilla"])
    keeper.record("settled")
    before = told(keeper)
    keeper.commit(Edit(names={"Bo": "Robert"}))
    assert told(keeper) == {"Anna", "Cilla", "Robert"}
    assert keeper.people.canonical["Bosse"] == "Robert"
    keeper.next_game(players=["Robert", "Anna"])
    keeper.record("settled")
    keeper.commit(Split("Bosse"))
    assert told(keeper) == {"Anna", "Cilla", "Robert", "Bosse"}
    keeper.undo(3)
    assert told(keeper) == {"Anna", "Cilla", "Robert"}
    keeper.undo()
    assert told(keeper) == before == {"Anna", "Bo", "Cilla"}
    keeper.redo()
    assert told(keeper) == {"Anna", "Cilla", "Robert"}


def test_the_same_letters_are_the_same_person(seat: Seat) -> None:
    """However a later game writes the name; nobody owes themselves."""
    keeper = seat(["\u00c5sa", "Bo"])
    play_with(keeper, "A\u030asa", "\u2068Bo\u2069")
    keeper.record("Bo pair", "settled")
    assert keeper.people.persons == ("\u00c5sa", "Bo")
    [owed] = ledger.read_ledger(keeper.db, keeper.link).transfers
    assert (owed.payer, owed.payee) == ("\u00c5sa", "Bo")

"""A table remembers its people by name, and two names may be the same person."""

import pytest

from app.rules.errors import NotAllowed, Stale
from app.services import people, play
from app.services.tables import NoPen, NotFound, Write
from tests.services.conftest import Seat
from tests.services.keeper import VOID, Keeper


def play_with(keeper: Keeper, *players: str) -> None:
    """End the game, and start the next with these players."""
    keeper.record(VOID)
    keeper.next_game(players=list(players))


@pytest.fixture
def regulars(seat: Seat) -> Keeper:
    """Return the keeper of a table where Bo has also been written Bosse, and Bosse B."""
    keeper = seat(["Anna", "Bo"])
    play_with(keeper, "Anna", "Bosse", "Cilla")
    play_with(keeper, "B", "Cilla")
    return keeper


def test_everybody_is_their_own_person_at_first(regulars: Keeper) -> None:
    """Names come in order of first appearance, and each is a person."""
    names = ["Anna", "Bo", "Bosse", "Cilla", "B"]
    whose = regulars.people.canonical
    assert list(whose.items()) == [(name, name) for name in names]


def test_merged_names_are_one_person(regulars: Keeper) -> None:
    """Merging leads every name on to the person's, also by way of another."""
    people.merge(regulars.db, regulars.write(), "B", "Bosse")
    people.merge(regulars.db, regulars.write(), "Bosse", "Bo")
    regular = regulars.people
    assert {regular.canonical[name] for name in ("B", "Bosse", "Bo")} == {"Bo"}
    assert regular.persons == ("Anna", "Bo", "Cilla")


def test_a_merge_is_undone(regulars: Keeper) -> None:
    """Split again, a name stands for itself, along with what was merged into it."""
    people.merge(regulars.db, regulars.write(), "B", "Bosse")
    people.merge(regulars.db, regulars.write(), "Bosse", "Bo")
    people.split(regulars.db, regulars.write(), "Bosse")
    whose = regulars.people.canonical
    assert (whose["Bosse"], whose["B"], whose["Bo"]) == ("Bosse", "Bosse", "Bo")


def test_merging_into_a_merged_name_means_its_person(regulars: Keeper) -> None:
    """Whoever is merged into a name that is Bo's is Bo."""
    people.merge(regulars.db, regulars.write(), "Bosse", "Bo")
    people.merge(regulars.db, regulars.write(), "B", "Bosse")
    people.split(regulars.db, regulars.write(), "Bosse")
    assert regulars.people.canonical["B"] == "Bo"


@pytest.mark.parametrize(
    ("name", "into", "code"),
    [
        ("Anna", "Bo", "played_each_other"),
        ("Bosse", "Cilla", "played_each_other"),
        ("Anna", "Anna", "same_person_already"),
    ],
)
def test_two_people_are_never_merged(regulars: Keeper, name: str, into: str, code: str) -> None:
    """Names from the same game are two people, and a name is not merged with itself."""
    before = regulars.seq
    with pytest.raises(NotAllowed) as refusal:
        people.merge(regulars.db, regulars.write(), name, into)
    assert refusal.value.code == code
    assert regulars.seq == before


def test_whoever_has_two_names_keeps_meeting_those_of_both(regulars: Keeper) -> None:
    """Bo merged with Bosse has played Cilla, so Cilla is not Bo."""
    people.merge(regulars.db, regulars.write(), "Bosse", "Bo")
    with pytest.raises(NotAllowed) as refusal:
        people.merge(regulars.db, regulars.write(), "Cilla", "Bo")
    assert refusal.value.values == {"player": "Bosse", "by": "Cilla", "number": 2}


def test_unknown_names_are_not_merged_or_split(regulars: Keeper) -> None:
    """Only who has played here can be merged, and only what was merged is split."""
    with pytest.raises(NotFound):
        people.merge(regulars.db, regulars.write(), "Eva", "Bo")
    with pytest.raises(NotAllowed):
        people.split(regulars.db, regulars.write(), "Bo")


def test_merging_is_a_change_of_the_table(regulars: Keeper) -> None:
    """It needs the pen and the newest version."""
    seq = regulars.seq
    with pytest.raises(NoPen):
        people.merge(regulars.db, Write(regulars.link, "another", seq), "B", "Bo")
    people.merge(regulars.db, regulars.write(seq), "B", "Bo")
    with pytest.raises(Stale):
        people.split(regulars.db, regulars.write(seq), "B")
    assert regulars.seq == seq + 1


def test_one_person_takes_one_seat(regulars: Keeper) -> None:
    """Two names of one person do not sit in the same game, whoever asks for it."""
    people.merge(regulars.db, regulars.write(), "Bosse", "Bo")
    regulars.record({"event": "break_off", "settle": False})
    changes: dict[str, object] = {"players": ["Bosse", "Anna", "Bo"], "dealer": "Anna"}
    with pytest.raises(NotAllowed) as refusal:
        play.next_game(regulars.db, regulars.write(), changes)
    assert refusal.value.values == {"player": "Bosse", "by": "Bo"}
    changes["players"] = ["Bosse", "Anna", "Eva"]
    assert play.next_game(regulars.db, regulars.write(), changes).state.players[0] == "Bosse"


def test_people_have_numbers_that_stay(regulars: Keeper) -> None:
    """A person's number is the place of the name, however many come after."""
    regular = regulars.people
    assert [regular.number(name) for name in ("Anna", "Cilla")] == [1, 4]
    assert regular.find_name(4) == "Cilla"
    assert [regular.find_name(number) for number in (0, 6, -1)] == [None, None, None]

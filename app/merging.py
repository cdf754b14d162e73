"""Two names for one person: added together, taken apart, and kept from playing against itself."""

from __future__ import annotations

from app import store_ledger
from app.people import People, canonical, people, players_of
from app.rules.errors import NotAllowed
from app.store import Store
from app.tables import NotFound, Write, count_change, table_id


def merge(store: Store, write: Write, name: str, into: str) -> None:
    """Let two names be the same person, called `into` from now on; undone by `split`.

    Raises NotAllowed when both have sat in the same game, NotFound when either never played here,
    and otherwise as every change.
    """
    with store.writing():
        table, seq = count_change(store, write, "merge")
        if seq is None:
            return
        gone, stays = _both(people(store, table.id), name, into)
        _refuse_same_game(store, table.id, gone, stays)
        person = store_ledger.person(store, table.id, gone)
        store_ledger.merge(store, person, store_ledger.person(store, table.id, stays))


def _both(known: People, name: str, into: str) -> tuple[str, str]:
    if name not in known.canonical or into not in known.canonical:
        raise NotFound("no_such_person")
    gone, stays = known.canonical[name], known.canonical[into]
    if gone == stays:
        raise NotAllowed("same_person_already", player=name, by=into)
    return gone, stays


def _refuse_same_game(store: Store, table_id: int, gone: str, stays: str) -> None:
    """Two people who played against each other are two, by whatever names they went."""
    names = people(store, table_id).canonical
    for game in store.games(table_id):
        players = players_of(game.setup)
        met = [player for player in players if names[player] in (gone, stays)]
        if len({names[player] for player in met}) > 1:
            raise NotAllowed("played_each_other", player=met[0], by=met[1], number=game.number)


def split(store: Store, write: Write, name: str) -> None:
    """Let a name that was merged stand for itself again. Raises NotAllowed when it does."""
    with store.writing():
        table, seq = count_change(store, write, "split")
        if seq is None:
            return
        if name not in people(store, table.id).merged:
            raise NotAllowed("not_merged", player=name)
        store_ledger.merge(store, store_ledger.person(store, table.id, name), None)


def check_seats(store: Store, link: str, players: list[str]) -> None:
    """Raise NotAllowed when two of these names are known to be the same person."""
    names = canonical(store, table_id(store, link))
    seats: dict[str, str] = {}
    for player in (name.strip() for name in players):
        person = names.get(player, player)
        if person in seats and seats[person] != player:
            raise NotAllowed("one_person_twice", player=seats[person], by=player)
        seats[person] = player

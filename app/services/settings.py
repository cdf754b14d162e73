"""Settings of a table that everybody shares: its name, and which names are the same person."""

from app.rules.codes import NotAllowed
from app.rules.names import read_name
from app.services import people
from app.services.commit import Change, ChangeContext, Proposal
from app.services.fold import PersonBody, fold, to_json
from app.services.tables import NotFound
from app.store import log


class Rename(Change, frozen=True):
    """The table gets another name, for everybody; without one it goes by its players."""

    name: str

    def make(self, now: ChangeContext) -> Proposal | None:
        """Rename it. Raises BadFile."""
        name = read_name(self.name) if self.name.strip() else ""
        if name == now.table.name:
            return None
        return Proposal("rename", 0, to_json(name), settings=True)


class Merge(Change, frozen=True):
    """Two names are the same person, called `into` from now on."""

    of_ledger = True

    name: str
    into: str

    def make(self, now: ChangeContext) -> Proposal:
        """Merge them.

        Raises NotAllowed when both have sat in the same game, NotFound when either never played.
        """
        settings = fold(log.read_settings(now.connection, now.table.id))
        seated = [now.view.numbers[player] for player in now.view.state.players]
        whose = people.find_people(now.connection, now.table.id, settings, seated).canonical
        if not {self.name, self.into} <= whose.keys():
            raise NotFound("no_such_person")
        person, other = whose[self.name], whose[self.into]
        if person == other:
            raise NotAllowed("same_person_already", player=self.name, by=self.into)
        games = people.find_seated(now.connection, now.table.id)
        names, numbers = now.view.names, now.view.numbers
        for game, seated in sorted(games.items()):
            # Under any of their names.
            both = [names[each] for each in seated if whose[names[each]] in (person, other)]
            if len({whose[name] for name in both}) > 1:
                player, by = both[:2]
                raise NotAllowed("played_each_other", player=player, by=by, number=game)
        return _set_person(PersonBody(numbers[person], numbers[other]))


def _set_person(body: PersonBody) -> Proposal:
    return Proposal("people", 0, to_json(body), settings=True)


class Split(Change, frozen=True):
    """A name that was merged stands for itself again."""

    of_ledger = True

    name: str

    def make(self, now: ChangeContext) -> Proposal:
        """Split it. Raises NotAllowed when it does already."""
        merged = fold(log.read_settings(now.connection, now.table.id)).same_as
        for number in merged:
            if now.view.names[number] == self.name:
                return _set_person(PersonBody(number, None))
        raise NotAllowed("not_merged", player=self.name)

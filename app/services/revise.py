"""Revising: the newest game was agreed otherwise than was noted, from its first deal on."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from app.rules.amendment import Amendment, Entry, judge, require_standing
from app.rules.ending import find_dealer
from app.rules.errors import NotAllowed
from app.rules.events import Correction, Event, Joins
from app.rules.gamefile import MAX_EVENTS, Game, read_setup, write_game
from app.rules.names import read_name, read_players
from app.rules.outcome import ScoreChange
from app.rules.settlement import Currency
from app.rules.state import GameState, Setup
from app.services import people, table_view, tables
from app.services.commit import Change, Now, Proposal
from app.services.fold import ReviseBody, to_json, write_setup
from app.services.play import DraftItem, has_money, make_draft, read_entries, write_entries
from app.services.table_view import TableView
from app.services.tables import Access, NotFound, find_access
from app.store.connection import Connection
from app.store.database import Database


class Preview(msgspec.Struct, frozen=True):
    """A preview of the game; `scores` are those of now, by the names as they would be.

    `recorded` are the events as they are, by those names.
    """

    amendment: Amendment
    scores: Mapping[str, int]
    recorded: Sequence[Event]

    @property
    def state(self) -> GameState:
        """The game's state, as far as that is known."""
        return self.amendment.states[-1]

    @property
    def changes(self) -> list[ScoreChange]:
        """The changed scores, in seat order; none for players who had no seat."""
        pairs = [(seat.name, self.scores.get(seat.name), seat.score) for seat in self.state.seats]
        return [ScoreChange(name, was, now) for name, was, now in pairs if was not in (None, now)]

    @property
    def entries(self) -> list[DraftItem]:
        """The entries of the game as it would be: those kept as they are by their index."""
        draft, recorded = self.amendment.draft, self.recorded
        return [
            each.event if each.index is None or each.event != recorded[each.index] else each.index
            for each in draft
        ]


class Revise(Change, frozen=True):
    """The newest game has other names, seats, stake, rules or another dealer.

    `agreed` holds what differs, as a game file writes it, by the names as they are to be; its
    `players` are in seat order, those who joined later included or not. `names` leads from a name
    to the person's new one, in all games; `others` to who sat there in this game. `dealer` deals
    now. `entries`, where any is another, and `moved` are as in Mend. `keeps_standing`: corrections
    let the scores stay.
    """

    agreed: Mapping[str, object] = {}
    names: Mapping[str, str] = {}
    others: Mapping[str, str] = {}
    dealer: str | None = None
    currency: Currency | None = None
    entries: Sequence[DraftItem] | None = None
    moved: Collection[int] = ()
    keeps_standing: bool = False

    def make(self, now: Now) -> Proposal | None:
        """Replace what was agreed.

        Raises NotFound for a name that is nobody's, BadFile, and NotAllowed: for the first entry
        that does not fit, with its index; for one person in two seats of a game; for another
        currency where other amounts count; for a dealer or a standing that cannot be had.
        """
        view = now.view
        plan = _plan(now.connection, now.table, self)
        require_standing(plan.amendment)
        setup, entries = plan.state.setup, plan.entries
        tables.check("too_many_events", len(entries), MAX_EVENTS)
        currency = self.currency or view.currency
        kept = entries == [*range(len(plan.recorded))] and setup == view.game.setup
        if kept and currency == view.currency and not self.renamed:
            return None
        numbers, called = _number(now, self.renamed, plan.state.players)
        agreed, written = write_setup(setup, numbers), write_entries(entries, numbers)
        body = ReviseBody(view.number, agreed, currency, written, called)
        return Proposal("revise", 0, to_json(body), settings=True)

    @property
    def renamed(self) -> dict[str, str]:
        """The names that are others. Raises BadFile."""
        read = {name: read_name(other) for name, other in self.names.items()}
        return {name: other for name, other in read.items() if name != other}


def preview(db: Database, link: str, change: Revise) -> Preview:
    """Preview the newest game. Raises as the change, but for entries that do not fit."""
    with db.snapshot() as connection:
        return _plan(connection, find_access(connection, link, None), change)


def _plan(connection: Connection, table: Access, change: Revise) -> Preview:
    view = table_view.load_newest(connection, table)
    game, names = table_view.load_game(connection, table, view.number)
    renamed = change.renamed
    if set(renamed) - set(names.values()):
        raise NotFound("no_such_person")
    called = {n: renamed.get(name, name) for n, name in names.items()}
    sits = {n: change.others.get(name, called[n]) for n, name in names.items()}
    recorded, played = table_view.play(game, called).events, table_view.play(game, sits)
    setup, draft = _agree(view, played, change)
    known = {called[n]: names[n] for n in game.seated}
    if (players := {*setup.players, *_joining(draft)}) - set(known):
        seated = [known.get(name, name) for name in players]
        people.refuse_same_person(connection, table.id, seated)
    if called != names:
        _refuse_played_together(connection, table, names, called)
    other = change.currency not in (None, view.currency)
    if other and has_money(connection, table.id, view.number):
        raise NotAllowed("currency_settled")
    was = {names[n]: sits[n] for n in game.seated}
    scores = {was[seat.name]: seat.score for seat in view.state.seats}
    amendment = _choose_dealer(setup, draft, change, was[view.state.deal.dealer])
    plan = Preview(amendment, scores, recorded)
    return _keep_standing(plan) if change.keeps_standing and amendment.stands else plan


def _agree(view: TableView, played: Game, change: Revise) -> tuple[Setup, list[Entry]]:
    """The setup and the entries, each in its deal and at its step; all sit as they are to."""
    items = range(len(played.events)) if change.entries is None else change.entries
    kept = read_entries(played.events, items)
    draft = make_draft(view.states, played.events, kept, change.moved)
    raw = {**write_game(played), **change.agreed}
    seats = read_players(raw["players"])
    joining = _joining(draft)
    raw["players"] = began = tuple(name for name in seats if name not in joining)
    if raw["dealer"] not in began and "dealer" not in change.agreed:
        del raw["dealer"]
    return read_setup(raw), _seat(seats, began, draft)


def _joining(draft: Iterable[Entry]) -> list[str]:
    return [entry.event.player for entry in draft if isinstance(entry.event, Joins)]


def _seat(seats: Sequence[str], began: Sequence[str], draft: Iterable[Entry]) -> list[Entry]:
    """Let players who join sit down where these seats have them."""
    present, seated = set(began), list[Entry]()
    for entry in draft:
        event = entry.event
        if isinstance(event, Joins) and event.player in seats:
            place = seats.index(event.player)
            before = (*seats[place:], *seats[:place])[::-1]
            event = replace(event, after=next(name for name in before if name in present))
            present.add(event.player)
        seated.append(replace(entry, event=event))
    return seated


def _refuse_played_together(
    connection: Connection, table: Access, names: Mapping[int, str], called: Mapping[int, str]
) -> None:
    """Raise NotAllowed when two who sat in one game would go by one name."""
    games = people.find_seated(connection, table.id)
    sat: dict[tuple[int, str], int] = {}
    for number, person in ((game, person) for game in games for person in games[game]):
        other = sat.setdefault((number, called[person]), person)
        if names[other] != names[person]:
            pair = {"player": names[other], "by": names[person]}
            raise NotAllowed("played_each_other", **pair, number=number)


def _choose_dealer(setup: Setup, draft: Sequence[Entry], change: Revise, dealer: str) -> Amendment:
    """The amendment in which the first dealer is such that the right one deals now."""
    agreed = judge(setup, draft)
    if change.dealer is None and "dealer" in change.agreed:
        return agreed
    dealer = change.dealer or dealer
    for first in (setup.dealer, *setup.players):
        if find_dealer(agreed.states, first) == dealer:
            return agreed if first == setup.dealer else judge(replace(setup, dealer=first), draft)
    if change.dealer is not None:
        raise NotAllowed("cannot_deal", player=dealer)
    return agreed


def _keep_standing(plan: Preview) -> Preview:
    """Let corrections put every score back. Raises NotAllowed where they cannot.

    Of a game that is over they come before its last entry.
    """
    state, draft = plan.state, plan.amendment.draft
    place = len(draft) - state.over
    points = [(each.player, each.before - each.after) for each in plan.changes]
    corrections = [Entry(Correction(player=player, points=back)) for player, back in points]
    kept = judge(state.setup, [*draft[:place], *corrections, *draft[place:]])
    standing = replace(plan, amendment=kept)
    if not kept.stands or standing.changes:
        raise NotAllowed("standing_not_kept")
    return standing


def _number(
    now: Now, new: Mapping[str, str], players: Iterable[str]
) -> tuple[dict[str, int], dict[int, int]]:
    """The number of everybody who sits, and by whose name some go; new names get numbers.

    Raises NotAllowed when too many names would have played at the table.
    """
    names = now.view.names
    left = {n: "" if name in new else name for n, name in names.items()}
    texts = people.add_names(now.connection, now.table.id, left, [*new.values(), *players])
    numbers = people.numbers_of(texts)
    called = {n: numbers[new[name]] for n, name in names.items() if name in new}
    # A person who has another name keeps the number.
    return numbers | {new[names[n]]: n for n in reversed([*called])}, called

"""Edits: a game was otherwise than recorded: its entries, what was agreed, or who sits in it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from app.rules.codes import BadFile, NotAllowed
from app.rules.edit import (
    ANY_STEP,
    Edited,
    Entry,
    Moment,
    Operation,
    change_rules,
    find_deal_after,
    moment_of,
    operate,
    place_entries,
    rank,
    replay_by,
    replay_entries,
)
from app.rules.events import BreakOff, Event, Joins, read_event, write_event
from app.rules.game import apply
from app.rules.gamefile import MAX_EVENTS, Game, read_setup, write_game
from app.rules.names import read_name, read_players
from app.rules.rights import Verdict, may_bid, may_exchange
from app.rules.settlement import Currency, payout
from app.rules.state import GameState, Setup
from app.services import bounds, commit, people, table_view
from app.services.access import Access, NotFound, find_access
from app.services.commit import Change, ChangeContext, Proposal
from app.services.play import Undo, has_money
from app.services.table_view import (
    EditBody,
    JsonObject,
    KeptRange,
    TableView,
    to_json,
    write_numbers,
    write_setup,
)
from app.store.database import Connection, Database

EditItem = int | Event


class EntryEdit(msgspec.Struct, frozen=True):
    """One difference: the entry that `was` recorded at a moment and the one `now`, or neither."""

    moment: Moment
    was: Event | None
    now: Event | None


class Consequence(msgspec.Struct, frozen=True):
    """What an edit changes for a player, each None where it changes nothing.

    `score`: the points of now and after. `exchange` and `bid`: the right as it is after. `ore`: by
    how much the payout is more (+) or less (−).
    """

    player: str
    score: tuple[int, int] | None
    exchange: Verdict | None
    bid: Verdict | None
    ore: int | None


def find_consequences(
    now: GameState, after: GameState, was: Mapping[str, str]
) -> list[Consequence]:
    """What changes for whom, in seat order; `was` leads to the names of now.

    Who has no seat now is left out, and so is who nothing changes for. Rights are those of a game
    that goes on, then as now.
    """
    seated = [(name, was[name]) for name in after.players if was.get(name) in now.players]
    paid, pays = payout(now) or {}, payout(after) or {}
    ended = now.over or after.over
    found = [
        Consequence(
            name,
            _changed(now.score(old), after.score(name)),
            None if ended else _changed_right(may_exchange(now, old), may_exchange(after, name)),
            None if ended else _changed_right(may_bid(now, old), may_bid(after, name)),
            pays.get(name, 0) - paid.get(old, 0) or None,
        )
        for name, old in seated
    ]
    return [each for each in found if each != Consequence(each.player, None, None, None, None)]


def _changed(was: int, now: int) -> tuple[int, int] | None:
    return None if was == now else (was, now)


def _changed_right(was: Verdict, now: Verdict) -> Verdict | None:
    return None if was.ok == now.ok else now


def differences(recorded: Iterable[Entry], entries: Iterable[Entry]) -> list[EntryEdit]:
    """What an edit makes otherwise, in the order of the game.

    An old and a new entry at one moment are one difference.
    """
    kept, new = set[int | None](), defaultdict[object, list[Entry]](list)
    for entry in entries:
        kept.add(entry.index)
        if entry.index is None:
            new[_slot(entry)].append(entry)
    edits = list[EntryEdit]()
    for was in recorded:
        if was.index not in kept and was.moment:
            now = new[_slot(was)].pop(0).event if new[_slot(was)] else None
            edits.append(EntryEdit(was.moment, was.event, now))
    left = [entry for entries in new.values() for entry in entries]
    edits += [EntryEdit(each.moment, None, each.event) for each in left if each.moment]
    return sorted(edits, key=lambda edit: rank(edit.moment))


def _slot(entry: Entry) -> object:
    """The moment of an entry, and whether it is beside the step there: one stands for another."""
    return entry.moment, isinstance(entry.event, ANY_STEP)


class Edit(Change, frozen=True):
    """Game `number`, the newest where none is named, was otherwise.

    `operations` are on its entries; or `entries` are all of them as they are to be, kept ones by
    their index. The others are of the newest game. `agreed` holds what differs, as a game file
    writes it, by the names as they are to be; its `players` are in seat order, those who joined
    later included or not. Its rules hold from the deal that is played, or for `all_deals`.
    `names` leads from a name to the person's new one, in all games; `others` to who sat there in
    this game. `dealer` deals now. What does not fit is left out, or refused where all of it has to
    be `exact`.
    """

    number: int | None = None
    operations: Sequence[Operation] = ()
    entries: Sequence[EditItem] | None = None
    agreed: Mapping[str, object] = {}
    all_deals: bool = False
    names: Mapping[str, str] = {}
    others: Mapping[str, str] = {}
    dealer: str | None = None
    currency: Currency | None = None
    exact: bool = False

    def make(self, now: ChangeContext) -> Proposal | None:
        """Edit the game.

        Raises NotFound for a name that is nobody's, and for a game; BadFile; NotAllowed: for one
        person in two seats, another currency where other amounts count, a dealer that cannot be.
        """
        plan = _plan(now.connection, now.table, self)
        view, edited = plan.view, plan.edited
        items, setup = edited.items, edited.setup
        bounds.check("too_many_events", len(items), MAX_EVENTS)
        currency = self.currency or view.currency
        is_agreed = setup != view.game.setup or currency != view.currency or bool(self.renamed)
        if items == [*range(len(plan.recorded))] and not is_agreed:
            return None
        numbers, called = _number(now, view, self.renamed, edited.states[-1].players)
        body = EditBody(_write_items(items, numbers), plan.first_deal)
        if not is_agreed:
            return Proposal("edit", view.number, to_json(body))
        agreed = write_setup(setup, numbers)
        body = replace(body, game=view.number, setup=agreed, currency=currency, called=called)
        return Proposal("edit", 0, to_json(body), changes_table=True)

    @property
    def renamed(self) -> dict[str, str]:
        """The names that are others. Raises BadFile."""
        read = {name: read_name(other) for name, other in self.names.items()}
        return {name: other for name, other in read.items() if name != other}


class Plan(msgspec.Struct, frozen=True):
    """An edit's effect: the game as it is, and as it would be.

    `recorded` are the entries as they are, by the names as they would be, and `was` leads from
    these names to those of now.
    """

    view: TableView
    edited: Edited
    recorded: Sequence[Entry]
    was: Mapping[str, str]

    @property
    def state(self) -> GameState:
        """The game's state after the edit."""
        return self.edited.states[-1]

    @property
    def differences(self) -> list[EntryEdit]:
        """The entries that are others, in the order of the game."""
        return differences(self.recorded, self.edited.entries)

    @property
    def first_deal(self) -> int:
        """The first deal that the edit touches."""
        items = self.edited.items
        first = next((n for n, item in enumerate(items) if item != n), len(items))
        return self.edited.states[first].deal.number


def plan_edit(db: Database, link: str, change: Edit) -> Plan:
    """Preview an edit. Raises as the change."""
    with db.snapshot() as connection:
        return _plan(connection, find_access(connection, link, None), change)


def _plan(connection: Connection, table: Access, change: Edit) -> Plan:
    view = table_view.load_view(connection, table, change.number)
    game, names = table_view.load_game(connection, table, view.number)
    renamed = change.renamed
    if set(renamed) - set(names.values()):
        raise NotFound("no_such_person")
    called = {n: renamed.get(name, name) for n, name in names.items()}
    sits = {n: change.others.get(name, called[n]) for n, name in names.items()}
    played = table_view.play(game, sits)
    recorded = place_entries(view.states, played.events)
    if change.others:
        kept = table_view.play(game, called).events
        recorded = [e if e.event == kept[e.at] else replace(e, index=None) for e in recorded]
    edited = _edit(view, played, recorded, change)
    known = {called[n]: names[n] for n in game.seated}
    if (players := {*edited.states[-1].players}) - set(known):
        seated = [known.get(name, name) for name in players]
        people.refuse_same_person(connection, table.id, seated)
    if called != names:
        people.refuse_played_together(connection, table.id, names, called)
    other = change.currency not in (None, view.currency)
    if other and has_money(connection, table.id, view.number):
        raise NotAllowed("currency_settled")
    was = {sits[n]: names[n] for n in game.seated}
    return Plan(view, _keep_dealer(edited, change, view.state, was), recorded, was)


def _edit(view: TableView, played: Game, recorded: list[Entry], change: Edit) -> Edited:
    """The game after an edit; one that others have followed ends at its standing at the latest."""
    entries = _find_entries(recorded, change)
    setup, entries = _agree(played, entries, change)
    now = view.state.setup
    rules = setup if "rules" in change.agreed else now
    if change.entries is not None or change.exact:
        edited = replay_entries(setup, entries, exact=True)
    elif change.all_deals:
        setup = replace(setup, preset=rules.preset, rules=rules.rules)
        edited = replay_by(setup, entries, view.states)
    else:
        began = played.setup
        if (rules.preset, rules.rules) != (now.preset, now.rules):
            entries = change_rules(entries, view.state.deal.number, began, rules)
        began = replace(setup, preset=began.preset, rules=began.rules)
        deal = find_deal_after(change.operations, view.state.deal.number)
        edited = replay_entries(began, entries, deal=deal)
    if view.number < view.games and not edited.states[-1].over:
        end = Entry(BreakOff(settle=True), moment_of(edited.states[-1]), at=len(recorded))
        states = [*edited.states, apply(edited.states[-1], end.event)]
        return replace(edited, entries=[*edited.entries, end], states=states)
    return edited


def _find_entries(recorded: list[Entry], change: Edit) -> list[Entry]:
    """The entries as they are asked for. Raises BadFile for an index that is none."""
    if change.entries is None:
        return operate(recorded, change.operations)
    entries, last = list[Entry](), -1
    for each in change.entries:
        if not isinstance(each, int):
            entries.append(Entry(each))
        elif last < each < len(recorded):
            entries.append(replace(recorded[each], moment=None))
            last = each
        else:
            raise BadFile("wrong_value", key="entries", value=each)
    return entries


def _agree(played: Game, entries: Sequence[Entry], change: Edit) -> tuple[Setup, list[Entry]]:
    """The setup that was agreed, and the entries; who joins sits down where these seats say."""
    if not change.agreed:
        return played.setup, [*entries]
    raw = {**write_game(played), **change.agreed}
    seats = read_players(raw["players"])
    joining = [entry.event.player for entry in entries if isinstance(entry.event, Joins)]
    raw["players"] = began = tuple(name for name in seats if name not in joining)
    if raw["dealer"] not in began and "dealer" not in change.agreed:
        del raw["dealer"]
    return read_setup(raw), _seat(seats, began, entries)


def _seat(seats: Sequence[str], began: Sequence[str], entries: Iterable[Entry]) -> list[Entry]:
    present, seated = set(began), list[Entry]()
    for entry in entries:
        event = entry.event
        if not (isinstance(event, Joins) and event.player in seats):
            seated.append(entry)
            continue
        place = seats.index(event.player)
        before = (*seats[place:], *seats[:place])[::-1]
        after = next(name for name in before if name in present)
        present.add(event.player)
        index = entry.index if after == event.after else None
        seated.append(replace(entry, event=replace(event, after=after), index=index))
    return seated


def _keep_dealer(edited: Edited, change: Edit, state: GameState, was: Mapping[str, str]) -> Edited:
    """Let who deals now deal on, where nothing else was asked for."""
    if change.dealer is not None:
        return edited.dealt_by(change.dealer)
    if "dealer" in change.agreed or not (change.agreed or edited.unfinished):
        return edited
    dealer = next(name for name in was if was[name] == state.deal.dealer)
    try:
        return edited.dealt_by(dealer)
    except NotAllowed:
        return edited


def _number(
    now: ChangeContext, view: TableView, new: Mapping[str, str], players: Iterable[str]
) -> tuple[dict[str, int], dict[int, int]]:
    """The number of everybody who sits, and by whose name some go; new names get numbers.

    Raises NotAllowed when too many names would have played at the table.
    """
    names = now.view.names
    left = {n: "" if name in new else name for n, name in names.items()}
    texts = commit.add_names(now.connection, now.table.id, left, [*new.values(), *players])
    numbers = table_view.numbers_of(texts)
    called = {n: numbers[new[name]] for n, name in names.items() if name in new}
    # A person who has another name keeps the number, and a seat its person's.
    kept = {name: view.numbers[name] for name in numbers if name in view.numbers and not new}
    return numbers | kept | {new[names[n]]: n for n in reversed([*called])}, called


def _write_items(
    items: Sequence[EditItem], numbers: Mapping[str, int]
) -> tuple[KeptRange | JsonObject, ...]:
    """Write entries: ranges of those that are kept, and events."""
    written: list[KeptRange | JsonObject] = []
    for item in items:
        if isinstance(item, Event):
            written.append(write_numbers(item, numbers))
        elif written and isinstance(written[-1], tuple) and written[-1][1] == item:
            written[-1] = (written[-1][0], item + 1)
        else:
            written.append((item, item + 1))
    return tuple(written)


class EditEvent(Change, frozen=True):
    """Entry `index` of the newest game was another; the rest is worked out again."""

    index: int
    raw: object

    def make(self, now: ChangeContext) -> Proposal | None:
        """Edit the game.

        Raises NotFound when there is no such entry; BadFile; NotAllowed for the first that no
        longer fits.
        """
        view, index = now.view, self.index
        if index >= len(view.game.events):
            raise NotFound("no_such_event")
        event = write_event(read_event(self.raw, view.states[index].players))
        return Edit(operations=[Operation("change", index, event)], exact=True).make(now)


class TakeBackEvent(Change, frozen=True):
    """The last event of the newest game is taken back: undone where it came last, else removed."""

    def make(self, now: ChangeContext) -> Proposal | None:
        """Undo or edit. Raises NotAllowed when the game has no event."""
        count = len(now.view.game.events)
        if not count:
            raise NotAllowed("nothing_to_undo")
        if isinstance(now.view.undoable, Event):
            return Undo().make(now)
        return Edit(operations=[Operation("remove", count - 1)]).make(now)

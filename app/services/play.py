"""Playing at a table: each change loads, checks, appends and folds, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from app import store
from app.rules.amendment import Entry, judge, place_entries, require_standing
from app.rules.currency import Currency
from app.rules.ending import next_dealer
from app.rules.errors import NotAllowed
from app.rules.events import BreakOff, Event, Joins, read_event
from app.rules.game import apply, begin
from app.rules.gamefile import MAX_EVENTS, read_setup, write_game
from app.rules.names import read_players
from app.rules.state import GameState
from app.services import amendments, people, quotas, undoing
from app.services.amendments import DraftItem
from app.services.change import Change, check_room, enroll, make_change
from app.services.game_states import with_id
from app.services.serialization import serialize_event, serialize_setup
from app.services.sheets import AmendedGame, Sheet, StartedGame
from app.services.tables import NotFound, Write, derive_game_id
from app.store.database import Database


def record(db: Database, write: Write, raw: object) -> Sheet:
    """Record an event of the newest game, given as a game file writes it.

    Raises BadFile, NotAllowed, Stale, NoPen, NotFound; then nothing has changed.
    """

    def append(change: Change) -> Sheet:
        sheet = change.sheet
        event = read_event(raw, sheet.state.players)
        if len(sheet.game.events) >= MAX_EVENTS:
            raise NotAllowed("too_many_events", limit=MAX_EVENTS)
        after = _with_event(sheet, event)
        _check_joining(change, [event], after.state)
        _drop_undone(change)
        _append(change, event)
        return replace(after, newest_change=None, redoable=None)

    return make_change(db, write, append)


def undo(db: Database, write: Write) -> Sheet:
    """Undo the newest change of the table: a tap, an amendment, or the start of a game.

    Raises NotAllowed when there is none, and when somebody has paid who would be in no game.
    """
    return make_change(db, write, undoing.step_back)


def redo(db: Database, write: Write) -> Sheet:
    """Make what was undone last again. Raises NotAllowed when there is nothing to redo."""
    return make_change(db, write, undoing.step_forward)


def amend(db: Database, write: Write, number: int, entries: Sequence[DraftItem]) -> Sheet:
    """Let game `number` have gone like this instead; what was recorded before stays in the log.

    An int keeps the game's entry of that index, each greater than the one before; an event is put
    in at that place. Every entry stays in its deal, at its step. Raises NotAllowed, with the index
    of the first event that does not fit, and when a game that others have followed would no longer
    end; BadFile for indices that are none; then nothing has changed.
    """
    return make_change(db, write, lambda change: _amend(change, entries), number)


def replace_event(db: Database, write: Write, index: int, raw: object) -> Sheet:
    """Let entry `index` of the newest game have been another, and work the rest out again.

    Every other entry stays in its deal, at its step. Raises NotFound when there is no such entry,
    and otherwise as `amend`.
    """

    def put(change: Change) -> Sheet:
        game = change.sheet.game
        if index >= len(game.events):
            raise NotFound("no_such_event")
        event = read_event(raw, change.sheet.states[index].players)
        return _amend(change, [*range(index), event, *range(index + 1, len(game.events))])

    return make_change(db, write, put)


def undo_newest_event(db: Database, write: Write) -> Sheet:
    """Take the last event of the newest game back: by undo where it came last, else amended away.

    Raises NotAllowed when the game has none.
    """

    def take_back(change: Change) -> Sheet:
        count = len(change.sheet.game.events)
        if not count:
            raise NotAllowed("nothing_to_undo")
        if change.sheet.newest_change is None:
            return undoing.step_back(change)
        return _amend(change, range(count - 1))

    return make_change(db, write, take_back)


def _amend(change: Change, entries: Sequence[DraftItem]) -> Sheet:
    sheet, game = change.sheet, change.sheet.game
    entries = amendments.read_entries(game.events, entries)
    states = _check_amended(sheet, entries)
    _check_joining(change, [each for each in entries if isinstance(each, Event)], states[-1])
    if entries == list(range(len(game.events))):
        return sheet
    events = amendments.amended_events(game.events, entries)
    deal = states[amendments.first_difference(entries)].deal.number
    amendments.write_amendment(change, entries, deal)
    after = replace(sheet, game=replace(game, events=events), states=states, redoable=None)
    return replace(after, newest_change=AmendedGame(sheet.number, deal))


def _check_amended(sheet: Sheet, entries: Sequence[DraftItem]) -> list[GameState]:
    """The states of a game as it is amended, each entry in its deal and at its step.

    Raises NotAllowed as `amend` does.
    """
    game, recorded = sheet.game, place_entries(sheet.states, sheet.game.events)
    draft = [recorded[entry] if isinstance(entry, int) else Entry(entry) for entry in entries]
    amendment = judge(game.setup, draft)
    require_standing(amendment)
    if sheet.number < sheet.games and not amendment.states[-1].over:
        raise NotAllowed("earlier_game_must_end")
    return list(amendment.states)


def _check_joining(change: Change, events: Sequence[Event], after: GameState) -> None:
    """Raise NotAllowed when somebody who joins by these events is a person who has a seat."""
    if any(isinstance(event, Joins) for event in events):
        people.refuse_same_person(change.connection, change.table.id, after.players)


def _append(change: Change, event: Event) -> None:
    """Append an event to the game's log. Raises NotAllowed when that is full."""
    body = serialize_event(event, enroll(change, [event]))
    check_room(change, [body], quotas.SPARE if isinstance(event, BreakOff) else 0)
    quotas.add_entries(change.connection, change.table.id, quotas.weigh([body]) - 1)
    store.games.add_events(change.connection, change.game.id, change.sheet.seq, [(body, None)])


def _drop_undone(change: Change) -> None:
    """What was undone before something new is recorded can no longer be redone."""
    if change.head.undone is not None:
        store.undo_stack.drop_undone(change.connection, change.table.id)
    elif change.sheet.redoable is not None:
        store.undo_stack.drop_undone_events(change.connection, change.game.id)


def next_game(
    db: Database,
    write: Write,
    changes: dict[str, object] | None = None,
    currency: Currency | None = None,
) -> Sheet:
    """Start the table's next game: same seats, stake and rules, the deal moves on.

    Whoever joined the last one sits where they sat.

    `changes` holds what differs, as a game file writes it; `currency` is the table's from now on.
    Raises NotAllowed while a game is being played, for two names of one person, and for another
    currency where a game was for money; and BadFile.
    """

    def start(change: Change) -> Sheet:
        sheet, number = change.sheet, change.game.number + 1
        if not sheet.state.over:
            raise NotAllowed("still_playing")
        setup = read_setup(_next_setup(sheet, changes or {}))
        _check_next(change, number, setup.players)
        sheet = _change_currency(change, currency or sheet.currency)
        text, uid = serialize_setup(setup), derive_game_id(write.link, number, sheet.seq)
        _drop_undone(change)
        row = store.games.add(change.connection, change.table.id, number, uid, text, sheet.seq)
        game, started = with_id(setup, (), uid), StartedGame(number)
        return replace(
            sheet,
            games=number,
            number=number,
            begun_at=row.begun_at,
            game=game,
            states=[begin(setup)],
            newest_change=started,
            redoable=None,
        )

    return make_change(db, write, start)


def may_change_currency(db: Database, table_id: int) -> bool:
    """Whether a table's next game may be for another currency: none before it was for money.

    Also one that was broken off for nothing: undone or mended, it is for money again.
    """
    return not store.tables.has_money(db.connection, table_id)


def _change_currency(change: Change, currency: Currency) -> Sheet:
    """Raise NotAllowed where amounts that stand in the ledger would become others."""
    if currency != change.table.currency:
        if store.tables.has_money(change.connection, change.table.id):
            raise NotAllowed("currency_settled")
        store.tables.change_currency(change.connection, change.table.id, currency)
    return replace(change.sheet, currency=currency)


def _check_next(change: Change, number: int, players: Sequence[str]) -> None:
    """Raise NotAllowed when the table holds no more games or names, or one person has two seats."""
    quotas.check_table(change.table)
    quotas.check_games(number)
    if set(players) - set(change.sheet.state.players):
        quotas.check_names(change.connection, change.table.id, players)
        people.refuse_same_person(change.connection, change.table.id, players)


def _with_event(sheet: Sheet, event: Event) -> Sheet:
    game = replace(sheet.game, events=(*sheet.game.events, event))
    return replace(sheet, game=game, states=[*sheet.states, apply(sheet.state, event)])


def _next_setup(sheet: Sheet, changes: dict[str, object]) -> dict[str, object]:
    last = write_game(sheet.game)
    players = sheet.state.players
    last["players"] = players
    next_players = read_players(changes.get("players", players))
    if set(players) & set(next_players):
        last["dealer"] = next_dealer(players, sheet.state.deal.dealer, next_players)
    else:
        del last["dealer"]
    return {**last, **changes}

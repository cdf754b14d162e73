"""Playing: events recorded, games started, and all of it undone and redone."""

from msgspec.structs import replace

from app.rules.codes import NotAllowed
from app.rules.events import BreakOff, Joins, read_event
from app.rules.game import apply, next_dealer
from app.rules.gamefile import MAX_EVENTS, Game, read_setup, write_game
from app.rules.names import read_players
from app.rules.settlement import Currency
from app.services import bounds, people
from app.services.access import derive_game_id
from app.services.commit import Change, ChangeContext, Proposal
from app.services.table_view import GameBody, TableView, to_json, write_numbers, write_setup
from app.store import log
from app.store.database import Connection
from app.store.log import ChangeKind, ChangeRow


class Record(Change, frozen=True):
    """An event of the newest game, given as a game file writes it."""

    raw: object

    def make(self, now: ChangeContext) -> Proposal:
        """Append the event. Raises BadFile, and NotAllowed by the rules or for want of room.

        A person who joins may have no other seat.
        """
        view = now.view
        event = read_event(self.raw, view.state.players)
        bounds.check("too_many_events", len(view.game.events) + 1, MAX_EVENTS)
        state = apply(view.state, event)
        numbers = view.numbers
        if isinstance(event, Joins):
            people.refuse_same_person(now.connection, now.table.id, state.players)
            numbers = now.number([event.player])
        headroom = bounds.HEADROOM if isinstance(event, BreakOff) else 0
        body = to_json(write_numbers(event, numbers))
        after = replace(
            view,
            seq=now.seq,
            game=replace(view.game, events=(*view.game.events, event)),
            states=[*view.states, state],
            undoable=event,
            redoable=None,
            entry_count=view.entry_count + bounds.weigh(body),
        )
        # A new player is among everybody's names from now on.
        known = numbers is view.numbers
        return Proposal("record", view.number, body, after if known else None, headroom)


class Undo(Change, frozen=True):
    """The newest change of the table counts no more, until it is redone."""

    def make(self, now: ChangeContext) -> Proposal:
        """Take it back. Raises NotAllowed when there is none."""
        row = log.find_done(now.connection, now.table.id)
        if row is None:
            raise NotAllowed("nothing_to_undo")
        return _set_undone(now, "undo", row)


class Redo(Change, frozen=True):
    """Redo the change undone last."""

    def make(self, now: ChangeContext) -> Proposal:
        """Bring it back. Raises NotAllowed when there is nothing to redo."""
        row = log.find_undone(now.connection, now.table.id)
        if row is None:
            raise NotAllowed("nothing_to_redo")
        return _set_undone(now, "redo", row)


_SETTINGS = ("rename", "people", "edit", "start")


def _set_undone(now: ChangeContext, kind: ChangeKind, row: ChangeRow) -> Proposal:
    undone, headroom = (now.seq, bounds.UNLIMITED) if kind == "undo" else (None, bounds.HEADROOM)
    log.mark(now.connection, now.table.id, row.seq, undone)
    return Proposal(kind, row.game, str(row.seq), None, headroom, row.kind in _SETTINGS)


class Start(Change, frozen=True):
    """The table's next game: same seats, stake and rules, the deal moves on.

    Players who joined the last one sit where they sat. `changes` holds what differs, as a game file
    writes it; `currency` is the table's from now on.
    """

    changes: dict[str, object] | None = None
    currency: Currency | None = None

    def make(self, now: ChangeContext) -> Proposal:
        """Start it.

        Raises NotAllowed while a game is being played, for two names of one person, and for
        another currency where a game was for money; and BadFile.
        """
        view = now.view
        number = view.number + 1
        if not view.state.over:
            raise NotAllowed("still_playing")
        setup = read_setup(_next_setup(view, self.changes or {}))
        bounds.check("too_many_games", number, bounds.MAX_GAMES)
        if set(setup.players) - set(view.state.players):
            people.refuse_same_person(now.connection, now.table.id, setup.players)
        currency = self.currency or view.currency
        check_currency(now, currency)
        numbers, uid = now.number(setup.players), derive_game_id(now.table.link, number, now.seq)
        body = to_json(GameBody(uid, write_setup(setup, numbers), currency))
        return Proposal("start", number, body, changes_table=currency != view.currency)


def check_currency(now: ChangeContext, currency: Currency) -> None:
    """Raise NotAllowed for a next game's currency that is another where a game was for money."""
    if currency != now.view.currency and has_money(now.connection, now.table.id):
        raise NotAllowed("currency_settled")


def has_money(connection: Connection, table_id: int, but: int = 0) -> bool:
    """Whether a game of a table, `but` this one, is or was for money, or anything was ever paid.

    Also one that was broken off for nothing: undone or edited, it is for money again.
    """
    sql = """SELECT EXISTS (SELECT 1 FROM changes WHERE table_id = ? AND undone IS NULL
        AND (kind = 'pay' OR kind IN ('open', 'import', 'start', 'edit')
            AND body ->> '$.setup.stake_ore' > 0 AND COALESCE(body ->> '$.game', game) <> ?))"""
    return bool(connection.find_number(sql, table_id, but))


def _next_setup(view: TableView, changes: dict[str, object]) -> dict[str, object]:
    last = write_game(Game(view.state.setup, ()))
    players = view.state.players
    last["players"] = players
    next_players = read_players(changes.get("players", players))
    if set(players) & set(next_players):
        last["dealer"] = next_dealer(players, view.state.deal.dealer, next_players)
    else:
        del last["dealer"]
    return {**last, **changes}

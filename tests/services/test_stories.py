"""Stories of a table, told in `stories`: what is recorded, asked for and refused, and what is seen.

A step is a text of facts; a change by its class and its fields; a command with what it takes;
or a step within another: `refused` by a code, `as` somebody else, `later` by minutes, `elsewhere`,
and what it `gives`. What is seen now stands by its name. Facts stand for events.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.rules.codes import ChicagoError
from app.rules.gamefile import Game
from app.services import (
    access,
    erasure,
    import_export,
    notes,
    payments,
    phones,
    table_view,
)
from app.services.commit import Change
from app.services.edit import Edit, EditEvent, TakeBackEvent, plan_edit
from app.services.opening import IdempotentRequest, NewTable, open_once
from app.services.payments import Pay, PayAll, PayInAdvance, Unpay
from app.services.people import Merge, Rename, Split
from app.services.play import Record, Redo, Start, Undo
from app.services.table_view import UndoableChange
from tests.rules.table import facts, write_facts
from tests.services.conftest import Seat
from tests.services.keeper import Keeper, content, game_from, paid
from tests.stopped import stopped_at

STORIES = [
    pytest.param(story, id=f"{path.stem}: {title}")
    for path in sorted((Path(__file__).parent / "stories").glob("*.json"))
    for title, story in json.loads(path.read_text("utf-8")).items()
]
KINDS = (Edit, EditEvent, TakeBackEvent, Pay, PayAll, PayInAdvance, Unpay, Merge, Rename, Split)
CHANGES = {kind.__name__: kind for kind in (*KINDS, Record, Redo, Start, Undo)}


def read_games(told: Iterable[list[str]]) -> list[Game]:
    """Return games told by their players and facts."""
    return [game_from("2026-01-01T20:00Z", *each) for each in told]


OF_READERS = (notes.doubt, notes.take_doubt_back, payments.save_own_swish_number)
OF_KEEPERS = (
    *(notes.wave_off, notes.drop_said_paid, payments.save_swish_number),
    *(erasure.erase_name, erasure.delete_game, erasure.delete_table),
    *(access.make_pen_link, access.make_recovery_link, access.turn_recovery_off),
    access.revoke_others,
)
COMMANDS: dict[str, Callable[..., object]] = {
    **{do.__name__: lambda k, *told, do=do: do(k.db, k.link, *told) for do in OF_READERS},
    **{do.__name__: lambda k, *told, do=do: do(k.db, k.write(), *told) for do in OF_KEEPERS},
    "say_paid": lambda k, *between: notes.say_paid(k.db, k.link, between),
    "import": lambda k, *games: import_export.import_games(k.db, k.write(), read_games(games)),
    "import_elsewhere": lambda k, *games: import_export.open_with_games(
        k.db, read_games(games), "", k.pen
    ),
    "look": lambda k, name: access.read_link_state(k.db, k.access, k.secrets[name]),
    "take": lambda k, name: access.redeem_pen_link(k.db, k.link, k.secrets.get(name, name), k.pen),
    "recover": lambda k, name: access.recover(k.db, k.link, k.secrets[name], k.pen),
    "offer": lambda k, kind: phones.make_transfer(k.db, kind, k.pen, {k.link: False}),
    "accept": lambda k, kind, name: phones.take_transfer(k.db, kind, k.secrets[name], k.pen).state,
    "open": lambda k, *asked: (
        access.find_access(
            k.db.connection,
            *open_once(k.db, IdempotentRequest(k.pen, *asked), NewTable(k.view.game.setup, "")),
        ).id
    ),
}


def see_change(change: object) -> object:
    """Return what undo or redo says."""
    if not isinstance(change, UndoableChange):
        return change and type(change).__name__
    return change.kind, change.number, change.deal, change.name, change.same_as


PLACES = {
    "version": "seq",
    "name": "view.name",
    "game": "view.number",
    "games": "games",
    "events": "recorded",
    "scores": "view.state.scores",
    "dealer": "view.state.deal.dealer",
    "winners": "view.state.winners",
    "over": "view.state.over",
    "entries": "access.entry_count",
    "writes": "access.writes",
    "revoked": "access.revoked",
    "version_of_money": "access.ledger_seq",
    "persons": "people.whose",
    "numbers": "people.numbers",
    "owed": "ledger.owed",
}
SEEN: dict[str, Callable[[Keeper], object]] = {
    **{name: attrgetter(place) for name, place in PLACES.items()},
    "currency": lambda k: [k.view.currency, k.access.currency],
    "undo": lambda k: see_change(k.view.undoable),
    "redo": lambda k: see_change(k.view.redoable),
    "left": lambda k: {name: ore for name, ore in k.ledger.outstanding.items() if ore},
    "paid": lambda k: paid(k.ledger),
    "doubts": lambda k: [
        (each.person, each.number, each.index, each.event.players())
        for each in notes.list_doubts(k.db, k.link)
    ],
    "said_paid": lambda k: [
        (*each.between, each.ore) for each in notes.list_said_paid(k.db, k.link)
    ],
    "lines": lambda k: [[*line.scores] for line in k.ledger.lines],
    "wins": lambda k: {each.name: each.wins_now for each in k.statistics.people},
    "names": lambda k: erasure.list_names(k.db, k.link),
    "named_in_notes": lambda k: [
        name for name in k.people.numbers if name in str([*k.db.connection.table("notes").rows])
    ],
    "pens": lambda k: dict(
        k.db.connection.execute("SELECT kind, COUNT(*) FROM pens GROUP BY kind").fetchall()
    ),
    "swish": lambda k: {
        name: number
        for name in k.people.numbers
        if (number := payments.find_swish_number(k.db, k.table_id, name))
    },
    "log": lambda k: k.db.connection.table("changes").count,
    "notes": lambda k: k.db.connection.table("notes").count,
    "nonces": lambda k: k.db.connection.table("tables").count_where("nonce IS NOT NULL"),
    "withheld": lambda k: k.db.connection.find_number(
        "SELECT SUM(json_array_length(withheld)) FROM transfers"
    ),
    "transfers": lambda k: k.db.connection.table("transfers").count,
}


def read_change(kind: str, told: dict[str, Any]) -> Change:
    """Return a change by the name of its class and its fields."""
    if "raw" in told:
        told["raw"] = write_facts(told["raw"])[0]
    for each in told.get("operations", ()):
        each[2:] = write_facts(*each[2:])
    entries = told.pop("entries", None)
    change: Change = msgspec.convert(told, CHANGES[kind])
    if entries is None:
        return change
    read = [each if isinstance(each, int) else facts(each)[0] for each in entries]
    return msgspec.structs.replace(change, entries=read)


def take(keeper: Keeper, step: str | dict[str, Any] | list[Any]) -> object:
    """Take a step, and return what it gives; of an edit whoever looks before sees what it does."""
    if isinstance(step, str):
        return keeper.record(step)
    if isinstance(step, dict):
        seen = {name: SEEN[name](keeper) for name in step}
        assert json.loads(msgspec.json.encode(seen)) == step
        return None
    match step:
        case ["refused", code, refused]:
            before = content(keeper.db)
            with pytest.raises(ChicagoError) as fault:
                take(keeper, refused)
            assert (fault.value.code, content(keeper.db)) == (code, before)
            return None
        case ["gives", answer, inner]:
            assert take(keeper, inner) == answer
            return None
        case ["as", other, inner]:
            return take(replace(keeper, **other), inner)
        case ["elsewhere", inner]:
            return take(keeper.at_another_table(), inner)
        case ["later", minutes, inner]:
            with stopped_at(datetime.now(UTC) + timedelta(minutes=minutes)):
                return take(keeper, inner)
        case ["keep", name, inner]:
            keeper.secrets[name] = str(take(keeper, inner))
            return None
        case [what, *told] if what in COMMANDS:
            return COMMANDS[what](keeper, *told)
    what, *told = step
    change = read_change(what, *told or [{}])
    plan = plan_edit(keeper.db, keeper.link, change) if isinstance(change, Edit) else None
    keeper.commit(change)
    if plan:
        view = table_view.read_view(keeper.db, keeper.link, plan.view.number)
        assert (plan.edited.setup, plan.edited.states) == (view.game.setup, view.states)
    return None


@pytest.mark.parametrize("story", STORIES)
def test_a_story_goes_as_it_is_told(
    seat: Seat, monkeypatch: pytest.MonkeyPatch, story: dict[str, Any]
) -> None:
    """Each step is taken as it is told; a refusal changes nothing on disk."""
    for name, most in story.get("bounds", {}).items():
        monkeypatch.setattr(f"app.services.{name}", most)
    keeper = seat(story.get("players"), story.get("rules"), **story.get("setup", {}))
    for step in story["steps"]:
        take(keeper, step)

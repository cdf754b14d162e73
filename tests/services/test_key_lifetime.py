"""What is kept of a keyed request: little, without a secret or a name, and for a day."""

import time

import pytest

from app.services import idempotency, play
from app.services.idempotency import Completion, IdempotentRequest
from app.store import idempotency as rows
from app.store.database import Database
from tests.services.keeper import Keeper, correction

DAY = rows.LIFETIME_SECONDS


def ask(keeper: Keeper, key: str) -> IdempotentRequest:
    """Return a request of this keeper."""
    return IdempotentRequest(keeper.link, keeper.pen, key, f"tap {key}")


def record(keeper: Keeper, key: str) -> Completion:
    """Record an event under a key, as the API does."""

    def act() -> Completion:
        return Completion(201, play.record(keeper.db, keeper.write(), correction("Anna", 1)))

    return idempotency.once(keeper.db, ask(keeper, key), act)


def refuse(keeper: Keeper, key: str) -> Completion:
    """Send something under a key that is refused."""
    return idempotency.once(keeper.db, ask(keeper, key), lambda: Completion(422, None, "No."))


def kept(db: Database) -> int:
    """Return how many keys are kept."""
    return int(db.connection.execute("SELECT COUNT(*) FROM idempotency_keys").fetchone()[0])


def let_pass(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let time pass for keys, so much and no more."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)


def test_keys_are_gone_after_a_day(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later writes take them along, some at a time; those of today stay."""
    for number in range(3 * rows.PRUNE_ROWS):
        refuse(keeper, f"old {number}")
    let_pass(monkeypatch, DAY + 1)
    record(keeper, "new 1")
    assert kept(keeper.db) == 2 * rows.PRUNE_ROWS + 1
    record(keeper, "new 2")
    record(keeper, "new 3")
    record(keeper, "new 4")
    assert kept(keeper.db) == 4
    seq = keeper.seq
    record(keeper, "new 1")
    assert keeper.seq == seq

"""A request that comes again is known by its key, and carried out once."""

from functools import partial

import pytest

from app.rules.errors import NotAllowed
from app.services import idempotency, play
from app.services.idempotency import Completion, IdempotentRequest, KeyReused
from tests.services.keeper import NOBODY, Keeper, best_hand, last_trick


def request(keeper: Keeper, content: str = "tap", key: str = "k") -> IdempotentRequest:
    """Return a request of this keeper."""
    return IdempotentRequest(keeper.link, keeper.pen, key, content)


def record(keeper: Keeper, event: object) -> Completion:
    """Record an event, and say what became of it."""
    return Completion(201, play.record(keeper.db, keeper.write(), event))


def test_the_first_outcome_is_told_again(keeper: Keeper) -> None:
    """The same request again changes nothing, and is answered as it was."""
    act = partial(record, keeper, NOBODY)
    first, *others = [idempotency.once(keeper.db, request(keeper), act) for _ in range(3)]
    assert first.status == 201
    assert others == [first] * 2
    assert keeper.recorded == ["NoBestHand"]


def test_a_key_serves_for_one_request(keeper: Keeper) -> None:
    """Another request with the same key is refused, and not carried out."""
    act = partial(record, keeper, NOBODY)
    idempotency.once(keeper.db, request(keeper), act)
    with pytest.raises(KeyReused):
        idempotency.once(keeper.db, request(keeper, "another"), act)
    idempotency.once(keeper.db, request(keeper, "another", "another"), act)
    assert keeper.recorded == ["NoBestHand"] * 2


def test_a_request_that_was_refused_may_be_tried_again(keeper: Keeper) -> None:
    """What raises leaves nothing, not even its key."""
    act = partial(play.record, keeper.db, keeper.write(), last_trick("Anna"))
    with pytest.raises(NotAllowed):
        keeper.send("trick", act)
    keeper.record(NOBODY, NOBODY)
    assert keeper.send("trick", act).state.score("Anna") > 0


def test_whoever_comes_again_is_answered_with_what_stands_now(keeper: Keeper) -> None:
    """A form gives back what it did, and sent again what the table is by then."""
    act = partial(play.record, keeper.db, keeper.write(), NOBODY)
    form = partial(idempotency.perform, keeper.db, request(keeper), act)
    assert form(lambda: keeper.sheet).seq == 2
    now = keeper.record(best_hand("Bo"))
    assert form(lambda: keeper.sheet) == now
    assert keeper.recorded == ["NoBestHand", "BestHand"]

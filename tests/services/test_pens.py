"""Links that give a pen: to one phone within a quarter of an hour, or kept apart for a loss."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.services import access, bounds
from app.services.access import (
    NoPen,
    find_access,
    hash_secret,
    make_recovery_link,
    read_link_state,
    recover,
    revoke_others,
    turn_recovery_off,
)
from tests.services.conftest import Seat
from tests.services.keeper import Keeper


def hand_over(keeper: Keeper) -> str:
    """Make a link that gives one phone the pen; return its secret."""
    return access.make_pen_link(keeper.db, keeper.write())


def take(keeper: Keeper, secret: str, pen: str = "other") -> str:
    """Let a phone take the pen by a link; return the state that this had."""
    return access.redeem_pen_link(keeper.db, keeper.link, secret, pen)


def writes(keeper: Keeper, *phones: str) -> list[bool]:
    """Return for each phone whether it writes at the table."""
    connection = keeper.db.connection
    return [find_access(connection, keeper.link, pen).writes for pen in phones]


def test_a_link_gives_one_phone_the_pen(keeper: Keeper, seat: Seat) -> None:
    """Who writes uses none up, and may ask twice; one of another table gives nothing here."""
    secret = hand_over(keeper)
    for pen, state in (
        (keeper.pen, "open"),
        ("other", "open"),
        ("other", "open"),
        ("third", "used"),
    ):
        assert take(keeper, secret, pen) == state
    for unknown in (hand_over(seat()), "never was"):
        assert take(keeper, unknown, "third") == "revoked"
    assert writes(keeper, "other", "third") == [True, False]


@pytest.mark.parametrize(
    ("minutes", "state"),
    # Even with a clock that was set back since no link lives longer than twice that time.
    [(14, "open"), (16, "expired"), (-0.5, "open"), (-16, "expired")],
)
def test_a_link_holds_for_a_quarter_of_an_hour(keeper: Keeper, minutes: float, state: str) -> None:
    """It is over for who opens it, and for who opened it in time."""
    secret = hand_over(keeper)
    made = (datetime.now(UTC) - timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
    sql = "UPDATE pens SET granted_at = ? WHERE kind = 'link'"
    keeper.db.connection.execute(sql, [made])
    assert read_link_state(keeper.db, keeper.access, secret) == state
    assert take(keeper, secret) == state
    assert writes(keeper, "other") == [state == "open"]


def test_a_table_has_so_many_links_at_a_time(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Repeated requests fill no disk; the newest links work, until the pens are taken back."""
    monkeypatch.setattr(access, "MAX_LINKS", 2)
    first, second, third = (hand_over(keeper) for _ in range(3))
    assert keeper.db.connection.table("pens").count_where("kind = 'link'") == 2
    assert [take(keeper, first), take(keeper, second)] == ["revoked", "open"]
    revoke_others(keeper.db, keeper.write())
    assert take(keeper, third) == "revoked"
    assert writes(keeper, keeper.pen, "other") == [True, False]


def test_pens_that_were_taken_back_do_not_pile_up(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many are known as may write: who took the others back, and the newest of those."""
    monkeypatch.setattr(bounds, "MAX_PENS", 3)
    for pen in ("1", "2", "3", "4"):
        take(keeper, hand_over(keeper), pen)
        revoke_others(keeper.db, keeper.write())
    assert keeper.db.connection.table("pens").count_where("kind = 'pen'") == 3
    connection = keeper.db.connection
    accesses = [find_access(connection, keeper.link, pen) for pen in ("2", "3", "4")]
    assert [access.revoked for access in accesses] == [False, True, True]
    assert writes(keeper, keeper.pen) == [True]


def test_a_recovery_link_gives_the_pen_any_number_of_times(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a full table the oldest pen makes room; the link is stored hashed."""
    monkeypatch.setattr(bounds, "MAX_PENS", 3)
    secret, phones = make_recovery_link(keeper.db, keeper.write()), ("1", "2", "3", "4")
    for pen in phones:
        recover(keeper.db, keeper.link, secret, pen)
    assert writes(keeper, *phones) == [False, True, True, True]
    assert keeper.db.connection.table("pens").count_where("kind = 'pen'") == 3
    stored = str(keeper.db.connection.execute("SELECT * FROM pens").fetchall())
    assert secret not in stored
    assert hash_secret(secret) in stored


def test_a_recovery_link_is_the_newest_of_its_own_table(keeper: Keeper, seat: Seat) -> None:
    """No link of another kind is one, nor one from before."""
    other = seat()
    useless = [
        *(make_recovery_link(each.db, each.write()) for each in (keeper, other)),
        hand_over(keeper),
    ]
    newest = make_recovery_link(keeper.db, keeper.write())
    for secret in useless:
        with pytest.raises(NoPen):
            recover(keeper.db, keeper.link, secret, "lost")
    recover(keeper.db, keeper.link, newest, "lost")
    assert writes(keeper, "lost") == [True]
    turn_recovery_off(keeper.db, keeper.write())
    with pytest.raises(NoPen):
        recover(keeper.db, keeper.link, newest, "another")

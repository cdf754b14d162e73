"""A table is opened once: a repeated request gets the same link and pen, for a while."""

import pytest

from app.rules.codes import NotAllowed
from app.rules.gamefile import read_setup
from app.services import access, erasure, opening
from app.services.access import Write
from app.services.opening import IdempotentRequest, NewTable
from app.store.database import Database
from tests.services.keeper import PLAYERS

NEW = NewTable(read_setup({"players": PLAYERS}), "Torsdag")
ASK = IdempotentRequest("somebody", "c0ffee00-1234-4f5e", "four at a table")


def test_the_same_request_opens_one_table(db: Database) -> None:
    """A repeated request gets the same link and pen, which are stored nowhere."""
    link, pen = opening.open_once(db, ASK, NEW)
    assert opening.open_once(db, ASK, NEW) == (link, pen)
    assert access.find_access(db.connection, link, pen).writes
    assert db.connection.table("tables").count == 1
    stored = b"".join(path.read_bytes() for path in db.path.parent.iterdir())
    assert not [secret for secret in (link, pen, ASK.key) if secret.encode() in stored]


def test_a_phone_keeps_its_own_pen(db: Database) -> None:
    """A table opened from a page takes the phone's own pen; its link names the server."""
    link, pen = opening.open_once(db, ASK, NEW, "a", "own pen")
    assert (link[:2], pen) == ("a.", "own pen")
    assert access.find_access(db.connection, link, "own pen").writes


def test_a_table_at_which_the_pen_does_not_write_is_not_told(db: Database) -> None:
    """A repeated request is refused once the pen is taken back or the table is deleted."""
    link, pen = opening.open_once(db, ASK, NEW)
    access.redeem_pen_link(db, link, access.make_pen_link(db, Write(link, pen)), "another")
    access.revoke_others(db, Write(link, "another"))
    with pytest.raises(NotAllowed, match="key_too_old"):
        opening.open_once(db, ASK, NEW)
    erasure.delete_table(db, Write(link, "another"))
    with pytest.raises(NotAllowed, match="key_too_old"):
        opening.open_once(db, ASK, NEW)

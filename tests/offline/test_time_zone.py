"""The evenings of a phone are those of its server: it keeps the server's time zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from app.services import access, ledger
from app.services.statistics import read_statistics
from app.store import clock
from tests.offline.phones import Phone, pool_of
from tests.stopped import stopped_at

SetZone = Callable[[str], None]
NEW_YORK = "America/New_York"
# A quarter past eleven on the last evening of June, in New York.
AT = datetime.fromisoformat("2026-07-01T03:15:00+00:00")


def play(phone: Phone) -> str:
    """Play a game on the phone at that moment."""
    with stopped_at(AT):
        phone.refresh()
        link = phone.open_table()
        phone.tap(link, "Anna pair, settled")
    return link


def told(phone: Phone, zone: str, set_zone: SetZone) -> str:
    """Return the answer to a pull from a server in a zone; the phone is in the default zone."""
    set_zone(zone)
    text = phone.fetch()
    set_zone(clock.DEFAULT_ZONE)
    return text


def span(phone: Phone, link: str) -> object:
    """Return the months of the phone's figures."""
    db = pool_of(phone.app)
    return read_statistics(db, access.find_access(db.connection, link, None).id).span


def test_a_phone_has_its_servers_evenings(phone: Phone, set_zone: SetZone) -> None:
    """A game played before the pull moves to its evening, and its month."""
    link = play(phone)
    assert ledger.read_ledger(pool_of(phone.app), link).evenings == [date(2026, 7, 1)]
    assert span(phone, link) == ("2026-07", "2026-07")
    phone.take(told(phone, NEW_YORK, set_zone))
    assert ledger.read_ledger(pool_of(phone.app), link).evenings == [date(2026, 6, 30)]
    assert span(phone, link) == ("2026-06", "2026-06")

"""The evenings of a phone are those of its server: it keeps the server's time zone."""

from collections.abc import Callable
from datetime import date, datetime

from app.services import access, ledger
from app.services.statistics import read_statistics
from app.store import clock
from tests.offline.phones import Phone, pool_of
from tests.offline.stories import Story
from tests.stopped import stopped_at

# A quarter past eleven on the last evening of June, in New York.
AT = datetime.fromisoformat("2026-07-01T03:15:00+00:00")


def test_a_phone_has_its_servers_evenings(phone: Phone, set_zone: Callable[[str], None]) -> None:
    """A game played before the pull moves to its evening, and its month."""
    with stopped_at(AT):
        link = Story(phone).tell(["pull", "open", "here Anna pair, settled"]).link
    db = pool_of(phone.app)
    table = access.find_access(db.connection, link, None)
    for day in (date(2026, 7, 1), date(2026, 6, 30)):
        assert ledger.read_ledger(db, link).evenings == [day]
        assert read_statistics(db, table.id).span == (f"{day:%Y-%m}",) * 2
        set_zone("America/New_York")
        told = phone.fetch()
        set_zone(clock.DEFAULT_ZONE)
        phone.take(told)

"""The evening of a moment, by the clock of the table and not by that of the server."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from app.store.clock import beginning_of, evening_of
from tests.told import told

SetZone = Callable[[str], None]


@pytest.fixture(params=["America/New_York", "Asia/Tokyo"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the system's time zone to another place."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@told
@pytest.mark.usefixtures("elsewhere")
def test_the_night_until_five_belongs_to_the_evening_before(moment: str, evening: str) -> None:
    """The table's clock decides, in any system time zone and in nights with a clock change."""
    assert evening_of(moment).isoformat() == evening
    assert beginning_of(date.fromisoformat(evening)) <= datetime.fromisoformat(moment)
    assert beginning_of(date.fromisoformat(evening) + timedelta(days=1)) > datetime.fromisoformat(
        moment
    )


@told
def test_another_zone_has_other_evenings(set_zone: SetZone, zone: str, evening: str) -> None:
    """Half past four in Stockholm is half past five in Helsinki."""
    set_zone(zone)
    assert evening_of("2026-10-18T02:30Z").isoformat() == evening


@told
def test_every_day_has_a_beginning(set_zone: SetZone, zone: str) -> None:
    """Also the first and the last day that a form accepts have a beginning."""
    set_zone(zone)
    for day in (date.min, date.max):
        assert abs(beginning_of(day).astimezone(UTC).year - day.year) <= 1


def test_no_time_is_told_by_the_systems_clock() -> None:
    """No code uses the system's zone, which differs between servers; linting finds the rest."""
    systems = re.compile(r"\.astimezone\(\)|\b(localtime|mktime|ctime|utcnow)\(")
    for path in (Path(__file__).parents[2] / "app").rglob("*.py"):
        assert not systems.search(path.read_text("utf-8")), path

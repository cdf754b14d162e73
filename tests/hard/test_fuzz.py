"""Requests made up by chance: no server's error, no change by what is refused, no secret logged."""

import time
from pathlib import Path

from tests.hard import fuzz, raw

REQUESTS, CONNECTIONS = 1500, 200
PATIENCE = 120.0


def test_whatever_is_asked_of_the_application_is_answered() -> None:
    """Every route, method, form, body, upload, host and cookie, as sent by a page and spoilt."""
    outcome = fuzz.trials((1, REQUESTS, time.monotonic() + PATIENCE))
    assert outcome.examples == {}
    assert outcome.statuses.total() == REQUESTS
    assert {200, 201, 303, 400, 401, 403, 404, 405, 409, 422} <= set(outcome.statuses)


def test_whatever_is_sent_to_the_server_is_answered(tmp_path: Path) -> None:
    """Broken framing, odd heads and hosts: an answer or none, and others are still served."""
    outcome = raw.run(tmp_path, CONNECTIONS, 1, time.monotonic() + PATIENCE)
    assert outcome.examples == {}
    assert outcome.sent == CONNECTIONS

"""The currency of a table: pulled to the phone with it, and pushed back."""

from __future__ import annotations

import json

import pytest

from app.rules.events import BreakOff, write_event
from app.services import access, play
from app.services.access import Write
from app.services.commit import commit
from tests.offline.phones import PLAYERS, Phone, pool_of


def currencies(phone: Phone, link: str) -> tuple[str, str]:
    """Return the table's currency on the server, and on the phone."""
    return phone.server_sheet(link).currency, phone.view(link).currency


def test_a_replica_has_the_servers_currency(phone: Phone) -> None:
    """The phone has it after the first pull, and after a change on the server."""
    form = {"player": PLAYERS, "stake": "0", "dealer": "0", "currency": "EUR"}
    link = phone.there.post("/", data=form).headers["Location"].removeprefix("/t/")
    phone.refresh()
    assert currencies(phone, link) == ("EUR", "EUR")
    with phone.there.session_transaction() as cookie:
        write = Write(link, cookie["pen"])
    for change in (play.Record(write_event(BreakOff(settle=False))), play.Start(None, "SEK")):
        commit(pool_of(phone.server), write, change)
    phone.refresh()
    assert currencies(phone, link) == ("SEK", "SEK")


@pytest.mark.parametrize("currency", ["USD", "", None, 7])
def test_an_opening_in_no_currency_is_refused(phone: Phone, currency: object) -> None:
    """The push opens no table."""
    phone.open_table()
    (batch,) = phone.outbox()
    body = json.loads(batch["rows"][0]["body"]) | {"currency": currency}
    batch["rows"][0]["body"] = json.dumps(body)
    assert phone.deliver(batch).status_code in (400, 422)
    with pytest.raises(access.NotFound):
        phone.server_sheet(batch["link"])

"""One of several servers, which divide the tables among them by the beginnings of links."""

from __future__ import annotations

from flask import Flask

from tests.web.phone import Phone
from tests.web.test_transfers import ADD, make_link

ELSEWHERE = f"/t/b.{'x' * 22}"


def test_tables_of_another_server_are_in_the_list(alone: Flask) -> None:
    """Each fetches its row from there; the start, putting away and a transfer know the link."""
    alone.config["INSTANCE"] = "a"
    phone, other = Phone(alone.test_client()), Phone(alone.test_client())
    phone.send("/", {"player": ["Anna", "Bo"], "stake": "1"})
    assert phone.table.startswith("/t/a.")
    assert "Anna" in phone.open(f"{phone.table}/row").text
    with phone.client.session_transaction() as cookie:
        cookie["tables"] = {ELSEWHERE.removeprefix("/t/"): False, **cookie["tables"]}
    path = make_link(phone, "/transfer")
    assert path.startswith("/transfer/a.")
    other.open(path)
    other.press(ADD)
    for each in (phone, other):
        assert ELSEWHERE in [link.href for link in each.open("/").links]
        [row] = each.open("/tables").elements("li[hx-get]")
        assert row["hx-get"] == f"{ELSEWHERE}/row"
        # Without scripts, and while that server is down, the row is a link.
        assert ELSEWHERE in [link.href for link in each.page.links]
        each.send("/tables", {"table": ELSEWHERE.removeprefix("/t/"), "do": "away"})
        assert "Tables put away" in each.page.text

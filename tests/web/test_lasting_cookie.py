"""Cookies of a phone: their lifetime, their size, and invalid ones."""

from __future__ import annotations

import pytest

from app.http import cookies
from app.services import access
from tests.told import told
from tests.web.phone import HTMX, Phone, writes

# Browsers drop larger cookies, name included.
LARGEST = 4096
FORM = {"player": ["Anna", "Bo"], "stake": "1", "apart": "1"}


@pytest.fixture
def keeper(phone: Phone) -> Phone:
    """Return a phone that has opened a table."""
    return opened(phone)


def opened(phone: Phone) -> Phone:
    """Open a table with a phone, and return the phone."""
    phone.send("/", FORM)
    assert phone.answer.status_code == 303
    return phone


def test_how_long_a_cookie_lives_is_up_to_the_phone_s_clock(keeper: Phone) -> None:
    """An expiry date by a server's clock that is years behind would be over at once."""
    for name in ("chicago", "chicago-pen"):
        cookie = keeper.client.get_cookie(name)
        assert cookie
        assert cookie.max_age == 400 * 24 * 3600
        assert cookie.http_only
        assert cookie.same_site == "Lax"


def test_looking_at_the_same_table_again_sets_no_cookie(keeper: Phone) -> None:
    """Only a change sets a cookie: another table, which comes first from then on."""
    first = keeper.table
    opened(keeper)
    for table, sets in ((first, True), (first, False), (keeper.table, True), (first, True)):
        keeper.open(table)
        assert ("Set-Cookie" in keeper.answer.headers) is sets
    # A late answer to htmx would put an older one back.
    assert "Set-Cookie" not in keeper.client.post(f"{keeper.table}/undo", headers=HTMX).headers


@told
def test_a_cookie_that_is_none_is_as_good_as_empty(keeper: Phone, nonsense: str) -> None:
    """A broken or foreign cookie counts as empty, the pen stays; a false pen writes nowhere."""
    keeper.client.set_cookie("chicago", nonsense)
    assert "opened no table yet" in keeper.open("/tables").text
    assert writes(keeper, keeper.table)
    keeper.client.set_cookie("chicago-pen", nonsense)
    assert not writes(keeper, keeper.table)


def test_the_newest_sixty_tables_are_kept(keeper: Phone) -> None:
    """The cookie holds them, with the longest links."""
    first = keeper.table.removeprefix("/t/")
    links = {access.new_link("instance"): False for _ in range(cookies.MOST_TABLES - 1)}
    with keeper.client.session_transaction() as cookie:
        cookie["tables"] = {**links, first: False}
    opened(keeper)
    with keeper.client.session_transaction() as cookie:
        assert list(cookie["tables"]) == [keeper.table.removeprefix("/t/"), *links]
    kept = keeper.client.get_cookie("chicago")
    assert kept
    assert len(kept.key) + len(kept.value) < LARGEST

"""The pen in a browser's cookie writes over the API as it does on the pages."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import create_app
from tests.api.calling import NOBODY, PLAYERS, Caller, Table, error, shut_down
from tests.api.describing import DOCUMENT

SAME_SITE = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}


@pytest.fixture
def browser(app: Flask) -> Caller:
    """Return a browser that has opened a table on the start page."""
    client = app.test_client()
    answer = client.post("/", data={"player": PLAYERS, "preset": "huvudregler"})
    assert answer.status_code == 303
    return Caller(client)


@pytest.fixture
def own(browser: Caller) -> Table:
    """Return the table that the browser has opened; its pen is in the cookie alone."""
    with browser.client.session_transaction() as cookie:
        [link] = cookie["tables"]
    return Table(browser, link, "")


def record(table: Table, caller: Caller, headers: dict[str, str]) -> TestResponse:
    """Record an event without any pen but that of a cookie."""
    return caller.call("POST", f"{table.path}/events", NOBODY, headers=headers)


def test_a_browser_that_holds_the_pen_writes_with_its_cookie(browser: Caller, own: Table) -> None:
    """A page of the same site needs no Authorization header."""
    assert record(own, browser, SAME_SITE).status_code == 201
    assert record(own, browser, {}).status_code == 201


def test_the_cookie_that_openapi_names_is_the_one_that_writes(
    app: Flask, browser: Caller, own: Table
) -> None:
    """It alone, under that name, is enough."""
    name = DOCUMENT["components"]["securitySchemes"]["cookie"]["name"]
    pen = browser.client.get_cookie(name)
    assert pen
    other = Caller(app.test_client())
    other.client.set_cookie(name, pen.value)
    assert record(own, other, SAME_SITE).status_code == 201


def test_a_browser_without_the_pen_does_not_write(app: Flask, own: Table) -> None:
    """A browser that has read the table has a cookie too, but no pen in it."""
    reader = Caller(app.test_client())
    reader.client.get(f"/t/{own.link}")
    assert error(record(own, reader, SAME_SITE)) == (401, "no_pen")


def test_a_browser_s_cookie_does_not_write_at_another_table(browser: Caller, table: Table) -> None:
    """A cookie holds a pen for each table."""
    assert error(record(table, browser, SAME_SITE)) == (401, "no_pen")


def test_a_pen_that_is_sent_along_goes_before_the_cookie(browser: Caller, own: Table) -> None:
    """An explicit pen counts, even if it is wrong."""
    wrong = browser.call("POST", f"{own.path}/events", NOBODY, pen="x")
    assert error(wrong) == (401, "no_pen")


def test_what_is_meant_for_a_server_in_front_does_not_hide_the_cookie(
    browser: Caller, own: Table
) -> None:
    """Basic authentication belongs to the server in front."""
    headers = {**SAME_SITE, "Authorization": "Basic YW5uYTpibw=="}
    assert record(own, browser, headers).status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.elsewhere.example"},
    ],
)
def test_a_page_of_another_site_does_not_write(
    browser: Caller, own: Table, headers: dict[str, str]
) -> None:
    """The answer is 403 as JSON, and nothing has changed."""
    assert error(record(own, browser, headers)) == (403, "bad_request")
    answer = browser.call("POST", "/api/tables", {"players": PLAYERS}, headers=headers)
    assert error(answer) == (403, "bad_request")
    assert own.seq == 1


def test_answers_over_http_set_no_cookie(table: Table) -> None:
    """A program is not followed around by a cookie."""
    assert "Set-Cookie" not in table.record(NOBODY).headers
    assert "Set-Cookie" not in table.read().headers


def cookie_of(client: FlaskClient, scheme: str, **headers: str) -> str:
    """Open a table in a browser over a scheme, and return the cookie of the answer."""
    answer = client.post(
        "/", data={"player": PLAYERS}, base_url=f"{scheme}://localhost", headers=headers
    )
    return answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("proxies", "secure"), [(0, False), (1, True), (2, True)])
def test_only_a_proxy_one_has_says_that_it_was_https(
    app: Flask, proxies: int, secure: bool
) -> None:
    """X-Forwarded-Proto counts only behind a configured proxy; two proxies send it once."""
    behind = create_app({"DATABASE": app.config["DATABASE"], "PROXIES": proxies})
    cookie = cookie_of(behind.test_client(), "http", **{"X-Forwarded-Proto": "https"})
    assert ("Secure" in cookie) == secure
    shut_down(behind)

"""Behind HTTPS the pen travels by HTTPS only, and nobody else can set it in a browser."""

from __future__ import annotations

from functools import partialmethod

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.conftest import Seat
from tests.web.phone import Phone, writes

HSTS = "Strict-Transport-Security"
FORM = {"player": ["Anna", "Bo"], "stake": "1"}
PATHS = ["/", "/rules", "/t/nowhere", "/static/app.css", "/api/openapi.json", "/api/tables/nowhere"]


class HttpsClient(FlaskClient):
    """A client that sends its requests by HTTPS."""

    open = partialmethod(FlaskClient.open, base_url="https://localhost")


@pytest.fixture
def secure(app: Flask) -> Phone:
    """Return a phone that uses HTTPS."""
    return by_https(app)


def by_https(app: Flask, **cookies: str) -> Phone:
    """Return a phone that uses HTTPS, with these cookies from before."""
    phone = Phone(HttpsClient(app, app.response_class, use_cookies=True))
    for name, value in cookies.items():
        phone.client.set_cookie(name, value)
    return phone


def cookie_of(phone: Phone, name: str) -> str:
    """Return the value of a phone's cookie."""
    cookie = phone.client.get_cookie(name)
    assert cookie
    return cookie.value


def test_the_cookie_is_this_host_s_alone(secure: Phone) -> None:
    """By HTTPS the cookie is `__Host-`: Secure, for the whole host and for no other."""
    secure.send("/", FORM)
    cookies = secure.answer.headers.getlist("Set-Cookie")
    assert {cookie.partition("=")[0] for cookie in cookies} == {
        "__Host-chicago",
        "__Host-chicago-pen",
    }
    for cookie in cookies:
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert "Domain" not in cookie
    assert writes(secure, secure.table)


@pytest.mark.parametrize("path", PATHS)
def test_browsers_are_told_to_come_by_https_again(secure: Phone, phone: Phone, path: str) -> None:
    """Every answer by HTTPS sets HSTS for a year, for this host alone; plain HTTP sets none.

    Nor does one at a port: the header holds for all of them, and a printer's may have no HTTPS.
    """
    with secure.client.get(path) as answer:
        assert answer.headers[HSTS] == "max-age=31536000"
    with secure.client.get(path, base_url="https://localhost:8443") as answer:
        assert HSTS not in answer.headers
    with phone.client.get(path) as plain:
        assert HSTS not in plain.headers
        assert not any("Secure" in cookie for cookie in plain.headers.getlist("Set-Cookie"))


@pytest.mark.parametrize("prefix", ["", "__Secure-"])
def test_no_cookie_that_another_can_set_counts(
    app: Flask, seat: Seat, phone: Phone, prefix: str
) -> None:
    """Another host, or a forger in plain HTTP, plants neither a pen nor tables nor words."""
    with seat(phone).client.session_transaction() as cookie:
        cookie["_flashes"] = [(phone.table, "Planted.")]
    stranger = {name: cookie_of(phone, name) for name in ("chicago", "chicago-pen")}
    victim = by_https(app, **{prefix + name: value for name, value in stranger.items()})
    assert not writes(victim, phone.table)
    assert "Planted." not in victim.page.text
    assert "opened no table yet" in by_https(app, **stranger).open("/tables").text
    victim.send("/", FORM)
    pens = [each.partition("=") for each in victim.answer.headers.getlist("Set-Cookie")]
    assert stranger["chicago-pen"] not in str(pens)
    assert not writes(phone, victim.table)
    assert writes(victim, victim.table)


def test_nobody_else_says_who_reads(app: Flask, seat: Seat, phone: Phone, secure: Phone) -> None:
    """The player that a reader is stands in a cookie of the same kind, below the table."""
    table = seat(phone).table
    secure.open(table)
    code = secure.page.link("I am Bo").href.partition("me=")[2]
    secure.open(f"{table}?me={code}")
    [cookie] = [each for each in secure.answer.headers.getlist("Set-Cookie") if code in each]
    assert cookie.startswith("__Secure-me=")
    assert {"Secure", "HttpOnly", f"Path={table}", "SameSite=Lax"} <= set(cookie.split("; "))
    assert not secure.open(table).has("I am Bo")
    assert by_https(app, me=code).open(table).has("I am Bo")


def test_a_server_that_is_not_told_of_https_any_more_takes_no_pen_away(
    app: Flask, secure: Phone
) -> None:
    """A browser sends that cookie by HTTPS only, even if the proxy in front reports no HTTPS."""
    secure.send("/", FORM)
    untold = Phone(app.test_client())
    for name in ("__Host-chicago", "__Host-chicago-pen"):
        untold.client.set_cookie(name, cookie_of(secure, name))
    assert writes(untold, secure.table)
    for cookie in untold.answer.headers.getlist("Set-Cookie"):
        assert cookie.startswith("__Host-chicago")
        assert "; Secure" in cookie

"""The app below a path of a shared host: no address of the app leads out of the path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from tests.api.calling import shut_down

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PREFIX = "/x/chicago"
HOST = "https://home.example"
ANOTHER = "/api/hassio_ingress/Tm9ib2R5IGtub3dz"
PLAYERS = ["Anna", 'href="/x', "Cilla"]
# Attributes that are no addresses, though their text may begin like one.
WORDS = ("value", "content", "d", "placeholder")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return an application behind a proxy, with a configured address below a path."""
    made = create_app(
        {
            "DATABASE": str(tmp_path_factory.mktemp("prefix") / "chicago.db"),
            "LIMITS": False,
            "PROPAGATE_EXCEPTIONS": True,
            "URL": f"{HOST}{PREFIX}",
            "PROXIES": 1,
        }
    )
    yield made
    shut_down(made)


@pytest.fixture
def browser(served: Flask) -> FlaskClient:
    """Return a browser that uses HTTPS."""
    client = served.test_client()
    client.environ_base |= {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_HOST": "home.example"}
    return client


def new_table(browser: FlaskClient, prefix: str = PREFIX, **headers: str) -> str:
    """Open a table, and return its address."""
    form = {"player": PLAYERS, "stake": "1"}
    return str(browser.post(f"{prefix}/", data=form, headers=headers).headers["Location"])


def addresses(page: str) -> Iterator[str]:
    """Yield every address of the app in a page, also in templates and in data for scripts."""
    for tag in BeautifulSoup(page, "html.parser").find_all(True):
        for name, value in tag.attrs.items():
            if name not in WORDS and str(value).startswith("/"):
                yield str(value)


@pytest.fixture(params=[False, True], ids=["passed", "stripped"])
def in_front(
    request: pytest.FixtureRequest, served: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put a proxy in front that hands the prefix on, or one that strips it."""
    behind = served.wsgi_app

    def strip(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(PREFIX)
        return behind(environ, start_response)

    if request.param:
        monkeypatch.setattr(served, "wsgi_app", strip)


@pytest.mark.usefixtures("in_front")
def test_no_address_of_any_page_leads_out(browser: FlaskClient) -> None:
    """The rule holds on every page, for a proxy that hands the prefix on and one that strips it."""
    waiting, seen = [f"{PREFIX}/", new_table(browser)], set[str]()
    assert waiting[1].startswith(f"{PREFIX}/t/")
    while waiting:
        address = waiting.pop()
        if address in seen or len(seen) > 120:
            continue
        seen.add(address)
        answer = browser.get(address)
        assert answer.status_code < 500, address
        if answer.mimetype == "text/html":
            found = list(addresses(answer.text))
            assert [each for each in found if not each.startswith(f"{PREFIX}/")] == [], address
            assert PREFIX + PREFIX not in answer.text
            waiting += [each.partition("#")[0] for each in found if "/static/" not in each]
        answer.close()
    assert len(seen) > 30


def test_a_form_leads_to_where_it_was_sent_from(browser: FlaskClient) -> None:
    """Redirects stay below the path, those of the router too."""
    table = new_table(browser)
    told = browser.post(f"{PREFIX}/language", data={"language": "en", "back": "/rules"})
    assert told.headers["Location"] == f"{PREFIX}/rules"
    assert browser.post(f"{table}/pen/back").headers["Location"] == table
    for asked in (PREFIX, f"{PREFIX}/t//x"):
        moved = browser.get(asked)
        assert moved.status_code == 308
        assert urlsplit(moved.headers["Location"]).path in (f"{PREFIX}/", f"{PREFIX}/t/x")


def test_what_is_told_on_a_page_below_the_path(browser: FlaskClient) -> None:
    """Messages are stored for an address, which begins with the prefix."""
    link = new_table(browser).rpartition("/")[2]
    headers = {"Accept-Language": "en"}
    opened = browser.post(f"{PREFIX}/again", data={"table": link}, headers=headers)
    page = browser.get(opened.headers["Location"], headers=headers)
    assert "Invite the others anew." in page.text


def test_the_links_of_cached_pages_follow_who_asks(browser: FlaskClient) -> None:
    """A page is rendered once for each prefix."""
    table = new_table(browser).removeprefix(PREFIX)
    for prefix in (ANOTHER, PREFIX, ANOTHER):
        answer = browser.get(f"{table}/protocol", headers={"X-Forwarded-Prefix": prefix})
        assert all(each.startswith(f"{prefix}/") for each in addresses(answer.text))


def test_nobody_is_believed_who_was_not_announced(app: Flask, browser: FlaskClient) -> None:
    """Only an announced proxy may set the prefix, which it strips itself."""
    headers = {"X-Ingress-Path": "/evil", "X-Forwarded-Prefix": ANOTHER}
    assert new_table(app.test_client(), "", **headers).startswith("/t/")
    assert new_table(browser, "", **headers).startswith(f"{ANOTHER}/t/")
    for told in (f"{ANOTHER}/", f"/{ANOTHER}"):
        asked = {"X-Forwarded-Prefix": told}
        assert new_table(browser, "", **asked).startswith(f"{ANOTHER}/t/")


def test_links_are_below_the_configured_address(browser: FlaskClient) -> None:
    """Links do not depend on the way by which the phone came."""
    table = new_table(browser)
    for headers in ({}, {"X-Forwarded-Prefix": ANOTHER}):
        page = browser.get(f"{table.removeprefix(PREFIX)}/join", headers=headers).text
        [field] = BeautifulSoup(page, "html.parser").select("input.share")
        assert field["value"] == f"{HOST}{table}"


def test_the_app_on_the_home_screen_is_the_one_below_the_path(browser: FlaskClient) -> None:
    """Its start and its scope are there, and its id differs from its neighbours'."""
    manifest = json.loads(browser.get(f"{PREFIX}/app.webmanifest").data)
    assert {manifest[name] for name in ("id", "start_url", "scope")} == {f"{PREFIX}/"}
    assert all(icon["src"].startswith(f"{PREFIX}/static/") for icon in manifest["icons"])


def test_the_cookie_is_for_the_path_alone(browser: FlaskClient) -> None:
    """Two score keepers on one host do not overwrite each other's pens."""
    answer = browser.post(f"{PREFIX}/", data={"player": PLAYERS, "stake": "1"})
    cookies = answer.headers.getlist("Set-Cookie")
    assert len(cookies) == 2
    for cookie in cookies:
        assert cookie.startswith("__Secure-chicago")
        assert {f"Path={PREFIX}", "Secure", "HttpOnly"} <= set(cookie.split("; "))
    page = browser.get(answer.headers["Location"]).text
    assert "/events" in page
    # A header about the whole host would apply to its neighbours too.
    assert "Strict-Transport-Security" not in answer.headers
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]


def test_programs_are_told_addresses_below_the_path(browser: FlaskClient) -> None:
    """Programs get the address of the table and the base address of the calls."""
    answer = browser.post(f"{PREFIX}/api/tables", json={"players": ["Anna", "Bo"]})
    assert answer.headers["Location"].startswith(f"{PREFIX}/api/tables/")
    assert any(str(value).startswith(f"{PREFIX}/t/") for value in json.loads(answer.data).values())
    description = f"{PREFIX}/api/openapi.json"
    [server] = json.loads(browser.get(description).data)["servers"]
    assert urljoin(description, server["url"]) == f"{PREFIX}/"


def test_the_bundle_is_not_offered(served: Flask, browser: FlaskClient, tmp_path: Path) -> None:
    """A service worker with the offline bundle would answer for the whole host."""
    (tmp_path / "kit.json").write_text('{"download": 5000000}')
    served.config["KIT"] = str(tmp_path)
    assert browser.get(f"{PREFIX}/offline").status_code == 404
    assert not re.search(r'id="?along', browser.get(f"{PREFIX}/").text)

"""The app below a path of a shared host: no address of the app leads out of the path."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from flask.testing import FlaskClient

from app import create_app

PREFIX, ANOTHER = "/x/chicago", "/api/hassio_ingress/Tm9ib2R5IGtub3dz"
HOST = "https://home.example"
FORM = {"player": ["Anna", 'href="/x', "Cilla"], "stake": "1"}
CORRECTION = '{"event":"correction","player":"Anna","points":5}'
# Attributes that are no addresses, though their text may begin like one.
WORDS = ("value", "content", "d", "placeholder")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[FlaskClient]:
    """Return a browser that uses HTTPS, by a proxy with a configured address below a path."""
    (tmp_path / "kit.json").write_text('{"download": 5000000}')
    paths = {"DATABASE": str(tmp_path / "chicago.db"), "KIT": str(tmp_path)}
    app = create_app({**paths, "LIMITS": False, "PROXIES": 1, "URL": f"{HOST}{PREFIX}"})
    client = app.test_client()
    client.environ_base |= {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_HOST": "home.example"}
    yield client
    app.close()


def addresses(page: str) -> Iterator[str]:
    """Yield every address of the app in a page, also in templates and in data for scripts."""
    for tag in BeautifulSoup(page, "html.parser").find_all(True):
        for name, value in tag.attrs.items():
            if name not in WORDS and str(value).startswith("/"):
                yield str(value)


def test_no_address_of_any_page_leads_out(browser: FlaskClient) -> None:
    """The rule holds on every page, for a proxy that hands the prefix on and one that strips it."""
    told = browser.post("/language", data={"language": "en", "back": "/rules"})
    table, handed_on = browser.post("/", data=FORM).headers["Location"], cycle((PREFIX, ""))
    for seq in (1, 2):
        # A step of several facts leads elsewhere than one of one.
        browser.post(f"{table}/events", data={"seq": seq, "event": CORRECTION})
    assert b"protocol#deal-1" in browser.get(table).data
    waiting, seen = [f"{PREFIX}/", table, told.headers["Location"]], set[str]()
    while waiting and len(seen) < 120:
        seen.add(address := waiting.pop())
        answer = browser.get(next(handed_on) + address.removeprefix(PREFIX))
        assert answer.status_code < 500, address
        found = [*addresses(answer.text)] if answer.mimetype == "text/html" else []
        for each in (*found, answer.headers.get("Location", address)):
            assert each.startswith(f"{PREFIX}/"), address
        assert (PREFIX + PREFIX).encode() not in answer.data
        pages = {each.partition("#")[0] for each in found if "/static/" not in each}
        waiting += sorted(pages - seen - {*waiting})
        answer.close()
    assert len(seen) > 30


def test_each_phone_s_pages_follow_the_path_it_came_by(browser: FlaskClient) -> None:
    """A page is rendered once for each; links to send on are below the configured address."""
    for told in (f"{ANOTHER}/", f"/{ANOTHER}"):
        headers = {"X-Forwarded-Prefix": told, "X-Ingress-Path": "/evil"}
        opened = browser.post("/", data=FORM, headers=headers).headers["Location"]
        assert opened.startswith(f"{ANOTHER}/t/")
    table = opened.removeprefix(ANOTHER)
    for below in (PREFIX, ANOTHER, PREFIX):
        headers = {"X-Forwarded-Prefix": below}
        page = browser.get(f"{table}/protocol", headers=headers).text
        assert all(each.startswith(f"{below}/") for each in addresses(page))
        joined = browser.get(f"{table}/join", headers=headers).text
        assert f'value="{HOST}{PREFIX}{table}"' in joined


def test_a_neighbour_on_the_host_keeps_its_own(browser: FlaskClient) -> None:
    """Calls, cookies and an installed app are the path's; no header or worker is the host's."""
    program = browser.post(f"{PREFIX}/api/tables", json={"players": ["Anna", "Bo"]})
    assert program.headers["Location"].startswith(f"{PREFIX}/api/tables/")
    answer = browser.post(f"{PREFIX}/", data=FORM)
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert cookie.startswith("__Secure-chicago")
        assert {f"Path={PREFIX}", "Secure", "HttpOnly"} <= set(cookie.split("; "))
    assert "/events" in browser.get(answer.headers["Location"]).text
    assert "Strict-Transport-Security" not in answer.headers
    manifest = browser.get(f"{PREFIX}/app.webmanifest").json
    assert manifest
    assert {manifest[name] for name in ("id", "start_url", "scope")} == {f"{PREFIX}/"}
    assert browser.get(f"{PREFIX}/offline").status_code == 404

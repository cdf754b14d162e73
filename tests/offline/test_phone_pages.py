"""Pages of a phone that runs the score keeper itself: its unpushed changes, and more."""

import json

import pytest

from tests.offline.phones import ENGLISH, Phone
from tests.web.pages import Page

NETWORK = "needs the network"


ELSEWHERE = """
POST TABLE/pen
POST TABLE/pen/back
POST TABLE/recovery
POST TABLE/recovery/off
POST TABLE/files
POST TABLE/forget
POST /transfer
POST /transfer/secret
GET /transfer
GET /transfer/secret
GET /install
POST /install
POST /start/secret
"""


@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}], ids=["page", "sheet"])
def test_what_needs_others_says_so(phone: Phone, htmx: dict[str, str]) -> None:
    """The refusal says so, and names the help until then; no request fails."""
    link = phone.open_table()
    for call in ELSEWHERE.strip().replace("TABLE", f"/t/{link}").splitlines():
        method, path = call.split(" ")
        answer = phone.here.open(path, method=method, headers=ENGLISH | htmx, data={"seq": "1"})
        assert answer.status_code == (200 if method == "GET" else 422), call
        page = Page(answer.text)
        assert (NETWORK in page.text, page.whole) == (True, not htmx), call
        assert link in path or not [link for link in page.links if "/t/" in link.href], call
    waits = json.loads(phone.here.get("/offline/status").text)
    assert (waits["waiting"], waits["held"]) == (1, [link])


def test_what_a_home_screen_opens_is_the_start_as_always(phone: Phone) -> None:
    """Its secret is for a server."""
    led = phone.here.get("/start/some-secret", headers=ENGLISH)
    assert (led.status_code, led.headers["Location"]) == (303, "/")

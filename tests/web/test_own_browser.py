"""A link that gives the pen, opened inside a chat program, says so before it is used."""

from __future__ import annotations

import re
from itertools import cycle

import pytest

from tests.web.conftest import NewPhone
from tests.web.evenings import shared_path
from tests.web.phone import Phone, writes

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8{}) AppleWebKit/537.36 (KHTML, like Gecko){}"
WITHIN = {
    "Messenger": f"{IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/460.0;FBDV/iPhone14,5]",
    "Instagram": f"{IPHONE} Mobile/15E148 Instagram 334.0.0 (iPhone14,5; iOS 17_5; sv_SE)",
    "WeChat": f"{IPHONE} Mobile/15E148 MicroMessenger/8.0.49 NetType/WIFI Language/sv",
    "Google": f"{IPHONE} GSA/317.0 Mobile/15E148 Safari/604.1",
    "another": f"{IPHONE} Mobile/15E148",
    "Line": f"{IPHONE} Mobile/15E148 Safari Line/14.6.0",
    "Facebook": ANDROID.format("; wv", " Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/466.0;]"),
    "a web view": ANDROID.format("; wv", " Version/4.0 Chrome/125.0 Mobile Safari/537.36"),
    "Snapchat": ANDROID.format("", " Chrome/125.0 Mobile Safari/537.36 Snapchat/12.88"),
}
OWN = (
    f"{IPHONE} Version/17.5 Mobile/15E148 Safari/604.1",
    f"{IPHONE} CriOS/125.0 Mobile/15E148 Safari/604.1",
    f"{IPHONE} FxiOS/126.0 Mobile/15E148 Safari/605.1.15",
    ANDROID.format("", " Chrome/125.0 Mobile Safari/537.36"),
    "Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36",
    "",
)
LINKS = {
    "/join": ("Let somebody else write too", "Take the pen"),
    "/recovery": ("Make a recovery link", "Take the pen"),
    "/../../transfer": ("Make a link", "Add them here"),
}


def make_link(keeper: Phone, page: str) -> str:
    """Return the path of a link that a keeper makes."""
    keeper.open(f"{keeper.table}{page}" if ".." not in page else "/transfer")
    return shared_path(keeper.press(LINKS[page][0]))


@pytest.mark.parametrize(
    ("agent", "page"), [*zip(WITHIN.values(), cycle(LINKS), strict=False)], ids=WITHIN
)
def test_the_phones_own_browser_is_offered_first(
    keeper: Phone, new_phone: NewPhone, page: str, agent: str
) -> None:
    """By a link that opens it there, and in words; to go on all the same is a tap."""
    path, other = make_link(keeper, page), new_phone(language="sv")
    other.headers["User-Agent"] = agent
    within = re.search("iPhone", agent)
    name, address = ("Safari", "x-safari-{}") if within else ("Chrome", "intent:{}#Intent;end")
    leads_to = other.open(path).link(f"Öppna i {name} först").href
    assert re.fullmatch(address.format(f"http://[^/]+{path}"), leads_to)
    other.headers["Accept-Language"] = "en"
    other.open(path)
    other.press(LINKS[page][1])
    assert writes(other, keeper.table)


def test_the_start_page_says_so_too(phone: Phone) -> None:
    """But not within an app on a home screen, and not to who has tables there."""
    for agent, told in ((WITHIN["Messenger"], True), (WITHIN["another"], False)):
        phone.headers["User-Agent"] = agent
        assert phone.open("/").has("Open in Safari first") == told
    phone.page.form("/").fill_each("player", ["Ada", "Bo"])
    phone.press("Start the game")
    phone.headers["User-Agent"] = WITHIN["Messenger"]
    assert not phone.open("/").has("Open in Safari first")


def test_nothing_is_said_in_the_phones_own_browser(keeper: Phone, new_phone: NewPhone) -> None:
    """Whichever that is."""
    path, other = make_link(keeper, "/join"), new_phone()
    for agent in OWN:
        other.headers["User-Agent"] = agent
        assert "first" not in other.open(path).text, agent

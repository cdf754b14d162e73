"""What a link looks like where it was sent: a card without names, for who brings no cookie."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from flask import Flask

from tests.hard.cases import write_address
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import hand_over, next_game
from tests.web.pages import Page
from tests.web.phone import Phone

NAMES = ["Annabella", "Bosse", "Cissi", "Disa"]
HOME = "https://home.example/chicago"
# What a card is drawn of.
CARD = {
    *("description", "og:site_name", "og:type", "og:title", "og:description", "og:image"),
    "twitter:card",
}


@pytest.fixture
def keeper(app: Flask, seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone at a table with a game that is over and one that is not."""
    seat(phone, "Bosse 5, settled", players=NAMES, stake_ore=100)
    phone.send(f"{phone.table}/name", {"name": "Hos Annabella", "seq": phone.page.seq})
    next_game(app, phone, "Bosse pair")
    phone.home()
    return phone


@pytest.fixture
def addresses(app: Flask, keeper: Phone) -> list[str]:
    """Return an address of each kind of page, those that are sent among them."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    link = keeper.table.removeprefix("/t/")
    # A stream has no end.
    found = [write_address(rule, link=link) for rule in rules if "live" not in rule.rule]
    return [*found, hand_over(keeper), f"{keeper.table}/nothing"]


def read_card(page: Page) -> dict[str, str]:
    """Return what a program that previews a link reads of its page."""
    metas = page.elements("meta[content]")
    told = {tag.get("property") or tag.get("name", ""): tag["content"] for tag in metas}
    return {name: told[name] for name in CARD if name in told} | {"title": title(page)}


def title(page: Page) -> str:
    """Return what stands in the tab."""
    assert page.soup.title
    return page.soup.title.text


def test_a_preview_has_all_but_names(
    app: Flask, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every page: a title, a text and a picture, and nobody's name in them."""
    monkeypatch.setitem(app.config, "URL", HOME)
    pages = 0
    for address in addresses:
        answer = app.test_client().get(address, buffered=True)
        if answer.location or answer.mimetype != "text/html" or not Page(answer.text).whole:
            continue
        pages += 1
        card = read_card(Page(answer.text))
        assert {*card} == CARD | {"title"}, address
        assert all(card.values()), address
        assert not any(name in text for name in NAMES for text in card.values()), address
        assert card["og:title"] == card["title"]
        assert card["og:image"].startswith(f"{HOME}/static/")
    assert pages > 40


def test_the_picture_of_a_card_is_there(app: Flask, keeper: Phone) -> None:
    """Its address is whole, and leads to the icon, which is no page that can be indexed."""
    picture = read_card(Page(app.test_client().get(keeper.table).text))["og:image"]
    answer = app.test_client().get(urlsplit(picture)._replace(scheme="", netloc="").geturl())
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    answer.close()


def test_who_may_know_sees_who_plays_in_the_tab(keeper: Phone, new_phone: NewPhone) -> None:
    """From the second visit on the tab has the name of the table."""
    reader = new_phone()
    assert title(reader.open(keeper.table)) == "Chicago"
    for phone in (keeper, reader):
        page = phone.open(keeper.table)
        assert title(page) == "Hos Annabella"
        assert {*read_card(page)} == {"title"}


def test_a_table_without_a_name_is_told_by_its_players(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """Two names and an ellipsis; where two play there is none."""
    seat(phone, players=NAMES)
    assert title(phone.page) == "Chicago – Annabella, Bosse …"
    seat(phone, players=NAMES[:2])
    assert title(phone.page) == "Chicago – Annabella, Bosse"

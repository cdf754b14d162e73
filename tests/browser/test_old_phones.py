"""Phones with an older browser: an evening by taps, where functions of newer ones are missing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.old_browsers import deleting
from tests.browser.serving import Server
from tests.browser.tables import eventually


@pytest.fixture(scope="module")
def old_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper with a worker for old browsers."""
    served = Server(tmp_path_factory.mktemp("old"), "tests.browser.old_browsers:create_app()")
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize("ios", ["15", "16"])
def test_an_evening_goes_by_taps(old_server: Server, new_phone: NewPhone, ios: str) -> None:
    """A table, deals with a sheet and a Chicago, undo, an edit, the end, a rematch; and a reader.

    Where there are no dialogs, what opens a sheet leads to its page.
    """
    page, reader = old_phone(old_server, new_phone, ios), old_phone(old_server, new_phone, ios)
    keeper = Keeper(page)
    begin(keeper)
    reader.goto(page.url)
    a_deal(keeper)
    an_edit(keeper)
    a_chicago(keeper)
    expect(reader.locator(".head .score")).to_have_text(["7", "1", "0", "30"])
    the_end(keeper)
    expect(reader.locator(".head .score")).to_have_text(["0", "0", "0", "0"])
    reader.reload()
    expect(reader.locator("#live")).to_have_class("on")


def old_phone(server: Server, new_phone: NewPhone, ios: str) -> Page:
    """Turn on a phone with an old browser."""
    page = new_phone(base_url=server.url)
    page.add_init_script(deleting(ios))
    return page


def begin(keeper: Keeper) -> None:
    """Open a table once the worker answers for the page."""
    keeper.page.goto("/")
    eventually(keeper.page, "navigator.serviceWorker.ready.then(() => true)")
    keeper.open_table(*PLAYERS)
    expect(keeper.page.locator("#live")).to_have_class("on")


def answer(keeper: Keeper, label: str) -> None:
    """Record a fact on a sheet, or on its page, after which the table is there again."""
    version = keeper.page.locator("#table [name=seq]").first
    keeper.sheet.get_by_role("button", name=label, exact=True).click()
    expect(keeper.sheet).to_have_count(0)
    expect(version).to_be_attached()
    keeper.page.wait_for_load_state()


def open_rare(keeper: Keeper) -> None:
    """Open the sheet of the rare hands."""
    keeper.let_time_pass()
    keeper.cell("rare").click()


def a_deal(keeper: Keeper) -> None:
    """Play a deal with a rare hand; take a fact back, and write it again."""
    keeper.tap("pair", "Anna")
    open_rare(keeper)
    answer(keeper, "Bo: Fyrtal (nollar)")
    keeper.expect_scores(0, 0, 0, 0)
    keeper.undo()
    keeper.expect_scores(1, 0, 0, 0)
    keeper.tap("two_pairs", "Anna")
    keeper.tap("trick", "Bo")
    keeper.tap("nobody")
    keeper.expect_scores(3, 5, 0, 0)


def an_edit(keeper: Keeper) -> None:
    """Put an entry of the deal before right, on its page."""
    page, table = keeper.page, keeper.page.url
    page.get_by_role("link", name="Protokoll").click()
    page.locator("#deal-1 li a").first.click()
    page.get_by_role("button", name="Anna: Färg").click()
    page.get_by_role("button", name="Spara", exact=True).click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    page.goto(table)
    keeper.expect_scores(7, 5, 0, 0)


def a_chicago(keeper: Keeper) -> None:
    """Correct two scores on players' sheets, and play a Chicago."""
    for player, points in (("Dan", "15"), ("Bo", "-4")):
        keeper.look_up(player)
        keeper.sheet.locator("input[name=points]").fill(points)
        answer(keeper, "Spara")
    keeper.expect_scores(7, 1, 0, 15)
    for row in ("nobody", "nobody"):
        keeper.tap(row)
    keeper.tap("chicago", "Dan")
    keeper.tap("made")
    keeper.expect_scores(7, 1, 0, 30)


def the_end(keeper: Keeper) -> None:
    """Win the game by a hand, and play again."""
    open_rare(keeper)
    answer(keeper, "Dan: Färgstege (vinner)")
    expect(keeper.title).to_have_text("Partiet är slut")
    keeper.tap_rematch()
    keeper.expect_scores(0, 0, 0, 0)

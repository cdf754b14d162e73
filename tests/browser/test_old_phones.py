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
    """A table, a deal with a rare hand, undo, a correction, an edit, the end; and a reader.

    Where there are no dialogs, what opens a sheet leads to its page.
    """
    page, reader = (new_phone(base_url=old_server.url) for _ in range(2))
    for phone in (page, reader):
        phone.add_init_script(deleting(ios))
    keeper = Keeper(page)
    page.goto("/")
    eventually(page, "navigator.serviceWorker.ready.then(() => true)")
    keeper.open_table(*PLAYERS)
    reader.goto(page.url)
    keeper.tap("pair", "Anna")
    keeper.cell("rare").click()
    answer(keeper, "Bo: Fyrtal (nollar)")
    keeper.expect_scores(0, 0, 0, 0)
    keeper.undo()
    keeper.look_up("Dan")
    keeper.sheet.locator("input[name=points]").fill("15")
    answer(keeper, "Spara")
    expect(reader.locator(".head .score")).to_have_text(["1", "0", "0", "15"])
    if ios == "15":
        edit_and_play_again(keeper, reader)


def edit_and_play_again(keeper: Keeper, reader: Page) -> None:
    """Change Anna's pair, end the game, and begin the next."""
    keeper.tap("two_pairs", "Anna")
    keeper.tap("trick", "Bo")
    keeper.tap("nobody")
    keeper.edit("Anna: Färg")
    keeper.expect_scores(7, 5, 0, 15)
    keeper.break_off()
    keeper.tap_rematch()
    keeper.expect_scores(0, 0, 0, 0)
    expect(reader.locator(".head .score")).to_have_text(["0"] * 4)


def answer(keeper: Keeper, label: str) -> None:
    """Record a fact on a sheet, or on its page, after which the table is there again."""
    keeper.sheet.get_by_role("button", name=label, exact=True).click()
    expect(keeper.sheet).to_have_count(0)
    expect(keeper.page.locator("#table [name=seq]").first).to_be_attached()
    keeper.page.wait_for_load_state()

"""An evening with the server killed: played by taps, pushed completely, exactly once."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from playwright.sync_api import Error, Page, expect

from tests.browser.bundle import end_workers, expect_nothing_waits, install_offline
from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import FILE, eventually, path_of

TOLERATED = [*AWAY, "server error 503", "status of 503"]

# A phone's share sheet that keeps the shared data.
SHARE_SHEET = """
  navigator.canShare = ({ files }) => files.every(({ type }) => type === "image/png");
  navigator.share = async (what) => { (window.shared ??= []).push(what); };
"""
SHARED = """
  async () => {
    const { files: [file] } = window.shared.at(-1);
    const { width, height } = await createImageBitmap(file);
    return [file.name.slice(0, 10), file.type, width, height >= 1350];
  }
"""


def test_a_whole_evening(own_server: Server, new_phone: NewPhone) -> None:
    """A game to its payout, settled, and a rematch, though worker and page end; then it is there.

    The phone's own program draws the picture, and the page paints it.
    """
    page = new_phone(base_url=own_server.url)
    page.context.add_init_script(SHARE_SHEET)
    install_offline(page)
    own_server.kill()
    begun = datetime.now().astimezone()
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    table = path_of(page)
    for row, player in (("pair", "Anna"), ("nobody", None), ("trick", "Bo"), ("flush", "Cilla")):
        keeper.tap(row, player)
    keeper.undo()
    end_workers(page)
    page = keeper.page = crash(page)
    keeper.redo()
    keeper.edit("Anna: Två par")
    keeper.correct("Dan", "20")
    keeper.tap_rare("Fyrtal (nollar)", "Anna")
    keeper.break_off()
    share(page)
    settle(page, table)
    keeper.tap_rematch()
    keeper.tap("pair", "Bo")
    keeper.tap("nobody")
    expect(page.locator("#only-here")).to_be_visible()
    here, ended = shown(page, table), datetime.now().astimezone()
    games = [page.evaluate(FILE, f"{table}/games/{number}.json") for number in (1, 2)]
    own_server.start()
    expect_nothing_waits(page)
    expect(page.locator("#live")).to_have_class("on")
    assert [ask(page, f"{table}/games/{number}.json") for number in (1, 2)] == games
    assert shown(page, table) == here
    for event in games[0]["events"]:
        assert begun <= datetime.fromisoformat(event["at"]) <= ended, event
    seq = ask(page, f"/api/tables{table[2:]}")["seq"]
    keeper.undo()
    assert ask(page, f"/api/tables{table[2:]}")["seq"] == seq + 1


def crash(page: Page) -> Page:
    """Kill the page's process, and open the page again."""
    address = page.url
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")
    page.close()
    again = page.context.new_page()
    again.goto(address)
    return again


def share(page: Page) -> None:
    """Share the picture of a finished game, and the text with the link."""
    page.get_by_role("link", name="Dela resultatet").click()
    expect(page.locator("#picture")).to_be_visible()
    page.get_by_role("button", name="Dela bilden").click()
    eventually(page, "window.shared?.length === 1")
    assert page.evaluate(SHARED) == ["chicago-20", "image/png", 1080, True]
    page.get_by_role("button", name="Dela texten").click()
    eventually(page, "shared.length === 2")
    words = page.evaluate("window.shared.at(-1).text")
    assert words.endswith(page.url.split("/games/")[0])


def settle(page: Page, table: str) -> None:
    """Tick one debt, and then all others."""
    page.goto(f"{table}/evening")
    page.locator(".owed a").first.click()
    page.locator("button[value=cash]").first.click()
    expect(page.locator(".record")).to_have_count(1)
    page.get_by_role("button", name="Alla har betalat").click()
    expect(page.locator(".record")).to_have_count(2)
    page.goto(table)


def shown(page: Page, table: str) -> list[str]:
    """Return the texts of the evening, with its times, and of the first game's score sheet."""
    texts = []
    for path, part in (("/evening", "#evening"), ("/games/1", "main")):
        page.goto(f"{table}{path}")
        texts.append(page.locator(part).inner_text())
    page.goto(table)
    return texts


def ask(page: Page, path: str) -> dict[str, Any]:
    """Ask the server itself."""
    found: dict[str, Any] = page.request.get(path).json()
    return found

"""An evening with the server killed: played by taps, pushed completely, exactly once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bundle import expect_nothing_waits, wait_for_worker
from tests.browser.conftest import AWAY
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.offline_evening import (
    LOSSES,
    SEND,
    Cabin,
    games_here,
    games_there,
    sit_down,
    table_there,
    text_of_evening,
    without_times,
)
from tests.browser.tables import Event, get_or_create_pen, path_of
from tests.browser.test_picture import SHARE_SHEET, share
from tests.rules.table import write_facts

# The entries of two pens, after the first one's flush no longer fits.
BOTH = write_facts("Anna pair, Dan two_pairs, Cilla trick")
BOTH_HERE = """(told, table) => told.conflicts.includes(table.slice(3)) && fetch(`${table}/decide`)
  .then((page) => page.text())
  .then((html) => html.includes('value="add"'))"""

# Errors of a server that is down, and of a worker whose file cannot be opened.
TOLERATED = (*AWAY, "server error 503", "status of 503")
NOW = "Date.now()"
# Runs a request on the stored data, and returns its result once the transaction is over.
KEPT = """async () => {
  const database = await new Promise((give, refuse) => {
    const asked = indexedDB.open("chicago");
    asked.onsuccess = () => give(asked.result);
    asked.onerror = () => refuse(asked.error);
  });
  const transaction = database.transaction("kept", "readwrite");
  const kept = transaction.objectStore("kept");
  const asked = %s;
  await new Promise((done) => { transaction.oncomplete = done; });
  database.close();
  return asked.result;
}"""
SPOIL = KEPT % 'kept.put(new Uint8Array(32768).fill(7), "file")'
# The file is stored under the time of day at which it was set aside.
ASIDE = KEPT % 'kept.getAll(IDBKeyRange.bound("0", "9999"))'


@pytest.fixture(scope="module")
def cabin_of_all(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cabin]:
    """Return a phone with the bundle, and its server, for all tests of this file."""
    cabin = Cabin(browser, tmp_path_factory.mktemp("cabin"))
    yield cabin
    cabin.close()
    untold = [line for line in cabin.trouble if not re.search("|".join(TOLERATED), line)]
    assert not untold, "The phone met trouble:\n" + "\n".join(untold)


@pytest.fixture
def cabin(cabin_of_all: Cabin) -> Iterator[Cabin]:
    """Return that phone with a network; restore network and server after the test."""
    yield cabin_of_all
    cabin_of_all.context.set_offline(False)
    cabin_of_all.restore()


def test_a_whole_evening(cabin: Cabin) -> None:
    """A game to its payout, the evening settled, a rematch begun; then the server has all of it."""
    page = cabin.page
    cabin.kill()
    page.add_init_script(SHARE_SHEET)
    keeper, begun = Keeper(page), page.evaluate(NOW)
    sit_down(keeper)
    for row, player in (("pair", "Anna"), ("nobody", None), ("trick", "Bo"), ("flush", "Cilla")):
        keeper.tap(row, player)
    keeper.undo()
    cabin.end_worker()
    page.reload()
    keeper.redo()
    keeper.correct("Dan", "20")
    keeper.tap_rare("Fyrtal (nollar)", "Anna")
    keeper.break_off()
    table = path_of(page)
    # The phone's own program draws it, and the page paints it.
    share(page)
    settle(page, table)
    keeper.tap_rematch()
    keeper.tap("pair", "Bo")
    keeper.tap("nobody")
    ended = page.evaluate(NOW)
    expect(page.locator("#only-here")).to_be_visible()
    seq = int(page.locator("#table").get_attribute("data-seq") or 0)
    before, told = games_here(page, table, 2), text_of_evening(page, table)
    protocol = text_of_game(page, table)
    cabin.serve()
    cabin.expect_pushed()
    assert games_there(page, table, 2) == before
    assert table_there(page, table)["seq"] == seq
    assert text_of_evening(page, table) == told
    assert text_of_game(page, table) == protocol
    for event in before[0]["events"]:
        assert begun <= datetime.fromisoformat(event["at"]).timestamp() * 1000 <= ended, event
    keeper.undo()
    assert table_there(page, table)["seq"] == seq + 1


def settle(page: Page, table: str) -> None:
    """Tick one debt, and then all others."""
    page.goto(table)
    page.locator(".bar").get_by_role("link", name="Kvällen", exact=True).click()
    page.locator(".owed a").first.click()
    page.locator("button[value=cash]").first.click()
    expect(page.locator(".record")).to_have_count(1)
    if page.locator(".owed a").count():
        page.get_by_role("button", name="Alla har betalat").click()
        expect(page.locator(".record")).to_have_count(2)
    page.goto(table)


def text_of_game(page: Page, table: str) -> str:
    """Return the text of the first game's score sheet."""
    page.goto(f"{table}/games/1")
    said = page.get_by_role("main").inner_text()
    page.goto(table)
    return said


def test_it_is_pushed_once_whatever_is_lost_on_the_way(cabin: Cabin) -> None:
    """The page crashes, pushes and answers are lost, the server is killed, the worker ended."""
    cabin.kill()
    keeper = Keeper(cabin.page)
    sit_down(keeper)
    keeper.tap("pair", "Anna")
    page = keeper.page = cabin.crash()
    keeper.expect_scores(1, 0, 0, 0)
    edit_and_rename(page)
    keeper.tap("two_pairs", "Dan")
    keeper.expect_scores(0, 2, 0, 2)
    table = path_of(page)
    seq = int(page.locator("#table").get_attribute("data-seq") or 0)
    before = games_here(page, table, 1)
    with cabin.losing_pushes() as met:
        for _ in LOSSES:
            page.evaluate(SEND)
            met.get()
            cabin.restart()
        cabin.end_worker()
        page.evaluate(SEND)
        cabin.expect_pushed()
        assert games_there(page, table, 1) == before
        assert table_there(page, table)["seq"] == seq


def edit_and_rename(page: Page) -> None:
    """Change Anna's pair into Bo's two pairs, and rename Bo."""
    table = page.url
    page.get_by_role("link", name="Protokoll").click()
    page.get_by_role("link", name="Anna får +1 för par").click()
    page.get_by_role("button", name="Bo: Två par").click()
    page.get_by_role("button", name="Spara", exact=True).click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    page.goto(f"{table}/edit")
    page.locator("input[name=player]").nth(1).fill("Bosse")
    page.get_by_role("button", name="Se vad det blir").click()
    page.get_by_role("button", name="Spela så här").click()
    expect(page.locator("#head-2")).to_contain_text("Bosse")


def test_a_second_pen_wrote_first(cabin: Cabin) -> None:
    """Mine behind theirs is previewed, done, undone and brought again; then nothing is unsent."""
    page = cabin.page
    table = part(cabin)
    wait_for_worker(page, BOTH_HERE, table)
    page.goto(f"{table}/decide")
    page.get_by_text("De andra skrev").click()
    expect(page.locator(".plain")).to_contain_text("Dan")
    expect(page.locator(".conflicts")).to_contain_text("Bo färg")
    page.locator("[type=checkbox]").uncheck()
    page.get_by_role("button", name="Se vad det blir").click()
    expect(page.locator("[type=checkbox]")).not_to_be_checked()
    page.locator("[type=checkbox]").check()
    page.get_by_role("button", name="Lägg mitt efter deras").click()
    expect(page.locator("#said")).to_have_text("Ditt står nu efter deras.")
    expect(page.get_by_role("link", name="Ändra det som står där")).to_be_visible()
    page.get_by_role("button", name="Ångra: ta bort 1 tryck igen").click()
    expect(page.locator("#table")).to_be_visible()
    Keeper(page).redo()
    cabin.expect_pushed()
    assert events_here(page, table) == events_there(page, table) == BOTH


def part(cabin: Cabin) -> str:
    """Let two pens write at a table, one of them without a network; return its address."""
    page, keeper = cabin.page, Keeper(cabin.page)
    with cabin.other_phone() as second:
        sit_down(keeper)
        keeper.tap("pair", "Anna")
        # A slow server may have been taken for down: then it gets the table a little later.
        expect_nothing_waits(page)
        get_or_create_pen(second, cabin.pen_link())
        table = path_of(page)
        cabin.hold()
        cabin.kill()
        keeper.tap("flush", "Bo")
        keeper.tap("trick", "Cilla")
        cabin.context.set_offline(True)
        cabin.serve()
        second.goto(table)
        other = Keeper(second)
        other.players = PLAYERS
        other.tap("two_pairs", "Dan")
    cabin.context.set_offline(False)
    return table


def events_here(page: Page, table: str) -> list[Event]:
    """Return the events of a table's first game from the phone's own answer."""
    return without_times(games_here(page, table, 1)[0])


def events_there(page: Page, table: str) -> list[Event]:
    """Return the events of a table's first game from the server."""
    return without_times(games_there(page, table, 1)[0])


def test_a_file_that_cannot_be_opened_is_told_of_and_set_aside(cabin: Cabin) -> None:
    """Nothing is deleted: the file can be saved, stays on the phone, and a new one is begun."""
    cabin.kill()
    page, keeper = cabin.page, Keeper(cabin.page)
    sit_down(keeper)
    table = path_of(page)
    # The next worker that answers opens the damaged file.
    page.evaluate(SPOIL)
    cabin.end_worker()
    page.goto(table)
    expect(page.get_by_role("status")).to_contain_text("går inte att öppna")
    with page.expect_download() as download:
        page.get_by_role("link", name="Spara filen").click()
    assert download.value.path().read_bytes()[:1] == b"\x07"
    page.get_by_role("button", name="Börja om utan den").click()
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate(f"({ASIDE})().then((files) => files.map(([first]) => first))") == [7]
    keeper.open_table(*PLAYERS)
    keeper.tap("pair", "Anna")

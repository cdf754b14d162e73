"""With the kit and without a server: everything works, and nothing that was shown is ever lost."""

import json
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import (
    end_workers,
    expect_nothing_waits,
    fill_storage,
    recorded_here,
    status,
)
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, path_of, recorded

# Between a tap and its answer, and just after.
MOMENTS_MS = (0, 4, 12, 40, 120)
SEND = """([path, seq, event]) => {
  window.shown = false;
  const body = new URLSearchParams({ seq, event });
  fetch(path, { method: "POST", body }).then(({ ok }) => { window.shown = ok; }, () => {});
}"""
FORGED = (
    "<form method=post action=http://{}/><input name=player value=Anna><input name=player value=Bo>"
    "<input name=stake value=1><button>Win</button></form>"
)


@pytest.fixture
def alone(taken: Page, server: Server) -> Keeper:
    """Return a phone with the kit whose server has died, with a table that it opened by itself."""
    server.kill()
    keeper = Keeper(taken)
    keeper.open_table(*PLAYERS)
    return keeper


def test_an_evening_begins_without_a_server_and_is_handed_over(
    alone: Keeper, server: Server
) -> None:
    """A table is opened, played at, looked at and mended; then the server has it, once."""
    page = alone.page
    expect(page.locator("#live")).to_have_text("utan nät: sparas på telefonen")
    alone.tap("pair", "Anna")
    alone.tap("flush", "Bo")
    alone.undo()
    alone.tap("flush", "Bo")
    table = path_of(page)
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    page.goto(f"{table}/protocol")
    expect(page.get_by_role("main")).to_contain_text("Anna")
    with page.expect_download() as file:
        page.get_by_role("link", name="Spara partiet som fil").click()
    assert len(json.loads(file.value.path().read_bytes())["events"]) == 2
    end_workers(page)
    page.goto(table)
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]
    assert status(page)["only_here"] == [table.removeprefix("/t/")]
    expect(page.locator("#only-here")).to_be_visible()
    server.start()
    expect_nothing_waits(page)
    expect(page.locator("#live")).to_have_class("on")
    assert recorded(page) == [ANNA_PAIR, BO_FLUSH]
    alone.undo()
    assert recorded(page) == [ANNA_PAIR]


def test_a_worker_that_is_ended_at_any_moment_loses_nothing_that_was_shown(alone: Keeper) -> None:
    """Ended so soon after a tap, it has written that or not; what was answered is there."""
    page, table = alone.page, path_of(alone.page)
    alone.tap("pair", "Anna")
    for moment in MOMENTS_MS:
        seq = page.locator("input[name=seq]").first.input_value()
        page.evaluate(SEND, [f"{table}/events", seq, json.dumps(BO_FLUSH)])
        page.wait_for_timeout(moment)
        shown = page.evaluate("window.shown")
        end_workers(page)
        page.goto(table)
        events = recorded_here(page, table)
        assert events in ([ANNA_PAIR, BO_FLUSH], [ANNA_PAIR] if not shown else None)
        if BO_FLUSH in events:
            alone.undo()


def test_another_sites_page_writes_nothing(alone: Keeper) -> None:
    """A form that somebody else's page sends is not answered by the phone (CSRF)."""
    page = alone.page
    held = status(page)["held"]
    stranger = page.context.new_page()
    stranger.goto(f"data:text/html,{FORGED.format(urlsplit(page.url).netloc)}")
    with stranger.expect_event("requestfailed"):
        stranger.get_by_role("button").click()
    assert status(page)["held"] == held


def test_a_full_storage_says_so_and_shows_nothing_as_written(alone: Keeper) -> None:
    """What could not be saved is not on the page; with room again, the tap is taken."""
    page, table = alone.page, path_of(alone.page)
    alone.tap("pair", "Anna")
    fill_storage(page)
    alone.cell("flush", "Bo").click()
    expect(alone.said).to_contain_text("lagring är full")
    assert recorded_here(page, table) == [ANNA_PAIR]
    page.goto(f"{table}/protocol")
    expect(page.get_by_role("main")).to_contain_text("Anna")
    end_workers(page)
    page.goto(table)
    assert recorded_here(page, table) == [ANNA_PAIR]
    alone.tap("flush", "Bo")
    assert recorded_here(page, table) == [ANNA_PAIR, BO_FLUSH]

"""An evening with the server killed: played by taps, handed over whole, exactly once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.offline_evening import (
    COMMITTED,
    MID_WRITE,
    PATIENCE_MS,
    Cabin,
    games_here,
    games_there,
    result_of,
    table_there,
    told_of_evening,
    without_times,
)
from tests.browser.proxy import Fate
from tests.browser.random_keeper import WAYS, RandomKeeper
from tests.browser.tables import ANNA_PAIR, BO_FLUSH, Event, path_of

# Whoever is without a network meets its absence now and then.
BO_TRICK: Event = {"event": "last_trick", "player": "Bo"}
TOLERATED = r"net::ERR_|the server responded with a status of 4\d\d"


@pytest.fixture(scope="module")
def cabin_of_all(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cabin]:
    """Return a phone with the kit, and its server, for all tests of this file."""
    cabin = Cabin(browser, tmp_path_factory.mktemp("cabin"))
    cabin.take_along()
    yield cabin
    cabin.close()
    untold = [line for line in cabin.trouble if not re.search(TOLERATED, line)]
    assert not untold, "The phone met trouble:\n" + "\n".join(untold)


@pytest.fixture
def cabin(cabin_of_all: Cabin) -> Iterator[Cabin]:
    """Return that phone while there is a network; whatever a test does to that is put right."""
    yield cabin_of_all
    cabin_of_all.context.set_offline(False)
    cabin_of_all.restore()


@pytest.mark.parametrize(
    ("seed", "preset", "players", "never"),
    [
        (2, "huvudregler", PLAYERS, set()),
        # No hand zeroes there, and anybody may bid at any time.
        (4, "wikipedia", (*PLAYERS, "Eva", "Fia", "Gun"), {"zero", "refused"}),
    ],
)
def test_a_whole_evening(
    cabin: Cabin, seed: int, preset: str, players: tuple[str, ...], never: set[str]
) -> None:
    """A game to its payout, the evening settled, a rematch begun; then the server has all of it."""
    page = cabin.page
    cabin.kill()
    keeper = RandomKeeper(page, seed, WAYS.keys() - never)
    sit_down(keeper, players, preset)
    keeper.play(16)
    cabin.end_worker()
    page.reload()
    keeper.play_out(24)
    assert not keeper.todo, f"The game never came to this: {keeper.todo}"
    table = path_of(page)
    settle(page, table)
    keeper.tap_rematch()
    keeper.play(3)
    expect(page.locator("#only-here")).to_be_visible()
    seq = int(page.locator("#table").get_attribute("data-seq") or 0)
    before, told = games_here(page, table, 2), told_of_evening(page, table)
    protocol = told_of_game(page, table)
    cabin.serve()
    cabin.expect_handed_over()
    assert games_there(page, table, 2) == before
    there = table_there(page, table)
    assert there["seq"] == seq
    assert there["result"] == result_of(before[1])
    assert told_of_evening(page, table) == told
    assert told_of_game(page, table) == protocol
    for event in before[0]["events"]:
        at = datetime.fromisoformat(event["at"]).timestamp() * 1000
        assert any(begun <= at <= ended for begun, ended in keeper.moments), event
    keeper.undo()
    assert table_there(page, table)["seq"] == seq + 1


def sit_down(
    keeper: Keeper, players: tuple[str, ...] = PLAYERS, preset: str = "huvudregler"
) -> None:
    """Open a table; the form knows what was played last."""
    keeper.page.goto("/")
    keeper.page.locator(f"input[name=preset][value={preset}]").check(force=True)
    keeper.type_names(players)
    keeper.page.locator("button.go").first.click()
    expect(keeper.page.locator("#table")).to_be_visible()
    keeper.players = players


def settle(page: Page, table: str) -> None:
    """Tick one debt, and then all that are left."""
    page.goto(table)
    page.locator("#table .result .links").get_by_role("link", name="Kvällen").click()
    page.locator(".debts a").first.click()
    page.locator("button[value=cash]").click()
    expect(page.locator(".record")).to_have_count(1)
    if page.locator(".debts a").count():
        page.get_by_text("Bocka av allt på en gång").click()
        page.get_by_role("button", name="Alla har betalat").click()
        expect(page.locator(".record")).to_have_count(2)
    page.goto(table)


def told_of_game(page: Page, table: str) -> str:
    """Return what the protocol of the first game says."""
    page.goto(f"{table}/games/1")
    said = page.get_by_role("main").inner_text()
    page.goto(table)
    return said


def test_a_worker_that_is_ended_while_it_writes(cabin: Cabin) -> None:
    """What was shown is there after it; the tap under way is there once, by itself."""
    page = cabin.page
    cabin.kill()
    keeper = Keeper(page)
    sit_down(keeper)
    keeper.tap("pair", "Anna")
    table, events = path_of(page), [ANNA_PAIR]
    for moment, row, event in ((MID_WRITE, "flush", BO_FLUSH), (COMMITTED, "trick", BO_TRICK)):
        cabin.stop_worker_at(moment)
        keeper.cell(row, "Bo").click()
        cabin.wait_for_stop()
        # Nothing is shown as written that is not answered.
        expect(keeper.cell(row, "Bo")).to_have_class("cell pending")
        expect(page.locator("#table .given li")).to_have_count(len(events))
        cabin.end_worker()
        events.append(event)
        # A worker starts anew, and on a busy machine that takes its time.
        expect(page.locator("#table .given li")).to_have_count(len(events), timeout=PATIENCE_MS)
        page.reload()
        expect(page.locator("#table .given li")).to_have_count(len(events))
        assert without_times(games_here(page, table, 1)[0]) == events
    cabin.serve()
    cabin.look()
    cabin.expect_handed_over()
    assert without_times(games_there(page, table, 1)[0]) == events


def test_answers_are_lost_repeated_and_reordered_and_the_server_is_killed(cabin: Cabin) -> None:
    """Whatever happens to what is handed over, and while it is, it counts once."""
    page = cabin.page
    cabin.kill()
    keeper = RandomKeeper(page, 3, ["undo", "correct", "mend"])
    sit_down(keeper)
    table = path_of(page)
    keeper.play(8)
    fates: list[Fate] = ["lost", "late", "twice", "killed", "done"]
    with cabin.behind(fates) as proxy:
        for number in range(1, len(fates) + 1):
            cabin.look()
            cabin.wait_until(partial(proxy.has_met, number))
            cabin.kill()
            keeper.play(2)
            cabin.server.start()
        cabin.look()
        cabin.expect_handed_over()
        before = games_here(page, table, 1)
    cabin.serve()
    assert games_there(page, table, 1) == before
    assert table_there(page, table)["result"] == result_of(before[0])

"""An evening with the server killed: played by taps, handed over whole, exactly once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.offline_evening import (
    COMMITTED,
    MID_WRITE,
    TOLERATED,
    Cabin,
    games_here,
    games_there,
    result_of,
    sit_down,
    table_there,
    told_of_evening,
    without_times,
)
from tests.browser.proxy import Fate
from tests.browser.random_keeper import WAYS, RandomKeeper
from tests.browser.tables import (
    ANNA_PAIR,
    BO_FLUSH,
    CILLA_TRICK,
    Event,
    path_of,
    pen_link,
    take_pen,
)

BO_TRICK: Event = {"event": "last_trick", "player": "Bo"}
DAN_TWO_PAIRS: Event = {"event": "best_hand", "player": "Dan", "hand": "two_pairs"}
# What this phone wrote, where another pen wrote that; and what comes of it, way by way.
MINE = [ANNA_PAIR, BO_FLUSH, CILLA_TRICK]
WAYS_OUT = {
    "add": [ANNA_PAIR, DAN_TWO_PAIRS, CILLA_TRICK],
    "own": MINE,
    "server": [ANNA_PAIR, DAN_TWO_PAIRS],
}


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


def test_a_whole_evening(cabin: Cabin) -> None:
    """A game to its payout, the evening settled, a rematch begun; then the server has all of it."""
    page = cabin.page
    cabin.kill()
    keeper = RandomKeeper(page, 2, WAYS)
    sit_down(keeper)
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
        expect(page.locator("#table .given li")).to_have_count(len(events))
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
        for _ in fates:
            cabin.meet_next_fate(proxy)
            keeper.play(2)
            cabin.server.start()
        cabin.look()
        cabin.expect_handed_over()
        before = games_here(page, table, 1)
    cabin.serve()
    assert games_there(page, table, 1) == before
    assert table_there(page, table)["result"] == result_of(before[0])


def test_a_second_pen_wrote_first(cabin: Cabin) -> None:
    """Both versions are in sight; each of the three ways is gone, and nothing is lost."""
    page = cabin.page
    keeper, tables = Keeper(page), []
    with cabin.other_phone() as second:
        for _ in WAYS_OUT:
            sit_down(keeper)
            keeper.tap("pair", "Anna")
            take_pen(second, pen_link(keeper))
            cabin.hold()
            tables.append(path_of(page))
        cabin.kill()
        for table in tables:
            page.goto(table)
            keeper.tap("flush", "Bo")
            keeper.tap("trick", "Cilla")
        cabin.context.set_offline(True)
        cabin.serve()
        for table in tables:
            second.goto(table)
            other = Keeper(second)
            other.players = PLAYERS
            other.tap("two_pairs", "Dan")
    cabin.context.set_offline(False)
    ended = []
    for table, (way, after) in zip(tables, WAYS_OUT.items(), strict=True):
        see_both(cabin, table)
        with page.expect_download() as kept:
            page.get_by_role("link", name="Alla partier i en fil").click()
        assert kept.value.suggested_filename.endswith(".zip")
        page.locator(f"button[value={way}]").click()
        expect(page.locator("#table, .told").first).to_be_visible()
        ended.append(path_of(page))
        page.goto(ended[-1])
        assert events_here(page, ended[-1]) == after
    cabin.expect_handed_over()
    assert [events_there(page, table) for table in ended] == list(WAYS_OUT.values())
    assert ended[0] == tables[0]
    assert ended[1] not in tables
    assert events_there(page, tables[1]) == WAYS_OUT["server"]


def see_both(cabin: Cabin, table: str) -> None:
    """Look at the page of a table of two versions, until both have come."""
    page, there = cabin.page, cabin.page.locator("[aria-labelledby=there] details")

    def come() -> bool:
        page.goto(f"{table}/decide")
        return there.count() == 1

    cabin.wait_until(come)
    page.locator("[aria-labelledby=here] summary").click()
    expect(page.locator("[aria-labelledby=here] li")).to_have_count(2)
    there.locator("summary").click()
    expect(there).to_contain_text("Dan")
    expect(page.get_by_role("main")).to_contain_text("lämnas utanför")


def test_the_network_is_cut(cabin: Cabin) -> None:
    """With a server that is well, and none of it to be reached, the phone goes on."""
    cabin.context.set_offline(True)
    keeper = Keeper(cabin.page)
    sit_down(keeper)
    keeper.tap("pair", "Anna")
    expect(cabin.page.locator("#live")).to_have_text("utan nät: sparas på telefonen")
    keeper.tap("flush", "Bo")
    before = games_here(cabin.page, path_of(cabin.page), 1)
    cabin.context.set_offline(False)
    cabin.expect_handed_over()
    assert games_there(cabin.page, path_of(cabin.page), 1) == before
    assert without_times(before[0]) == [ANNA_PAIR, BO_FLUSH]


def test_a_network_swallows_everything(cabin: Cabin) -> None:
    """One answer is waited for; then the phone goes on by itself, and asks it for none."""
    cabin.kill()
    swallower = cabin.swallow()
    keeper = Keeper(cabin.page)
    sit_down(keeper)
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    assert [line for line in swallower.asked if line.startswith("POST")] == []
    before = games_here(cabin.page, path_of(cabin.page), 1)
    cabin.end_swallowing()
    cabin.serve()
    cabin.look()
    cabin.expect_handed_over()
    assert games_there(cabin.page, path_of(cabin.page), 1) == before
    assert without_times(before[0]) == [ANNA_PAIR, BO_FLUSH]


def events_here(page: Page, table: str) -> list[Event]:
    """Return the events of a table's first game, as the phone answers them."""
    return without_times(games_here(page, table, 1)[0])


def events_there(page: Page, table: str) -> list[Event]:
    """Return the events of a table's first game, as the server has them."""
    return without_times(games_there(page, table, 1)[0])

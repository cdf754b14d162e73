"""The score keeper is taken along, says what is only on the phone, and is taken away again."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Judge
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import eventually, hold, unfold
from tests.browser.taking_along import NOTHING, expect_kit, serve_kit, stand, take_along

FETCHED = (
    "async () => (await (await caches.open('kit')).keys()).map(({url}) => url.split('/').at(-1))"
)
WORKER = "async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL ?? ''"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper with a small kit."""
    with serve_kit(tmp_path_factory.mktemp("kit")) as served:
        yield served


def waiting(count: int = 3, **ago: float) -> dict[str, object]:
    """Return what a worker says while so many entries of a table wait since so long ago."""
    since = datetime.now(UTC) - timedelta(**ago or {"minutes": 1})
    return {**NOTHING, "waiting": count, "since": since.isoformat(), "only_here": ["x"]}


def test_what_breaks_off_goes_on_where_it_was(phone: Page, judge: Judge) -> None:
    """On the next page, without a tap, and no file is fetched twice."""
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    hold(phone, "**/offline/second", times=1)
    a_file_that_is_not_what_it_should_be_is_not_taken(phone)
    asked.clear()
    expect(phone.locator("#take-along")).to_have_text("Spela utan nät (hämta 5 MB)")
    phone.locator("#take-along").click()
    expect(phone.locator(".far")).to_have_text("0,4 av 5,0 MB")
    judge(phone)
    phone.goto("/tables")
    expect_kit(phone, "taken")
    assert sorted(phone.evaluate(FETCHED)) == ["first", "second", "third"]
    assert asked.count("first") == asked.count("third") == 1
    phone.goto("/")
    unfold(phone, "mer")
    expect(phone.get_by_role("link", name="Klar att spela utan nät")).to_be_visible()
    eventually(phone, f"({WORKER})().then((url) => url.endsWith('/offline/worker.js'))")


def a_file_that_is_not_what_it_should_be_is_not_taken(phone: Page) -> None:
    """It is told in words, and can be tried again."""
    phone.route("**/offline/first", lambda route: route.fulfill(body="spoilt"), times=1)
    phone.goto("/")
    unfold(phone, "mer")
    phone.locator("#take-along").click()
    expect(phone.get_by_text("Det gick inte att hämta.")).to_be_visible()
    expect_kit(phone, "none")
    assert phone.evaluate(FETCHED) == []


def test_it_stays_while_something_is_only_here_and_goes_with_one_tap(phone: Page) -> None:
    """Then nothing of it is left, and the pages are kept as on any phone."""
    take_along(phone)
    phone.goto("/offline")
    expect_kit(phone, "taken")
    stand(phone, waiting())
    expect(phone.locator("#waits")).to_be_visible()
    away = phone.get_by_role("button", name="Ta bort det från den här telefonen")
    away.click()
    expect(phone.get_by_text("Inte än: något finns bara på den här telefonen.")).to_be_visible()
    expect_kit(phone, "taken")
    stand(phone, NOTHING)
    expect(phone.locator("#waits")).to_be_hidden()
    away.click()
    expect(phone.get_by_text("Det finns inte längre på den här telefonen.")).to_be_visible()
    expect_kit(phone, "none")
    assert phone.evaluate("async () => (await caches.keys()).includes('kit')") is False
    phone.goto("/")
    unfold(phone, "mer")
    expect(phone.locator("#take-along")).to_be_visible()
    eventually(phone, f"({WORKER})().then((url) => url.endsWith('/sw.js'))")


def test_what_is_only_here_has_its_place_in_the_bar(phone: Page, judge: Judge) -> None:
    """It moves nothing, gets more pressing with time, leads to what waits, and goes by itself."""
    take_along(phone)
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    expect_kit(phone, "taken")
    heads = phone.locator(".head, .where a, .row, .bar > a")
    before = [box.bounding_box() for box in heads.all()]
    line = phone.locator("#only-here")
    stand(phone, waiting(1))
    expect(line).to_contain_text("1 tryck är sparat här och skickas när nätet är tillbaka.")
    expect(line).to_have_class("only-here minutes")
    stand(phone, waiting(28, days=1))
    expect(line).to_have_class("only-here days")
    expect(line).to_contain_text("Koppla upp dig snart")
    assert [box.bounding_box() for box in heads.all()] == before
    box = line.bounding_box()
    assert box
    assert all(each and each["y"] + each["height"] <= box["y"] for each in before[:-1])
    undo = phone.locator(".undo").bounding_box()
    assert undo
    assert undo["x"] >= box["x"] + box["width"]
    line.get_by_role("link").click()
    expect(phone.locator("#waits").get_by_role("listitem")).to_contain_text("Torpet")
    judge(phone)
    phone.get_by_role("button", name="Skicka nu").click()
    expect(phone.locator("#waits")).to_be_hidden()
    expect(line).to_have_count(0)

"""What is only on this phone is never forgotten: a calm line, more pressing with time."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.bench.weight import EIGHT
from tests.browser.conftest import Judge
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually
from tests.browser.taking_along import (
    NOTHING,
    expect_kit,
    stand,
)

# A newer release is fetched whole, and waits.
NEWER = """
    async () => {
        await fetch("/offline/release");
        const found = await navigator.serviceWorker.getRegistration();
        await found.update();
        while (!found.waiting) await new Promise((go) => setTimeout(go, 20));
    }
"""
WAITS = "async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)"


@pytest.fixture
def taken(taken: Page) -> Page:
    """Return the start page of that phone, whose script listens by then."""
    expect(taken.locator("html")).to_have_attribute("data-kit", "taken")
    taken.wait_for_load_state("networkidle")
    return taken


def waiting(count: int = 3, **ago: float) -> dict[str, object]:
    """Return what a worker says while so many entries of a table wait since so long ago."""
    since = datetime.now(UTC) - timedelta(**ago or {"minutes": 1})
    return {**NOTHING, "waiting": count, "since": since.isoformat(), "only_here": ["x"]}


def test_the_line_comes_and_goes_by_itself(taken: Page) -> None:
    """It says how many and since when, keeps up, and is gone when all has been acknowledged."""
    line = taken.locator("#only-here")
    expect(line).to_have_count(0)
    stand(taken, waiting())
    expect(line).to_contain_text("3 noteringar finns bara på den här telefonen sedan")
    stand(taken, waiting(1))
    expect(line).to_contain_text("1 notering finns bara på den här telefonen sedan")
    taken.goto("/tables")
    expect(line).to_contain_text("1 notering")
    stand(taken, NOTHING)
    expect(line).to_have_count(0)


def test_it_gets_more_pressing_with_time(taken: Page, judge: Judge) -> None:
    """Minutes are calm; after hours it speaks of a file; the next day it stands out."""
    line = taken.locator("#only-here")
    for ago, urgency, words in (
        ({"minutes": 1}, "minutes", ""),
        ({"hours": 2}, "hours", "Spara en fil någon annanstans"),
        ({"days": 1}, "days", "Lämna över så snart det finns nät"),
    ):
        stand(taken, waiting(**ago))
        expect(line).to_have_class(f"only-here {urgency}")
        expect(line).to_contain_text(words)
    judge(taken)


def test_it_is_read_out_once(taken: Page) -> None:
    """When it begins; not again with each entry."""
    aloud = taken.locator("#only-here-aloud")
    stand(taken, waiting(1))
    expect(aloud).to_contain_text("1 notering finns bara")
    stand(taken, waiting(2))
    expect(taken.locator("#only-here")).to_contain_text("2 noteringar")
    taken.wait_for_timeout(200)
    expect(aloud).to_contain_text("1 notering finns bara")


@pytest.mark.parametrize("players", [PLAYERS, EIGHT], ids=["four", "eight"])
def test_at_the_table_it_moves_nothing_and_covers_nothing(
    taken: Page, players: tuple[str, ...]
) -> None:
    """It has a line of its own, above all that can be tapped, that is there before it is needed."""
    keeper = Keeper(taken)
    keeper.open_table(*players)
    expect_kit(taken, "taken")
    heads = taken.locator(".head, .where a, .bar a, .row")
    before = [box.bounding_box() for box in heads.all()]
    stand(taken, waiting(28, days=1))
    line = taken.locator("#only-here")
    expect(line).to_be_visible()
    assert [box.bounding_box() for box in heads.all()] == before
    box = line.bounding_box()
    assert box
    assert box["height"] >= 24
    assert all(each and each["y"] >= box["y"] + box["height"] for each in before)
    line.get_by_role("link").click()
    expect(taken.get_by_role("heading", level=1)).to_have_text("Utan nät")


def test_nothing_moves_under_a_finger(taken: Page) -> None:
    """Where it has no place of its own, it waits until the finger is gone."""
    button = taken.locator("button.go")
    box = button.bounding_box()
    taken.evaluate("dispatchEvent(new Event('pointerdown'))")
    stand(taken, waiting())
    taken.wait_for_timeout(400)
    assert button.bounding_box() == box
    expect(taken.locator("#only-here")).to_have_count(0)
    taken.evaluate("dispatchEvent(new Event('pointerup'))")
    expect(taken.locator("#only-here")).to_be_visible()


def test_the_line_leads_to_each_table_and_hands_over(taken: Page, judge: Judge) -> None:
    """The page of it has what waits, a file to keep, and a tap that hands it over now."""
    stand(taken, waiting())
    taken.locator("#only-here a").click()
    waits = taken.locator("#waits")
    expect(waits.get_by_role("listitem")).to_contain_text("Torpet")
    judge(taken)
    taken.get_by_role("button", name="Lämna över nu").click()
    expect(waits).to_be_hidden()
    expect(taken.locator("#only-here")).to_have_count(0)


def test_two_versions_lead_to_the_decision(taken: Page) -> None:
    """Where somebody else has written at the table too, the line says so, and leads there."""
    stand(taken, {**waiting(), "conflicts": ["x"]})
    line = taken.locator("#only-here a")
    expect(line).to_contain_text("Ett bord har två versioner")
    expect(line).to_have_attribute("href", "/t/x/decide")


def test_a_newer_version_waits_for_the_end_of_the_game(taken: Page) -> None:
    """It takes over where nobody plays, and the page is loaded anew with nothing to press."""
    keeper = Keeper(taken)
    keeper.open_table(*PLAYERS)
    keeper.tap("pair", "Anna")
    expect_kit(taken, "taken")
    taken.evaluate(NEWER)
    stand(taken, {"update": True})
    taken.wait_for_timeout(300)
    assert taken.evaluate(WAITS)
    stand(taken, waiting())
    taken.goto("/offline")
    expect(taken.get_by_text("En ny version tas i bruk när spelet är slut.")).to_be_visible()
    assert taken.evaluate(WAITS)
    with taken.expect_navigation():
        stand(taken, NOTHING)
    assert not taken.evaluate(WAITS)


def test_no_page_is_loaded_anew_in_the_middle_of_something(taken: Page) -> None:
    """Names that are being typed stay, until they are done with."""
    taken.locator("input[name=player]").first.fill("Anna")
    taken.evaluate("window.same = true")
    taken.evaluate(NEWER)
    stand(taken, {"update": True})
    eventually(taken, f"async () => !(await ({WAITS})())")
    taken.wait_for_timeout(1000)
    assert taken.evaluate("window.same")
    expect(taken.locator("input[name=player]").first).to_have_value("Anna")

"""Nothing on any screen breaks WCAG 2.2 AA, in the dark and in the light."""

import re
from collections.abc import Callable, Collection, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import link

SIX = (*PLAYERS, "Eva", "Filip")
LINKS = """
    links => links.filter(each => each.origin === location.origin)
        .filter(each => !/[.](json|zip|csv|txt|png|svg)$/.test(each.pathname))
        .map(each => each.href.split("#")[0])
"""
# What is wider than its place; what a deal has given goes on beside the screen by intent.
SIDEWAYS = """
    [...document.querySelectorAll("*")]
        .filter(each => each === document.documentElement
            || /auto|scroll/.test(getComputedStyle(each).overflowX) && !each.matches(".given"))
        .filter(each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
        .map(each => `sideways: ${each.tagName}.${each.className} is ${each.scrollWidth} wide`)
"""
# Pages of one kind differ in the table, the rules that a link carries, numbers, days and hands, and
# in what they are asked for, as an order: one by each column is sixty times the years.
VARIABLE = re.compile(
    r"(?<=/t/)[^/?]+|(?<=/r/)[^/?]+|(?<=/how).*|(?<=mple/)\w+|(?<=/hand/)[^?]+|=[^&]*|[0-9][0-9-]*"
)
# Each is reached by a link from a page, in at least so many kinds.
FEWEST_KINDS = 44


@pytest.fixture
def keeper(phone: Page) -> Keeper:
    """Return the keeper's phone, before a table is opened."""
    return Keeper(phone)


def test_start_page(keeper: Keeper, judge: Judge) -> None:
    """Empty, refused, and with tables and names that the phone remembers."""
    keeper.page.goto("/")
    judge(keeper.page)
    keeper.type_names(["Anna", "Anna"])
    keeper.page.locator("button.go").click()
    expect(keeper.said).to_contain_text("Anna finns två gånger")
    judge(keeper.page)
    keeper.open_table(*PLAYERS)
    keeper.page.goto("/")
    expect(keeper.page.locator(".known")).to_be_visible()
    judge(keeper.page)


def test_every_step_of_the_keepers_screen(keeper: Keeper, judge: Judge) -> None:
    """A hand, the play, a refusal, a Chicago, the exchange stop, and the end of the game."""
    keeper.open_table(*PLAYERS)
    judge(keeper.page)
    keeper.tap("full_house", "Anna")
    keeper.correct("Anna", "40")
    keeper.tap("nobody")
    keeper.cell("chicago", "Bo").click(force=True)
    expect(keeper.said).not_to_be_empty()
    judge(keeper.page)
    keeper.tap("chicago", "Anna")
    judge(keeper.page)
    keeper.tap("broken")
    keeper.correct("Dan", "50")
    keeper.tap("nobody")
    keeper.tap("pair", "Bo")
    keeper.tap("trick", "Bo")
    keeper.tap("nobody")
    expect(keeper.head("Dan")).to_contain_text("köpstopp")
    keeper.undo()
    keeper.redo()
    keeper.undo()
    judge(keeper.page)
    keeper.redo()
    keeper.cell("royal_flush", "Cilla").click()
    keeper.answer("Cilla vinner partiet med 52 poäng")
    expect(keeper.page.locator(".result")).to_be_visible()
    judge(keeper.page)


def test_every_sheet(keeper: Keeper, judge: Judge) -> None:
    """Score or zero, who tied, one player's rights, and what is seldom needed."""
    keeper.open_table(*PLAYERS)
    keeper.cell("four_of_a_kind", "Dan").click()
    judge_sheet(keeper, judge)
    keeper.cell("nobody", "Bo").click()
    judge_sheet(keeper, judge)
    keeper.look_up("Cilla")
    judge_sheet(keeper, judge)
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    judge_sheet(keeper, judge)


def test_narrow_columns(keeper: Keeper, judge: Judge) -> None:
    """With six players a row asks whom, and what stands beside a player is whole."""
    keeper.open_table(*SIX)
    keeper.reach("flush", "Filip")
    judge(keeper.page)
    keeper.close()
    keeper.tap("pair", "Filip")
    judge(keeper.page)
    said = re.compile("Filip 1 måste visa par$")
    expect(keeper.head("Filip")).to_have_accessible_name(said)


def test_protocol(keeper: Keeper, judge: Judge) -> None:
    """Tally marks, the curve, a deal opened to its facts, the legend, and the sheet to print."""
    keeper.open_table(*PLAYERS)
    keeper.tap("full_house", "Anna")
    keeper.cell("four_of_a_kind", "Dan").click()
    keeper.answer("Nolla alla andra")
    keeper.page.get_by_role("link", name="Protokoll").click()
    keeper.page.locator(".sheet summary").click()
    expect(keeper.page.locator(".sheet ol")).to_be_hidden()
    keeper.page.locator(".sheet summary").click()
    expect(keeper.page.locator(".sheet ol")).to_be_visible()
    keeper.page.locator(".legend summary").click()
    judge(keeper.page)
    keeper.page.get_by_role("link", name="Protokollet för utskrift").click()
    expect(keeper.page.get_by_role("button", name="Skriv ut")).to_be_visible()
    judge(keeper.page)


def test_what_a_reader_sees(keeper: Keeper, new_phone: NewPhone, judge: Judge) -> None:
    """The page without a pen, and the one that is not there."""
    keeper.open_table(*PLAYERS)
    keeper.tap("pair", "Anna")
    reader = new_phone()
    reader.goto(keeper.page.url)
    expect(reader.locator(".follow")).to_be_visible()
    judge(reader)
    reader.get_by_role("link", name="Jag är Anna").click()
    expect(reader.locator(".own")).to_be_visible()
    judge(reader)
    reader.goto("/t/nothing-here")
    judge(reader)


def test_a_game_is_played_from_the_keyboard(phone: Page) -> None:
    """Every fact can be recorded without touching the screen, and a sheet left with Escape."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    with keeper.booking():
        keeper.cell("pair", "Anna").press("Enter")
    keeper.cell("four_of_a_kind", "Bo").press("Enter")
    expect(keeper.sheet).to_be_visible()
    phone.keyboard.press("Escape")
    expect(keeper.sheet).to_have_count(0)
    with keeper.booking():
        keeper.cell("flush", "Bo").press("Enter")
    keeper.expect_scores(1, 5, 0, 0)


def test_every_page_that_a_link_leads_to(
    new_phone: NewPhone, both_schemes: Callable[[Page], list[str]]
) -> None:
    """From the start and from a table with a game that is over and one that goes on; 320 wide."""
    page = new_phone(viewport={"width": 320, "height": 780})
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    keeper.tap("pair", "Anna")
    keeper.win_at_once("Bo")
    expect(page.locator(".result")).to_be_visible()
    table = link(page)
    found: dict[str, list[str]] = {}

    def judge_from(*starts: str) -> None:
        for kind in pages_from(page, found, *starts):
            found[kind] = both_schemes(page)
            found[kind] += page.evaluate(SIDEWAYS)

    judge_from(f"{table}/rules/change", f"{table}/next", "/rules", "/files")
    page.goto(table)
    keeper.tap_rematch()
    judge_from(f"{table}/hand/1/four_of_a_kind", f"{table}/tie", f"{table}/games")
    assert {kind: wrong for kind, wrong in found.items() if wrong} == {}
    assert len(found) >= FEWEST_KINDS, sorted(found)


def pages_from(page: Page, known: Collection[str], *starts: str) -> Iterator[str]:
    """Go to one page of each kind that links lead to and that is not known, and yield its kind."""
    waiting, seen = list(starts), set(known)
    while waiting:
        address = waiting.pop(0)
        kind = VARIABLE.sub("*", re.sub(r"^https?://[^/]+", "", address))
        if kind in seen:
            continue
        seen.add(kind)
        page.goto(address)
        yield kind
        waiting += page.eval_on_selector_all("a[href]", LINKS)


def judge_sheet(keeper: Keeper, judge: Judge) -> None:
    """Judge the sheet that has slid up, and put it away."""
    expect(keeper.sheet).to_be_visible()
    judge(keeper.page)
    keeper.close()

"""Eight players with long and similar names: everything fits, and everything is within reach."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.serving import Server
from tests.screens.phone import open_table
from tests.screens.scenes import Event

NAMES = (
    "Anna-Karin Maximiliana von Rosenstråle",
    "Anna-Karin Maximiliana von Rosenstjerna",
    "Bartholomeus Alexandersson Lindqvist",
    "Bartholomeus Alexandersson Lindkvist",
    "Cecilia Margareta Oxenstierna af Eka",
    "Dagobert-Ferdinand Wolmar Yxkull d.y.",
    "Ettusenfyrtioettordsnamnutanmellanslag",
    "Åsa-Östen Ängsblomsterkransbinderska Ö",
)
SCREENS: dict[str, dict[str, Any]] = {
    "upright": {"viewport": {"width": 360, "height": 780}},
    "narrow-dark": {"viewport": {"width": 320, "height": 568}, "color_scheme": "dark"},
    "landscape": {"viewport": {"width": 780, "height": 360}, "color_scheme": "dark"},
}
TOO_WIDE = """
    () => [...document.querySelectorAll("html, body, main, .middle, .board, .ask")]
        .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth)
        .map((part) => `${part.tagName}.${part.className}: ${part.scrollWidth}`)
"""
# Scrolled to, every target that is shown is wholly on the screen, large enough, and what a finger
# in its middle hits.
OUT_OF_REACH = """
    ([targets, size]) => [...document.querySelectorAll(targets)].flatMap((target) => {
        if (!target.checkVisibility()) return [];
        target.scrollIntoView({block: "nearest"});
        const {left, right, top, bottom} = target.getBoundingClientRect();
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const fits = right - left >= size && bottom - top >= size
            && left >= 0 && right <= innerWidth && top >= -0.5 && bottom <= innerHeight + 0.5
            && target.contains(hit);
        return fits ? [] : [`${target.outerHTML} ${[left, right, top, bottom]} ${hit?.outerHTML}`];
    })
"""
# What a finger hits without looking twice, in px.
FINGER = 44
DEAL = (("pair", 0), ("flush", 1), ("trick", 6), ("full_house", 7))

UNDER_THE_BAR = """
    () => {
        const bar = document.querySelector(".bar").getBoundingClientRect().top;
        return [...document.querySelectorAll(".row")]
            .filter((row) => row.getBoundingClientRect().bottom > bar).map((row) => row.id);
    }
"""
# Everybody is above the stop, or the target, or has a hand to show.
STANDING = (46, 50, 31, 48, 46, 51, 46, 49)
CROWDED: dict[str, tuple[Event, ...]] = {
    "much is told of everybody": tuple(
        {"event": "correction", "player": name, "points": points}
        for name, points in zip(NAMES, STANDING, strict=True)
    ),
    "in the next deal, of exchanges": (
        {"event": "no_best_hand"},
        {"event": "no_best_hand"},
        {"event": "last_trick", "player": NAMES[2]},
        {"event": "no_best_hand"},
        {"event": "best_hand", "player": NAMES[4], "hand": "two_pairs"},
    ),
    "somebody zeroes everybody": (
        {"event": "best_hand", "player": NAMES[4], "hand": "four_of_a_kind", "choose": "zero"},
    ),
}

Snap = Callable[[str], Path]


@pytest.fixture(params=list(SCREENS))
def screen(request: pytest.FixtureRequest) -> str:
    """Return which way, how wide and how bright the phone is."""
    return str(request.param)


@pytest.fixture
def keeper(screen: str, new_phone: NewPhone) -> Keeper:
    """Return the keeper's phone."""
    return Keeper(new_phone(**SCREENS[screen]))


@pytest.fixture
def snap(keeper: Keeper, screen: str, screenshot: Callable[..., Path]) -> Snap:
    """Return a way to keep a picture of this screen."""
    return lambda name: screenshot(keeper.page, f"eight-{screen}-{name}")


def test_the_names_are_long_and_similar() -> None:
    """The names used here test what they should."""
    assert all(30 <= len(name) <= 40 for name in NAMES)
    assert len({name.split()[0] for name in NAMES}) < len(set(NAMES)) == len(NAMES)


def test_eight_players_play_a_deal(keeper: Keeper, snap: Snap) -> None:
    """On no screen does anything run off to the side or get too small to hit."""
    keeper.page.goto("/")
    keeper.type_names(NAMES)
    expect_all_fits(keeper.page, "input[name=player], .seat button, .deals")
    snap("1-start")
    keeper.page.locator("button.go").click()
    keeper.players = NAMES
    for step, (row, seat) in enumerate(DEAL, start=2):
        expect(keeper.page.locator(f"#row-{row}")).to_be_visible()
        expect_all_fits(keeper.page, ".cell, .whom, .head, .bar button, .bar a", FINGER)
        snap(f"{step}-{row}")
        keeper.page.locator(f"#row-{row} .whom").scroll_into_view_if_needed()
        rows = keeper.rows()
        keeper.tap(row, NAMES[seat])
        assert row != "pair" or keeper.rows() == rows, "The rows moved under the finger."
    keeper.expect_scores(1, 5, 0, 0, 0, 0, 5, 6)
    snap("6-next-deal")


def test_eight_players_read_sheets_and_protocol(keeper: Keeper, snap: Snap) -> None:
    """Sheets, the end of the game and the protocol keep within the screen too."""
    keeper.open_table(*NAMES)
    keeper.tap("pair", NAMES[0])
    keeper.look_up(NAMES[1])
    expect_all_fits(keeper.page, ".ask button, .ask a, .ask input[name=points]")
    snap("7-player")
    keeper.close()
    keeper.cell("nobody", NAMES[1]).click()
    expect_all_fits(keeper.page, ".ask button, .ask a, .ask label")
    snap("8-tie")
    keeper.close()
    keeper.reach("flush", NAMES[1])
    expect_all_fits(keeper.page, ".ask .cell", FINGER)
    keeper.close()
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    keeper.answer("Bryt partiet – ställningen gäller")
    expect(keeper.page.locator(".payments li")).to_have_count(7)
    expect(keeper.page.get_by_role("button", name="Revansch")).to_be_in_viewport(ratio=1)
    expect_all_fits(keeper.page, ".head, .result button, .result a, .bar a")
    snap("9-over")
    keeper.page.get_by_role("link", name="Protokoll").click()
    expect(keeper.page.locator(".sheet summary")).to_have_count(1)
    expect_all_fits(keeper.page, ".sheet summary, .links a")
    snap("10-protocol")


def test_the_whole_list_of_hands_is_in_sight(browser: Browser, server: Server) -> None:
    """However much is told of the players above it, no row has to be scrolled to, or moves."""
    table = open_table(browser, server.url, "sv-SE", NAMES)
    table.page.set_viewport_size(SCREENS["upright"]["viewport"])
    places = []
    for name, events in CROWDED.items():
        table.record(events)
        table.page.goto(table.address)
        assert table.page.evaluate(UNDER_THE_BAR) == [], name
        places.append(Keeper(table.page).rows())
    table.close()
    assert places[1:] == places[:-1]


def test_similar_names_are_told_apart(phone: Page) -> None:
    """What stands over two columns is never the same, and what is read out is the whole name."""
    keeper = Keeper(phone)
    keeper.open_table(*NAMES)
    shown = phone.locator(".head .name").all_inner_texts()
    assert len(set(shown)) == len(NAMES)
    assert [keeper.cell("pair", name).get_attribute("aria-label") for name in NAMES] == [
        f"{name}: Par" for name in NAMES
    ]


def expect_all_fits(page: Page, targets: str, size: int = 24) -> None:
    """Nothing is wider than the screen; all the targets have `size` in px and can be hit."""
    # Before its styles are there a page is as wide as it likes.
    page.wait_for_load_state()
    expect(page.locator(targets).filter(visible=True)).not_to_have_count(0)
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(OUT_OF_REACH, [targets, size]) == []

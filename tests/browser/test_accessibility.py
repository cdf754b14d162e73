"""Nothing on any screen breaks WCAG 2.2 AA, in the dark and in the light."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper

PLAYERS = ("Anna", "Bo", "Cilla", "Dan")
SIX = (*PLAYERS, "Eva", "Filip")

Barriers = Callable[[Page], list[str]]


@pytest.fixture(params=["dark", "light"])
def scheme(request: pytest.FixtureRequest) -> Literal["dark", "light"]:
    """Return how bright the screen is."""
    found: Literal["dark", "light"] = request.param
    return found


@pytest.fixture
def keeper(scheme: str, new_phone: NewPhone) -> Keeper:
    """Return the keeper's phone."""
    # Nothing is judged while it moves.
    return Keeper(new_phone(color_scheme=scheme, reduced_motion="reduce"))


def test_start_page(keeper: Keeper, barriers: Barriers) -> None:
    """Empty, refused, and with tables and names that the phone remembers."""
    keeper.page.goto("/")
    assert barriers(keeper.page) == []
    keeper.type_names(["Anna", "Anna"])
    keeper.page.locator("button.go").click()
    expect(keeper.said).to_contain_text("Anna finns två gånger")
    assert barriers(keeper.page) == []
    keeper.open_table(*PLAYERS)
    keeper.page.goto("/")
    expect(keeper.page.locator(".known")).to_be_visible()
    assert barriers(keeper.page) == []


def test_every_step_of_the_keepers_screen(keeper: Keeper, barriers: Barriers) -> None:
    """A hand, the play, a refusal, a Chicago, the exchange stop, and the end of the game."""
    keeper.open_table(*PLAYERS)
    assert barriers(keeper.page) == []
    keeper.tap("full_house", "Anna")
    correct(keeper, "Anna", "40")
    keeper.tap("nobody")
    keeper.cell("chicago", "Bo").click(force=True)
    expect(keeper.said).not_to_be_empty()
    assert barriers(keeper.page) == []
    keeper.tap("chicago", "Anna")
    assert barriers(keeper.page) == []
    keeper.tap("broken")
    correct(keeper, "Dan", "50")
    keeper.tap("nobody")
    keeper.tap("pair", "Bo")
    keeper.tap("trick", "Bo")
    keeper.tap("nobody")
    expect(keeper.head("Dan")).to_contain_text("köpstopp")
    keeper.undo()
    keeper.redo()
    keeper.undo()
    assert barriers(keeper.page) == []
    keeper.redo()
    keeper.tap("royal_flush", "Cilla")
    expect(keeper.page.locator(".result")).to_be_visible()
    assert barriers(keeper.page) == []


def test_every_sheet(keeper: Keeper, barriers: Barriers) -> None:
    """Score or zero, who tied, one player's rights, and what is seldom needed."""
    keeper.open_table(*PLAYERS)
    keeper.cell("four_of_a_kind", "Dan").click()
    expect_sheet_without_barriers(keeper, barriers)
    keeper.cell("nobody", "Bo").click()
    expect_sheet_without_barriers(keeper, barriers)
    keeper.look_up("Cilla")
    expect_sheet_without_barriers(keeper, barriers)
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    expect_sheet_without_barriers(keeper, barriers)


def test_narrow_columns(keeper: Keeper, barriers: Barriers) -> None:
    """With six players the words get short for the eye; they are whole for the ear."""
    keeper.open_table(*SIX)
    keeper.tap("pair", "Filip")
    assert barriers(keeper.page) == []
    said = re.compile("Filip 1 köp ✓ chicago – visa par$")
    expect(keeper.head("Filip")).to_have_accessible_name(said)


def test_protocol(keeper: Keeper, barriers: Barriers) -> None:
    """Tally marks, the curve, and a deal opened to its facts."""
    keeper.open_table(*PLAYERS)
    keeper.tap("full_house", "Anna")
    keeper.cell("four_of_a_kind", "Dan").click()
    keeper.answer("Nolla alla andra")
    keeper.page.get_by_role("link", name="Protokoll").click()
    keeper.page.locator(".sheet summary").click()
    expect(keeper.page.locator(".sheet ol")).to_be_visible()
    assert barriers(keeper.page) == []


def test_what_a_reader_sees(keeper: Keeper, new_phone: NewPhone, barriers: Barriers) -> None:
    """The page without a pen, and the one that is not there."""
    keeper.open_table(*PLAYERS)
    keeper.tap("pair", "Anna")
    reader = new_phone(color_scheme="dark")
    reader.goto(keeper.page.url)
    expect(reader.locator(".latest")).to_be_visible()
    assert barriers(reader) == []
    reader.goto("/t/nothing-here")
    assert barriers(reader) == []


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


def expect_sheet_without_barriers(keeper: Keeper, barriers: Barriers) -> None:
    """Judge the sheet that has slid up, and put it away."""
    expect(keeper.sheet).to_be_visible()
    assert barriers(keeper.page) == []
    keeper.close()


def correct(keeper: Keeper, player: str, points: str) -> None:
    """Correct a player's score from the player's sheet."""
    keeper.look_up(player)
    keeper.sheet.locator("input[name=points]").fill(points)
    keeper.answer("Rätta")

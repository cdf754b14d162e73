"""The start page on a touch screen."""

from playwright.sync_api import expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import unfold

# The size of the content, independent of the screen.
SIZE = "['scrollWidth', 'scrollHeight'].map((side) => document.documentElement[side])"


def test_all_of_it_is_on_one_screen(keeper: Keeper) -> None:
    """The page fits a phone's browser, with the last table and four names, and a narrow screen.

    The dealer is chosen among the typed names, and a fifth seat comes with the fourth name.
    """
    page, seats, table = keeper.page, keeper.page.locator(".seat:visible"), keeper.page.url
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto("/")
    expect(seats).to_have_count(4)
    keeper.type_names(PLAYERS)
    expect(seats).to_have_count(5)
    expect(page.locator(".sideways label:visible")).to_have_text(["Dra lott", *PLAYERS])
    assert page.evaluate(SIZE) == [390, 664]
    keeper.type_names(["N" * 40] * 8)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(SIZE)[0] == 320
    page.goto("/")
    a_chosen_set_answers_the_questions(keeper)
    page.goto("/")
    page.locator("[data-drop]").tap()
    expect(page.locator("[data-drop]")).to_have_count(0)
    two_tables_and_the_form_are_on_one_screen(keeper, table)


def two_tables_and_the_form_are_on_one_screen(keeper: Keeper, table: str) -> None:
    """Check an evening that can begin and one that goes on: the form ends above the edge."""
    page = keeper.page
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(f"{table}/comings")
    page.get_by_role("button", name="Bryt partiet – ställningen gäller").click()
    expect(keeper.title).to_have_text("Partiet är slut")
    keeper.open_table("Eva", "Fredrik", "Gun")
    page.goto("/")
    expect(page.locator("[data-table]")).to_have_count(2)
    assert page.evaluate(SIZE) == [390, 664]


def a_chosen_set_answers_the_questions(keeper: Keeper) -> None:
    """Check that answers change at once, and typed text and the list stay for another choice."""
    page = keeper.page
    keeper.type_names(PLAYERS)
    unfold(page, "sets")
    page.locator("#from summary").tap()
    for preset, needed in (("vanlig", "no"), ("huvudregler", "declared")):
        page.locator(f"[name=preset][value={preset}]").check()
        expect(page.locator("[name=win_needs_chicago]:checked")).to_have_value(needed)
    unfold(page, "mer")
    expect(page.get_by_label("Spelare 4", exact=True)).to_have_value(PLAYERS[3])

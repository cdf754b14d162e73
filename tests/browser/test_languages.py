"""Swedish and English: by the browser's language, by the switch, and never both on one screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper

# Words that stand somewhere on the English screens, and mean nothing in Swedish.
ENGLISH = re.compile(
    r"\b(the|and|or|to|of|with|may|best|exchange|pair|straight|flush|trick|nobody|more|undo"
    r"|redo|points?|game|player|table|start|deals?|rules|zero|wins|shows?|close|whom?|first|play)\b",
    re.IGNORECASE,
)
SWEDISH = re.compile(
    r"\b(och|eller|att|med|får|inte|bästa|köp|köpstopp|par|stege|färg|stick|ingen|mer|ångra|poäng"
    r"|parti|spelare|bord|ger|giv|regler|nolla|vinner|visa|stäng|vem|först|spel)\b",
    re.IGNORECASE,
)
# Names are what they are in either language.
NAMES = re.compile(r"Royal( flush)?|straight flush|Svenska|English|Gamerules", re.IGNORECASE)
SAID_ALOUD = """
    () => [...document.querySelectorAll("[aria-label], [placeholder], [title]")]
        .flatMap((part) => ["aria-label", "placeholder", "title"].map((a) => part.getAttribute(a)))
        .concat(document.title, document.body.innerText, Object.values(document.body.dataset))
        .filter(Boolean).join("\\n")
"""


def text(page: Page) -> str:
    """Return all that a page shows and reads out, names apart."""
    return NAMES.sub("", str(page.evaluate(SAID_ALOUD)))


def expect_language(page: Page, code: str) -> None:
    """The page says which language it speaks, and speaks no other."""
    expect(page.locator("html")).to_have_attribute("lang", code)
    foreign = ENGLISH if code == "sv" else SWEDISH
    said = [line for line in text(page).splitlines() if foreign.search(line)]
    assert said == []


@pytest.mark.parametrize("code", ["sv", "en"])
def test_no_screen_mixes_the_languages(code: str, new_phone: NewPhone) -> None:
    """From the start page to the payout, sheets and refusals included."""
    keeper = Keeper(new_phone(locale={"sv": "sv-SE", "en": "en-GB"}[code]))
    page = keeper.page
    page.goto("/")
    expect_language(page, code)
    keeper.open_table(*PLAYERS)
    expect_language(page, code)
    for address in ("hand/1/four_of_a_kind", "tie", "player/1", "more", "protocol"):
        table = page.url
        page.goto(f"{table}/{address}")
        expect_language(page, code)
        page.goto(table)
    keeper.tap("pair", "Anna")
    keeper.tap("full_house", "Bo")
    keeper.cell("chicago", "Anna").click(force=True)
    expect(keeper.said).not_to_be_empty()
    expect_language(page, code)
    keeper.cell("straight_flush", "Dan").click()
    expect(keeper.sheet).to_be_visible()
    expect_language(page, code)
    with keeper.booking():
        keeper.sheet.locator("button.go").click()
    expect(page.locator(".result")).to_be_visible()
    expect_language(page, code)
    page.goto("/")
    expect_language(page, code)
    page.goto("/t/nothing-here")
    expect_language(page, code)


def test_words_for_the_table_in_swedish(phone: Page) -> None:
    """The first screens say what is said at the table."""
    keeper = Keeper(phone)
    phone.goto("/")
    expect(phone.get_by_role("button", name="Börja spela")).to_be_visible()
    expect(phone.get_by_text("köpstopp 45 · chicago måste ha ropats")).to_be_visible()
    keeper.open_table(*PLAYERS)
    expect(keeper.title).to_have_text("Första köpet – bästa hand?")
    expect(keeper.due).to_have_text("Alla får köpa.")
    expect(phone.locator(".fact")).to_have_text(
        [
            "Par 1",
            "Två par 2",
            "Triss 3",
            "Stege 4",
            "Färg 5",
            "Kåk 6",
            "Fyrtal 8/nolla",
            "Färgstege vinst",
            "Royal vinst",
            "Ingen",
        ]
    )


def test_the_switch_stays_where_one_is_and_is_remembered(
    scripts: bool, new_phone: NewPhone
) -> None:
    """Switched from the table's own page, the next pages speak English too, and back again."""
    keeper = Keeper(new_phone(java_script_enabled=scripts))
    keeper.open_table(*PLAYERS)
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    keeper.page.get_by_role("button", name="English").click()
    expect(keeper.page.locator("html")).to_have_attribute("lang", "en")
    expect(keeper.page.get_by_text("What we play")).to_be_visible()
    keeper.page.goto("/")
    expect(keeper.page.get_by_role("button", name="Start the game")).to_be_visible()
    keeper.page.get_by_role("button", name="Svenska").click()
    expect(keeper.page.get_by_role("button", name="Börja spela")).to_be_visible()

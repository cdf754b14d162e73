"""The picture of a game in a real browser: shared as a file, and as text."""

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, path_of

# A phone's share sheet that keeps the shared data.
SHARE_SHEET = """
  navigator.canShare = ({ files }) => files.every(({ type }) => type === "image/png");
  navigator.share = async (what) => { (window.shared ??= []).push(what); };
"""
SHARED = """
  async () => {
    const { files: [file] } = window.shared.at(-1);
    const { width, height } = await createImageBitmap(file);
    return [file.name, file.type, width, height];
  }
"""


def share(page: Page) -> str:
    """Share the picture of a finished game, a PNG of full width; return its file name."""
    page.get_by_role("link", name="Dela resultatet").click()
    expect(page.locator("#picture")).to_be_visible()
    page.get_by_role("button", name="Dela bilden").click()
    eventually(page, "window.shared?.length === 1")
    name, kind, width, height = page.evaluate(SHARED)
    assert (name[-4:], kind, width) == (".png", "image/png", 1080)
    assert height >= 1350
    return str(name)


def test_the_picture_goes_to_the_share_sheet(phone: Page) -> None:
    """One tap shares it as a PNG of full size, another the text with the link."""
    keeper = Keeper(phone)
    keeper.page.add_init_script(SHARE_SHEET)
    keeper.open_table(*PLAYERS)
    keeper.tap("full_house", "Anna")
    keeper.break_off()
    page = keeper.page
    assert share(page).startswith("chicago-20")
    page.get_by_role("button", name="Dela texten").click()
    eventually(page, "shared.length === 2")
    words = page.evaluate("window.shared.at(-1).text")
    assert "Bo → Anna" in words
    assert words.endswith(path_of(page).split("/games/")[0])
    expect(page.locator("#by-hand")).to_be_hidden()

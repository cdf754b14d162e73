"""The picture of a game in a real browser: shared as a file, as words, and without a server."""

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, path_of
from tests.browser.test_evening import end

# A share sheet as phones have it, which keeps what it is given.
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


def open_picture(keeper: Keeper) -> Page:
    """Let a game end, and follow the link to its picture."""
    keeper.tap("full_house", "Anna")
    end(keeper)
    keeper.page.get_by_role("link", name="Bild att skicka").click()
    expect(keeper.page.locator("#picture")).to_be_visible()
    return keeper.page


def share(page: Page) -> str:
    """Hand the picture over, which is a PNG of the whole size; return its name."""
    page.get_by_role("button", name="Dela bilden").click()
    eventually(page, "window.shared?.length === 1")
    name, kind, *size = page.evaluate(SHARED)
    assert (name[-4:], kind, size) == (".png", "image/png", [1080, 1350])
    return str(name)


def test_the_picture_goes_to_the_share_sheet(phone: Page) -> None:
    """One tap hands it over as a PNG of the whole size, another the words with the link."""
    keeper = Keeper(phone)
    keeper.page.add_init_script(SHARE_SHEET)
    keeper.open_table(*PLAYERS)
    page = open_picture(keeper)
    assert share(page).startswith("chicago-20")
    page.get_by_role("button", name="Dela texten").click()
    eventually(page, "shared.length === 2")
    words = page.evaluate("window.shared.at(-1).text")
    assert "Bo → Anna" in words
    assert words.endswith(path_of(page).split("/games/")[0])
    expect(page.locator("#by-hand")).to_be_hidden()


def test_a_phone_paints_the_picture_itself_without_its_server(alone: Keeper) -> None:
    """Drawn by the same program on the phone, painted by its page, and shared as a PNG."""
    alone.page.add_init_script(SHARE_SHEET)
    page = open_picture(alone)
    share(page)

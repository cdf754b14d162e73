"""The picture of a game in a real browser: shared as a file, as words, and without a server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SCHEMES, Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, path_of
from tests.browser.test_evening import end

# A share sheet as phones have it, which keeps what it is given.
SHARE_SHEET = """
  navigator.canShare = ({ files }) => files.every(({ type }) => type === "image/png");
  navigator.share = async (what) => { (window.shared ??= []).push(what); };
"""
NO_SHARE_SHEET = "delete Navigator.prototype.share; delete Navigator.prototype.canShare;"
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


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_picture_goes_to_the_share_sheet(
    new_phone: NewPhone, scheme: str, screenshot: Callable[[Page, str], Path], judge: Judge
) -> None:
    """One tap hands it over as a PNG of the whole size, another the words with the link."""
    keeper = Keeper(new_phone(color_scheme=scheme))
    keeper.page.add_init_script(SHARE_SHEET)
    keeper.open_table(*PLAYERS)
    page = open_picture(keeper)
    page.get_by_role("button", name="Dela bilden").click()
    name, kind, *size = page.evaluate(SHARED)
    assert name.startswith("chicago-20")
    assert (name[-4:], kind, size) == (".png", "image/png", [1080, 1350])
    page.get_by_role("button", name="Dela texten").click()
    words = page.evaluate("window.shared.at(-1).text")
    assert "Bo → Anna" in words
    assert words.endswith(path_of(page).split("/games/")[0])
    expect(page.locator("#by-hand")).to_be_hidden()
    screenshot(page, f"picture-{scheme}")
    judge(page)


def test_without_a_share_sheet_it_is_saved_and_the_words_are_copied(new_phone: NewPhone) -> None:
    """As over plain http: a picture to hold a finger on, a file, and words."""
    keeper = Keeper(new_phone())
    keeper.page.add_init_script(NO_SHARE_SHEET)
    keeper.open_table(*PLAYERS)
    page = open_picture(keeper)
    expect(page.get_by_role("button", name="Dela bilden")).to_be_hidden()
    expect(page.locator("#by-hand")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Spara bilden").click()
    assert download.value.suggested_filename.endswith(".png")
    page.get_by_role("button", name="Kopiera").click()
    expect(page.locator("#tell")).to_have_text("Kopierat")


def test_without_scripts_there_is_the_picture_and_the_words(phone_without_js: Page) -> None:
    """Nothing is offered that would do nothing."""
    keeper = Keeper(phone_without_js)
    keeper.open_table(*PLAYERS)
    page = open_picture(keeper)
    for label in ("Dela bilden", "Dela texten"):
        expect(page.get_by_role("button", name=label)).to_be_hidden()
    expect(page.locator("#words")).to_contain_text("Bo → Anna")
    eventually(page, "() => document.querySelector('#picture').naturalWidth === 1080")


def test_a_phone_paints_the_picture_itself_without_its_server(alone: Keeper) -> None:
    """Drawn by the same program on the phone, painted by its page, and shared as a PNG."""
    alone.page.add_init_script(SHARE_SHEET)
    page = open_picture(alone)
    eventually(page, "() => !document.querySelector('#send').hidden")
    page.get_by_role("button", name="Dela bilden").click()
    name, kind, *size = page.evaluate(SHARED)
    assert (name[-4:], kind, size) == (".png", "image/png", [1080, 1350])

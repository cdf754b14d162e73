"""The keeper's screen by keyboard and screen reader: a grid, a kept focus, one announcement."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually, reader_of

# Records the live regions that change, each once for simultaneous changes; behind a sheet none is
# read out.
LISTENING = """
    window.heardAloud = [];
    new MutationObserver((changes) => {
        const regions = new Set(changes.map(({target}) => {
            const part = target.nodeType === 1 ? target : target.parentElement;
            return part?.closest("[aria-live], [role=status], [role=alert], output");
        }).filter(Boolean));
        for (const region of regions) {
            const behind = document.querySelector(":modal") && !region.closest(":modal");
            const words = !behind && region.checkVisibility() && region.textContent.trim();
            if (words) window.heardAloud.push(words);
        }
    }).observe(document, {subtree: true, childList: true, characterData: true});
"""
# The accessible name or the text of the focused element.
FOCUSED = """
    () => {
        const {activeElement: at} = document;
        const words = at.ariaLabel ?? at.labels?.[0]?.firstChild?.data ?? at.textContent;
        return at === document.body ? "" : words.replace(/\\s+/g, " ").trim();
    }
"""
MOST_TABS = 90


def focused(page: Page) -> str:
    """Return the accessible name or the text of the focused element."""
    return str(page.evaluate(FOCUSED))


def tab_to(page: Page, begin: str) -> None:
    """Press Tab until the focus is on an element that begins so."""
    for _ in range(MOST_TABS):
        if focused(page).startswith(begin):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Never reached {begin}.")


def expect_announced(page: Page, sentences: list[str]) -> None:
    """Check that each sentence was read out once by the time of the last one."""
    eventually(page, "(last) => heardAloud.includes(last)", sentences[-1])
    assert page.evaluate("heardAloud") == sentences


def press(page: Page, *keys: str) -> str:
    """Press keys; return the focused element after them."""
    for key in keys:
        page.keyboard.press(key)
    return focused(page)


def test_a_table_is_opened_and_played_at_by_keys_alone(phone: Page) -> None:
    """The next seat comes with each name; a sheet and undo are reached by Tab."""
    keeper = Keeper(phone)
    keeper.players = PLAYERS
    phone.goto("/")
    tab_to(phone, "Spelare 1")
    for name in PLAYERS:
        phone.keyboard.type(name)
        phone.keyboard.press("Enter")
    tab_to(phone, "Börja spela")
    phone.keyboard.press("Enter")
    expect(phone.locator(".head .name")).to_have_text(list(PLAYERS))
    tab_to(phone, "Anna: Par")
    with keeper.booking():
        phone.keyboard.press("Enter")
    phone.locator("#row-rare").focus()
    phone.keyboard.press("Enter")
    expect(keeper.sheet.get_by_role("heading", level=2)).to_be_focused()
    tab_to(phone, "Bo: Fyrtal (nollar)")
    with keeper.booking():
        phone.keyboard.press("Enter")
    keeper.expect_scores(0, 0, 0, 0)
    tab_to(phone, "Ångra")
    with keeper.booking():
        phone.keyboard.press("Space")
    keeper.expect_scores(1, 0, 0, 0)
    expect(keeper.undo_button).to_be_focused()


def test_arrows_choose_a_row_then_a_name(phone: Page) -> None:
    """With no columns the arrows go from row to row, and to the names of the one that is chosen."""
    keeper = Keeper(phone)
    keeper.sit_down(*PLAYERS, "Eva", "Filip", "Gun", "Hans")
    keeper.tap("pair", "Anna")
    keeper.tap("nobody")
    phone.locator("#row-trick [type=radio]").focus()
    assert press(phone, "ArrowRight") == "Anna: Sista stick"
    assert press(phone, "ArrowLeft", "ArrowDown") == "Chicago"
    # It is chosen by a key of its own: passing by changes nothing.
    expect(keeper.cell("chicago", "Anna")).to_be_hidden()
    assert press(phone, "Enter", "ArrowRight", "Control+End") == "Anna: Chicago (14 kvar)"
    phone.keyboard.press("Enter")
    expect(keeper.said).to_have_text("Anna får inte ropa chicago än: 1 poäng, 15 behövs.")
    assert press(phone, "Home", "ArrowUp", "Space", "ArrowRight", "ArrowRight") == "Bo: Sista stick"
    phone.keyboard.press("Enter")
    keeper.expect_scores(1, 5, 0, 0, 0, 0, 0, 0)
    # The next hand has no row chosen.
    assert phone.locator(".grid :checked").count() == 0
    eventually(phone, "document.activeElement.id.startsWith('pick-pair')")


def test_a_change_is_announced_once(keeper: Keeper, new_phone: NewPhone) -> None:
    """The keeper and the readers hear the same single sentence."""
    reader = reader_of(keeper, new_phone())
    for phone in (keeper, reader):
        phone.page.evaluate(LISTENING)
    keeper.tap("pair", "Anna")
    # Otherwise the reader may be shown both at once.
    eventually(reader.page, "heardAloud.length === 1")
    keeper.tap("flush", "Bo")
    reader.expect_scores(1, 5, 0, 0)
    eventually(reader.page, "heardAloud.length === 2")
    # An entry from a sheet is read out once the sheet is gone: nobody hears a change behind it.
    keeper.look_up("Dan")
    keeper.close()
    keeper.correct("Bo", "7")
    reader.expect_scores(1, 12, 0, 0)
    sentences = [
        "Senast: Anna får +1 för par. Vem har bäst hand?",
        "Senast: Bo får +5 för färg. Tredje köpet, sedan spel",
        "Senast: Rättelse för Bo: +7. Tredje köpet, sedan spel",
    ]
    for phone in (keeper, reader):
        expect_announced(phone.page, sentences)
    keeper.cell("chicago", "Cilla").click(force=True)
    expect(keeper.said).not_to_be_empty()
    eventually(keeper.page, "heardAloud.length === 4")
    assert reader.page.evaluate("heardAloud") == sentences

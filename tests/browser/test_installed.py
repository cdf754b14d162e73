"""The installed app: its own window, a screen that stays awake, a shared table."""

from playwright.sync_api import Page

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper

FAKE_LOCK = """
    window.locks = [];
    Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
        const lock = {released: false, release: async () => { lock.released = true; }};
        window.locks.push(lock);
        return lock;
    }}});
"""
SO_MANY_HELD = "(count) => locks.filter((lock) => !lock.released).length === count"
RETURN = """
    () => {
        for (const lock of locks) lock.released = true;
        document.dispatchEvent(new Event("visibilitychange"));
    }
"""


def test_the_browser_finds_nothing_that_keeps_it_from_being_installed(phone: Page) -> None:
    """Chromium's own check of manifest and icons reports no error."""
    phone.goto("/")
    devtools = phone.context.new_cdp_session(phone)
    assert devtools.send("Page.getAppManifest")["errors"] == []
    problems = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # An incognito window installs nothing, and every test's window is one.
    assert [found["errorId"] for found in problems] in ([], ["in-incognito"])


def test_the_screen_stays_awake_while_a_game_is_written_down(new_phone: NewPhone) -> None:
    """The lock is requested at the keeper's table, again after a return, and released after it."""
    page = new_phone()
    page.context.add_init_script(FAKE_LOCK)
    keeper = Keeper(page)
    keeper.sit_down(*PLAYERS)
    page.wait_for_function(SO_MANY_HELD, arg=1)
    keeper.tap("pair", "Anna")
    assert page.evaluate(SO_MANY_HELD, 1)
    page.evaluate(RETURN)
    page.wait_for_function(SO_MANY_HELD, arg=1)
    keeper.break_off()
    page.wait_for_function(SO_MANY_HELD, arg=0)

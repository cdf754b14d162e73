"""What a new fact gave is shown at the heads, on every phone, until the next one."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import reader_of
from tests.screens.layout import AT_REST

# The places of all elements that must not move when a difference comes or goes.
PLACES = """
    () => [...document.querySelectorAll(".head, .score, .row")]
        .map((part) => part.getBoundingClientRect().top)
"""


def difference(keeper: Keeper, player: str) -> str:
    """Return what the newest fact gave to a player, or nothing."""
    found = keeper.head(player).locator(".difference")
    return found.inner_text() if found.count() else ""


def test_what_was_recorded_is_news_until_the_next_tap(phone: Page, new_phone: NewPhone) -> None:
    """The difference shows on the keeper's phone and a reader's; nothing moves."""
    keeper, other = Keeper(phone), new_phone()
    keeper.open_table(*PLAYERS)
    reader = reader_of(keeper, other)
    stop_time(other)
    keeper.tap("nobody")
    places = phone.evaluate(PLACES)
    keeper.correct("Bo", "30")
    for each in (keeper, reader):
        expect(each.head("Bo").locator(".difference")).to_have_text("+30")
        assert difference(each, "Anna") == ""
    assert phone.evaluate(PLACES) == places
    keeper.correct("Anna", "1")
    assert (difference(keeper, "Anna"), difference(keeper, "Bo")) == ("+1", "")
    keeper.tap_rare("Fyrtal (nollar)", "Bo")
    expect(other.locator(".loud")).to_contain_text("Bo nollar med fyrtal")
    phone.reload()
    expect(phone.locator(".loud")).to_be_hidden()


def stop_time(page: Page, pace: float = 0) -> None:
    """Stop the animations of a page at their start, for as long as a test needs."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": pace})


# Whatever begins to move is noted: its class, and how it moves.
NOTED = """
    window.moved = [];
    for (const type of ["animationstart", "transitionrun"]) {
        document.addEventListener(type, ({ target, animationName, propertyName }) => {
            moved.push([target.className, animationName ?? propertyName].join(": "));
        });
    }
    window.counted = [];
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            if (target.parentElement.matches(".standing")) counted.push(parseInt(target.data, 10));
        }
    }).observe(document, { subtree: true, characterData: true });
"""
# Where a gain's flight begins, from its head.
FROM = """
    () => [...document.querySelectorAll(".difference")]
        .flatMap((gain) => gain.getAnimations())
        .filter(({ animationName }) => !animationName)
        .map(({ effect }) => effect.getKeyframes()[0].translate)
"""


def expect_moved(page: Page, *moves: str) -> None:
    """Wait until these have moved, and forget all that has."""
    page.wait_for_function("(moves) => moves.every((each) => moved.includes(each))", arg=moves)
    page.evaluate("moved.length = 0")


def test_a_gain_flies_a_zeroing_falls_and_a_win_shines(new_phone: NewPhone) -> None:
    """So does a stop unroll and a deal's sums rise; not where the phone is asked to keep still."""
    page = new_phone(reduced_motion="no-preference")
    page.add_init_script(NOTED)
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS)
    page.evaluate(AT_REST)
    stop_time(page)
    keeper.tap("pair", "Bo")
    expect_moved(page, "difference: fly")
    ((across, down),) = [[float(each[:-2]) for each in far.split()] for far in page.evaluate(FROM)]
    assert abs(across) < 10
    assert down > 100
    stop_time(page, 1)
    page.emulate_media(reduced_motion="reduce")
    keeper.correct("Dan", "46")
    expect(keeper.head("Dan").locator(".difference")).to_be_visible()
    assert page.evaluate("moved") == []
    page.emulate_media(reduced_motion="no-preference")
    keeper.tap_rare("Fyrtal (nollar)", "Dan")
    expect_moved(page, "score fallen: fall", ": rise", "slot stop: clip-path")
    keeper.tap_rare("Färgstege (vinner)", "Dan")
    expect_moved(page, "ending: shine")
    # Its points count up meanwhile.
    expect(page.locator(".standing")).to_contain_text("98")
    counted = page.evaluate("counted")
    assert counted == sorted(counted)
    assert counted[0] < counted[-1] == 98

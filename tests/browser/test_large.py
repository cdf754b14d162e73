"""The large view: a television shows the whole game, without a touch."""

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import reader_of, requests_of
from tests.screens.layout import AT_REST
from tests.screens.phone import Table, resize
from tests.screens.scenes import LONG

SCREENS: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720},
    {"width": 1024, "height": 768},
)
# Each element is wholly on the screen; one without room is left out, not cut in two.
CUT_OFF = """
    () => [...document.querySelectorAll(
        ".top *, .head, .head *, .middle :is(li, p, h2, td, tbody th, b, svg, .deal), "
        + "#curve svg, #curve use, #curve p, #curve figcaption"
    )].flatMap((part) => {
        const {left, right, top, bottom, width} = part.getBoundingClientRect();
        const list = part.closest(".newest")?.getBoundingClientRect();
        const leftOut = list && left >= list.right - 1;
        const fits = left >= -1 && top >= -1
            && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        return fits || leftOut || !width ? [] : [`${part.outerHTML} ${[left, right, top, bottom]}`];
    })
"""
SCROLLS = """
    () => [...document.querySelectorAll("html, body, .heads, .middle, .result, #curve, .own")]
        .filter((part) => part.scrollHeight > part.clientHeight
            || part.scrollWidth > part.clientWidth)
        .map((part) => part.outerHTML.slice(0, 200))
"""


def test_everything_is_in_sight(phone: Page, new_phone: NewPhone) -> None:
    """Scores, prompts, the score sheet and the curve need no scrolling, and nothing is cut off."""
    keeper = Keeper(phone)
    keeper.sit_down(*LONG)
    large = reader_of(keeper, new_phone(viewport=SCREENS[0], is_mobile=False))
    expect_all_in_sight(large.page)
    line = large.page.locator("#curve [id*=-line-]").first
    expect(line).to_have_attribute("d", "M0 1000")
    sent = requests_of(large.page)
    for deal in range(3):
        pair, three, trick, full = (LONG[seat + deal] for seat in range(4))
        Table(phone, phone.url).record(
            [
                {"event": "best_hand", "hand": "pair", "player": pair},
                {"event": "best_hand", "hand": "three_of_a_kind", "player": three},
                {"event": "last_trick", "player": trick},
                {"event": "best_hand", "hand": "full_house", "player": full},
            ]
        )
    expect(large.page.locator("#deal-3 li")).to_have_count(4)
    expect(large.page.locator("#curve [id*=-line-]")).to_have_count(len(LONG))
    expect(line).not_to_have_attribute("d", "M0 1000")
    # The score sheet and the curve come with the change itself; the code is kept, or fetched once.
    assert [each.url.split("/")[-1] for each in sent if "/t/" in each.url] in ([], ["join.svg"])
    expect_all_in_sight(large.page)
    keeper.break_off()
    expect_all_in_sight(large.page, ".owed")


def test_a_phone_fetches_no_code_to_scan(phone: Page, new_phone: NewPhone) -> None:
    """Only a large screen shows the code to follow along by."""
    keeper = Keeper(phone)
    keeper.sit_down("Anna", "Bo")
    other = new_phone()
    reader = reader_of(keeper, other)
    keeper.tap("pair", "Anna")
    reader.expect_scores(1, 0)
    code = other.locator(".scan img")
    expect(code).to_have_js_property("currentSrc", "")
    resize(other, 1280, 720)
    expect(code).to_be_visible()
    expect(code).to_have_js_property("currentSrc", f"{other.url.split('?')[0]}/join.svg")


def expect_all_in_sight(page: Page, what: str = "#curve .plot") -> None:
    """Check that on no large screen anything scrolls, or ends beyond the edge."""
    for screen in reversed(SCREENS):
        resize(page, screen["width"], screen["height"])
        page.evaluate(AT_REST)
        expect(page.locator(what)).to_be_visible()
        # Elements in motion are at their places.
        page.evaluate("document.getAnimations().forEach((glide) => glide.finish())")
        assert page.evaluate(SCROLLS) == []
        assert page.evaluate(CUT_OFF) == []

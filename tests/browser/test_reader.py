"""A reader's phone: the score sheet follows the game, and no change disturbs the reading."""

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS
from tests.browser.serving import Server
from tests.browser.tables import eventually
from tests.rules.table import write_facts
from tests.screens.phone import open_table
from tests.screens.scenes import LONG, Event

RULES: Event = {"preset": "pagat", "target": 1000, "exchange_stop": None}
DEAL = write_facts("Bo pair, tie pair Anna Cilla, Bo trick, Cilla two_pairs")
PLAYED, TAPS = 10, 8
# The viewport of a phone's browser, and the size that a thumb hits without a second look, in px.
BROWSER: ViewportSize = {"width": 390, "height": 664}
FINGER = 44
# The layout shift of a score that gets its third digit, while nothing else moves.
DIGIT_SHIFT = 0.0001
# Resolves after two more frames of the page.
FRAMES = """new Promise((drawn) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))"""
# Records layout shifts from now on.
WATCH = """
        window.shifts = [];
        new PerformanceObserver((seen) => window.shifts.push(...seen.getEntries()
            .filter((shift) => !shift.hadRecentInput))).observe({type: "layout-shift"});
"""
# Opens a deal's facts, scrolls it to the middle, and from then on records layout shifts.
READ = f"""
    (deal) => {{
        const read = document.querySelector(deal);
        read.querySelector("summary").click();
        read.scrollIntoView({{block: "center"}});
        document.querySelectorAll("#follow details, #follow details *, .head, .bar a, .own h2")
            .forEach((part) => {{ part.same = true; }});
        // What the reader's own doing moved is over by then.
        const glides = document.getAnimations().map((each) => each.finished.catch(() => null));
        return Promise.all(glides).then(() => ({FRAMES})).then(() => {{
            {WATCH}
            return read.getBoundingClientRect().top;
        }});
    }}
"""
# The layout shifts up to the end of the next frames.
SHIFTED = f"""
    () => ({FRAMES}).then(() => shifts.map(({{value}}) => value))
"""
REPLACED = """
    (deals) => deals.flatMap((deal) => [deal, ...deal.querySelectorAll("*")])
        .concat([...document.querySelectorAll(".head, .bar a")])
        .filter((part) => !part.same).map((part) => part.outerHTML)
"""


def test_who_reads_is_asked_who_they_are(
    browser: Browser, server: Server, new_phone: NewPhone
) -> None:
    """The choices are at the bottom of the screen and fit a thumb; then the card is in sight."""
    table = open_table(browser, server.url, "sv-SE", LONG, {"preset": "huvudregler"})
    page = new_phone(viewport=BROWSER)
    page.goto(table.address)
    table.close()
    answers = page.locator(".whoami a")
    expect(answers).to_have_count(len(LONG) + 2)
    boxes = answers.evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().toJSON())"
    )
    assert all(min(box["width"], box["height"]) >= FINGER for box in boxes)
    assert all(box["top"] >= 0 and box["bottom"] <= BROWSER["height"] for box in boxes)
    answers.last.click()
    card = page.locator(".own").bounding_box()
    assert card is not None
    assert card["y"] >= 0
    assert card["height"] <= 0.41 * BROWSER["height"]


def test_taps_move_nothing_that_somebody_reads(
    browser: Browser, server: Server, new_phone: NewPhone
) -> None:
    """Around an older deal that was opened nothing jumps, closes, or is made anew.

    The page shows each tap before the next one: of faster ones it would show some only.
    """
    table, page = open_table(browser, server.url, "sv-SE", PLAYERS, RULES), new_phone()
    table.record([*DEAL * PLAYED, DEAL[0]])
    page.goto(table.address)
    page.get_by_role("link", name="Jag är Bo").click()
    expect(page.locator(".own")).to_be_visible()
    expect(page.locator("#live")).to_have_class("on")
    # So far down that the newest facts, of which each makes room for the next, are out of sight.
    read = page.locator(f"#deal-{PLAYED - 3}")
    top = page.evaluate(READ, f"#deal-{PLAYED - 3}")
    seq = int(page.locator("#table").get_attribute("data-seq") or "")
    for number, tap in enumerate([*DEAL[1:], *DEAL * (TAPS // 4)][:TAPS], seq + 1):
        table.record([tap])
        eventually(page, "(seq) => document.querySelector('#table').dataset.seq == seq", number)
    table.close()
    assert sum(page.evaluate(SHIFTED)) < DIGIT_SHIFT
    assert read.evaluate("(deal) => deal.getBoundingClientRect().top") == pytest.approx(top, abs=1)
    assert read.evaluate("(deal) => deal.open")
    assert page.locator("#follow details").count() > TAPS // 4
    older = page.locator(", ".join(f"#deal-{PLAYED - n}" for n in range(4)))
    expect(older).to_have_count(4)
    assert older.evaluate_all(REPLACED) == []

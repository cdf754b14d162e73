"""A reader's phone: the score sheet follows the game, and whoever reads in it is left in peace."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from tests.api.network import send
from tests.browser.conftest import NewPhone
from tests.browser.serving import Server
from tests.browser.tables import eventually

SETUP = {
    "players": ["Anna", "Bo", "Cilla", "Dan"],
    "rules": {"preset": "pagat", "target": 1000, "exchange_stop": None},
}
DEAL: list[dict[str, object]] = [
    {"event": "best_hand", "player": "Anna", "hand": "pair"},
    {"event": "no_best_hand", "hand": "pair", "tied": ["Bo", "Cilla"]},
    {"event": "last_trick", "player": "Bo"},
    {"event": "best_hand", "player": "Cilla", "hand": "two_pairs"},
]
PLAYED, TAPS = 10, 40
# What a browser counts as moved, of a screen, all together; letters that get smaller count too.
MOST_SHIFT = 0.01
# Where nothing moves at all but a score, as it gets its third digit.
DIGIT_SHIFT = 0.0001
# From now on watches what moves.
WATCH = """
        window.shifts = [];
        new PerformanceObserver((seen) => window.shifts.push(...seen.getEntries()
            .filter((shift) => !shift.hadRecentInput))).observe({type: "layout-shift"});
"""
# Opens a deal's facts, brings it to the middle, and from then on watches what moves.
READ = f"""
    (deal) => {{
        const read = document.querySelector(deal);
        read.querySelector("summary").click();
        read.scrollIntoView({{block: "center"}});
        document.querySelectorAll("#follow details, #follow details *, .head, .bar a, .own h2")
            .forEach((part) => {{ part.same = true; }});
        // What the reader's own doing moved is over by then.
        return new Promise((begin) => setTimeout(() => {{
            {WATCH}
            begin(read.getBoundingClientRect().top);
        }}, 600));
    }}
"""
# What was seen by the end of the next frames.
SHIFTED = """
    () => new Promise((tell) => setTimeout(tell, 100)).then(() => shifts.map(({value}) => value))
"""
# How much glides when a sheet has come over a page that was scrolled since the last change.
MOVED_BY_A_SHEET = """
    () => new Promise((tell) => setTimeout(tell, 500)).then(() => new Promise((tell) => {
        scrollTo(0, 200);
        const count = () => tell(document.querySelectorAll("[style*=translate]").length);
        addEventListener("htmx:after:swap", count, {once: true});
        document.querySelector(".bar [data-sheet]").click();
    }))
"""
REPLACED = """
    (deals) => deals.flatMap((deal) => [deal, ...deal.querySelectorAll("*")])
        .concat([...document.querySelectorAll(".head, .bar a")])
        .filter((part) => !part.same).map((part) => part.outerHTML)
"""


class Game:
    """A table of which a program writes the game."""

    def __init__(self, port: int) -> None:
        self.port = port
        opened = send(port, "POST", "/api/tables", SETUP).json
        self.link, self._pen, self.seq = opened["table"], opened["pen"], 1

    def record(self, events: Sequence[dict[str, object]]) -> None:
        """Record events, as fast as they are answered."""
        for event in events:
            path = f"/api/tables/{self.link}/events"
            self.seq = send(self.port, "POST", path, event, self._pen).json["seq"]

    def mend(self, index: int, event: dict[str, object]) -> None:
        """Put another event in the place of one."""
        path = f"/api/tables/{self.link}/events/{index}"
        self.seq = send(self.port, "PUT", path, event, self._pen).json["seq"]


def be_bo(page: Page) -> None:
    """Say to be Bo, and wait for the panel."""
    page.get_by_role("link", name="Jag är Bo").click()
    expect(page.locator(".own")).to_be_visible()


@pytest.fixture
def game(server: Server) -> Game:
    """Return a table in whose game some deals have been played, and the next has begun."""
    game = Game(server.port)
    game.record([*DEAL * PLAYED, DEAL[0]])
    return game


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_forty_taps_move_nothing_at_the_top(game: Game, new_phone: NewPhone, motion: str) -> None:
    """Nothing jumps where the newest is, with a panel of one's own and without."""
    nobody, bo = (new_phone(reduced_motion=motion) for _ in range(2))
    for page in (nobody, bo):
        page.goto(f"/t/{game.link}")
    be_bo(bo)
    for page in (nobody, bo):
        expect(page.locator("#live")).to_have_class("on")
        page.evaluate(f"scrollTo(0, 0); setTimeout(() => {{ {WATCH} }}, 600)")
    eventually(bo, "window.shifts !== undefined")
    game.record([*DEAL[1:], *DEAL * (TAPS // 4)][:TAPS])
    for page in (nobody, bo):
        eventually(page, "(seq) => document.querySelector('#table').dataset.seq == seq", game.seq)
        assert sum(page.evaluate(SHIFTED)) < MOST_SHIFT
        assert page.evaluate("scrollY") == 0
        assert page.evaluate(MOVED_BY_A_SHEET) == 0


@pytest.mark.parametrize("me", ["nobody", "Bo"])
def test_forty_taps_move_nothing_that_somebody_reads(
    game: Game, new_phone: NewPhone, me: str
) -> None:
    """Scrolled to an older deal that was opened: nothing jumps, closes, or is made anew.

    Each tap is seen before the next: of a program's, which are faster, the page shows some.
    """
    page = new_phone()
    page.goto(f"/t/{game.link}")
    if me == "Bo":
        be_bo(page)
    expect(page.locator("#live")).to_have_class("on")
    read = page.locator(f"#deal-{PLAYED - 1}")
    top = page.evaluate(READ, f"#deal-{PLAYED - 1}")
    for tap in [*DEAL[1:], *DEAL * (TAPS // 4)][:TAPS]:
        game.record([tap])
        eventually(page, "(seq) => document.querySelector('#table').dataset.seq == seq", game.seq)
    assert sum(page.evaluate(SHIFTED)) < DIGIT_SHIFT
    assert read.evaluate("(deal) => deal.getBoundingClientRect().top") == pytest.approx(top, abs=1)
    assert read.evaluate("(deal) => deal.open")
    assert page.locator("#follow details").count() > TAPS // 4
    older = page.locator(", ".join(f"#deal-{PLAYED - n}" for n in range(4)))
    expect(older).to_have_count(4)
    assert older.evaluate_all(REPLACED) == []


def test_a_mended_game_leaves_no_deal_as_it_was(game: Game, new_phone: NewPhone) -> None:
    """What stayed on the page beneath the newest deals goes where it is true no longer."""
    page = new_phone()
    page.goto(f"/t/{game.link}")
    expect(page.locator("#live")).to_have_class("on")
    game.record([*DEAL[1:], *DEAL, DEAL[0]])
    eventually(page, "(seq) => document.querySelector('#table').dataset.seq == seq", game.seq)
    expect(page.locator("#follow details")).to_have_count(7)
    game.mend(0, {**DEAL[0], "player": "Dan"})
    expect(page.locator(".head .score").last).to_have_text("1")
    expect(page.locator("#follow details")).to_have_count(5)

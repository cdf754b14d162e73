"""The number of taps for each task in docs/TAPS.md, counted on a phone as people use it.

Every touch of the screen counts, typing does not. The rules are the main ones, with four players.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import recorded
from tests.checkout import ROOT
from tests.rules.table import write_facts
from tests.screens.phone import open_table, resize
from tests.screens.scenes import SHORT
from tests.test_documents import rows, text

# The browser itself counts, so that it misses nothing that a test does to a page.
COUNT = "addEventListener('pointerdown', event => event.isTrusted && countTap(), true)"
BO_THREE, ANNA_PAIR = write_facts("Bo three_of_a_kind, Anna pair")
TIE = {"event": "no_best_hand", "hand": "pair", "tied": ["Bo", "Cilla"]}
# Who is away on each of them.
EVENINGS = {
    "a new evening for the same people": [],
    "a new evening with one person fewer": ["Cilla"],
}


class Counter:
    """Counter of the touches of phones; `found` are the taps of each task."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}
        self._taps = 0

    def watch(self, page: Page) -> None:
        """Count the touches of a phone, from the next page that it loads."""
        page.expose_function("countTap", self._count)
        page.add_init_script(COUNT)

    @contextmanager
    def counting(self, what: str) -> Iterator[None]:
        """Count the taps of the block as one task."""
        before = self._taps
        yield
        self.found[what] = self._taps - before

    def _count(self) -> None:
        self._taps += 1


def test_everything_takes_as_many_taps_as_its_document_says(
    phone: Page, new_phone: NewPhone, browser: Browser, server: Server
) -> None:
    """The counts of an evening equal those of the table, and every listed task is counted."""
    counter, keeper = Counter(), Keeper(phone)
    counter.watch(phone)
    keeper.open_table(*PLAYERS)
    expect(phone.locator("#live")).to_have_class("on")
    count_a_deal(keeper, counter)
    count_undo(keeper, counter)
    count_an_old_entry(keeper, counter)
    count_what_is_doubted(keeper, counter, new_phone())
    count_a_zeroing(keeper, counter)
    count_a_latecomer(keeper, counter)
    count_a_forgotten_hand(keeper, counter)
    count_what_was_agreed(keeper, counter)
    count_a_new_entry(keeper, counter)
    count_ties(keeper, counter)
    count_chicagos(keeper, counter)
    count_the_next_game(keeper, counter)
    count_pens(keeper, counter, new_phone)
    count_new_evenings(keeper, counter)
    count_deals_of_many(browser, server, counter)
    count_own_hands(browser, server, counter)
    listed = rows(text(ROOT / "docs" / "TAPS.md"))
    assert {what: taps for what, taps in listed if what} == {
        what: str(taps) for what, taps in counter.found.items()
    }


def count_a_deal(keeper: Keeper, counter: Counter) -> None:
    """Count three hands and the last trick, of which none loads a whole page."""
    loads = keeper.loads
    with counter.counting("a deal without a Chicago"):
        keeper.tap("pair", "Anna")
        keeper.tap("two_pairs", "Bo")
        keeper.tap("trick", "Cilla")
        keeper.tap("straight", "Dan")
    keeper.expect_scores(1, 2, 5, 4)
    expect(keeper.page.locator(".sums")).to_be_visible()
    assert keeper.loads == loads


def count_deals_of_many(browser: Browser, server: Server, counter: Counter) -> None:
    """Count a deal of six, who have columns, and of eight, who choose hand and name in turn."""
    rules: dict[int, dict[str, object]] = {6: {}, 8: {"exchanges": 2}}
    for what, players in {"six players": 6, "eight players, two exchanges": 8}.items():
        table = open_table(browser, server.url, "sv-SE", SHORT[:players], rules[players])
        keeper = Keeper(table.page)
        keeper.players = tuple(SHORT[:players])
        counter.watch(table.page)
        resize(table.page, 390, 664)
        table.page.goto(table.address)
        with counter.counting(f"a deal without a Chicago, {what}"):
            keeper.tap("pair", SHORT[0])
            if players == 6:
                keeper.tap("two_pairs", SHORT[1])
            keeper.tap("trick", SHORT[2])
            keeper.tap("straight", SHORT[5])
        expect(table.page.locator(".where")).to_contain_text("Giv 2")
        table.close()


def count_own_hands(browser: Browser, server: Server, counter: Counter) -> None:
    """Count the hands of three of four where everybody's own scores, and what ends them."""
    rules: dict[str, object] = {"scored_hands": {"1": "everyone"}}
    table = open_table(browser, server.url, "sv-SE", SHORT[:4], rules)
    keeper = Keeper(table.page)
    keeper.players = tuple(SHORT[:4])
    counter.watch(table.page)
    resize(table.page, 390, 664)
    table.page.goto(table.address)
    with counter.counting("everybody’s own hand, where three have one"):
        for name, hand in zip(SHORT, ("pair", "flush", "pair"), strict=False):
            keeper.tap(hand, name)
        keeper.tap("nobody")
    expect(table.page.locator(".asks h1")).to_have_text("Tredje köpet, sedan spel")
    table.close()


def count_undo(keeper: Keeper, counter: Counter) -> None:
    """Count an undo from a deal that has just begun into the one before."""
    with counter.counting("taking the newest entry back"):
        keeper.undo()
    keeper.expect_scores(1, 2, 5, 0)
    keeper.redo()


def count_an_old_entry(keeper: Keeper, counter: Counter) -> None:
    """Count the score sheet, the deal, the entry, the correct hand, and the button to keep it."""
    page, table = keeper.page, keeper.page.url
    # A deal counts as earlier, and is folded, once the next has begun.
    keeper.tap("pair", "Dan")
    with counter.counting("editing an entry of an earlier deal"):
        open_entry(page, "#deal-1")
        page.get_by_role("button", name="Bo: Triss").click()
        save(page)
    assert recorded(page)[0] == BO_THREE
    page.goto(table)
    keeper.expect_scores(0, 5, 5, 5)


def open_entry(page: Page, deal: str, text: str = "") -> None:
    """Open the first entry with a text, of a deal of the score sheet."""
    page.get_by_role("link", name="Protokoll").click()
    if not page.locator(f"{deal}[open]").count():
        page.locator(f"{deal} summary").click()
    page.locator(f"{deal} li a").filter(has_text=text).first.click()


def save(page: Page) -> None:
    """Keep what the preview shows."""
    page.get_by_role("button", name="Spara", exact=True).click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")


def count_what_is_doubted(keeper: Keeper, counter: Counter, reader: Page) -> None:
    """Count what Bo's phone says is not right, and what it was; the table is there again."""
    page = keeper.page
    reader.goto(page.url)
    reader.get_by_role("link", name="Jag är Bo").click()
    reader.locator("[data-doubt='0']").click()
    with counter.counting("editing an entry that a reader says is not right"):
        page.locator("[data-doubted='0']").click()
        page.get_by_role("button", name="Bo två par", exact=True).click()
    expect(page.locator(".board")).to_be_visible()
    keeper.expect_scores(0, 4, 5, 5)
    keeper.undo()
    # The same entry as before is there again, and so is the doubt.
    page.get_by_label("Det stämmer").click()
    expect(page.locator("[data-doubted]")).to_have_count(0)
    keeper.expect_scores(0, 5, 5, 5)


def count_a_zeroing(keeper: Keeper, counter: Counter) -> None:
    """Count four of a kind with its zeroing."""
    with counter.counting("a zeroing"):
        keeper.tap_rare("Fyrtal (nollar)", "Bo")
    keeper.expect_scores(0, 5, 0, 0)


def count_a_new_entry(keeper: Keeper, counter: Counter) -> None:
    """Count the step of the deal, the correct hand, and the button to keep it."""
    page, table = keeper.page, keeper.page.url
    keeper.tap("pair", "Anna")
    with counter.counting("editing an entry of this deal"):
        page.locator(".strip a").click()
        page.get_by_role("button", name="Bo: Triss").click()
        save(page)
    assert recorded(page)[-1] == BO_THREE
    page.goto(table)


def count_a_latecomer(keeper: Keeper, counter: Counter) -> None:
    """Count the score sheet, the entry, that it did not happen, and the button to keep it.

    What the latecomer had goes with it.
    """
    page, table = keeper.page, keeper.page.url
    before = recorded(page)
    page.goto(f"{table}/latecomer")
    page.get_by_label("Namn").fill("Eva")
    page.get_by_role("button", name="Ta plats").click()
    keeper.players = (*PLAYERS, "Eva")
    keeper.tap("pair", "Eva")
    with counter.counting("taking a latecomer back"):
        open_entry(page, "details[open]", "Eva kommer")
        page.get_by_role("button", name="Det hände inte").click()
        save(page)
    assert recorded(page) == before
    keeper.players = PLAYERS
    page.goto(table)


def count_a_forgotten_hand(keeper: Keeper, counter: Counter) -> None:
    """Count the way to the entry, that something before it was forgotten, the hand, and keeping it.

    The rest moves on by itself.
    """
    page, table = keeper.page, keeper.page.url
    keeper.tap("pair", "Anna")
    keeper.tap("nobody")
    before = recorded(page)[:-2]
    with counter.counting("putting a forgotten hand in before others, which move on"):
        open_entry(page, "details[open]")
        page.get_by_role("button", name="Något före det glömdes").click()
        # The page before has a button of that name too.
        expect(page.get_by_role("heading", name="Vad glömdes före det här?")).to_be_visible()
        page.get_by_role("button", name="Bo: Triss").click()
        save(page)
    assert recorded(page) == [*before, BO_THREE, ANNA_PAIR]
    page.goto(table)
    keeper.undo()
    keeper.undo()
    keeper.undo()


def count_what_was_agreed(keeper: Keeper, counter: Counter) -> None:
    """Count the menu, the form, what is other there, and the buttons that keep it."""
    page = keeper.page
    page.goto(keeper.page.url)
    with counter.counting("switching a rule off after it was used"):
        page.get_by_role("link", name="Meny", exact=True).click()
        page.get_by_role("link", name="Ändra partiet").click()
        page.locator("[name='zeroing.four_of_a_kind'][value=none]").click()
        page.get_by_role("button", name="Spela så här").click()
        expect(page.locator(".board")).to_be_visible()
    assert [event["event"] for event in recorded(page)].count("rules") == 1
    keeper.undo()
    with counter.counting("another name"):
        page.get_by_role("link", name="Meny", exact=True).click()
        page.get_by_role("link", name="Ändra partiet").click()
        page.locator("[name=player]").nth(1).click()
        page.locator("[name=player]").nth(1).fill("Bosse")
        page.get_by_role("button", name="Se vad det blir").click()
        page.get_by_role("button", name="Spela så här").click()
        expect(page.locator("#head-2")).to_contain_text("Bosse")
    keeper.undo()
    with counter.counting("another dealer"):
        page.locator(".where a").first.click()
        page.locator("details[open] button").first.click()
        expect(page.locator("#said")).to_contain_text("ger")
    keeper.undo()


def count_ties(keeper: Keeper, counter: Counter) -> None:
    """Count a tie, without and with the hand that two players must show."""
    with counter.counting("a tie"):
        keeper.tap("nobody")
    assert recorded(keeper.page)[-1] == {"event": "no_best_hand"}
    keeper.undo()
    with counter.counting("a tie, with the hand and the two who must show it"):
        keeper.cell("tie").click()
        for label in ("Par", "Bo", "Cilla"):
            keeper.sheet.get_by_label(label, exact=True).check()
        keeper.answer("Skriv upp")
    assert recorded(keeper.page)[-1] == TIE
    keeper.tap("trick", "Anna")
    keeper.tap("nobody")


def count_chicagos(keeper: Keeper, counter: Counter) -> None:
    """Count two hands, the bid and its result."""
    keeper.correct("Dan", "15")
    with counter.counting("a deal with a Chicago that is made"):
        play_a_chicago(keeper, "made")
    keeper.expect_scores(5, 8, 1, 30)
    with counter.counting("a deal with a Chicago that is lost"):
        play_a_chicago(keeper, "broken")
    keeper.expect_scores(5, 8, 2, 15)


def play_a_chicago(keeper: Keeper, how: str) -> None:
    """Let Dan bid and the deal end; the next deal begins."""
    keeper.tap("pair", "Cilla")
    keeper.tap("nobody")
    keeper.tap("chicago", "Dan")
    keeper.tap(how)
    expect(keeper.page.locator(".sums")).to_be_visible()


def count_the_next_game(keeper: Keeper, counter: Counter) -> None:
    """Count from the end of a game to a payment by Swish, and to the next game."""
    keeper.correct("Dan", "51")
    keeper.tap_rare("Färgstege (vinner)", "Dan")
    expect(keeper.title).to_have_text("Partiet är slut")
    page, table = keeper.page, keeper.page.url
    with counter.counting("from a game's end to Swish"):
        page.locator(".owed a").first.click()
        expect(page.locator("#swish")).to_be_in_viewport()
    page.goto(table)
    with counter.counting("the next game"):
        keeper.tap_rematch()
    keeper.expect_scores(0, 0, 0, 0)


def count_pens(keeper: Keeper, counter: Counter, new_phone: NewPhone) -> None:
    """Count the taps to the code, and those on the phone that has scanned it."""
    page, table = keeper.page, keeper.page.url
    with counter.counting("handing over the pen"):
        show_how_to_follow(page)
        page.get_by_role("button", name="Låt någon mer skriva").click()
        pen = page.get_by_label("Länk som ger pennan").input_value()
    with counter.counting("taking it, on the phone that scanned the code"):
        get_or_create_pen(new_phone(), counter, table, pen)
    keeper.close()
    show_how_to_follow(page)
    page.get_by_role("link", name="Om telefonen försvinner").click()
    page.get_by_role("button", name="Gör en reservlänk").click()
    recovery = page.get_by_label("Reservlänk").input_value()
    with counter.counting("having a lost pen again, on a phone that opened the recovery link"):
        get_or_create_pen(new_phone(), counter, table, recovery)


def show_how_to_follow(page: Page) -> None:
    """Open the sheet with the codes for other phones."""
    page.get_by_role("link", name="Bjud in", exact=True).click()


def get_or_create_pen(page: Page, counter: Counter, table: str, address: str) -> None:
    """Open a link by its path, at this machine's address, and take the pen."""
    counter.watch(page)
    page.goto("/".join([*table.split("/")[:3], *address.split("/")[3:]]))
    page.get_by_role("button", name="Ta pennan").click()
    expect(page.locator(".board")).to_be_visible()


def count_new_evenings(keeper: Keeper, counter: Counter) -> None:
    """Count from the start page: everything as last time, and without somebody who is away."""
    page, table = keeper.page, keeper.page.url
    for what, away in EVENINGS.items():
        keeper.page.goto(f"{table}/comings")
        page.get_by_role("button", name="Bryt partiet – ställningen gäller").click()
        expect(keeper.title).to_have_text("Partiet är slut")
        page.goto("/")
        card = page.locator("[data-table]")
        with counter.counting(what):
            for name in away:
                card.locator(".pick label", has_text=name).click()
            card.get_by_role("button", name="Ny kväll").click()
            expect(page.locator(".board")).to_be_visible()
        assert page.url == table
        keeper.expect_scores(*[0] * (len(PLAYERS) - len(away)))

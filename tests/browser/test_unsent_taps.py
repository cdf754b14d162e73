"""A bad network: taps are kept on the phone, and recorded once, in order, or not at all.

`tests/scripts/outbox.test.mjs` tests the script's reaction to each answer. Every test here ends
with a check of the events on the server.
"""

from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import AWAY, Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import HOST, Server
from tests.browser.tables import cut, eventually, recorded
from tests.rules.table import write_facts
from tests.screens.layout import find_faults

TOLERATED = [*AWAY, "server error 503", "htmx:error: timeout"]


def unsent(keeper: Keeper) -> Locator:
    """Return the marks of taps that are not recorded yet."""
    return keeper.page.locator("#unsent")


def expect_unsent(keeper: Keeper, waiting: int) -> None:
    """Check how many taps are unsent, in sight."""
    expect(unsent(keeper).locator(".count:visible")).to_have_text(str(waiting))


def correct_without_answer(keeper: Keeper, points: int, waiting: int) -> None:
    """Correct a score on a sheet that was open; `waiting` taps are unsent then."""
    keeper.sheet.locator("input[name=points]").fill(str(points))
    keeper.sheet.get_by_role("button", name="Spara", exact=True).click()
    expect_unsent(keeper, waiting)
    keeper.expect_no_sheet()


def tap_without_answer(keeper: Keeper, waiting: int, row: str, *player: str) -> None:
    """Tap a cell of the board that follows on what waits; `waiting` taps are unsent then."""
    keeper.let_time_pass()
    keeper.cell(row, *player).click()
    expect_unsent(keeper, waiting)


def with_boards(keeper: Keeper) -> Keeper:
    """Wait until a phone has the boards ahead."""
    eventually(keeper.page, "boards")
    return keeper


def expect_written(keeper: Keeper, told: str) -> None:
    """Check that nothing is unsent any more, and that the server holds these events."""
    expect(unsent(keeper)).to_be_hidden()
    expect(keeper.page.locator(".pending")).to_have_count(0)
    assert recorded(keeper.page) == write_facts(told)


def test_taps_without_a_network_wait_in_sight_and_outlive_their_page(keeper: Keeper) -> None:
    """Taps are shown as unsent, in the list of tables too, and recorded once and in order."""
    keeper.look_up("Cilla")
    cut(keeper.page)
    correct_without_answer(keeper, 7, 1)
    tap_without_answer(keeper, 2, "pair", "Anna")
    expect(unsent(keeper)).to_contain_text("Anna: Par – inte skickat än")
    keeper.expect_scores(0, 0, 0, 0)
    address, context = keeper.page.url, keeper.page.context
    keeper.page.close()
    cut(keeper.page, off=False)
    again = Keeper(context.new_page())
    again.page.goto("/")
    expect(again.page.locator(".card .facts")).to_contain_text("2 inte skickat än")
    again.page.goto(address)
    again.expect_scores(1, 0, 7, 0)
    expect_written(again, "Cilla 7, Anna pair")


TOLD = (
    "Anna pair, Bo two_pairs, Cilla trick, Dan straight, nobody, Bo flush, Bo trick, nobody,"
    " Dan pair, Anna pair"
)
# Their cells, each by its row and its player, or alone.
EVENING = [fact.split()[::-1] for fact in TOLD.split(", ")]


def test_ten_facts_are_written_down_without_a_network(
    server: Server, new_phone: NewPhone, tolerated: list[str]
) -> None:
    """Each step is offered as the rules know it; all arrive in order, once, answers lost too.

    A bid that lacks points is refused: it is shown with what follows on it.
    """
    # By plain HTTP, where there is no worker.
    tolerated.append("Cross-Origin-Opener-Policy header has been ignored")
    keeper = Keeper(new_phone(base_url=f"http://home.test:{server.port}"))
    keeper.open_table(*PLAYERS)
    page = with_boards(keeper).page
    assert not page.evaluate("'serviceWorker' in navigator")
    cut(page)
    for number, cell in enumerate(EVENING, start=1):
        tap_without_answer(keeper, number, *cell)
    expect(unsent(keeper)).to_contain_text("Anna: Par – inte skickat än · härnäst giv 3, spelet")
    keeper.expect_scores(0, 0, 0, 0)
    expect(page.locator(".strip em")).to_have_text(["D", "A"])
    promised = page.locator(".where").inner_text()
    assert promised.startswith("Giv 3 ")
    tap_without_answer(keeper, 11, "chicago", "Cilla")
    expect(keeper.title).to_have_text("Cilla spelar chicago")
    tap_without_answer(keeper, 12, "made")
    lost = iter([False, True, *[False] * 20])

    def answer(route: Route) -> None:
        if next(lost):
            # Playwright itself does not know the name.
            asked = route.request
            there = asked.url.replace("home.test", HOST)
            route.fetch(url=there, headers={**asked.headers, "origin": server.url})
            route.abort()
        else:
            route.continue_()

    page.route("**/events", answer)
    cut(page, off=False)
    for told in ("Cilla: Chicago (ropa) · Gick hem", "inte skrivet", "får inte ropa chicago än"):
        expect(unsent(keeper)).to_contain_text(told)
    keeper.expect_scores(2, 12, 5, 5)
    expect(page.locator(".where")).to_have_text(promised)
    unsent(keeper).get_by_role("button", name="Okej").click()
    expect(unsent(keeper)).to_be_hidden()
    assert recorded(page) == write_facts(TOLD)


def test_what_waits_is_taken_back_with_what_needs_it(keeper: Keeper, judge: Judge) -> None:
    """The last by undo; the first with those after it. A correction is needed by none."""
    page = with_boards(keeper).page
    eventually(page, "sheetsAhead()")
    keeper.look_up("Cilla")
    cut(page)
    correct_without_answer(keeper, 7, 1)
    for number, cell in enumerate(EVENING[:4], start=2):
        tap_without_answer(keeper, number, *cell)
    keeper.undo_button.click()
    expect_unsent(keeper, 4)
    expect(keeper.title).to_have_text("Vem har bäst hand?")
    assert find_faults(page) == []
    unsent(keeper).locator("summary").click()
    buttons = unsent(keeper).locator("li button")
    more = "Ta tillbaka … och {} till efter"
    judge(page)
    expect(buttons).to_have_text(["Ta tillbaka", more.format(2), more.format(1), "Ta tillbaka"])
    buttons.nth(2).click()
    expect(keeper.title).to_have_text("Vem har bäst hand?")
    expect(buttons).to_have_text(["Ta tillbaka", "Ta tillbaka"])
    buttons.first.click()
    expect(unsent(keeper)).to_contain_text("Anna: Par")
    cut(page, off=False)
    keeper.expect_scores(1, 0, 0, 0)
    expect_written(keeper, "Anna pair")


def test_what_only_scores_decide_is_not_offered(keeper: Keeper) -> None:
    """Whoever may have reached the target may have won: what comes then is not taken."""
    keeper.correct("Anna", "50")
    for row in ("nobody", "nobody"):
        keeper.tap(row)
    keeper.tap("trick", "Bo")
    cut(with_boards(keeper).page)
    tap_without_answer(keeper, 1, "two_pairs", "Anna")
    expect(unsent(keeper)).to_contain_text(
        "inte skickat än · vad som kommer sedan beror på poängen"
    )
    tap_without_answer(keeper, 1, "pair", "Bo")
    expect(keeper.said).to_contain_text("går att skriva när nätet är tillbaka")
    expect_unsent(keeper, 1)
    cut(keeper.page, off=False)
    expect_written(keeper, "Anna 50, nobody, nobody, Bo trick, Anna two_pairs")

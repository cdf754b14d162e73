"""A whole game by taps, as four people play it under the main rules; with scripts and without."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server

Snap = Callable[[str], Path]


@pytest.fixture
def keeper(scripts: bool, new_phone: NewPhone) -> Keeper:
    """Return the keeper's phone; the one with scripts lies in a dim room."""
    scheme = "dark" if scripts else "light"
    return Keeper(new_phone(java_script_enabled=scripts, color_scheme=scheme))


@pytest.fixture
def snap(keeper: Keeper, scripts: bool, screenshot: Callable[..., Path]) -> Snap:
    """Return a way to keep a picture of this game."""
    kind = "with" if scripts else "without"
    return lambda name: screenshot(keeper.page, f"game-{kind}-scripts-{name}")


def test_a_whole_game(keeper: Keeper, scripts: bool, snap: Snap) -> None:
    """From four names to who pays whom and the next deal, every fact is one tap away."""
    keeper.open_table(*PLAYERS)
    first_dealer = keeper.dealer()
    loads = keeper.loads
    a_deal_is_four_taps(keeper, snap)
    four_of_a_kind_zeroes(keeper, snap)
    a_chicago_fails(keeper, snap)
    a_chicago_is_made(keeper, snap)
    the_exchange_stop_is_reached(keeper, snap)
    the_target_without_a_chicago_is_worth_nothing(keeper, snap)
    the_game_is_won_and_paid(keeper, snap)
    if scripts:
        assert keeper.loads == loads, "A tap loaded a whole page."
    the_rematch_moves_the_deal_on(keeper, snap, first_dealer)
    the_game_before_is_mended(keeper, snap)


def a_deal_is_four_taps(keeper: Keeper, snap: Snap) -> None:
    """A full deal of four players without a Chicago is as many taps as it holds facts."""
    dealer, taps = keeper.dealer(), keeper.taps
    snap("01-first-exchange")
    rows = keeper.rows()
    keeper.tap("pair", "Anna")
    assert keeper.rows() == rows, "The rows moved under the finger."
    expect(keeper.due).to_contain_text("Visas före byte: Anna par.")
    snap("02-second-exchange")
    keeper.tap("two_pairs", "Bo")
    expect(keeper.title).to_have_text("Spelet – sista stick?")
    snap("03-play")
    keeper.tap("trick", "Cilla")
    snap("04-final-hand")
    keeper.tap("straight", "Dan")
    keeper.expect_scores(1, 2, 5, 4)
    assert keeper.taps == taps + len(PLAYERS)
    assert keeper.dealer() == keeper.next_to(dealer)
    expect(keeper.undo_button).to_contain_text("Dan stege")


def four_of_a_kind_zeroes(keeper: Keeper, snap: Snap) -> None:
    """Four of a kind asks score or zero, and a zeroing cuts the deal short."""
    dealer = keeper.dealer()
    keeper.cell("four_of_a_kind", "Dan").click()
    expect(keeper.sheet.get_by_role("button")).to_have_text(
        [
            "8 poäng Dan 4 → 12",
            "Nolla alla andra Anna 1 → 0 · Bo 2 → 0 · Cilla 5 → 0. Given är slut.",
        ]
    )
    snap("05-score-or-zero")
    keeper.answer("Nolla alla andra")
    keeper.expect_scores(0, 0, 0, 4)
    assert keeper.dealer() == keeper.next_to(dealer)


def a_chicago_fails(keeper: Keeper, snap: Snap) -> None:
    """Whoever lacks the points is told why; a broken Chicago costs fifteen and ends the deal."""
    score_four_of_a_kind(keeper, "Bo")
    score_four_of_a_kind(keeper, "Bo")
    expect(keeper.due).to_contain_text("Chicago, bara Bo?")
    expect(keeper.head("Bo")).to_contain_text("får ropa")
    expect(keeper.head("Cilla")).to_contain_text("15 p till rop")
    snap("06-who-may-bid")
    # Playwright holds what is marked as disabled back from a tap; a person's finger is not.
    keeper.cell("chicago", "Cilla").click(force=True)
    expect(keeper.said).to_have_text("Cilla får inte ropa chicago än: 0 poäng, 15 behövs.")
    for cell in keeper.page.locator(".row:last-child .cell").all():
        cell.click(trial=True)
    snap("07-why-not")
    keeper.tap("chicago", "Bo")
    expect(keeper.said).to_be_empty()
    expect(keeper.due).to_have_text("Bo spelar chicago. Spelföraren spelar ut.")
    expect(keeper.page.locator(".chip")).to_have_text("spelar chicago")
    snap("08-chicago")
    keeper.tap("broken")
    keeper.expect_scores(0, 1, 0, 4)


def a_chicago_is_made(keeper: Keeper, snap: Snap) -> None:
    """A Chicago that is made gives fifteen, and its player has met the requirement."""
    score_four_of_a_kind(keeper, "Dan")
    keeper.tap("full_house", "Dan")
    keeper.tap("chicago", "Dan")
    keeper.tap("made")
    keeper.expect_scores(0, 1, 0, 33)
    expect(keeper.page.locator(".chip")).to_have_count(0)
    snap("09-chicago-made")


def the_exchange_stop_is_reached(keeper: Keeper, snap: Snap) -> None:
    """The stop stands beside the name from the next deal, and the reason is one tap away."""
    score_four_of_a_kind(keeper, "Dan")
    keeper.tap("nobody")
    keeper.tap("trick", "Dan")
    expect(keeper.page.locator(".chip")).to_have_text("stopp nästa giv")
    keeper.tap("flush", "Anna")
    keeper.expect_scores(5, 1, 0, 46)
    expect(keeper.head("Dan")).to_contain_text("köpstopp")
    expect(keeper.due).to_contain_text("Alla får köpa utom Dan.")
    snap("10-exchange-stop")
    keeper.look_up("Dan")
    expect(keeper.sheet).to_contain_text("Dan får inte köpa: 46 poäng, köpstopp vid 45.")
    snap("11-why")
    keeper.close()


def the_target_without_a_chicago_is_worth_nothing(keeper: Keeper, snap: Snap) -> None:
    """A tie shows who must show what, a mistake is corrected, the requirement zeroes."""
    keeper.cell("nobody", "Bo").click()
    keeper.sheet.get_by_label("Par", exact=True).check()
    keeper.sheet.get_by_label("Bo", exact=True).check()
    keeper.sheet.get_by_label("Cilla", exact=True).check()
    snap("12-tie")
    keeper.answer("Skriv upp")
    expect(keeper.head("Bo")).to_contain_text("visa par")
    expect(keeper.head("Cilla")).to_contain_text("visa par")
    keeper.correct("Anna", "44")
    keeper.tap("nobody")
    keeper.tap("trick", "Anna")
    keeper.expect_scores(54, 1, 0, 46)
    expect(keeper.head("Anna")).to_contain_text("nollas efter given")
    keeper.look_up("Anna")
    expect(keeper.sheet).to_contain_text("Anna måste ropa chicago för att vinna")
    snap("13-requirement")
    keeper.close()
    keeper.tap("nobody")
    keeper.expect_scores(0, 1, 0, 46)


def the_game_is_won_and_paid(keeper: Keeper, snap: Snap) -> None:
    """The end says who won and why, what each wins or loses, and who pays whom."""
    keeper.tap("full_house", "Dan")
    undo_and_redo_survive_a_reload(keeper, snap)
    keeper.tap("nobody")
    keeper.tap("trick", "Bo")
    keeper.tap("pair", "Cilla")
    expect(keeper.title).to_have_text("Partiet är slut")
    result = keeper.page.locator(".result")
    expect(result.locator(".why")).to_have_text("Dan vinner med 52 poäng")
    expect(result.locator("tbody tr")).to_have_text(
        ["Dan 52 poäng +149 kr", "Bo 6 poäng −46 kr", "Cilla 1 poäng −51 kr", "Anna 0 poäng −52 kr"]
    )
    expect(result.locator(".payments li")).to_have_text(
        ["Anna → Dan 52 kr", "Cilla → Dan 51 kr", "Bo → Dan 46 kr"]
    )
    snap("15-over")


def undo_and_redo_survive_a_reload(keeper: Keeper, snap: Snap) -> None:
    """What was undone before the page was loaded anew can still be brought back."""
    keeper.expect_scores(0, 1, 0, 52)
    keeper.undo()
    keeper.undo()
    keeper.expect_scores(54, 1, 0, 46)
    loads = keeper.loads
    keeper.page.reload()
    keeper.loads = loads
    snap("14-undone")
    keeper.redo()
    keeper.redo()
    keeper.expect_scores(0, 1, 0, 52)


def the_rematch_moves_the_deal_on(keeper: Keeper, snap: Snap, first_dealer: str) -> None:
    """One tap starts the next game: same seats, nothing on the board, the next one deals."""
    keeper.tap_rematch()
    keeper.undo()
    expect(keeper.title).to_have_text("Partiet är slut")
    keeper.expect_scores(0, 6, 1, 52)
    keeper.redo()
    keeper.expect_scores(0, 0, 0, 0)
    expect(keeper.title).to_have_text("Första köpet – bästa hand?")
    # Seven deals were played, so the eighth dealer sits seven places on.
    assert keeper.dealer() == keeper.next_to(first_dealer, 7)
    keeper.page.get_by_role("link", name="Protokoll").click()
    keeper.page.get_by_role("link", name="Parti 1").click()
    expect(keeper.page.locator(".sheet summary")).to_have_count(7)
    snap("16-protocol")


def the_game_before_is_mended(keeper: Keeper, snap: Snap) -> None:
    """An entry of the game that is over is mended, which is undone like any tap."""
    page = keeper.page
    page.get_by_role("link", name="Cilla får +1 för par").click()
    page.get_by_role("button", name="Bo: Par", exact=True).click()
    expect(page.locator(".edits")).to_contain_text("Cilla par → Bo par")
    snap("17-mended")
    page.locator("button[value=keep]").click()
    expect(page.locator(".told")).to_have_text("Partiet är rättat.")
    expect(page.locator("#deal-7 ol")).to_contain_text("Bo får +1 för par")
    page.get_by_role("link", name="Tillbaka till bordet").click()
    keeper.expect_scores(0, 0, 0, 0)
    expect(keeper.undo_button).to_contain_text("rättelsen i giv 7")
    keeper.undo()
    page.get_by_role("link", name="Protokoll").click()
    page.get_by_role("link", name="Parti 1").click()
    expect(page.locator("#deal-7 ol")).to_contain_text("Cilla får +1 för par")


def score_four_of_a_kind(keeper: Keeper, player: str) -> None:
    """Answer that the hand scores."""
    keeper.cell("four_of_a_kind", player).click()
    keeper.answer("8 poäng")


def test_undone_facts_survive_a_power_cut(own_server: Server, new_phone: NewPhone) -> None:
    """A server that died with facts undone still knows them, and still knows the pen."""
    # Nothing is asked while it dies; and asked for first, the server ends after the phone.
    page = new_phone(service_workers="block")
    keeper = Keeper(page)
    keeper.open_table(*PLAYERS, at=own_server.url)
    keeper.tap("pair", "Anna")
    keeper.tap("flush", "Bo")
    keeper.undo()
    keeper.undo()
    page.close()
    own_server.kill()
    own_server.start()
    keeper = Keeper(page.context.new_page())
    keeper.page.goto(page.url)
    keeper.expect_scores(0, 0, 0, 0)
    keeper.redo()
    keeper.redo()
    keeper.expect_scores(1, 5, 0, 0)

"""A whole game by taps, as four people play it under the main rules."""

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper


def test_a_whole_game(phone: Page) -> None:
    """From four names to the payments and the next deal, every fact is one tap away."""
    keeper = Keeper(phone)
    keeper.open_table(*PLAYERS)
    first_dealer = keeper.dealer()
    loads = keeper.loads
    a_deal_is_four_taps(keeper)
    four_of_a_kind_zeroes(keeper)
    a_chicago_fails(keeper)
    a_chicago_is_made(keeper)
    the_exchange_stop_is_reached(keeper)
    the_target_without_a_chicago_is_worth_nothing(keeper)
    the_game_is_won_and_paid(keeper)
    assert keeper.loads == loads, "A tap loaded a whole page."
    the_rematch_moves_the_deal_on(keeper, first_dealer)


def a_deal_is_four_taps(keeper: Keeper) -> None:
    """Check that a full deal of four without a Chicago takes as many taps as it has facts."""
    dealer, taps = keeper.dealer(), keeper.taps
    rows = keeper.rows()
    keeper.tap("pair", "Anna")
    assert keeper.rows() == rows, "The rows moved under the finger."
    expect(keeper.head("Anna")).to_contain_text("visar par före köp")
    keeper.tap("two_pairs", "Bo")
    expect(keeper.title).to_have_text("Tredje köpet, sedan spelet: vem tog sista sticket?")
    keeper.tap("trick", "Cilla")
    keeper.tap("straight", "Dan")
    keeper.expect_scores(1, 2, 5, 4)
    assert keeper.taps == taps + len(PLAYERS)
    assert keeper.dealer() == keeper.next_to(dealer)
    expect(keeper.undo_button).to_contain_text("Dan stege")


def four_of_a_kind_zeroes(keeper: Keeper) -> None:
    """Check that four of a kind is two taps, and that a zeroing cuts the deal short."""
    dealer = keeper.dealer()
    keeper.tap_rare("Fyrtal (nollar)", "Dan")
    keeper.expect_scores(0, 0, 0, 4)
    assert keeper.dealer() == keeper.next_to(dealer)


def a_chicago_fails(keeper: Keeper) -> None:
    """Check the reason for a refused bid; a broken Chicago costs fifteen and ends the deal."""
    score_four_of_a_kind(keeper, "Bo")
    keeper.correct("Bo", "2")
    keeper.tap("full_house", "Bo")
    expect(keeper.due).to_contain_text("Får ropa chicago: bara Bo.")
    expect(keeper.head("Bo")).to_contain_text("får ropa")
    expect(keeper.head("Cilla")).to_contain_text("15 p kvar till chicago")
    # Playwright does not tap a disabled element; a person's finger does.
    keeper.cell("chicago", "Cilla").click(force=True)
    expect(keeper.said).to_have_text("Cilla får inte ropa chicago än: 0 poäng, 15 behövs.")
    for cell in keeper.page.locator(".row:last-child .cell").all():
        cell.click(trial=True)
    keeper.tap("chicago", "Bo")
    expect(keeper.said).to_be_empty()
    expect(keeper.due).to_have_text("Bo spelar chicago. Bo spelar ut först.")
    expect(keeper.head("Bo").locator(".chip").first).to_have_text("spelar chicago")
    keeper.tap("broken")
    keeper.expect_scores(0, 1, 0, 4)


def a_chicago_is_made(keeper: Keeper) -> None:
    """Check that a made Chicago gives fifteen, and that its player has met the requirement."""
    score_four_of_a_kind(keeper, "Dan")
    keeper.tap("full_house", "Dan")
    keeper.tap("chicago", "Dan")
    keeper.tap("made")
    keeper.expect_scores(0, 1, 0, 33)
    expect(keeper.head("Dan")).to_contain_text("har ropat chicago")


def the_exchange_stop_is_reached(keeper: Keeper) -> None:
    """Check the stop beside the name from the next deal; its reason is one tap away."""
    score_four_of_a_kind(keeper, "Dan")
    keeper.tap("nobody")
    keeper.tap("trick", "Dan")
    expect(keeper.head("Dan")).to_contain_text("kan vinna nu")
    keeper.tap("flush", "Anna")
    keeper.expect_scores(5, 1, 0, 46)
    expect(keeper.head("Dan")).to_contain_text("köpstopp")
    expect(keeper.due).to_contain_text("Alla köper utom Dan.")
    keeper.look_up("Dan")
    expect(keeper.sheet).to_contain_text("Dan får inte köpa: 46 poäng, köpstopp vid 45.")
    keeper.close()


def the_target_without_a_chicago_is_worth_nothing(keeper: Keeper) -> None:
    """Check the hands to show after a tie, a correction, and the zeroing by the requirement."""
    keeper.cell("nobody", "Bo").click()
    keeper.sheet.get_by_label("Par", exact=True).check()
    keeper.sheet.get_by_label("Bo", exact=True).check()
    keeper.sheet.get_by_label("Cilla", exact=True).check()
    keeper.answer("Skriv upp")
    expect(keeper.head("Bo")).to_contain_text("visar par")
    expect(keeper.head("Cilla")).to_contain_text("visar par")
    keeper.correct("Anna", "44")
    keeper.tap("nobody")
    keeper.tap("trick", "Anna")
    keeper.expect_scores(54, 1, 0, 46)
    expect(keeper.head("Anna")).to_contain_text("nollas efter given")
    keeper.look_up("Anna")
    expect(keeper.sheet).to_contain_text("Anna måste ropa chicago för att vinna")
    keeper.close()
    keeper.tap("nobody")
    keeper.expect_scores(0, 1, 0, 46)


def the_game_is_won_and_paid(keeper: Keeper) -> None:
    """Check the winner and the reason, the amounts of all, and the payments of the evening."""
    keeper.tap("full_house", "Dan")
    undo_and_redo_survive_a_reload(keeper)
    keeper.tap("nobody")
    keeper.tap("trick", "Bo")
    keeper.tap("pair", "Cilla")
    expect(keeper.title).to_have_text("Partiet är slut")
    result = keeper.page.locator(".result")
    expect(result.locator(".why")).to_have_text("Dan vinner med 52 poäng")
    expect(result.locator("tbody tr")).to_have_text(
        ["Dan 52 poäng +149 kr", "Bo 6 poäng −46 kr", "Cilla 1 poäng −51 kr", "Anna 0 poäng −52 kr"]
    )
    expect(result.locator(".owed li")).to_have_text(
        ["Anna → Dan 52 kr", "Cilla → Dan 51 kr", "Bo → Dan 46 kr"]
    )


def undo_and_redo_survive_a_reload(keeper: Keeper) -> None:
    """Check that changes undone before a reload can still be redone."""
    keeper.expect_scores(0, 1, 0, 52)
    keeper.undo()
    keeper.undo()
    keeper.expect_scores(54, 1, 0, 46)
    loads = keeper.loads
    keeper.page.reload()
    keeper.loads = loads
    keeper.redo()
    keeper.redo()
    keeper.expect_scores(0, 1, 0, 52)


def the_rematch_moves_the_deal_on(keeper: Keeper, first_dealer: str) -> None:
    """Check that one tap starts the next game: same seats, scores of zero, the next dealer."""
    keeper.tap_rematch()
    keeper.undo()
    expect(keeper.title).to_have_text("Partiet är slut")
    keeper.expect_scores(0, 6, 1, 52)
    keeper.redo()
    keeper.expect_scores(0, 0, 0, 0)
    expect(keeper.title).to_have_text("Första köpet: vem har bäst hand?")
    # Seven deals were played, so the eighth dealer sits seven places on.
    assert keeper.dealer() == keeper.next_to(first_dealer, 7)
    keeper.page.get_by_role("link", name="Protokoll").click()
    keeper.page.get_by_role("link", name="Parti 1").click()
    expect(keeper.page.locator(".sheet summary")).to_have_count(7)


def score_four_of_a_kind(keeper: Keeper, player: str) -> None:
    """Record four of a kind that scores."""
    keeper.tap_rare("Fyrtal (8)", player)

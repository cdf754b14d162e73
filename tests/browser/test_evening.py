"""The page of an evening in a real browser: it follows each payment, and copies a number."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import PLAYERS, Keeper


def press(page: Page, label: str) -> None:
    """Press a button by its label."""
    page.get_by_role("button", name=label, exact=True).click()


def test_who_follows_an_evening_sees_each_payment(new_phone: NewPhone) -> None:
    """A payment in part, then all: a reader's page follows the ticks without a touch."""
    page, reader = new_phone(permissions=["clipboard-read", "clipboard-write"]), new_phone()
    keeper = Keeper(page)
    keeper.sit_down(*PLAYERS)
    keeper.tap("full_house", "Anna")
    keeper.break_off()
    page.get_by_role("link", name="Kvällen", exact=True).click()
    expect(page.locator("#evening")).to_be_visible()
    reader.goto(page.url)
    expect(reader.locator(".owed a")).to_have_count(3)
    pay_a_part(page)
    expect(reader.locator(".record")).to_have_count(1)
    page.locator(".all summary").click()
    press(page, "Alla har betalat")
    expect(reader.locator(".owed a")).to_have_count(0)


def pay_a_part(page: Page) -> None:
    """Tick one krona of the first payment, after a look at its code, and copy the number."""
    page.locator(".owed a").first.click()
    page.locator("input[name=number]").fill("070-123 45 67")
    press(page, "Visa en kod")
    expect(page.locator(".code svg")).to_be_visible()
    page.get_by_role("button", name="Kopiera numret").click()
    expect(page.get_by_text("Kopierat")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "0701234567"
    page.locator("summary", has_text="En del").click()
    page.locator("input[name=amount]").fill("1")
    press(page, "En del med Swish")
    expect(page.locator(".record")).to_have_count(1)


def test_who_pays_stands_before_the_arrow_in_any_script(phone: Page) -> None:
    """Names from right to left do not turn a payment round: the loser pays the winner."""
    keeper, players = Keeper(phone), ("\u0645\u062d\u0645\u062f", "\u05d9\u05d5\u05e1\u05d9", "Bo")
    keeper.sit_down(*players)
    keeper.tap("flush", players[0])
    keeper.break_off()
    find = "rows => rows.map(row => [...row.querySelectorAll('bdi')].map(name => name.offsetLeft))"
    for payer, payee in phone.locator(".owed li > span").evaluate_all(find):
        assert payer < payee
    told = phone.locator(".owed bdi").all_inner_texts()
    assert sorted(told[::2]) == sorted(players[1:])
    assert told[1::2] == [players[0]] * 2

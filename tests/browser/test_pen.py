"""The pen: handed over by a link, held by several phones, taken back, and leaked nowhere."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import (
    expect_kept_secret,
    get_or_create_pen,
    link,
    pen_link,
    requests_of,
)

# The size that a thumb hits without a second look, in px.
FINGER = 44


def revoke_others(keeper: Keeper) -> None:
    """Take the pen back from all other phones."""
    keeper.page.goto(f"{link(keeper.page)}/join")
    keeper.page.get_by_role("button", name="Ta tillbaka pennan").click()
    expect(keeper.page.locator("#table")).to_be_visible()


def test_the_secret_stays_neither_in_the_address_nor_in_what_is_sent(
    keeper: Keeper, new_phone: NewPhone, tolerated: list[str]
) -> None:
    """After the redirect the address is the table's, and no request has the secret as referrer."""
    address = pen_link(keeper)
    page, late = new_phone(), Keeper(new_phone())
    sent = requests_of(page)
    other = Keeper(page)
    get_or_create_pen(page, address)
    other.players = keeper.players
    assert page.url == link(keeper.page)
    other.tap("pair", "Anna")
    page.get_by_role("link", name="Protokoll").click()
    expect(page.locator(".sheet")).to_be_visible()
    expect_kept_secret(address.rsplit("/", 1)[1], sent)
    page.go_back()
    news_of_a_recovered_pen_moves_nothing(keeper, late.page)
    tolerated.extend(["net::ERR_", "401"])
    late.players = keeper.players
    whose_pen_is_taken_back_is_told_at_once(keeper, other, late)


def news_of_a_recovered_pen_moves_nothing(keeper: Keeper, other: Page) -> None:
    """Check that the banner comes without moving a row, and that its button fits a thumb."""
    page = keeper.page
    page.goto(f"{link(page)}/recovery")
    page.locator("form[action$='/recovery'] button").click()
    address = page.locator("input.share").input_value()
    page.goto(link(page))
    expect(page.locator("#live")).to_have_class("on")
    rows = keeper.rows()
    get_or_create_pen(other, "/" + address.split("/", 3)[3])
    seen = page.locator(".notes button")
    expect(seen).to_be_visible()
    assert keeper.rows() == rows
    box = seen.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= FINGER
    seen.click()
    expect(seen).to_have_count(0)
    assert keeper.rows() == rows


def whose_pen_is_taken_back_is_told_at_once(keeper: Keeper, other: Keeper, late: Keeper) -> None:
    """Check that it comes by itself or with the next tap, which stays; an answer ends it."""
    expect(other.page.locator("#live")).to_have_class("on")
    # This phone gets no live updates.
    late.page.route("**/live*", lambda route: route.abort())
    late.page.reload()
    revoke_others(keeper)
    told = other.page.get_by_text("Pennan är tillbakatagen: den här telefonen följer bara med nu.")
    expect(told).to_be_visible()
    other.page.get_by_role("link", name="Jag är Bo").click()
    expect(other.page.locator(".own")).to_be_visible()
    expect(told).to_be_hidden()
    late.cell("pair", "Bo").click()
    expect(late.page.locator(".whoami")).to_be_visible()
    waiting = late.page.locator("#unsent")
    expect(waiting).to_contain_text("Det skrevs inte.")
    expect(waiting).to_contain_text("Bo: Par – inte skrivet")

"""Live updates: a change comes to every other phone, and disturbs no input there."""

from playwright.sync_api import expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import reader_of, recorded, second_pen

TOLERATED = AWAY


def test_a_change_is_on_every_phone(keeper: Keeper, new_phone: NewPhone) -> None:
    """The keeper taps; a reader and another pen get the change without a touch."""
    reader, other = reader_of(keeper, new_phone()), second_pen(keeper, new_phone)
    kept = reader.page.locator("#table, .head, .top h1, .bar a")
    kept.evaluate_all("(parts) => parts.forEach((part) => { part.same = true; })")
    keeper.tap("pair", "Anna")
    for phone in (reader, other):
        phone.expect_scores(1, 0, 0, 0)
    assert kept.evaluate_all("(parts) => parts.every((part) => part.same)"), "Something flickers."
    keeper.undo()
    for phone in (reader, other):
        phone.expect_scores(0, 0, 0, 0)
    # A change during a network failure comes by itself once the network is back.
    reader.page.context.set_offline(True)
    expect(reader.page.locator("#live")).to_have_text("väntar på nätet")
    keeper.tap("pair", "Anna")
    reader.page.context.set_offline(False)
    reader.expect_scores(1, 0, 0, 0)
    expect(reader.page.locator("#live")).to_have_class("on")
    a_half_made_choice_survives_a_change(keeper, other)


def a_half_made_choice_survives_a_change(keeper: Keeper, other: Keeper) -> None:
    """Check that a field keeps the focus; sent, it shows the table first, then is recorded."""
    other.look_up("Bo")
    points = other.sheet.locator("input[name=points]")
    points.fill("7")
    keeper.tap("flush", "Cilla")
    other.expect_scores(1, 0, 5, 0)
    expect(points).to_have_value("7")
    expect(points).to_be_focused()
    correct = other.sheet.get_by_role("button", name="Spara", exact=True)
    correct.click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    assert len(recorded(keeper.page)) == 2
    correct.click()
    other.expect_scores(1, 7, 5, 0)

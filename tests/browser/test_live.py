"""Live updates: a change comes to every other phone, and disturbs no input there."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import Keeper
from tests.browser.tables import reader_of, recorded, second_pen


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network comes and goes."""
    return list(AWAY)


@pytest.fixture
def reader(keeper: Keeper, new_phone: NewPhone) -> Keeper:
    """Return a phone that follows along."""
    return reader_of(keeper, new_phone())


def test_a_change_is_on_every_phone(keeper: Keeper, reader: Keeper, new_phone: NewPhone) -> None:
    """The keeper taps; a reader and another pen get the change without a touch."""
    other = second_pen(keeper, new_phone)
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


def test_a_half_made_choice_survives_a_change(keeper: Keeper, new_phone: NewPhone) -> None:
    """The field keeps the focus; sent, the form shows the current table first, then is recorded."""
    other = second_pen(keeper, new_phone)
    other.look_up("Bo")
    points = other.sheet.locator("input[name=points]")
    points.fill("7")
    keeper.tap("pair", "Cilla")
    other.expect_scores(0, 0, 1, 0)
    expect(points).to_have_value("7")
    expect(points).to_be_focused()
    correct = other.sheet.get_by_role("button", name="Spara", exact=True)
    correct.click()
    expect(other.said).to_have_text("Någon annan hann före. Så här står det nu.")
    assert len(recorded(keeper.page)) == 1
    correct.click()
    other.expect_scores(0, 7, 1, 0)

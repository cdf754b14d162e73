"""The start and the list of tables, as a thumb finds them."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import AWAY
from tests.browser.keeper import Keeper

# Buttons of the form by their values, all in one moment.
TAP_ALL = """(values) => {
  const buttons = [...document.querySelectorAll("#start button")];
  for (const tapped of values) buttons.findLast(({ value }) => value === tapped).click();
}"""


def test_taps_quicker_than_their_answers_all_count(keeper: Keeper, tolerated: list[str]) -> None:
    """Names, one more seat and go in one moment: they are seated in that order, and play.

    Without an answer they would be done on a form that was not changed: the person taps again.
    """
    tolerated.extend((*AWAY, "Failed to fetch"))
    page = keeper.page
    page.goto("/")
    page.context.set_offline(True)
    page.evaluate(TAP_ALL, ["name:Cilla", "name:Anna", ""])
    expect(page.locator("#said")).to_contain_text("Försök igen")
    page.context.set_offline(False)
    page.evaluate(TAP_ALL, ["name:Dan"])
    expect(page.get_by_label("Spelare 1", exact=True)).to_have_value("Dan")
    expect(page.get_by_label("Spelare 2", exact=True)).to_have_value("")
    page.goto("/")
    page.evaluate(
        TAP_ALL, ["name:Cilla", "name:Anna", "name:Anna", "name:Dan", "add", "name:Bo", ""]
    )
    expect(page.locator(".board")).to_be_visible()
    seated = [re.compile(name) for name in ("Cilla", "Anna", "Dan", "Bo")]
    expect(page.locator(".heads a")).to_have_text(seated)

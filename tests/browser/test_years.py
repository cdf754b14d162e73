"""The years on a phone: what everybody asks for stands on one screen."""

import io
import json
import zipfile

from playwright.sync_api import Page, expect

from tests.browser.tables import link
from tests.screens.scenes import older_game

SIX = ("Anna", "Bo", "Cissi", "David", "Eva", "Fredrik")


def test_figures_curve_and_three_records_are_on_one_screen(phone: Page) -> None:
    """Of six people, below what a browser leaves of the screen; the rest is folded away."""
    phone.set_viewport_size({"width": 390, "height": 664})
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        for number in range(12):
            files.writestr(f"{number}.json", json.dumps(older_game(SIX, number)))
    phone.goto("/files")
    phone.locator("input[type=file]").set_input_files(
        {"name": "games.zip", "mimeType": "application/zip", "buffer": archive.getvalue()}
    )
    phone.locator("button.go").click()
    phone.goto(f"{link(phone)}/years")
    expect(phone.locator("tbody th").nth(5)).to_have_text("Fredrik")
    expect(phone.locator(".curve .area")).to_be_in_viewport(ratio=1)
    expect(phone.locator(".records li").nth(2)).to_be_in_viewport(ratio=1)
    expect(phone.locator("details[open]")).to_have_count(0)

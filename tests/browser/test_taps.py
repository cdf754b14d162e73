"""The number of taps for each task in docs/TAPS.md, carried out on a phone as people use it.

Every touch of the screen counts, typing does not. The rules are the main ones, with four players,
where taps.json says no others.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPhone
from tests.browser.keeper import LATER, PLAYERS
from tests.browser.tables import recorded
from tests.checkout import ROOT
from tests.rules.table import write_facts
from tests.screens.phone import Table, tap, upload
from tests.screens.scenes import SHORT, game_file
from tests.test_documents import rows, text
from tests.told import read_tables

TASKS = read_tables(__file__)


def test_each_task_takes_as_many_taps_as_its_document_says(
    new_phone: NewPhone, subtests: pytest.Subtests
) -> None:
    """The document lists each task, with the number of taps that carry it out."""
    phone, reader = new_phone(viewport={"width": 390, "height": 664}), new_phone()
    for task in TASKS:
        players = SHORT[: task["players"]] if "players" in task else PLAYERS
        game = game_file(players, {"preset": "huvudregler", **task.get("rules", {})})
        game["events"] = write_facts(task.get("events", ""))
        table = Table(phone, upload(phone.request, "/files", game))
        table.stranger = reader
        with subtests.test(task["task"]):
            carry_out(table, task)
    listed = rows(text(ROOT / "docs" / "TAPS.md"))
    assert {what: taps for what, taps in listed if what} == {
        task["task"]: str(len(task["taps"])) for task in TASKS
    }


def carry_out(table: Table, task: dict[str, Any]) -> None:
    """Tap what a task says, and check what the table then `shows`, its `scores`, what it `leaves`.

    A `reader` may tap before. `stays`: no tap loads a page. What is tapped to type is a pair.
    """
    page = table.stranger if "gives" in task else table.page
    if "reader" in task:
        table.stranger.goto(table.address)
        for target in task["reader"]:
            tap(find(table.stranger, target))
    path = table.address + task.get("path", "")
    page.goto(table.ask_for(task["gives"]) if "gives" in task else path)
    page.evaluate("window.stays = true")
    for target in task["taps"]:
        where, typed = (target, "") if isinstance(target, str) else target
        page.evaluate(LATER)
        tap(find(page, where))
        if typed:
            find(page, where).fill(typed)
    if "shows" in task:
        expect(find(page, task["shows"])).to_be_in_viewport()
    if "scores" in task:
        expect(page.locator(".head .score")).to_have_text(task["scores"].split())
    if "leaves" in task:
        assert recorded(page) == json.loads(json.dumps(write_facts(task["leaves"])))
    if "stays" in task:
        assert page.evaluate("window.stays")


def find(page: Page, target: str) -> Locator:
    """The first that is in sight, of a selector, a label or a text."""
    found = page.locator(target)
    if target[0] not in "#.[":
        found = page.get_by_label(target, exact=True).or_(page.get_by_text(target, exact=True))
    return found.locator("visible=true").first

"""A whole game by keys alone, from the first name to the rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.tables import eventually

# The accessible name or the text of the focused element.
FOCUSED = """
    () => {
        const {activeElement: at} = document;
        const words = at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
        return at === document.body ? "" : words.replace(/\\s+/g, " ").trim();
    }
"""
IN_GRID = "document.activeElement.matches('[role=grid] a, [role=grid] button')"
MOST_TABS = 90
MOST_ROWS = 20


class Typist:
    """A person with a keyboard only: Tab between elements, arrows in the grid, Enter and Space."""

    def __init__(self, page: Page, players: tuple[str, ...]) -> None:
        self.page, self.players = page, players
        self.keeper = Keeper(page)
        self.keeper.players = players

    @property
    def at(self) -> str:
        """Return the focused element in words, or nothing if no element has the focus."""
        return str(self.page.evaluate(FOCUSED))

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, found: str | Callable[[str], bool]) -> None:
        """Press Tab until the focus is on the element with this text."""
        passed = []
        for _ in range(MOST_TABS):
            at = self.at
            if found(at) if callable(found) else at == found:
                return
            passed.append(at)
            self.press("Tab")
        raise AssertionError(f"Never reached {found}, only {passed}.")

    def type_names(self) -> None:
        """Type a name and Enter for each seat; the next one comes with each name."""
        self.tab_to("Spelare 1")
        for name in self.players:
            self.page.keyboard.type(name)
            self.press("Enter")

    def to_cell(self, row: str, player: str | None = None) -> None:
        """Go to a cell with the arrows, or to its row if that opens a sheet."""
        while not self.page.evaluate(IN_GRID):
            self.press("Tab")
        self.press(*["ArrowUp"] * MOST_ROWS)
        for _ in range(MOST_ROWS):
            self.press("Home")
            # A row of several facts has each in a cell of its own.
            for _ in range(2):
                if self.at.split(": ")[-1].split(" (")[0] == row:
                    break
                self.press("ArrowRight")
            if self.at.split(": ")[-1].split(" (")[0] == row:
                break
            self.press("ArrowDown")
        else:
            raise AssertionError(f"There is no {row}.")
        if player and self.at != row:
            self.press(*["ArrowRight"] * self.players.index(player))

    def book(self, key: str = "Enter") -> None:
        """Press a key that records; after it the focus is on the next cell to use."""
        with self.keeper.booking():
            self.press(key)
        self.keeper.expect_no_sheet()
        eventually(self.page, "document.activeElement !== document.body")

    def reach(self, row: str, player: str | None = None) -> None:
        """Go to a cell, through the sheet of its row if that opens one."""
        self.to_cell(row, player)
        if player and self.at == row:
            self.press("Enter")
            self.expect_sheet(row)
            self.tab_to(lambda at: at.startswith(f"{player}: {row}"))

    def record(self, row: str, player: str | None = None) -> None:
        """Record a fact from the grid."""
        self.reach(row, player)
        self.book()

    def expect_sheet(self, title: str) -> None:
        """Wait until a sheet has slid up with the focus on its heading."""
        heading = self.keeper.sheet.get_by_role("heading", level=2, name=title, exact=True)
        expect(heading).to_be_focused()

    def answer(self, label: str) -> None:
        """Record a fact by an answer on a sheet."""
        self.tab_to(label)
        self.book()

    def correct(self, player: str, points: str) -> None:
        """Correct a score from the player's sheet, which Tab reaches from the head."""
        self.tab_to(lambda at: re.match(rf"(ger )?{player}♣? [0-9]", at) is not None)
        self.press("Enter")
        self.expect_sheet(player)
        self.tab_to(f"Poäng till eller från {player}")
        self.page.keyboard.type(points)
        self.book()


def test_a_whole_game_by_keys_alone(phone: Page) -> None:
    """The keys enter names, facts in the grid and on sheets, undo, and start the rematch."""
    typist = Typist(phone, PLAYERS)
    phone.goto("/")
    typist.type_names()
    typist.tab_to("Börja spela")
    typist.press("Enter")
    expect(phone.locator("#live")).to_have_class("on")
    expect(phone.locator(".head .name")).to_have_text(list(PLAYERS))
    a_deal_and_an_undo(typist)
    a_tie(typist)
    the_end_and_the_rematch(typist)


def scores(typist: Typist, *four: int) -> None:
    """Check the scores of the first four; all other players have none."""
    typist.keeper.expect_scores(*four, *[0] * (len(typist.players) - len(four)))


def a_deal_and_an_undo(typist: Typist) -> None:
    """Undo and redo the newest fact; the grid goes on after it."""
    typist.record("Par", "Anna")
    typist.record("Triss", "Bo")
    scores(typist, 1, 3, 0, 0)
    typist.tab_to(lambda at: at.startswith("Ångra"))
    typist.book()
    scores(typist, 1, 0, 0, 0)
    typist.tab_to(lambda at: at.startswith("Gör om"))
    typist.book("Space")
    scores(typist, 1, 3, 0, 0)
    expect(typist.keeper.undo_button).to_be_focused()


def a_tie(typist: Typist) -> None:
    """Record a tie on its sheet."""
    typist.record("Sista stick", "Dan")
    typist.record("Ingen har något")
    typist.to_cell("Ingen har något")
    typist.press("ArrowRight", "Enter")
    typist.expect_sheet("Lika: ingen får poäng")
    for choice in ("Par", "Bo", "Cilla"):
        typist.tab_to(choice)
        typist.press("Space")
    typist.answer("Skriv upp")
    expect(typist.keeper.head("Cilla")).to_contain_text("visar par")
    typist.correct("Dan", "20")
    scores(typist, 1, 3, 0, 25)


def the_end_and_the_rematch(typist: Typist) -> None:
    """Leave a sheet by Escape, which returns the focus; end the game by its answer, go on."""
    ask_for_a_rare_hand(typist)
    typist.press("Escape")
    typist.keeper.expect_no_sheet()
    eventually(typist.page, IN_GRID)
    ask_for_a_rare_hand(typist)
    typist.answer("Dan: Färgstege (vinner)")
    expect(typist.page.locator(".bar .go")).to_be_focused()
    typist.book()
    scores(typist, 0, 0, 0, 0)
    eventually(typist.page, IN_GRID)


def ask_for_a_rare_hand(typist: Typist) -> None:
    """Open the sheet of the rare hands."""
    typist.to_cell("Fyrtal eller bättre …")
    typist.press("Enter")
    typist.expect_sheet("Ovanlig hand")

"""A keeper who taps at random among the choices of the page, and knows no rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from playwright.sync_api import Locator, Page, expect

from tests.browser.keeper import Keeper

# The elements that can be tapped, in the order of the page, each with its value or address.
OFFERED = """(selector) => [...document.querySelectorAll(selector)].flatMap((each, place) =>
  each.checkVisibility() && each.ariaDisabled !== "true" && !each.disabled
    ? [[place, each.value || each.getAttribute("href") || ""]] : [])"""
CELLS = "#table .row .cell, #table .verdict, #table .whom"
ANSWERS = ".ask :is(.answers button, .answers .cell, .among .cell)"
NOW = "Date.now()"
# Hands that end a game at once are tapped seldom, or no game would be long.
RARE = ("royal_flush", "straight_flush")


class RandomKeeper(Keeper):
    """A keeper who taps at random, the same for the same seed.

    `todo` are acts for random moments, each done once the page offers it.
    `moments` are the start and the answer of each tap, in milliseconds by the phone's clock.
    """

    def __init__(self, page: Page, seed: int, todo: Iterable[str] = ()) -> None:
        super().__init__(page)
        self.chance = random.Random(seed)
        self.todo = sorted(todo)
        self.moments: list[tuple[int, int]] = []
        self._last = ""

    @property
    def over(self) -> bool:
        """Whether the page shows the end of the game."""
        return self.page.locator("#table .result").count() > 0

    def play(self, taps: int) -> None:
        """Tap this often, or until the game is over; each change counts as one."""
        until = self.taps + taps
        while self.taps < until and not self.over:
            self.step()

    def play_out(self, longest: int) -> None:
        """Play until the game is over; after `longest` taps it is broken off, and counts."""
        self.play(longest)
        if not self.over:
            self._timed(self.break_off)

    def step(self) -> None:
        """Do one act of `todo`, or tap at random."""
        for what in self.chance.sample(self.todo, len(self.todo)) if self._toss(0.5) else ():
            if self._timed(WAYS[what], self):
                self.todo.remove(what)
                return
        self._timed(self._tap_any)

    def _timed(self, act: Callable[..., object], *given: object) -> object:
        begun = self.page.evaluate(NOW)
        done = act(*given)
        self.moments.append((begun, self.page.evaluate(NOW)))
        return done

    def _toss(self, share: float) -> bool:
        return self.chance.random() < share

    def _offered(self, selector: str) -> list[tuple[Locator, str]]:
        found = self.page.evaluate(OFFERED, selector)
        return [(self.page.locator(selector).nth(place), value) for place, value in found]

    def _pick(self, selector: str) -> tuple[Locator, str] | None:
        """Choose among the offered elements, except the last one tapped: that would be a bounce."""
        offered = [each for each in self._offered(selector) if each[1] != self._last]
        usual = [each for each in offered if not any(name in each[1] for name in RARE)]
        if usual and (len(usual) == len(offered) or self._toss(0.95)):
            offered = usual
        return self.chance.choice(offered) if offered else None

    def _tap_any(self) -> None:
        found = self._pick(CELLS)
        assert found is not None, "The page offers nothing to tap."
        self._follow(*found)

    def _follow(self, what: Locator, value: str) -> None:
        """Tap, and answer the sheet that opens."""
        if not value.startswith("/"):
            self._last = value
            # A key, because two quick taps on one spot count as one.
            with self.booking():
                what.press("Enter")
            return
        self.let_time_pass()
        what.click()
        expect(self.sheet).to_be_visible()
        self._answer_sheet(value)

    def _answer_sheet(self, address: str) -> None:
        if address.endswith("/tie"):
            self._fill_tie()
            return
        found = self._pick(ANSWERS)
        assert found is not None, f"The sheet {address} offers nothing."
        button, value = found
        if value.startswith("/"):
            title = self.sheet.get_by_role("heading", level=2)
            before = title.inner_text()
            button.click()
            expect(title).not_to_have_text(before)
            self._answer_sheet(value)
        else:
            self._last = value
            self.send(button)

    def _fill_tie(self) -> None:
        self.chance.choice(self.sheet.locator("input[name=hand]").all()).check(force=True)
        names = self.sheet.locator("input[name=tied]").all()
        for name in self.chance.sample(names, self.chance.randint(2, len(names))):
            name.check(force=True)
        self.send(self.sheet.locator("button.go"))


def undo(keeper: RandomKeeper) -> bool:
    """Take some facts back, and redo some of them."""
    back = keeper.chance.randint(1, 3)
    for _ in range(back):
        if keeper.undo_button.get_attribute("aria-disabled") != "true":
            keeper.undo()
    for _ in range(keeper.chance.randint(0, back)):
        if keeper.page.locator(".redo").count():
            keeper.redo()
    return True


def correct(keeper: RandomKeeper) -> bool:
    """Correct somebody's score."""
    player = keeper.chance.choice(keeper.players)
    keeper.look_up(player)
    if not keeper.sheet.locator("input[name=points]").count():
        keeper.close()
        return False
    keeper.sheet.locator("input[name=points]").fill(str(keeper.chance.choice([-5, 16, 20])))
    keeper.answer("Rätta")
    return True


WAYS: dict[str, Callable[[RandomKeeper], bool]] = {"undo": undo, "correct": correct}

"""A keeper who taps whatever the page offers, and knows nothing of the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from playwright.sync_api import Locator, Page, expect

from tests.browser.keeper import Keeper

# In the order of the page: which of these can be tapped, with what is tapped.
OFFERED = """(selector) => [...document.querySelectorAll(selector)].flatMap((each, place) =>
  each.checkVisibility() && each.ariaDisabled !== "true" && !each.disabled
    ? [[place, each.value || each.getAttribute("href") || ""]] : [])"""
SHUT = '.row .cell[name=event][aria-disabled="true"]'
CELLS = "#table .row .cell, #table .whom"
NOW = "Date.now()"
# What ends a game at once is tapped seldom, or no game would be long.
RARE = ("royal_flush", "straight_flush")


class RandomKeeper(Keeper):
    """Taps at random, the same for the same seed.

    `todo` is done at random moments, each once the page offers it.
    `moments` are when a tap began and when it was answered, in milliseconds by the phone's clock.
    """

    def __init__(self, page: Page, seed: int, todo: Iterable[str] = ()) -> None:
        super().__init__(page)
        self.chance = random.Random(seed)
        self.todo = sorted(todo)
        self.moments: list[tuple[int, int]] = []
        self._last = ""

    @property
    def over(self) -> bool:
        """Whether the page says that the game is over."""
        return self.page.locator("#table .result").count() > 0

    def play(self, taps: int) -> None:
        """Tap so often, or until the game is over; each change counts as one."""
        until = self.taps + taps
        while self.taps < until and not self.over:
            self.step()

    def play_out(self, longest: int) -> None:
        """Play until the game is over; after so many taps it is broken off, and counts."""
        self.play(longest)
        if not self.over:
            self._timed(self._break_off)
        expect(self.page.locator("#table .result")).to_be_visible()

    def step(self) -> None:
        """Do one thing."""
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
        """Choose among what is offered; not what was tapped just before, which bounces."""
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
        """Tap, and answer what a sheet asks."""
        if not value.startswith("/"):
            self._last = value
            with self.booking():
                what.click()
            return
        what.click()
        expect(self.sheet).to_be_visible()
        self._answer_sheet(value)

    def _answer_sheet(self, address: str) -> None:
        if address.endswith("/tie"):
            self._fill_tie()
            return
        found = self._pick(".ask .answers button, .ask .answers .cell")
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

    def _break_off(self) -> None:
        self.page.get_by_role("link", name="Meny", exact=True).click()
        self.sheet.get_by_role("link", name="Någon kommer, går").click()
        self.send(self.sheet.get_by_role("button", name="ställningen gäller"))


def tie(keeper: RandomKeeper) -> bool:
    """Record a tie between some."""
    return _tap_if(keeper, '#table .cell[href$="/tie"]')


def zero(keeper: RandomKeeper) -> bool:
    """Let a hand zero the others, where that is a choice."""
    asks = keeper._offered('#table .cell[href*="/hand/"]')  # noqa: SLF001 - a way of its own
    if not asks:
        return False
    keeper.chance.choice(asks)[0].click()
    expect(keeper.sheet).to_be_visible()
    zeroes = keeper._offered(".ask .answers .zeroes")  # noqa: SLF001 - as above
    if not zeroes:
        keeper.close()
        return False
    keeper.send(keeper.chance.choice(zeroes)[0])
    return True


def bid(keeper: RandomKeeper) -> bool:
    """Bid Chicago."""
    return _tap_if(keeper, "#row-chicago .cell, #row-chicago .whom")


def undo(keeper: RandomKeeper) -> bool:
    """Take some facts back, and bring some of them again."""
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


def refused(keeper: RandomKeeper) -> bool:
    """Tap what may not be tapped: the reason is told, and nothing is recorded."""
    shut = [each for each in keeper.page.locator(f"#table {SHUT}").all() if each.is_visible()]
    if not shut:
        return False
    before = keeper.page.locator("#table").get_attribute("data-seq")
    keeper.chance.choice(shut).click(force=True)
    expect(keeper.said).not_to_be_empty()
    expect(keeper.page.locator("#table")).to_have_attribute("data-seq", str(before))
    return True


def mend(keeper: RandomKeeper) -> bool:
    """Change or remove an entry of the deal, and keep what comes of it where it stands."""
    page, table = keeper.page, keeper.page.url
    entries = page.locator("#table .given a").all()
    if not entries:
        return False
    keeper.chance.choice(entries).click()
    expect(page.locator("main.entry")).to_be_visible()
    found = keeper._pick(".entry .cell[name=event], .entry button[value=remove]")  # noqa: SLF001 - as above
    assert found is not None
    found[0].click()
    kept = _keep(page)
    page.goto(table)
    return kept


def _keep(page: Page) -> bool:
    """Leave out what no longer fits, and keep the rest; whether it could be."""
    for _ in range(8):
        page.wait_for_load_state()
        keep, leave = page.locator("button[value=keep]"), page.locator("button[value=leave]")
        single = page.locator(".misfits button[value=remove]")
        for way in (keep, leave, single):
            if way.count():
                way.first.click()
                break
        else:
            return False
        if way is keep:
            expect(page.locator(".told")).to_have_text("Partiet är rättat.")
            return True
    return False


def _tap_if(keeper: RandomKeeper, selector: str) -> bool:
    found = keeper._pick(selector)  # noqa: SLF001 - as above
    if found is None:
        return False
    keeper._follow(*found)  # noqa: SLF001 - as above
    return True


WAYS: dict[str, Callable[[RandomKeeper], bool]] = {
    way.__name__: way for way in (tie, zero, bid, undo, correct, refused, mend)
}

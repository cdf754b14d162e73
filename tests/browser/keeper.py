"""The keeper's phone as a person uses it: names typed, cells tapped, sheets answered."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, Request, expect

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
PLAYERS = ("Anna", "Bo", "Cilla", "Dan")

# The last tap, and its place, are a while ago.
LATER = "() => { try { tapped = { when: 0 }; spot = undefined; } catch { /* No scripts yet. */ } }"

ROWS = """() => Object.fromEntries([...document.querySelectorAll(".row")].map((row) => {
    const {x, y, width, height} = row.getBoundingClientRect();
    return [row.id, [x, y, width, height].map(Math.round)];
}))"""


class Keeper:
    """One phone at the table.

    `taps` counts the taps that record something, `loads` the requests for whole pages.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.loads = 0
        self.players: tuple[str, ...] = ()
        page.on("request", self._count)

    @property
    def said(self) -> Locator:
        """Return the score keeper's message: on the open sheet, else on the page."""
        return self.page.locator("#ask-said, body:not(:has(#ask-said)) #said")

    @property
    def sheet(self) -> Locator:
        """The sheet that has slid up, or is a page of its own."""
        return self.page.locator(".ask")

    @property
    def undo_button(self) -> Locator:
        """Return the button that takes the newest fact back, and names it."""
        return self.page.locator(".undo")

    @property
    def title(self) -> Locator:
        """Return the step's question."""
        return self.page.get_by_role("heading", level=1)

    def open_table(self, *players: str, at: str = "/") -> None:
        """Type the names and start with one tap."""
        self.page.goto(at)
        self.type_names(players)
        self.page.locator("#start > .go").click()
        expect(self.page.locator("#table")).to_be_visible()
        self.page.wait_for_load_state()
        self.players = players

    def sit_down(self, *players: str) -> None:
        """Open a table as the form does, without typing."""
        form = urlencode([*(("player", name) for name in players), ("stake", "1")])
        made = self.page.request.post("/", data=form, headers=FORM, max_redirects=0)
        self.page.goto(made.headers["location"])
        self.page.wait_for_load_state()
        self.players = players

    def type_names(self, players: Sequence[str]) -> None:
        """Fill the seats in order; the next one comes with each name."""
        seats = self.page.locator("#start input[name=player]")
        for number, name in enumerate(players):
            seats.nth(number).fill(name)

    def head(self, player: str) -> Locator:
        """Return a player's head on the scoreboard."""
        return self.page.locator(f"#head-{self.players.index(player) + 1}")

    def cell(self, row: str, player: str | None = None) -> Locator:
        """Return a cell of the grid; without a player, the first of a wide row."""
        number = 0 if player is None else self.players.index(player)
        return self.page.locator(f"#row-{row} .cell, #row-{row}.cell").nth(number)

    def tap(self, row: str, player: str | None = None) -> None:
        """Record a fact with one tap, or with two if the row is chosen first."""
        self.let_time_pass()
        choice = self.page.locator(f"#row-{row} [type=radio]")
        if player is not None and choice.is_visible() and not choice.is_checked():
            choice.click()
        self.send(self.cell(row, player))

    def let_time_pass(self) -> None:
        """Make the page take the next tap for a separate one, not for a bounce."""
        self.page.evaluate(LATER)

    def tap_rare(self, hand: str, player: str) -> None:
        """Record a rare hand with two taps: the row that folds them, and the player on its sheet.

        `hand` is its name with its worth: `Fyrtal (nollar)`.
        """
        self.let_time_pass()
        self.cell("rare").click()
        self.answer(f"{player}: {hand}")

    def answer(self, label: str) -> None:
        """Record a fact by an answer on a sheet."""
        self.send(self.sheet.get_by_role("button", name=label, exact=True))

    def send(self, button: Locator) -> None:
        """Record a fact by a cell of the grid, or a button of a sheet."""
        with self.booking():
            button.click()
        self.expect_no_sheet()

    def expect_no_sheet(self) -> None:
        """Wait until the sheet is gone, with its entry in the history.

        Before it has gone back over that entry, it cancels another page, or closes the next sheet.
        """
        expect(self.page.locator("#ask > *")).to_have_count(0)
        self.page.wait_for_function("() => !history.state?.sheet")

    def look_up(self, player: str) -> None:
        """Open the sheet that tells a player's rights and their reasons."""
        self.head(player).click()
        expect(self.sheet.get_by_role("heading", level=2)).to_have_text(player)

    def correct(self, player: str, points: str) -> None:
        """Correct a player's score from the player's sheet."""
        self.look_up(player)
        self.sheet.locator("input[name=points]").fill(points)
        self.answer("Spara")

    def close(self) -> None:
        """Close the sheet."""
        self.page.locator("[data-close]").click()
        expect(self.sheet).to_have_count(0)
        self.expect_no_sheet()
        expect(self.page.locator("#table")).to_be_visible()

    def undo(self) -> None:
        """Take the newest fact back."""
        with self.booking():
            self.undo_button.click()

    def redo(self) -> None:
        """Redo the newest undone fact."""
        with self.booking():
            self.page.locator(".redo").click()

    def tap_rematch(self) -> None:
        """Start the next game."""
        with self.booking():
            self.page.locator(".bar button.go").click()

    def edit(self, label: str) -> None:
        """Change the first entry of the game, and come back to the table."""
        table = self.page.url
        self.page.get_by_role("link", name="Protokoll").click()
        self.page.locator("#deal-1 li a").first.click()
        self.page.get_by_role("button", name=label).click()
        self.page.get_by_role("button", name="Spara", exact=True).click()
        expect(self.page.locator(".told")).to_have_text("Partiet är rättat.")
        self.page.goto(table)

    def break_off(self) -> None:
        """Break the game off as it stands."""
        self.page.get_by_role("link", name="Meny", exact=True).click()
        self.page.get_by_role("link", name="Någon kommer, går").click()
        self.answer("Bryt partiet – ställningen gäller")
        expect(self.page.locator("#table .result")).to_be_visible()

    @contextmanager
    def booking(self) -> Iterator[None]:
        """Wait until the block has changed the table and its request has been answered."""
        version = self.page.locator("input[name=seq]").first
        before = version.input_value()
        # The change may come on the live stream first; before the answer is here too, another tap
        # counts as tapping on.
        with self.page.expect_response(lambda answer: answer.request.method == "POST") as answer:
            yield
        answer.value.finished()
        expect(version).not_to_have_value(before)
        self.taps += 1

    def expect_scores(self, *scores: int) -> None:
        """Check the scoreboard, in seat order."""
        expect(self.page.locator(".head .score")).to_have_text([str(score) for score in scores])

    def rows(self) -> dict[str, list[int]]:
        """Return the place of each row of the grid on the screen, in whole pixels."""
        found: dict[str, list[int]] = self.page.evaluate(ROWS)
        return found

    def _count(self, request: Request) -> None:
        if request.is_navigation_request():
            self.loads += 1

"""Several phones at a table: their way there, and the recorded events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Page, Request, expect

from tests.browser.keeper import Keeper

if TYPE_CHECKING:
    from tests.browser.conftest import NewPhone

Event = dict[str, object]

# Playwright does not repeat a promise that gives false: the page repeats it itself, with each frame
# that it draws.
UNTIL_TRUE = """async (arg) => {
  const holds = () => { const it = (CONDITION); return typeof it === "function" ? it(arg) : it; };
  while (!(await holds())) await new Promise(requestAnimationFrame);
}"""
# A file of JSON, as the page itself gets it: Playwright does not know every host of it.
FILE = "(path) => fetch(path).then((file) => file.json())"
# The referrer and the storage of a page.
KEPT = "JSON.stringify([document.referrer, {...localStorage}])"


def link(page: Page) -> str:
    """Return the address of the table that a page shows."""
    return "/".join(page.url.split("/")[:5])


def path_of(page: Page) -> str:
    """Return the table's path without the host, which differs from phone to phone."""
    return "/" + link(page).split("/", 3)[3]


def unfold(page: Page, kind: str) -> None:
    """Open a fold of the start page, if it is not: the rules (`sets`), or the rest (`mer`)."""
    for fold in page.locator(f"details.{kind}:not([open]) > summary").all():
        fold.click()


def recorded(page: Page) -> list[Event]:
    """Return the events in the file of the table's first game, without the times."""
    game = page.evaluate(FILE, f"{path_of(page)}/games/1.json")
    return [{key: event[key] for key in event if key != "at"} for event in game["events"]]


def eventually(page: Page, condition: str, arg: object = None) -> None:
    """Wait until an expression, or the promise of a function of `arg`, is true on a page.

    A page that is reloaded meanwhile is asked again.
    """
    page.wait_for_function(UNTIL_TRUE.replace("CONDITION", condition), arg=arg)


def cut(page: Page, off: bool = True) -> None:
    """Take a phone's network away, or give it back; later requests are certain to see it.

    Chromium tells its network of this in parallel to the requests, which may overtake it.
    """
    page.context.set_offline(off)
    if off:
        eventually(page, "fetch('/healthz').then(() => false, () => true)")


def hasten(page: Page) -> None:
    """Let a page that loads again by itself, in some seconds, do so at once."""
    page.locator("meta[http-equiv=refresh]").evaluate("(refresh) => { refresh.content = '0'; }")


def reader_of(keeper: Keeper, page: Page) -> Keeper:
    """Return a phone that has scanned the link for readers."""
    page.goto(link(keeper.page))
    return _at_the_table(keeper, page)


def second_pen(keeper: Keeper, new_phone: NewPhone) -> Keeper:
    """Return another phone that has scanned the pen link, and taken the pen."""
    page = new_phone()
    get_or_create_pen(page, pen_link(keeper))
    return _at_the_table(keeper, page)


def get_or_create_pen(page: Page, address: str) -> None:
    """Open a pen link, and take the pen."""
    page.goto(address)
    page.get_by_role("button", name="Ta pennan").click()
    expect(page.locator("#table")).to_be_visible()


def pen_link(keeper: Keeper) -> str:
    """Let the keeper's phone make a pen link, and return the address in its code."""
    page = keeper.page
    table = page.url
    page.goto(f"{link(page)}/join")
    page.get_by_role("button", name="Låt någon mer skriva").click()
    address = page.get_by_label("Länk som ger pennan").input_value()
    page.goto(table)
    # The code has the host as other phones reach it; this test's phones are on the machine.
    return "/".join([*table.split("/")[:3], *address.split("/")[3:]])


def _at_the_table(keeper: Keeper, page: Page) -> Keeper:
    other = Keeper(page)
    other.players = keeper.players
    expect(page.locator("#live")).to_have_class("on")
    return other


def requests_of(page: Page) -> list[Request]:
    """Return the list of a page's requests, which grows from now on."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  # it needs a function
    return sent


def expect_kept_secret(secret: str, sent: list[Request]) -> None:
    """Fail if a request other than to the secret's own page holds it, or if the page stores it."""
    later = [request for request in sent if not request.url.endswith(secret)]
    assert len(later) > 5
    for request in later:
        assert secret not in str(request.all_headers()), request.url
        assert secret not in request.url + (request.post_data or "")
    assert secret not in later[-1].frame.page.evaluate(KEPT)

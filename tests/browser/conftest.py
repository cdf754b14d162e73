"""Fixtures of the browser tests: a real server, a real browser, and phones that report errors."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.hands import unhurried
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    # The phone's Python is compiled once, fast, and not again in the background, better.
    "--js-flags=--liftoff-only",
    # A name of this machine that is no secure context, unlike localhost.
    "--host-resolver-rules=MAP home.test 127.0.0.1",
]
# Messages of a browser about a network or a server that is down, also in a check for a new worker.
AWAY = (
    "net::ERR_",
    "Failed to load resource",
    "Failed to fetch",
    "error occurred when fetching the script",
)
# A page may be refused something; Chromium reports each refusal as an error in the console.
REFUSED = r"Failed to load resource: the server responded with a status of 4\d\d"
WCAG_TAGS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
# Those of its rules that check colours. The first takes most of the time of all.
COLOUR_RULES = CONTRAST, LINKS = ("color-contrast", "link-in-text-block")
RUN_AXE = """async options => (await axe.run(options)).violations.map(({id, help, nodes}) =>
    ({id, help, nodes: nodes.map(node => node.html)}))"""
SERVER_ERROR = 500
# Time enough for a browser and a server on a machine that is busy with other tests.
TIMEOUT_MS = 60_000
expect.set_options(timeout=TIMEOUT_MS)
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")

Judge = Callable[[Page], None]
# Turns on one more phone, with playwright's context options that differ from the usual ones.
NewPhone = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run one Chromium for the whole run."""
    path = chromium.find()
    with unhurried(), sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=TIMEOUT_MS)
        yield running
        running.close()


@pytest.fixture
def tolerated(request: pytest.FixtureRequest) -> list[str]:
    """Return the patterns of console messages that are no errors: those of the module, or refusals.

    A test may add its own.
    """
    return [*getattr(request.module, "TOLERATED", [REFUSED])]


@pytest.fixture
def new_phone(browser: Browser, server: Server, tolerated: list[str]) -> Iterator[NewPhone]:
    """Return a function that turns on phones, each with its own cookies.

    The test fails if any of their pages logs an error, throws one, or gets one from the server.
    """
    contexts: list[BrowserContext] = []
    trouble: list[str] = []

    def turn_on(**options: Any) -> Page:  # noqa: ANN401 - playwright's own options
        address = options.get("base_url", server.url)
        context = browser.new_context(**usual(address) | options)
        context.set_default_timeout(TIMEOUT_MS)
        watch(context, trouble.append)
        contexts.append(context)
        return context.new_page()

    yield turn_on
    for context in contexts:
        context.close()
    expect_no_trouble(trouble, tolerated)


@pytest.fixture
def phone(new_phone: NewPhone) -> Page:
    """Return an empty page on an upright phone, in Swedish."""
    return new_phone()


@pytest.fixture
def keeper(phone: Page) -> Keeper:
    """Return a keeper's phone with a table of four open, and everything loaded."""
    keeper = Keeper(phone)
    keeper.sit_down(*PLAYERS)
    expect(phone.locator("#live")).to_have_class("on")
    return keeper


@pytest.fixture
def barriers() -> Callable[..., list[str]]:
    """Return a function that lists the elements of a page that break WCAG 2.2 AA.

    Target sizes are included. Its second argument limits the check to some rules; `apart` are
    rules that it leaves out.
    """
    axe = Axe()

    def found(page: Page, rules: Sequence[str] = (), apart: Sequence[str] = ()) -> list[str]:
        left_out = {rule: {"enabled": False} for rule in apart}
        options = {
            "runOnly": {"type": "rule", "values": rules} if rules else WCAG_TAGS,
            # axe-core leaves target sizes out unless asked.
            "rules": {} if rules else {"target-size": {"enabled": True}, **left_out},
            # Otherwise it would list every element that passes.
            "resultTypes": ["violations"],
        }
        # Before its styles are loaded a page has other colours.
        page.wait_for_load_state()
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe.axe_script)
        violations = page.evaluate(RUN_AXE, options)
        return [
            f"{each['id']}: {each['help']}: {html}" for each in violations for html in each["nodes"]
        ]

    return found


@pytest.fixture
def judge(barriers: Callable[..., list[str]]) -> Judge:
    """Return a function that checks a page against those rules, in the dark and in the light.

    The schemes differ in colours alone (`test_schemes_differ_in_colours_alone`): in the second only
    colours are checked.
    """

    def hold(page: Page) -> None:
        wrong: list[str] = []
        for scheme, rules in zip(SCHEMES, ((), COLOUR_RULES), strict=True):
            page.emulate_media(color_scheme=scheme)
            wrong += [f"{scheme}: {each}" for each in barriers(page, rules)]
        assert wrong == []

    return hold


def expect_no_trouble(trouble: list[str], tolerated: list[str]) -> None:
    """Fail for every reported message that no tolerated pattern matches."""
    untold = [line for line in trouble if not any(re.search(known, line) for known in tolerated)]
    assert not untold, "The phone met trouble:\n" + "\n".join(untold)


def usual(address: str) -> dict[str, Any]:
    """Return playwright's options for an upright phone in Sweden, at an address.

    The phone installs no offline bundle by itself.
    """
    kept = {"origin": address, "localStorage": [{"name": "kit", "value": "off"}]}
    return {
        "storage_state": {"cookies": [], "origins": [kept]},
        "base_url": address,
        "viewport": {"width": 360, "height": 780},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
        "locale": "sv-SE",
        "timezone_id": "Europe/Stockholm",
    }


def watch(context: BrowserContext, report: Callable[[str], None]) -> None:
    """Report console errors, page errors and server errors of a phone's pages."""
    context.on(
        "console",
        lambda said: report(f"console: {said.text}") if said.type == "error" else None,
    )
    context.on("weberror", lambda thrown: report(f"page error: {thrown.error}"))
    context.on(
        "response",
        lambda answer: (
            report(f"server error {answer.status}: {answer.url}")
            if answer.status >= SERVER_ERROR
            else None
        ),
    )

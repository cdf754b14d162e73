"""A phone caches pages for reading without a network, and nothing else."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.kept import expect_kept, opened
from tests.browser.serving import Server
from tests.browser.tables import eventually, path_of, pen_link, take_pen

KEPT = """
    async () => {
        const found = [];
        for (const name of await caches.keys())
            for (const {url} of await (await caches.open(name)).keys()) found.push(url);
        return found;
    }
"""
HOLDS_THE_TAP = """async (url) => {
    const copy = await (await caches.open("pages-1")).match(url);
    return (await copy.text()).includes('data-seq="2"');
}"""
HOLDS_NONE = f"""async (table) => !(await ({KEPT})()).some((url) => url.includes(table))"""


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser without a network, which these tests cause."""
    return [*AWAY, "server error 50[23]"]


def test_table_protocol_and_rules_are_readable_without_a_network(
    own_server: Server, new_phone: NewPhone
) -> None:
    """Each opens as it was last seen, and says so; with a network they are current again."""
    keeper = opened(new_phone(base_url=own_server.url))
    page, table = keeper.page, keeper.page.url
    for address in (f"{table}/protocol", f"{table}/rules", table):
        page.goto(address)
        expect_kept(page, address)
    keeper.tap("pair", "Anna")
    eventually(page, HOLDS_THE_TAP, table)
    own_server.kill()
    note = page.locator(".known-at")
    for address, what in ((f"{table}/protocol", ".sheet"), (f"{table}/rules", "main")):
        page.goto(address)
        expect(page.locator(what)).to_be_visible()
        expect(note).to_contain_text("Så här stod det senast")
    page.goto(table)
    keeper.expect_scores(1, 0, 0, 0)
    expect(note).to_contain_text("Så här stod det senast")
    expect(page.locator("#live")).to_have_class("off")
    own_server.start()
    expect(note).to_have_count(0)


def test_nothing_secret_and_nothing_written_is_kept(phone: Page, new_phone: NewPhone) -> None:
    """The cache holds no pen links, no streams, no answers to taps and no sheets."""
    keeper = opened(phone)
    other = new_phone()
    take_pen(other, pen_link(keeper))
    expect_kept(other, other.url)
    keeper.tap("pair", "Anna")
    keeper.look_up("Bo")
    eventually(phone, HOLDS_THE_TAP, phone.url)
    allowed = {"/", path_of(phone)}
    for page in (phone, other):
        eventually(page, f"({KEPT})().then((kept) => kept.length >= 5)")
        kept = ["/" + url.split("/", 3)[3] for url in page.evaluate(KEPT)]
        assert {url for url in kept if not url.startswith(("/static/", "/away/"))} <= allowed


def test_of_a_deleted_table_no_phone_keeps_a_page(phone: Page, new_phone: NewPhone) -> None:
    """A reader is told at once; then no phone has a page of the table, or a list with it."""
    opened(phone)
    reader, table, address = new_phone(), path_of(phone), phone.url
    for page in (phone, reader):
        for part in ("/protocol", ""):
            page.goto(address + part)
            expect_kept(page, address + part)
        page.goto(address)
        page.wait_for_function("() => navigator.serviceWorker.controller")
    phone.goto(f"{address}/forget")
    phone.get_by_role("button", name="Ta bort bordet …").click()
    phone.get_by_role("button", name="Låt det försvinna").click()
    expect(phone.get_by_text("Bordet är borttaget.")).to_be_visible()
    expect(reader.get_by_text("är bordet borttaget")).to_be_visible()
    for page in (phone, reader):
        page.goto(address)
        eventually(page, HOLDS_NONE, table)

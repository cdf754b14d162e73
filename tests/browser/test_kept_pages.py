"""Pages are kept on the phone to be read without a network, and nothing else is."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import AWAY, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kept import expect_kept, opened
from tests.browser.serving import Server
from tests.browser.tables import ANNA_PAIR, cut, eventually, path_of, pen_link, recorded, take_pen

KEPT = """
    async () => {
        const found = [];
        for (const name of await caches.keys())
            for (const {url} of await (await caches.open(name)).keys()) found.push(url);
        return found;
    }
"""
COPY = "async (url) => (await (await caches.open('pages-1')).match(url)).text()"
HOLDS_THE_TAP = f"""async (url) => (await ({COPY})(url)).includes('data-seq="2"')"""
HOLDS_NO_COPY_WITH = """
    async (name) => {
        const pages = await caches.open("pages-1");
        const copies = await Promise.all((await pages.keys()).map((key) => pages.match(key)));
        // One may have gone since it was listed.
        const there = copies.filter(Boolean);
        const texts = await Promise.all(there.map((copy) => copy.text()));
        return !texts.some((text) => text.includes(name));
    }
"""


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [*AWAY, "server error 50[24]"]


def test_table_protocol_and_rules_are_readable_without_a_network(
    own_server: Server, new_phone: NewPhone
) -> None:
    """Each opens as it was last seen, and says so; back on the network they are fresh again."""
    keeper = opened(new_phone(), own_server.url)
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


def test_a_tap_on_a_reopened_page_without_a_network_is_kept_too(phone: Page) -> None:
    """Reopened, all without a network: what waited waits, and holds the next back."""
    keeper, context = opened(phone), phone.context
    cut(phone)
    keeper.cell("pair", "Anna").click()
    expect(phone.locator("#unsent")).to_be_visible()
    phone.close()
    again = Keeper(context.new_page())
    again.page.goto(phone.url)
    again.players = PLAYERS
    expect(again.page.locator("#unsent .words")).to_have_text("Anna: Par")
    again.cell("flush", "Bo").click()
    expect(again.said).to_contain_text("väntar på svar")
    cut(again.page, off=False)
    again.expect_scores(1, 0, 0, 0)
    expect(again.page.locator("#unsent")).to_be_hidden()
    assert recorded(again.page) == [ANNA_PAIR]


def test_nothing_secret_and_nothing_written_is_kept(phone: Page, new_phone: NewPhone) -> None:
    """Among the copies are no pen links, no streams, no answers to taps and no sheets."""
    keeper = opened(phone)
    other = new_phone()
    take_pen(other, pen_link(keeper))
    expect_kept(other, other.url)
    keeper.tap("pair", "Anna")
    keeper.look_up("Bo")
    eventually(phone, HOLDS_THE_TAP, phone.url)
    allowed = {"/", path_of(phone), "/away", "/away?sent"}
    for page in (phone, other):
        kept = ["/" + url.split("/", 3)[3] for url in page.evaluate(KEPT)]
        assert len(kept) >= 5
        assert {url for url in kept if not url.startswith("/static/")} <= allowed


def test_a_copy_holds_nothing_half_done(phone: Page) -> None:
    """An open sheet and an old answer are not part of what is kept."""
    keeper = opened(phone)
    keeper.tap("pair", "Anna")
    keeper.look_up("Bo")
    keeper.sheet.locator("input[name=points]").fill("7")
    eventually(phone, HOLDS_THE_TAP, phone.url)
    copy = phone.evaluate(COPY, phone.url)
    assert re.search(r'<dialog id="ask"[^>]*></dialog>', copy)


def test_old_copies_are_thrown_away(phone: Page) -> None:
    """What an earlier version of the app kept is gone, and of each file there is one copy."""
    keeper = opened(phone)
    phone.evaluate(
        """async () => {
            const old = "/static/bundles/table.css?v=old";
            await (await caches.open("pages-0")).put(old, new Response("old"));
            await (await caches.open("files-1")).put(old, new Response("old"));
            await (await caches.open("files-1")).delete(
                document.querySelector("link[rel=stylesheet]").href);
            await (await navigator.serviceWorker.ready).unregister();
        }"""
    )
    phone.reload()
    phone.reload()
    eventually(phone, "async () => !(await caches.keys()).includes('pages-0')")
    eventually(
        phone,
        """async () => {
            const keys = await (await caches.open("files-1")).keys();
            const styles = keys.filter(({url}) => url.includes("/table.css"));
            return styles.length === 1 && !styles[0].url.endsWith("old");
        }""",
    )
    keeper.tap("pair", "Anna")


def test_the_worker_is_asked_for_anew_each_time(phone: Page) -> None:
    """A new version of the app is not held up by an old worker."""
    answer = phone.request.get("/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert "javascript" in answer.headers["content-type"]


def forget(page: Page, what: str) -> None:
    """Let something of the table go: the form that is sent by this button, then what it asks."""
    page.get_by_role("button", name=what).click()
    page.get_by_role("button", name="Låt det försvinna").click()


def test_of_a_deleted_table_no_phone_keeps_a_page(
    phone: Page, new_phone: NewPhone, tolerated: list[str]
) -> None:
    """Who looks at it is told so at once; the phones then hold no page of it nor a list with it."""
    opened(phone)
    reader, table, address = new_phone(), path_of(phone), phone.url
    for page in (phone, reader):
        for part in ("/protocol", ""):
            page.goto(address + part)
            expect_kept(page, address + part)
        page.goto(address)
        eventually(page, "Boolean(navigator.serviceWorker.controller)")
    phone.goto(f"{address}/forget")
    forget(phone, "Ta bort bordet …")
    expect(phone.get_by_text("Bordet är borttaget.")).to_be_visible()
    expect(reader.get_by_text("är bordet borttaget")).to_be_visible()
    for page in (phone, reader):
        page.goto(address)
        eventually(page, f"async () => !(await ({KEPT})()).some((url) => url.includes('{table}'))")


def test_a_forgotten_name_stays_on_no_phone(phone: Page, new_phone: NewPhone) -> None:
    """What was kept of the table before goes from every phone that shows it."""
    opened(phone)
    reader, address = new_phone(), phone.url
    for page in (phone, reader):
        page.goto(f"{address}/protocol")
        expect_kept(page, f"{address}/protocol")
        page.goto(address)
        expect_kept(page, address)
    phone.goto(f"{address}/forget")
    phone.get_by_label(PLAYERS[0], exact=True).check()
    forget(phone, "Glöm namnet …")
    expect(phone.get_by_text("Namnet är glömt")).to_be_visible()
    for page in (phone, reader):
        eventually(page, HOLDS_NO_COPY_WITH, PLAYERS[0])


def test_what_is_kept_is_what_was_recorded(phone: Page) -> None:
    """The service worker stands in nobody's way: a tap through it is booked once."""
    keeper = opened(phone)
    phone.reload()
    eventually(phone, "Boolean(navigator.serviceWorker.controller)")
    keeper.tap("pair", "Anna")
    assert json.dumps(recorded(phone)) == json.dumps([ANNA_PAIR])

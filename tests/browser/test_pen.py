"""The pen: handed to another phone by a link, held by several, taken back, and never left about."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Judge, NewPhone
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.serving import Server
from tests.browser.tables import (
    ANNA_PAIR,
    BO_FLUSH,
    GLANCE,
    cut,
    hold,
    link,
    path_of,
    pen_link,
    reader_of,
    recorded,
    second_pen,
    take_pen,
)

# What a thumb hits without looking twice, in px.
FINGER = 44
FIRST = "Någon annan hann före. Så här står det nu."


def take_back(keeper: Keeper) -> None:
    """Let only this phone write."""
    keeper.page.goto(f"{link(keeper.page)}/join")
    keeper.page.get_by_role("button", name="Bara den här telefonen skriver").click()
    expect(keeper.page.locator("#table")).to_be_visible()


def test_a_reader_gets_the_pen_by_a_link_and_both_write(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Whoever only followed along writes after scanning the pen; the first phone still does."""
    other = reader_of(keeper, new_phone())
    expect(other.page.locator(".board")).to_have_count(0)
    take_pen(other.page, pen_link(keeper))
    other.tap("pair", "Anna")
    keeper.expect_scores(1, 0, 0, 0)
    keeper.page.wait_for_timeout(GLANCE)
    keeper.tap("flush", "Bo")
    other.expect_scores(1, 5, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR, BO_FLUSH]


@pytest.fixture
def known(new_phone: NewPhone, tmp_path: Path) -> Iterator[Keeper]:
    """Return a keeper's phone at a server whose address other phones reach."""
    server = Server(tmp_path, CHICAGO_URL="http://chicago.example")
    server.start()
    keeper = Keeper(new_phone(base_url=server.url))
    keeper.open_table(*PLAYERS)
    expect(keeper.page.locator("#live")).to_have_class("on")
    yield keeper
    keeper.page.close()
    server.stop()


def test_the_pens_address_is_shared_from_the_sheet(known: Keeper) -> None:
    """The sheet slides up over the table, with a code to scan and the address to send."""
    keeper = known
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    keeper.page.get_by_role("link", name="Följ med").click()
    address = keeper.sheet.get_by_label("Länk för att se bordet")
    expect(address).to_have_value(f"http://chicago.example{path_of(keeper.page)}")
    keeper.page.get_by_role("button", name="Låt en telefon till skriva").click()
    expect(keeper.sheet.locator(".code svg")).to_be_visible()
    pen = keeper.sheet.get_by_label("Länk som ger pennan").input_value()
    assert f"{path_of(keeper.page)}/pen/" in pen
    assert len(pen.rsplit("/", 1)[1]) >= 22


def test_the_secret_stays_neither_in_the_address_nor_in_what_is_sent(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """After the redirect the address is the table's, and no request tells where it came from."""
    address = pen_link(keeper)
    secret = address.rsplit("/", 1)[1]
    page = new_phone()
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))  # noqa: PLW0108  # it needs a function
    other = Keeper(page)
    take_pen(page, address)
    other.players = keeper.players
    assert page.url == link(keeper.page)
    other.tap("pair", "Anna")
    page.get_by_role("link", name="Protokoll").click()
    expect(page.locator(".sheet")).to_be_visible()
    later = [request for request in sent if request.url != address]
    assert len(later) > 5
    for request in later:
        assert secret not in str(request.all_headers()), request.url
        assert secret not in request.url + (request.post_data or "")
    assert secret not in page.evaluate("JSON.stringify([document.referrer, {...localStorage}])")


def test_two_pens_at_once_book_one_fact_and_the_other_is_told(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """Both tap before either knows of the other: one is booked, the other sees what stands now."""
    other = second_pen(keeper, new_phone)
    held = hold(other.page, "**/events", times=1)
    other.cell("straight", "Dan").click()
    expect(other.cell("straight", "Dan")).to_have_class("cell pending")
    keeper.tap("pair", "Anna")
    for route in held:
        route.continue_()
    expect(other.said).to_have_text(FIRST)
    other.expect_scores(1, 0, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR]


def test_a_pen_that_is_taken_back_writes_no_more_nor_do_older_links(
    keeper: Keeper, new_phone: NewPhone
) -> None:
    """The other phone reads from then on, by itself, and a link scanned too late gives nothing."""
    other, late = second_pen(keeper, new_phone), pen_link(keeper)
    take_back(keeper)
    expect(other.page.locator(".board")).to_have_count(0)
    expect(other.page.locator(".follow")).to_be_visible()
    third = new_phone()
    third.goto(late)
    assert third.url == link(keeper.page)
    expect(third.locator("#said")).to_contain_text("Den länken ger inte pennan längre")
    expect(third.locator(".follow")).to_be_visible()
    expect(third.locator(".board")).to_have_count(0)
    keeper.tap("pair", "Anna")
    other.expect_scores(1, 0, 0, 0)
    assert recorded(keeper.page) == [ANNA_PAIR]


def test_what_waited_when_the_pen_was_taken_back_is_shown_until_dropped(
    keeper: Keeper, new_phone: NewPhone, tolerated: list[str]
) -> None:
    """Nothing tapped without a network vanishes unseen, though it can no longer be written."""
    tolerated.append("net::ERR_")
    other = second_pen(keeper, new_phone)
    # At rest, all that it needs is there.
    expect(other.page.locator("#sheets[data-of]")).to_be_attached()
    cut(other.page)
    other.cell("pair", "Anna").click()
    expect(other.page.locator("#unsent")).to_be_visible()
    take_back(keeper)
    cut(other.page, off=False)
    waiting = other.page.locator("#unsent")
    expect(waiting).to_contain_text("Den här telefonen kan bara läsa")
    expect(waiting.locator("li span")).to_have_text("Anna: Par")
    expect(other.page.locator(".names")).to_have_css("display", "grid")
    expect(other.page.locator(".facts")).to_have_css("list-style-type", "none")
    waiting.get_by_role("button", name="Släng det").click()
    expect(waiting).to_be_hidden()
    assert recorded(keeper.page) == []


def test_a_preview_of_a_pen_link_takes_nothing_away(keeper: Keeper, new_phone: NewPhone) -> None:
    """A messenger that looks at the link before the friend does leaves it as good as before."""
    address = pen_link(keeper)
    preview = keeper.page.context.request.get(address, max_redirects=0)
    assert preview.ok
    assert "no-store" in preview.headers["cache-control"]
    messenger = new_phone().request
    for _ in range(2):
        assert messenger.head(address).ok
        assert messenger.get(address).ok
    friend = Keeper(new_phone())
    take_pen(friend.page, address)
    friend.players = keeper.players
    friend.tap("pair", "Anna")
    keeper.expect_scores(1, 0, 0, 0)


def test_a_pen_link_gives_one_phone_the_pen_without_scripts_too(
    keeper: Keeper, new_phone: NewPhone, judge: Judge
) -> None:
    """The first that taps writes; who comes later is told, and may follow along."""
    address, late = pen_link(keeper), new_phone()
    late.goto(address)
    judge(late)
    plain = new_phone(java_script_enabled=False)
    take_pen(plain, address)
    expect(plain.locator(".board")).to_be_visible()
    late.get_by_role("button", name="Ta pennan").click()
    expect(late.locator("#said")).to_contain_text("En annan telefon har redan tagit pennan")
    judge(late)
    assert late.url == link(keeper.page)
    expect(late.locator(".follow")).to_be_visible()
    expect(late.locator(".board")).to_have_count(0)


def test_the_sheet_makes_a_new_code_for_the_next_phone(keeper: Keeper) -> None:
    """Where the first was used or is over, one tap shows another."""
    keeper.page.get_by_role("link", name="Mer", exact=True).click()
    keeper.page.get_by_role("link", name="Följ med").click()
    keeper.page.get_by_role("button", name="Låt en telefon till skriva").click()
    field = keeper.sheet.get_by_label("Länk som ger pennan")
    first = field.input_value()
    expect(keeper.sheet).to_contain_text("en gång, för en telefon, i 15 minuter")
    keeper.page.get_by_role("button", name="En ny kod").click()
    expect(field).not_to_have_value(first)
    assert f"{path_of(keeper.page)}/pen/" in field.input_value()


def test_a_lost_pen_is_had_again_by_one_tap(
    keeper: Keeper, new_phone: NewPhone, judge: Judge
) -> None:
    """By the link that was kept; the phone that wrote is told, and says when it has seen that."""
    page = keeper.page
    page.get_by_role("link", name="Mer", exact=True).click()
    page.get_by_role("link", name="Följ med").click()
    page.get_by_role("link", name="Om telefonen försvinner").click()
    page.get_by_role("button", name="Gör en reservlänk").click()
    judge(page)
    address = page.get_by_label("Reservlänk").input_value()
    page.locator("#ask [data-close]").click()
    found = new_phone()
    found.goto("/".join([*page.url.split("/")[:3], *address.split("/")[3:]]))
    judge(found)
    found.get_by_role("button", name="Ta pennan").click()
    expect(found.locator(".board")).to_be_visible()
    assert found.url == link(page)
    told = page.get_by_text("En telefon fick pennan med reservlänken")
    expect(told).to_be_visible()
    judge(page)
    page.get_by_role("button", name="Okej").click()
    expect(told).to_be_hidden()
    expect(page.locator(".board")).to_be_visible()


def test_news_of_a_recovered_pen_moves_nothing(keeper: Keeper, new_phone: NewPhone) -> None:
    """It comes by itself while somebody is about to tap; what puts it away fits a thumb."""
    page = keeper.page
    page.goto(f"{link(page)}/recovery")
    page.locator("form[action$='/recovery'] button").click()
    address = page.locator("input.share").input_value()
    page.goto(link(page))
    expect(page.locator("#live")).to_have_class("on")
    rows = keeper.rows()
    take_pen(new_phone(), "/" + address.split("/", 3)[3])
    seen = page.locator(".notice button")
    expect(seen).to_be_visible()
    assert keeper.rows() == rows
    box = seen.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= FINGER
    seen.click()
    expect(seen).to_have_count(0)
    assert keeper.rows() == rows

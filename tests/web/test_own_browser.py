"""A link that gives the pen, opened inside a chat program, says so before it is used."""

from __future__ import annotations

from tests.told import told
from tests.web.conftest import NewPhone
from tests.web.evenings import links_to_send
from tests.web.phone import Phone, writes

ALONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
WITHIN = f"{ALONE} [FBAN/MessengerForiOS;FBAV/460.0]"


@told
def test_the_phones_own_browser_is_offered_first(
    keeper: Phone, new_phone: NewPhone, within: list[list[str]], own: list[str]
) -> None:
    """By a link that opens it there, and in words; to go on all the same is a tap.

    In the phone's own browser, whichever that is, nothing is said.
    """
    for path, taken in links_to_send(keeper):
        other = new_phone()
        for agent in own:
            other.headers["User-Agent"] = agent
            assert "first" not in other.open(path).text, agent
        for agent, name, address in within:
            other.headers["User-Agent"] = agent
            leads_to = other.open(path).link(f"Open in {name} first").href
            assert leads_to == address.replace("PATH", path)
        other.press(taken)
        assert writes(other, keeper.table)


def test_the_start_page_says_so_too(phone: Phone) -> None:
    """But not within an app on a home screen, and not to who has tables there."""
    for agent, said in ((WITHIN, True), (ALONE, False)):
        phone.headers["User-Agent"] = agent
        assert phone.open("/").has("Open in Safari first") == said
    phone.page.form("/").fill_each("player", ["Ada", "Bo"])
    phone.press("Start the game")
    phone.headers["User-Agent"] = WITHIN
    assert not phone.open("/").has("Open in Safari first")

"""Mending on the page: an entry opened, what would change, and the game kept when it stands."""

import json
import re

from tests.web.conftest import Seat
from tests.web.phone import Phone

DEAL: list[dict[str, object]] = [
    {"event": "best_hand", "player": "Anna", "hand": "pair"},
    {"event": "no_best_hand"},
    {"event": "last_trick", "player": "Bo"},
    {"event": "best_hand", "player": "Cilla", "hand": "flush"},
]


def mend(phone: Phone, index: int, event: object, **more: str) -> str:
    """Send one step of mending game 1, with the draft that the last page carried."""
    where = f"{phone.table}/games/1"
    page = phone.client.get(phone.table, headers={"Accept-Language": "en"}).text
    seq = re.search(r'data-seq="(\d+)"', page)
    assert seq is not None
    sent = event if isinstance(event, str) else json.dumps(event)
    data = {"seq": seq[1], "index": str(index), "event": sent, "do": "change", **more}
    answer = phone.client.post(f"{where}/mend", data=data, headers={"Accept-Language": "en"})
    return answer.text


def draft(page: str) -> str:
    """Return the draft that a page carries on."""
    found = re.search(r"name=\"draft\"\s+value='([^']*)'", page)
    assert found is not None
    return found[1].replace("&#34;", '"').replace("&quot;", '"')


def test_an_entry_tells_what_it_did_and_why(seat: Seat, phone: Phone) -> None:
    """An entry opened explains itself, with the number and the rule."""
    keeper = seat(phone, *DEAL, rules={"preset": "pagat"})
    keeper.open(f"{keeper.table}/games/1/entries/0")
    assert "Anna scores pair: +1. The best hand scores: pair gives 1 point." in str(
        keeper.answer.text
    )


def test_a_change_is_shown_before_it_is_kept(seat: Seat, phone: Phone) -> None:
    """Changing an entry shows the scores it would give; only keeping it changes the game."""
    keeper = seat(phone, *DEAL, rules={"preset": "pagat"})
    shown = mend(keeper, 0, {"event": "best_hand", "player": "Dan", "hand": "straight"})
    assert "4 points" in shown
    game = f"{keeper.table}/games/1.json"
    assert json.loads(keeper.client.get(game).text)["events"][0]["player"] == "Anna"
    mend(keeper, 0, "keep", draft=draft(shown))
    assert json.loads(keeper.client.get(game).text)["events"][0]["player"] == "Dan"


def test_what_no_longer_holds_is_named_and_nothing_is_kept(seat: Seat, phone: Phone) -> None:
    """Taking an entry away that others rest on says which falls, and keeps the game as it was."""
    keeper = seat(phone, *DEAL, rules={"preset": "pagat"})
    shown = mend(keeper, 0, "remove")
    assert "Entry 2 no longer holds" in shown
    mend(keeper, 0, "keep", draft=draft(shown))
    assert len(json.loads(keeper.client.get(f"{keeper.table}/games/1.json").text)["events"]) == 4


def test_the_old_version_can_still_be_read(seat: Seat, phone: Phone) -> None:
    """The log tells what was recorded first and that it was mended."""
    keeper = seat(phone, *DEAL, rules={"preset": "pagat"})
    shown = mend(keeper, 3, {"event": "best_hand", "player": "Bo", "hand": "pair"})
    mend(keeper, 3, "keep", draft=draft(shown))
    log = keeper.client.get(f"{keeper.table}/games/1/log", headers={"Accept-Language": "en"}).text
    assert "Cilla flush" in log
    assert "mended" in log
    assert "Bo pair" in log

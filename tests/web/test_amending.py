"""Amending on the page: an opened entry, a preview of the change, and the mended game."""

import json

import pytest
from flask import Flask

from app.rules.events import BestHand
from app.rules.hands import Hand
from app.rules.presets import PRESETS
from app.services.commit import commit
from app.services.play import Mend
from app.web.table import amend
from tests.rules.table import Rules, write_facts
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, pen_of, record, store_of
from tests.web.pages import Page
from tests.web.phone import Phone

DEAL = write_facts("Anna pair, nobody, Bo trick, Cilla flush")
# Cilla may bid in deal 2 for the 11 points of deal 1.


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table with one recorded deal."""
    return seat(phone, *DEAL, rules={"preset": "pagat"})


def entry(phone: Phone, index: int) -> Page:
    """Open an entry of game 1."""
    return phone.open(f"{phone.table}/games/1/entries/{index}")


def led_to(phone: Phone, address: str) -> Page:
    """Open an address that redirects, and follow the redirect."""
    phone.open(address)
    assert phone.answer.status_code == 303
    return phone.open(phone.answer.headers["Location"])


def recorded(phone: Phone, number: int = 1) -> list[Rules]:
    """Return the events of a game from its file, without their timestamps."""
    raw = phone.open(f"{phone.table}/games/{number}.json").html
    events: list[Rules] = json.loads(raw)["events"]
    return [{key: value for key, value in event.items() if key != "at"} for event in events]


def test_what_is_missing_is_asked_for_at_its_moment(seat: Seat, phone: Phone) -> None:
    """A removed entry leaves a gap in its own deal, and the grid of that moment fills it."""
    seat(phone, *DEAL, *DEAL, rules={"preset": "pagat"})
    entry(phone, 1)
    page = phone.press("Remove this")
    assert "Deal 1 · Second exchange: best hand?" in page.text
    assert not page.has("Keep this")
    assert "points" not in page.text.partition("What you changed")[2].partition("Deal 1 · Sec")[0]
    page = phone.press("Bo: Two pairs")
    assert "nobody has the best hand → Bo two pairs" in page.text
    phone.press("Keep this")
    assert recorded(phone) == [DEAL[0], *write_facts("Bo two_pairs"), *DEAL[2:], *DEAL]


def test_a_draft_with_a_gap_is_not_kept(keeper: Phone) -> None:
    """Sending it anyway changes nothing, and the page reports the missing entry."""
    entry(keeper, 0)
    page = keeper.press("Remove this")
    form = page.button("Anna: Pair").form
    kept = [(name, value) for name, value in form.data if name in ("seq", "draft")]
    page = keeper.send(form.action, [*kept, ("event", "keep")])
    assert "An entry is missing before this one in deal 1." in page.text
    assert recorded(keeper) == DEAL


def test_all_that_no_longer_fits_is_left_out_at_once(seat: Seat, phone: Phone) -> None:
    """A zeroing that ends deal 1 early makes its other entries surplus; deal 2 keeps its own."""
    seat(phone, *DEAL, *DEAL, rules={"preset": "huvudregler"})
    entry(phone, 0)
    page = phone.submit(next(b for b in phone.page.buttons if '"choose":"zero"' in b.value))
    assert page.text.count("Deal 1 was over by then.") == 3
    assert "Becomes" not in page.text
    page = phone.press("Leave all 3 of them out")
    assert "What no longer fits" not in page.text
    phone.press("Keep this")
    assert recorded(phone)[1:] == DEAL


def test_a_mistyped_correction_keeps_what_was_typed(keeper: Phone) -> None:
    """The fault stands beside the field; the chosen player and the typed text stay."""
    entry(keeper, 2)
    keeper.fill(player="Bo", points="fem")
    page = keeper.press("Correct")
    assert "Write the points as a whole number" in page.announcement
    assert [form.values("points") for form in page.forms if form.named("points")] == [["fem"]]
    assert page.elements("details[open] input[name=player][checked]")[0]["value"] == "Bo"
    keeper.open(keeper.answer.headers["Location"])
    assert keeper.answer.status_code == 422


def test_after_the_end_nothing_is_offered_to_record(phone: Phone, seat: Seat) -> None:
    """An entry that an amendment moves beyond the end of the game can only be removed."""
    seat(phone, DEAL[0], DEAL[1], players=["Anna", "Bo"])
    entry(phone, 0)
    page = phone.press("Anna: Leaves")
    assert "The game was over in deal 1." in page.text
    assert page.has("Leave it out")
    assert not page.has("Something else")
    assert not page.elements("button.cell")


def test_a_game_that_others_followed_must_end_again(app: Flask, keeper: Phone) -> None:
    """The game goes on with the grid or is broken off; an unfinished game is not kept."""
    record(app, keeper, "settled")
    next_game(app, keeper)
    entry(keeper, 4)
    page = keeper.press("Remove this")
    assert "Other games have followed this one, so it must come to an end." in page.text
    assert not page.has("Keep this and play on at the table")
    page = keeper.press("broken off, nobody pays")
    assert "broken off, settled → broken off, nobody pays" in page.text
    assert "At the end of the game" in page.text
    keeper.press("Keep this")
    assert recorded(keeper) == [*DEAL, *write_facts("void")]


def test_the_newest_game_may_be_played_on(app: Flask, keeper: Phone) -> None:
    """A newest game that is unfinished after mending is kept and goes on at the table."""
    record(app, keeper, "settled")
    entry(keeper, 3)
    keeper.press("Remove this and all after it")
    keeper.press("Keep this and play on at the table")
    assert recorded(keeper) == DEAL[:3]
    assert keeper.home().has("Anna: Pair")


def test_what_each_wins_is_compared_where_the_game_is_paid_for(app: Flask, keeper: Phone) -> None:
    """The page compares the kronor before and after, for the players whose amounts differ."""
    record(app, keeper, "settled")
    entry(keeper, 2)
    text = keeper.press("Dan: Last trick").text
    assert "At the end of the game Player Now Becomes" in text
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Bo 5 points (+4.50 kr) 0 points (−5 kr)" in plain
    assert "Dan 0 points (−5 kr) 5 points (+4.50 kr)" in plain
    assert "Anna" not in plain.partition("At the end of the game")[2]


def test_who_was_first_is_not_written_over(app: Flask, keeper: Phone) -> None:
    """A game that somebody else has mended is shown as it is now, from a draft and after a save."""
    entry(keeper, 1)
    page = keeper.press("Bo: Pair")
    address = keeper.answer.headers["Location"]
    other = BestHand(player="Dan", hand=Hand.FLUSH)
    commit(store_of(app), pen_of(keeper), Mend(1, [other, 1, 2, 3]))
    assert led_to(keeper, address).announcement == "The game has been changed since."
    page = keeper.submit(page.button("Keep this"))
    assert page.title == "Score sheet"
    assert page.announcement == "Somebody else was first. This is the game now."
    assert not page.has("Undo the change")
    assert recorded(keeper) == [{**DEAL[0], "player": "Dan", "hand": "flush"}, *DEAL[1:]]


def test_going_back_to_a_draft_that_was_kept_says_that_it_is_saved(keeper: Phone) -> None:
    """The draft redirects to the score sheet; after an undo of the amendment it opens again."""
    entry(keeper, 1)
    keeper.press("Bo: Pair")
    address = keeper.answer.headers["Location"]
    keeper.press("Keep this")
    assert led_to(keeper, address).announcement == "That change is already saved."
    keeper.home()
    keeper.submit(keeper.page.to("/undo"))
    assert keeper.open(address).title.startswith("Mend the game")
    assert keeper.answer.status_code == 200


def test_what_was_mended_is_undone_where_it_is_told(keeper: Phone) -> None:
    """The button to undo stands in the deal of the change, and leads back to that deal."""
    entry(keeper, 0)
    keeper.press("Dan: Straight")
    page = keeper.press("Keep this")
    told = page.elements("details[id=deal-1] [role=status]")
    assert len(told) == 1
    page = keeper.press("Undo the change")
    assert keeper.answer.headers["Location"].endswith("/games/1?deal=1#deal-1")
    assert page.announcement == "The change is undone."
    assert not page.has("Undo the change")
    assert recorded(keeper) == DEAL


def test_undo_on_the_score_sheet_takes_nothing_else_back(app: Flask, keeper: Phone) -> None:
    """After another recorded event the undo is refused; on a later visit there is no button."""
    entry(keeper, 0)
    keeper.press("Dan: Straight")
    page = keeper.press("Keep this")
    record(app, keeper, "nobody")
    page = keeper.submit(page.button("Undo the change"))
    assert "Somebody else was first" in page.announcement
    assert not page.has("Undo the change")
    assert recorded(keeper)[0]["player"] == "Dan"
    assert not keeper.open(f"{keeper.table}/games/1").has("Undo the change")


def test_too_many_changes_are_refused_and_none_is_lost(
    keeper: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that makes the address too long is refused in words, on the page before it."""
    entry(keeper, 0)
    keeper.press("Bo: Straight flush")
    address = keeper.answer.headers["Location"]
    monkeypatch.setattr(amend, "LONGEST_ADDRESS", len(address))
    code = keeper.page.button("Keep this").form.values("draft")[0]
    keeper.open(f"{address}&at=3")
    page = keeper.press("Dan: Two pairs")
    assert "too many changes at once" in page.announcement
    assert page.title.endswith("Cilla flush")
    assert page.button("Remove this").form.values("draft") == [code]


@pytest.mark.parametrize("code", ["x", "[]", '["x-y","",[],[]]'])
def test_an_address_that_cannot_be_read_says_so(keeper: Phone, code: str) -> None:
    """An unreadable draft is refused with status 422, and the game is shown as it is."""
    page = keeper.open(f"{keeper.table}/games/1/mend?d={code}")
    assert keeper.answer.status_code == 422
    assert "cannot be read" in page.announcement


def test_readers_read_an_entry_and_mend_nothing(keeper: Phone, new_phone: NewPhone) -> None:
    """Without the pen an entry shows its effect and the reason, and has no buttons."""
    entry(keeper, 0)
    keeper.press("Bo: Pair")
    reader = new_phone()
    page = reader.open(f"{keeper.table}/games/1/entries/0")
    assert "Anna scores pair" in page.text
    assert page.buttons == []
    page = reader.open(keeper.answer.headers["Location"])
    assert "Anna pair → Bo pair" in page.text
    assert page.buttons == []
    reader.send(f"{keeper.table}/games/1/mend", {"event": "keep", "draft": ""})
    assert reader.answer.status_code == 401
    assert recorded(keeper) == DEAL


@pytest.mark.parametrize("victims", ["others", "one"])
@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_buttons_of_an_entry_sound_alike(
    seat: Seat, phone: Phone, preset: str, victims: str
) -> None:
    """Scoring a hand and zeroing with it have different accessible names, and so do the victims."""
    seat(phone, DEAL[0], rules={"preset": preset, "zeroing_victims": victims})
    labels = [cell.get("aria-label") for cell in entry(phone, 0).elements(".cell")]
    assert labels
    assert len(set(labels)) == len(labels)


def test_a_forgotten_hand_is_put_in_and_the_rest_moves_on(seat: Seat, phone: Phone) -> None:
    """A hand from three deals ago is inserted in its own deal; it is kept and undone as one."""
    seat(phone, *DEAL, *DEAL, *DEAL, rules={"preset": "pagat"})
    entry(phone, 0)
    form = phone.page.button("Dan: Two pairs").form
    data = [(name, value) for name, value in form.data if name not in ("do", "event")]
    tapped = phone.page.button("Dan: Two pairs").value
    phone.send(form.action, [*data, ("do", "insert"), ("event", tapped)])
    page = phone.open(phone.answer.headers["Location"])
    assert "of deal 1 has its entry already." in page.text
    page = phone.press("Move the rest one step on")
    assert "What no longer fits" not in page.text
    assert "nobody has the best hand taken out" in page.text
    page = phone.press("Keep this")
    assert recorded(phone) == [*write_facts("Dan two_pairs"), DEAL[0], *DEAL[2:], *DEAL, *DEAL]
    phone.submit(page.button("Undo the change"))
    assert recorded(phone) == [*DEAL, *DEAL, *DEAL]

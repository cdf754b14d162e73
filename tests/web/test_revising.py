"""Changes during a game: names, seats, dealer and switches, with a preview of the effect."""

from __future__ import annotations

import pytest

from app.services import people, table_view, tables
from app.services.people import People
from app.services.table_view import TableView
from app.store.database import Database
from tests.web.conftest import Seat
from tests.web.pages import Page
from tests.web.phone import Phone

DEAL = "Anna pair, nobody, Bo trick, Cilla flush"


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table in deal 3."""
    return seat(phone, DEAL, DEAL, "Anna pair")


def sheet_of(db: Database, phone: Phone) -> TableView:
    """Return the view of the table."""
    return table_view.read_view(db, phone.table.rpartition("/")[2])


def people_of(db: Database, phone: Phone) -> People:
    """Return the people of the table."""
    link = phone.table.rpartition("/")[2]
    return people.list_people(db, tables.find_access(db.connection, link, None).id)


Fields = list[tuple[str, str]]


def change(phone: Phone, old: Fields | None = None, new: Fields | None = None) -> Page:
    """Open the form, replace some fields by others, and open the preview."""
    button = phone.open(f"{phone.table}/revise").button("See what comes of it")
    data, put = list(button.form.data), list(new or [])
    for place in [data.index(field) for field in old or []]:
        data[place] = put.pop(0) if put else ("", "")
    return phone.send(button.form.action, [*data, *put, ("do", "look")], plain=True)


def test_the_form_is_filled_in_and_unchanged_changes_nothing(keeper: Phone, db: Database) -> None:
    """The menu and the page of the rules have a link to the form."""
    for place in ("more", "rules"):
        assert keeper.open(f"{keeper.table}/{place}").has("Change the game")
    before = sheet_of(db, keeper)
    page = change(keeper)
    assert "Nobody’s points are other than before." in page.text
    keeper.press("Keep this")
    assert sheet_of(db, keeper) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([("on", "stop")], []),
        ([("stop", "45")], [("stop", "40")]),
        ([("on", "four")], []),
        ([("on", "chicago")], []),
        ([("player", "Bo")], [("player", "Bosse")]),
        ([("player", "Bo"), ("player", "Cilla")], [("player", "Cilla"), ("player", "Bo")]),
        ([("dealer", "1")], [("dealer", "3")]),
        ([("point", "1 SEK")], [("point", "0")]),
    ],
)
def test_each_is_changed_in_deal_3_and_undone(
    keeper: Phone, db: Database, old: Fields, new: Fields
) -> None:
    """A preview comes first; one tap undoes the change."""
    before = sheet_of(db, keeper)
    page = change(keeper, old, new)
    assert "What would come of it" in page.text
    assert sheet_of(db, keeper) == before
    page = keeper.press("Keep this")
    assert page.announcement == "The game is changed."
    assert sheet_of(db, keeper).game != before.game
    keeper.submit(page.to("/undo"))
    assert sheet_of(db, keeper).game == before.game


def test_a_seat_of_somebody_else_is_asked_about(keeper: Phone, db: Database) -> None:
    """A new name may be the person's own, or that of another person in the seat."""
    page = change(keeper, [("player", "Bo")], [("player", "Erik")])
    assert "Erik, who was Bo" in page.text
    form = page.button("Keep this").form
    data = [field for field in form.data if field[0] != "sat:Bo"]
    page = keeper.send(form.action, [*data, ("sat:Bo", "other"), ("do", "keep")], plain=True)
    # The preview differs, and is shown before anything is kept.
    assert sheet_of(db, keeper).state.players[1] == "Bo"
    keeper.press("Keep this")
    assert sheet_of(db, keeper).state.players[1] == "Erik"
    assert list(people_of(db, keeper).numbers) == ["Anna", "Cilla", "Dan", "Erik"]


def test_what_no_longer_fits_is_settled(seat: Seat, phone: Phone, db: Database) -> None:
    """Surplus entries are listed and left out; missing ones are tapped."""
    rules = {"preset": "huvudregler", "after_zeroing": "deal_ends"}
    keeper = seat(phone, "Anna zeroes, Anna pair", rules=rules)
    page = change(keeper, [("on", "four")])
    assert "What no longer fits" in page.text
    assert not page.has("Keep this")
    page = keeper.press("Leave out what does not fit")
    assert "What no longer fits" not in page.text
    assert "This is missing now." in page.text
    for tap in ("Bo: Last trick", "Nobody has anything"):
        assert page.has(tap)
        page = keeper.press(tap)
    assert "This is missing now." not in page.text
    assert page.has("Keep this")


def test_the_scores_can_stay_as_they_stand(seat: Seat, phone: Phone, db: Database) -> None:
    """The differences are booked as corrections, in the same change."""
    keeper = seat(phone, "Anna zeroes", rules={"after_zeroing": "deal_goes_on"})
    page = change(keeper, [("on", "four")])
    page = keeper.press("Leave out what does not fit")
    assert "Anna 0 points 8 points" in page.text
    keeper.press("Keep this, and the scores as they stand")
    assert sheet_of(db, keeper).state.score("Anna") == 0
    assert [type(event).__name__ for event in sheet_of(db, keeper).game.events][1] == "Correction"


def test_somebody_else_deals(keeper: Phone, db: Database) -> None:
    """A tap on the deal offers the dealers; one tap changes the dealer, and one undoes it."""
    page = keeper.home()
    assert page.elements(f"a[href='{keeper.table}/deal']")
    keeper.open(f"{keeper.table}/deal")
    page = keeper.press("Dan deals")
    assert page.announcement == "Dan deals."
    assert sheet_of(db, keeper).state.deal.dealer == "Dan"
    keeper.submit(page.to("/undo"))
    assert sheet_of(db, keeper).state.deal.dealer == "Bo"


def test_a_deal_that_was_not_noted_is_put_in_and_one_too_many_taken_away(
    keeper: Phone, db: Database
) -> None:
    """Each has a preview, on the page that mends the game."""
    keeper.open(f"{keeper.table}/deal")
    page = keeper.press("Cilla took the last trick")
    assert "new: Cilla last trick" in page.text
    keeper.press("Keep this")
    state = sheet_of(db, keeper).state
    assert (state.deal.number, state.deal.step, state.deal.dealer) == (4, "hand_2", "Cilla")
    keeper.open(f"{keeper.table}/deal")
    keeper.press("Deal 3 was noted twice: take it away")
    keeper.press("Keep this")
    state = sheet_of(db, keeper).state
    assert (state.deal.number, state.deal.step, state.deal.dealer) == (3, "hand_2", "Bo")


def test_house_rules_are_changed_on_their_own_page(keeper: Phone, db: Database) -> None:
    """The page leads back to the form, which shows their effect."""
    keeper.open(f"{keeper.table}/revise")
    page = keeper.press("Change the rules…")
    form = next(f for f in page.forms if f.named("last_trick"))
    form.fill("last_trick", "2")
    button = next(b for b in page.buttons if b.value == "use" or b.label.startswith("Use"))
    keeper.submit(button)
    assert keeper.page.title == "Change the game"
    page = keeper.press("See what comes of it")
    assert "Bo" in page.text
    keeper.press("Keep this")
    assert sheet_of(db, keeper).state.score("Bo") == 4

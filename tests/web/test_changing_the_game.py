"""Changes during a game: names, seats, dealer, stake and rules, with what comes of them first."""

from __future__ import annotations

import pytest
from flask import Flask

from app.rules.events import Rules
from app.services import access, people, table_view
from app.services.people import People
from app.services.table_view import TableView
from app.store.database import Database
from tests.rules.table import facts
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import plain, record
from tests.web.pages import Page
from tests.web.phone import Phone

DEAL = "Anna pair, nobody, Bo trick, Cilla flush"
FOUR, NEEDED = "zeroing.four_of_a_kind", "win_needs_chicago"
HOLDS, ANEW = "Applies from deal 3", "Recount the whole game"


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table in deal 3."""
    return seat(phone, DEAL, DEAL, "Anna pair")


def view_of(db: Database, phone: Phone) -> TableView:
    """Return the view of the table."""
    return table_view.read_view(db, phone.table.rpartition("/")[2])


def people_of(db: Database, phone: Phone) -> People:
    """Return the people of the table."""
    link = phone.table.rpartition("/")[2]
    return people.list_people(db, access.find_access(db.connection, link, None).id)


Fields = list[tuple[str, str]]


def change(phone: Phone, old: Fields | None = None, new: Fields | None = None) -> Page:
    """Open the form, replace some fields by others, and ask what comes of it."""
    button = phone.open(f"{phone.table}/edit").button("Preview")
    data, put = list(button.form.data), list(new or [])
    for place in [data.index(field) for field in old or []]:
        data[place] = put.pop(0) if put else ("", "")
    return phone.send(button.form.action, [*data, *put, ("do", "look")], plain=True)


def test_the_form_is_filled_in_and_unchanged_changes_nothing(keeper: Phone, db: Database) -> None:
    """The menu and the page of the rules have a link to the form; its old address leads on."""
    for place in ("more", "rules"):
        assert keeper.open(f"{keeper.table}/{place}").has("Change the game")
    keeper.open(f"{keeper.table}/revise")
    assert keeper.answer.headers["Location"] == f"{keeper.table}/edit"
    before = view_of(db, keeper)
    page = change(keeper)
    assert "Nobody’s points or rights change." in page.text
    assert HOLDS not in page.text
    keeper.press("Play like this")
    assert view_of(db, keeper) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([("exchange_stop", "45")], [("exchange_stop", "none")]),
        ([("exchange_stop", "45")], [("exchange_stop", "40")]),
        ([(FOUR, "choice")], [(FOUR, "none")]),
        ([(NEEDED, "declared")], [(NEEDED, "no")]),
        ([("player", "Bo")], [("player", "Bosse")]),
        ([("player", "Bo"), ("player", "Cilla")], [("player", "Cilla"), ("player", "Bo")]),
        ([("dealer", "1")], [("dealer", "3")]),
        ([("point", "1 SEK")], [("point", "0")]),
    ],
)
def test_each_is_changed_in_deal_3_and_undone(
    keeper: Phone, db: Database, old: Fields, new: Fields
) -> None:
    """What comes of it is shown first; one tap undoes the change."""
    before = view_of(db, keeper)
    change(keeper, old, new)
    page = keeper.press("Play like this")
    assert page.announcement != "The game has been changed."
    changed = view_of(db, keeper)
    assert (changed.game, changed.state) != (before.game, before.state)
    keeper.submit(page.to("/undo"))
    assert view_of(db, keeper).states == before.states


def test_other_rules_hold_from_this_deal_unless_the_whole_game_is_counted_anew(
    seat: Seat, phone: Phone, db: Database
) -> None:
    """Two choices, each with what it changes; the first is chosen, and leaves what was played."""
    keeper = seat(phone, "Anna 41", DEAL, DEAL)
    page = change(keeper, [("exchange_stop", "45")], [("exchange_stop", "40")])
    assert "Exchange stop is now 40" in page.text
    assert [way["value"] for way in page.elements("[name=whole]")] == ["", "1"]
    assert [way["value"] for way in page.elements("[name=whole][checked]")] == [""]
    now, _ = plain(page).partition(HOLDS)[2].split(ANEW)
    assert "Anna 43 gets the exchange stop The points stay as they are" in now
    keeper.press("Play like this")
    held = view_of(db, keeper)
    assert isinstance(held.game.events[-1], Rules)
    assert held.game.setup.rules.exchange_stop == 45
    assert held.state.rules.exchange_stop == 40
    keeper.submit(keeper.page.to("/undo"))
    page = change(keeper, [("exchange_stop", "45")], [("exchange_stop", "40")])
    page.form(f"{keeper.table}/edit").fill("whole", "1")
    keeper.press("Play like this")
    assert view_of(db, keeper).game.setup.rules.exchange_stop == 40


def test_a_rule_that_was_used_is_off_from_now_or_its_deal_counts_as_played(
    seat: Seat, phone: Phone, db: Database
) -> None:
    """Nothing is asked for of deals ago."""
    keeper = seat(phone, "Anna zeroes", DEAL)
    page = change(keeper, [(FOUR, "choice")], [(FOUR, "none")])
    assert page.has("Play like this")
    assert "left out" not in plain(page).partition(HOLDS)[2].partition(ANEW)[0]
    keeper.press("Play like this")
    assert view_of(db, keeper).state.score("Bo") == 5


def test_rules_by_which_the_game_was_over_long_ago_are_shown_either_way(
    seat: Seat, phone: Phone, db: Database
) -> None:
    """Who deals now has not been asked for; undo names what was agreed."""
    keeper = seat(phone, "Anna 53", DEAL, DEAL)
    page = change(keeper, [(NEEDED, "declared")], [(NEEDED, "no")])
    now, anew = plain(page).partition(HOLDS)[2].split(ANEW)
    assert "would be over" not in now
    assert "The game would be over: Anna wins." in anew
    assert "The game was over in deal 1. 4 entries after that are dropped." in anew
    assert "The game is over." not in anew
    keeper.press("Play like this")
    assert keeper.page.to("/undo").label == "Undo changed the game"
    state = view_of(db, keeper).state
    assert (state.over, state.deal.dealer) == (False, "Bo")


def test_a_form_that_another_phone_overtook_says_so_and_lets_the_deal_move_on(
    app: Flask, seat: Seat, phone: Phone, db: Database
) -> None:
    """Who dealt when it was opened is no dealer that was chosen."""
    keeper = seat(phone, DEAL, DEAL, "Anna pair, nobody, Bo trick")
    [form] = change(keeper, [("exchange_stop", "45")], [("exchange_stop", "40")]).elements("#start")
    button = keeper.page.button("Play like this")
    record(app, keeper, "Cilla flush")
    page = keeper.submit(button)
    assert "Somebody else got there first" in page.announcement
    assert "Applies from deal 4" in page.text
    # What is typed there is kept for the form of the next deal too.
    assert page.elements("#start")[0]["data-draft"] == form["data-draft"]
    keeper.press("Play like this")
    state = view_of(db, keeper).state
    assert (state.deal.number, state.deal.dealer, state.rules.exchange_stop) == (4, "Cilla", 40)


def test_in_the_first_deal_there_is_nothing_to_choose(
    seat: Seat, phone: Phone, db: Database
) -> None:
    """The rules are those of the game."""
    keeper = seat(phone, "Anna pair")
    page = change(keeper, [("exchange_stop", "45")], [("exchange_stop", "40")])
    assert not page.elements("[name=whole]")
    keeper.press("Play like this")
    view = view_of(db, keeper)
    assert view.game.setup.rules.exchange_stop == 40
    assert len(view.game.events) == 1


def test_a_button_for_what_was_not_seen_shows_it(keeper: Phone, db: Database) -> None:
    """Who has typed something else since then sees what comes of that."""
    change(keeper, [("player", "Bo")], [("player", "Bosse")])
    button = keeper.page.button("Play like this")
    button.form.fill_each("player", ["Annika"])
    page = keeper.submit(button)
    assert "Annika, who was Anna" in page.text
    assert "Annika" not in view_of(db, keeper).state.players


def test_a_name_in_a_seat_is_the_same_person_or_somebody_else(keeper: Phone, db: Database) -> None:
    """It is asked, and known names are somebody else unless it is said."""
    change(keeper, [("player", "Bo")], [("player", "Bosse")])
    keeper.press("Play like this")
    assert "Bosse" in people_of(db, keeper).persons
    assert "Bo" not in people_of(db, keeper).persons
    page = change(keeper, [("player", "Bosse")], [("player", "Bo")])
    page.form(f"{keeper.table}/edit").fill("sat:Bosse", "other")
    keeper.press("Preview")
    keeper.press("Play like this")
    assert view_of(db, keeper).state.players == ("Anna", "Bo", "Cilla", "Dan")
    assert view_of(db, keeper).state.score("Bo") == 10


def test_somebody_else_deals(keeper: Phone, db: Database) -> None:
    """The deal's own page offers the dealers; one tap changes the dealer, and one undoes it."""
    page = keeper.home()
    assert page.elements(f"a[href='{keeper.table}/deal']")
    page = keeper.open(f"{keeper.table}/deal")
    asked = [tag.text.strip() for tag in page.soup.select("summary")]
    assert asked == ["Somebody else deals", "We forgot a deal", "One deal too many"]
    page = keeper.press("Dan deals")
    assert page.announcement == "Dan deals."
    assert view_of(db, keeper).state.deal.dealer == "Dan"
    keeper.submit(page.to("/undo"))
    assert view_of(db, keeper).state.deal.dealer == "Bo"


def test_a_forgotten_deal_is_put_in_and_one_too_many_taken_out(keeper: Phone, db: Database) -> None:
    """Each is an edit of one tap, undone at the table."""
    keeper.open(f"{keeper.table}/deal")
    page = keeper.press("Cilla took the last trick")
    assert page.announcement == "The game has been edited."
    state = view_of(db, keeper).state
    assert (state.deal.number, state.deal.step, state.deal.dealer) == (4, "hand_2", "Cilla")
    keeper.open(f"{keeper.table}/deal")
    keeper.press("Deal 3")
    state = view_of(db, keeper).state
    assert (state.deal.number, state.deal.step, state.deal.dealer) == (3, "hand_2", "Bo")
    assert facts("Cilla trick")[0] not in view_of(db, keeper).game.events


def test_a_deal_taken_out_is_shown_first_where_something_no_longer_fits(
    seat: Seat, phone: Phone
) -> None:
    """A bid for which points are missing then stands with its reason."""
    seat(
        phone,
        "Cilla 11",
        DEAL,
        "Cilla pair, nobody, Cilla chicago",
        rules={"preset": "huvudregler"},
    )
    phone.open(f"{phone.table}/deal")
    page = phone.press("Deal 1")
    assert "Deal 1 taken out" in page.text
    assert "Cilla could not bid" in page.text


def test_house_rules_are_changed_on_their_own_page(keeper: Phone, db: Database) -> None:
    """The page leads back to the form, which shows what comes of them."""
    keeper.open(f"{keeper.table}/edit")
    page = keeper.press("Change the rules…")
    form = next(f for f in page.forms if f.named("last_trick"))
    form.fill("last_trick", "2")
    button = next(b for b in page.buttons if b.value == "use" or b.label.startswith("Use"))
    keeper.submit(button)
    assert keeper.page.title == "Change the game"
    page = keeper.press("Preview")
    page.form(f"{keeper.table}/edit").fill("whole", "1")
    keeper.press("Play like this")
    assert view_of(db, keeper).state.score("Bo") == 4


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ([("exchange_stop", "45")], [("exchange_stop", "40")], "Exchange stop is now 40"),
        ([(FOUR, "choice")], [(FOUR, "none")], "Four of a kind does not zero"),
        ([("player", "Anna")], [("player", "Annika")], "Anna is now called Annika."),
        ([("dealer", "1")], [("dealer", "3")], "Dan deals."),
        (
            [("player", "Anna"), ("player", "Bo")],
            [("player", "Bo"), ("player", "Anna")],
            "The seats have been changed.",
        ),
        ([("player", "")], [("player", "Erik")], "Erik is now one of the players."),
        ([("player", "Cilla")], [("player", "")], "Cilla is not one of the players."),
        ([("point", "1 SEK")], [("point", "0")], "A point is now worth 0 kr."),
    ],
)
def test_all_phones_are_told_in_one_line(
    keeper: Phone, new_phone: NewPhone, old: Fields, new: Fields, told: str
) -> None:
    """Until the next tap, which is news again; and no more once it is undone."""
    change(keeper, old, new)
    keeper.press("Play like this")
    reader = new_phone()
    page = reader.open(keeper.table)
    facts = float(page.elements("#table")[0]["data-facts"])
    for place in (".moment", "#heard"):
        [line] = page.soup.select(place)
        assert told in line.get_text().replace("\N{NO-BREAK SPACE}", " ")
    keeper.submit(keeper.home().button("Nobody has anything"))
    page = reader.open(keeper.table)
    assert told not in plain(page)
    assert float(page.elements("#table")[0]["data-facts"]) > facts

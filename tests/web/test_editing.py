"""Editing on the page: an opened entry, the preview of what is otherwise, and the edited game."""

import json

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.rules.edit import MOST_OPERATIONS
from app.rules.events import BestHand
from app.rules.hands import Hand
from app.rules.presets import PRESETS
from app.services.commit import commit
from app.services.edit import Edit
from tests.rules.table import Rules, write_facts
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, pen_of, plain, record, store_of
from tests.web.pages import Page
from tests.web.phone import Phone

DEAL = write_facts("Anna pair, nobody, Bo trick, Cilla flush")
# Cilla may bid in deal 2 for the 11 points of deal 1.


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone of a table with one recorded deal."""
    return seat(phone, *DEAL, rules={"preset": "pagat"})


def entry(phone: Phone, index: int, number: int = 1) -> Page:
    """Open an entry of a game."""
    return phone.open(f"{phone.table}/games/{number}/entries/{index}")


def send(phone: Phone, operations: object, number: int = 1, **tapped: str) -> Page:
    """Send an edit so far with a tap, from the newest version of the table."""
    text = operations if isinstance(operations, str) else json.dumps(operations)
    form = {"seq": phone.home().seq, "operations": text, **tapped}
    return phone.send(f"{phone.table}/games/{number}/edit", form)


def recorded(phone: Phone, number: int = 1) -> list[Rules]:
    """Return the events of a game from its file, without their timestamps."""
    raw = phone.client.get(f"{phone.table}/games/{number}.json").text
    events: list[Rules] = json.loads(raw)["events"]
    return [{key: value for key, value in event.items() if key != "at"} for event in events]


def test_an_entry_is_changed_with_two_taps_and_undone_where_it_is_told(
    seat: Seat, either: Phone
) -> None:
    """The preview says whose points change; Undo stands in the deal, and leads back to it."""
    keeper = seat(either, *DEAL)
    entry(keeper, 0)
    page = keeper.press("Dan: Straight")
    assert "Anna pair → Dan straight" in page.text
    assert "Anna 1 → 0 Dan 0 → 4" in plain(page)
    assert recorded(keeper) == DEAL
    page = keeper.press("Keep this")
    assert len(page.elements("details[id=deal-1] [role=status]")) == 1
    assert page.announcement == "The game has been edited."
    assert recorded(keeper)[0]["player"] == "Dan"
    page = keeper.press("Undo the change")
    assert keeper.answer.headers["Location"].endswith("/games/1?deal=1#deal-1")
    assert page.announcement == "The change has been undone."
    assert not page.has("Undo the change")
    assert recorded(keeper) == DEAL


def test_undo_on_the_score_sheet_takes_nothing_else_back(app: Flask, keeper: Phone) -> None:
    """After another recorded event the undo is refused; on a later visit there is no button."""
    entry(keeper, 0)
    keeper.press("Dan: Straight")
    page = keeper.press("Keep this")
    record(app, keeper, "nobody")
    page = keeper.submit(page.button("Undo the change"))
    assert "Somebody else got there first" in page.announcement
    assert not page.has("Undo the change")
    assert recorded(keeper)[0]["player"] == "Dan"
    assert not keeper.open(f"{keeper.table}/games/1").has("Undo the change")


def test_a_hand_that_did_not_happen_was_nobodys(seat: Seat, phone: Phone) -> None:
    """Nothing is asked for: the game is kept as it is then."""
    seat(phone, *DEAL, *DEAL)
    entry(phone, 0)
    page = phone.press("It did not happen")
    assert "What no longer fits" not in page.text
    phone.press("Keep this")
    assert recorded(phone) == [*write_facts("nobody"), *DEAL[1:], *DEAL]


def test_a_trick_that_nobody_took_is_asked_for_inline_and_may_be_left_out(
    seat: Seat, phone: Phone
) -> None:
    """A tap on the grid of that moment puts it right; without it the deal is left out."""
    seat(phone, *DEAL, *DEAL)
    entry(phone, 2)
    page = phone.press("It did not happen")
    assert "Exchange 3, then play" in page.text
    page = phone.press("Dan: Last trick")
    assert "Without it the deal is left out." not in page.text
    phone.press("Keep this")
    assert recorded(phone) == [*DEAL[:2], *write_facts("Dan trick"), DEAL[3], *DEAL]
    entry(phone, 2)
    phone.press("It did not happen")
    phone.press("Keep this")
    assert recorded(phone) == DEAL


def test_what_no_longer_fits_is_listed_with_its_reason_and_left_out(
    seat: Seat, phone: Phone
) -> None:
    """A zeroing that ends deal 1 early makes its other entries surplus; deal 2 keeps its own."""
    seat(phone, *DEAL, *DEAL, rules={"preset": "huvudregler"})
    entry(phone, 0)
    phone.press("Four of a kind or better …")
    page = phone.submit(next(b for b in phone.page.buttons if '"choose":"zero"' in b.value))
    assert page.text.count("Deal 1 was already over.") == 3
    phone.press("Keep this")
    assert recorded(phone)[1:] == DEAL


def test_what_no_longer_fits_is_one_tap_from_being_put_right(seat: Seat, phone: Phone) -> None:
    """A bid that comes too early leads to its entry, with the edit so far; each is taken back."""
    seat(phone, "Anna 14, Anna pair, nobody, Anna chicago, made", rules={"preset": "huvudregler"})
    entry(phone, 1)
    page = phone.press("Bo: Pair")
    assert "Anna could not bid in deal 1: 14 points, 15 needed." in page.text.replace("\xa0", " ")
    page = phone.press("Something else")
    assert page.title.endswith("Anna bids Chicago")
    page = phone.press("Bo: Last trick")
    assert page.text.count("→ Bo") == 2
    page = phone.submit(next(b for b in page.buttons if b.value == "drop:0"))
    assert "Anna pair →" not in page.text


def test_a_forgotten_hand_is_put_in_and_the_rest_moves_on(seat: Seat, phone: Phone) -> None:
    """A hand from three deals ago comes into its deal; that the rest moves may be taken back."""
    seat(phone, *DEAL, *DEAL, *DEAL, rules={"preset": "pagat"})
    entry(phone, 0)
    phone.press("Something before it was forgotten")
    page = phone.press("Dan: Two pairs")
    assert "The rest one step on" in page.text
    page = phone.submit(next(b for b in page.buttons if b.value == "drop:1"))
    assert "of deal 1 already has its entry." in page.text
    page = phone.press("Move the rest one step on")
    assert "What no longer fits" not in page.text
    assert "nobody has the best hand taken out" in page.text
    page = phone.press("Keep this")
    assert recorded(phone) == [*write_facts("Dan two_pairs"), DEAL[0], *DEAL[2:], *DEAL, *DEAL]
    phone.press("Undo the change")
    assert recorded(phone) == [*DEAL, *DEAL, *DEAL]


def test_a_cell_that_may_not_be_used_answers_with_the_reason(seat: Seat, either: Phone) -> None:
    """The entry stays open, and nothing is added."""
    seat(either, "Anna pair, nobody", "Bo trick")
    entry(either, 2)
    page = either.press("Anna: Chicago (14 to go)")
    assert "Anna may not bid Chicago" in page.announcement
    assert either.answer.status_code == 422
    assert page.title.endswith("Bo last trick")
    assert page.button("Anna: Chicago (14 to go)").form.values("operations") == ["[]"]


def test_a_tap_behind_the_last_entry_that_is_refused_shows_the_edit(keeper: Phone) -> None:
    """There is no entry to open there."""
    event = json.dumps(write_facts("made")[0])
    send(keeper, [], do=f"insert:{len(DEAL)}", event=event)
    assert keeper.answer.status_code == 422
    assert keeper.page.announcement


@pytest.mark.parametrize(
    ("at", "fact", "field", "typed"),
    [
        (0, "Anna pair tied Bo", "tied", "Bo"),
        (0, "Anna 5", "points", "5"),
        (0, "Dan leaves", "", ""),
    ],
)
def test_an_entry_of_a_sheet_opens_with_it(
    seat: Seat, phone: Phone, at: int, fact: str, field: str, typed: str
) -> None:
    """A tie, a correction: filled in as it was."""
    tie = {"event": "no_best_hand", "hand": "pair", "tied": ["Anna", "Bo"]}
    seat(phone, tie if "tied" in fact else fact)
    page = entry(phone, at)
    assert bool(page.elements(".ask")) == bool(field)
    values = [value for form in page.forms for value in form.values(field)] if field else []
    assert (typed in values) == bool(field)


def test_a_mistyped_correction_keeps_what_was_typed(keeper: Phone) -> None:
    """The fault stands beside the field; the typed text stays, and then it is taken."""
    entry(keeper, 2)
    keeper.press("Somebody comes, goes or stops")
    keeper.press("Bo")
    keeper.fill(points="fem")
    page = keeper.press("Save")
    assert "Write the points as a whole number" in page.announcement
    assert keeper.answer.status_code == 422
    assert [form.values("points") for form in page.forms if form.named("points")] == [["fem"]]
    keeper.fill(points="−5")
    page = keeper.press("Save")
    assert "Bo last trick → correction Bo −5" in page.text


def test_a_latecomer_comes_in_before_an_entry(keeper: Phone) -> None:
    """The table's own sheet, at that deal's beginning."""
    entry(keeper, 0)
    keeper.press("Something before it was forgotten")
    keeper.press("Somebody comes, goes or stops")
    keeper.press("Somebody joins…")
    keeper.fill(name="Eva", after="Cilla", begins="x")
    page = keeper.press("Sit down")
    assert "from −1000 to 1000, as a whole number" in page.text
    assert [each["name"] for each in page.elements("[aria-invalid]")] == ["begins"]
    assert ["Eva"] in [form.values("name") for form in page.forms]
    keeper.fill(begins="2")
    page = keeper.press("Sit down")
    assert "new: Eva joins and sits down after Cilla: +2" in page.text
    keeper.press("Keep this")
    assert recorded(keeper)[0]["player"] == "Eva"


def test_a_game_that_others_followed_ends_again_one_way_or_the_other(
    app: Flask, keeper: Phone
) -> None:
    """As it stands, unless nobody is to pay."""
    record(app, keeper, "settled")
    next_game(app, keeper)
    entry(keeper, 4)
    page = keeper.press("It did not happen")
    assert "Other games have followed this one, so it has to come to an end." in page.text
    page = keeper.press("broken off, nobody pays")
    assert "broken off, nobody pays" in page.text
    keeper.press("Keep this")
    assert recorded(keeper) == [*DEAL, *write_facts("void")]


def test_the_newest_game_may_be_played_on(app: Flask, keeper: Phone) -> None:
    """A newest game whose end is taken out goes on at the table."""
    record(app, keeper, "settled")
    entry(keeper, 4)
    assert "Then the game is not over." in keeper.press("It did not happen").text
    keeper.press("Keep this")
    assert recorded(keeper) == DEAL
    assert keeper.home().has("Anna: Pair")


def test_who_pays_more_is_told_where_the_game_is_over(app: Flask, keeper: Phone) -> None:
    """In the currency of the table, for the players whose amounts differ."""
    record(app, keeper, "settled")
    entry(keeper, 2)
    text = plain(keeper.press("Dan: Last trick"))
    assert "Bo 5 → 0 pays 9.50 kr more" in text
    assert "Dan 0 → 5 gets 9.50 kr more" in text
    assert "Anna" not in text.partition("What would change")[2]


def test_who_was_first_is_not_written_over(app: Flask, keeper: Phone) -> None:
    """A game that somebody else has edited is shown as it is by now, with the edit over that."""
    entry(keeper, 1)
    page = keeper.press("Bo: Pair")
    other = BestHand(player="Dan", hand=Hand.FLUSH)
    commit(store_of(app), pen_of(keeper), Edit(1, entries=[other, 1, 2, 3]))
    page = keeper.submit(page.button("Keep this"))
    assert page.announcement == "Somebody else got there first. This is the game now."
    assert keeper.answer.status_code == 409
    assert "nobody has the best hand → Bo pair" in page.text
    keeper.press("Keep this")
    assert recorded(keeper)[:2] == write_facts("Dan flush, Bo pair")


def test_the_same_form_twice_is_one_edit(keeper: Phone) -> None:
    """A finger that bounces saves nothing twice, and is told nothing else."""
    entry(keeper, 0)
    button = keeper.press("Dan: Straight").button("Keep this")
    keeper.submit(button)
    page = keeper.submit(button)
    assert page.announcement == "The game has been edited."
    assert recorded(keeper)[0]["player"] == "Dan"


def test_reload_and_back_lead_to_the_score_sheet(keeper: Phone) -> None:
    """No address holds an edit, neither of now nor of before."""
    for path in ("edit", "mend?d=x"):
        keeper.open(f"{keeper.table}/games/1/{path}")
        assert keeper.answer.status_code in (301, 303)
        assert keeper.answer.headers["Location"].endswith(f"{keeper.table}/games/1")


def test_a_game_that_is_not_there_is_not_found(keeper: Phone) -> None:
    """Not the newest one instead."""
    before = recorded(keeper)
    for number in (0, 2, 10**9):
        send(keeper, [["remove", 0]], number=number, do="save")
        assert keeper.answer.status_code == 404
    assert recorded(keeper) == before


def test_readers_read_an_entry_and_edit_nothing(keeper: Phone, new_phone: NewPhone) -> None:
    """Without the pen an entry shows its effect and the reason, and has no buttons."""
    reader = new_phone()
    page = reader.open(f"{keeper.table}/games/1/entries/0")
    assert "Anna scores pair" in page.text
    assert page.buttons == []
    reader.send(f"{keeper.table}/games/1/edit", {"do": "save", "operations": '[["remove",0]]'})
    assert reader.answer.status_code == 401
    assert recorded(keeper) == DEAL


@pytest.mark.parametrize("victims", ["others", "one"])
@pytest.mark.parametrize("preset", PRESETS)
def test_no_two_buttons_of_an_entry_sound_alike(
    seat: Seat, phone: Phone, preset: str, victims: str
) -> None:
    """Scoring a hand and zeroing with it have different accessible names."""
    seat(phone, DEAL[0], rules={"preset": preset, "zeroing_victims": victims})
    labels = [cell.get("aria-label", cell["value"]) for cell in entry(phone, 0).elements(".cell")]
    assert labels
    assert len(set(labels)) == len(labels)


MANY = [["remove", 0]] * (MOST_OPERATIONS + 1)
UNREADABLE: list[tuple[object, str]] = [
    ("x", "no longer fits this game"),
    ("{}", "no longer fits this game"),
    ([["sing", 0]], "no longer fits this game"),
    ([["remove", 99]], "no longer fits this game"),
    ([["remove", -1]], "no longer fits this game"),
    ([["change", 0]], "An object"),
    ([["insert", 0, {"event": "waltz"}]], "Unknown event"),
    (MANY, "too many changes at once"),
    ("[" * 20_000, "no longer fits this game"),
]


@pytest.mark.parametrize(("operations", "told"), UNREADABLE)
def test_what_cannot_be_read_is_refused_in_words(
    keeper: Phone, operations: object, told: str
) -> None:
    """Nothing is saved, and the game is shown as it is."""
    for do in ("look", "save", "open:0", "drop:7", "at_once:1"):
        page = send(keeper, operations, do=do)
        assert keeper.answer.status_code == 422
        assert told.lower() in page.announcement.lower() or "must be an object" in page.announcement
    assert recorded(keeper) == DEAL


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
EVENTS = st.sampled_from([*DEAL, *write_facts("Dan leaves, Anna chicago, void, made, Bo 7")])
NAMES = st.sampled_from(["Anna", "Bo", "Zed", "", 3, None])
SPOILED = st.builds(
    lambda event, key, value: {**event, key: value},
    EVENTS,
    st.sampled_from(["player", "after", "hand", "tied", "points", "event", "note"]),
    NAMES | JSON,
)
JOINS = st.builds(
    lambda name, after, points: {"event": "joins", "player": name, "after": after} | points,
    NAMES,
    NAMES,
    st.just({}) | st.builds(lambda points: {"points": points}, st.integers()),
)
KINDS = st.sampled_from(["insert", "change", "remove", "move", "insert_deal", "remove_deal"])
OPERATIONS = st.lists(st.tuples(KINDS, st.integers(0, 12), EVENTS | SPOILED | JOINS), max_size=6)
TAPS = st.sampled_from(["save", "open", "before", "drop", "remove", "move", "at_once", "look", "x"])
ASKS = ["tie", "rare", "latecomer", "comings", "player/2", "player/9", "hand/1/flush", "row/blind"]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(OPERATIONS | JSON, TAPS, st.integers(-1, 12), st.none() | EVENTS | SPOILED | JOINS | JSON)
def test_whatever_is_sent_is_answered(
    keeper: Phone, operations: object, do: str, at: int, event: object
) -> None:
    """Shown, refused in words, or saved: nothing is an error of the program."""
    tapped = "" if event is None else json.dumps(event)
    for how in (do, "change", "insert", "fill"):
        send(keeper, operations, do=f"{how}:{at}", event=tapped)
        assert keeper.answer.status_code in (200, 303, 409, 422)


@pytest.mark.parametrize("ask", [*ASKS, "", "row", "player/x", "hand/1/x", "x/y/z/w", "more"])
@pytest.mark.parametrize("do", ["change:2", "insert:2", "fill:3", "look", "change:99"])
def test_every_sheet_is_asked_for_in_an_edit(keeper: Phone, ask: str, do: str) -> None:
    """It is in the page, or there is none."""
    send(keeper, [["remove", 2]] if "fill" in do else [], do=do, ask=ask)
    assert keeper.answer.status_code in (200, 404, 422)

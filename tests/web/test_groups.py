"""One table for a group: its card, a new evening at it, who is there, and the rematch."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import pytest

from app.store import clock
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Form, words
from tests.web.phone import Phone

PassDays = Callable[[float], None]
FOUR = ["Anna", "Bosse", "Cissi", "David"]
THREE = ["Eva", "Fredrik", "Gun"]


@pytest.fixture
def pass_days(monkeypatch: pytest.MonkeyPatch) -> PassDays:
    """Return a function that lets so many days pass; it is a Thursday evening."""
    now = [datetime(2026, 9, 3, 18, tzinfo=UTC)]
    monkeypatch.setattr(clock, "moment", lambda: now[0])
    return lambda days: now.append(now.pop() + timedelta(days))


def card(phone: Phone, table: str) -> str:
    """Return what the card of a table says of it, on a start page opened anew."""
    link = table.removeprefix("/t/")
    [found] = phone.open("/").soup.select(f"[data-table='{link}'] .facts")
    return words(found)


def invitation(phone: Phone, table: str) -> Form:
    """Return the form for a new evening at a table, on a start page opened anew."""
    return phone.open("/").form(f"{table}/games")


def choose(form: Form, *players: str) -> None:
    """Choose just these people of those who are known at a table."""
    for field in form.named("player"):
        if field.kind == "checkbox":
            field.checked = field.value in players
    assert {*players} <= {*form.values("player")}


def sit_down(phone: Phone, form: Form) -> None:
    """Press the button of a form for a new evening."""
    phone.submit(next(each for each in phone.page.buttons if each.form is form))


def record(phone: Phone, table: str, *events: Mapping[str, object]) -> None:
    """Record events at a table."""
    for event in events:
        sent = {"event": json.dumps(event), "seq": newest(phone, table)["seq"]}
        phone.send(f"{table}/events", sent, plain=True)
        assert phone.answer.status_code == 303, phone.page.announcement


def win(phone: Phone, table: str, name: str, points: int = 10) -> None:
    """Let somebody win the game by so many points."""
    ahead: dict[str, object] = {"event": "correction", "player": name, "points": points}
    record(phone, table, ahead, {"event": "break_off", "settle": True})


def newest(phone: Phone, table: str) -> dict[str, object]:
    """Return what programs are told of a table."""
    return dict(phone.client.get(f"/api{table.replace('/t/', '/tables/')}").json or {})


def game(phone: Phone, table: str) -> dict[str, object]:
    """Return the file of a table's newest game."""
    number = newest(phone, table)["games"]
    return dict(phone.client.get(f"{table}/games/{number}.json").json or {})


def test_a_card_says_who_how_often_who_won_and_who_owes(
    phone: Phone, seat: Seat, pass_days: PassDays
) -> None:
    """An evening that has begun counts; where there is no money nothing is said of debts."""
    table = seat(phone, players=FOUR).table
    assert card(phone, table) == "Anna, Bosse, Cissi, David 1 evening · nobody owes anything"
    win(phone, table, "Anna", 12)
    assert card(phone, table) == "1 evening · Anna won last · Bosse owes 12 kr"
    pass_days(7)
    sit_down(phone, invitation(phone, table))
    assert card(phone, table).endswith("David 2 evenings · Anna won last · Bosse owes 12 kr")
    free = seat(phone, "settled", players=THREE, stake_ore=0).table
    assert card(phone, free) == "1 evening · Eva, Fredrik, Gun won last"


def test_a_new_evening_draws_the_dealer_and_keeps_the_stake(
    phone: Phone, seat: Seat, pass_days: PassDays
) -> None:
    """The lot is told on the board."""
    table = seat(phone, "settled", players=FOUR, stake_ore=50).table
    pass_days(7)
    with patch("app.web.setup.draft.secrets.choice", lambda players: players[2]):
        sit_down(phone, invitation(phone, table))
    assert phone.answer.headers["Location"] == table
    assert "Cissi was drawn to deal first." in phone.page.announcement
    assert (game(phone, table)["dealer"], game(phone, table)["stake_ore"]) == ("Cissi", 50)


def test_who_is_there_tonight_is_chosen_by_chips(phone: Phone, seat: Seat) -> None:
    """One tap leaves somebody out, or brings somebody who was away; a new name sits down last."""
    table = seat(phone, "settled", players=FOUR).table
    form = invitation(phone, table)
    assert form.values("player") == [*FOUR, ""]
    choose(form, "Anna", "Cissi", "David")
    sit_down(phone, form)
    assert game(phone, table)["players"] == ["Anna", "Cissi", "David"]
    win(phone, table, "Cissi")
    form = invitation(phone, table)
    assert form.values("player") == ["Anna", "Cissi", "David", ""]
    choose(form, "Anna", "Bosse")
    form.named("player")[-1].value = " Eva "
    sit_down(phone, form)
    assert game(phone, table)["players"] == ["Anna", "Bosse", "Eva"]


def test_people_of_another_table_are_no_chips(phone: Phone, seat: Seat) -> None:
    """Two groups of one phone never mix."""
    first = seat(phone, "settled", players=FOUR).table
    second = seat(phone, "settled", players=THREE).table
    for table, players in ((first, FOUR), (second, THREE)):
        assert [each.value for each in invitation(phone, table).named("player")] == [*players, ""]


def test_a_refused_evening_keeps_what_was_chosen_and_typed(phone: Phone, seat: Seat) -> None:
    """Too few, or names that look alike, are said at the card; the same sent again is meant so."""
    table = seat(phone, "settled", players=FOUR).table
    form = invitation(phone, table)
    choose(form, "Anna")
    sit_down(phone, form)
    assert phone.answer.status_code == 422
    assert "Write at least two names." in phone.page.announcement
    form = phone.page.form(f"{table}/games")
    assert form.values("player") == ["Anna", ""]
    form.named("player")[-1].value = "anna"
    sit_down(phone, form)
    assert "Are Anna and anna two different people?" in phone.page.announcement
    form = phone.page.form(f"{table}/games")
    assert form.values("player") == ["Anna", "anna"]
    sit_down(phone, form)
    assert game(phone, table)["players"] == ["Anna", "anna"]


def test_a_form_with_nothing_but_the_version_seats_who_stayed(phone: Phone, seat: Seat) -> None:
    """Who left is left out; who is out for a false claim sits down again."""
    rules = {"rules": {"preset": "huvudregler", "false_claim_loses": True}}
    table = seat(phone, players=FOUR, **rules).table
    claimed = {"event": "false_claim", "player": "Bosse"}
    left = {"event": "leaves", "player": "David"}
    record(phone, table, claimed, left, {"event": "break_off", "settle": True})
    phone.send(f"{table}/games", {"seq": newest(phone, table)["seq"]})
    assert phone.answer.status_code == 303
    assert game(phone, table)["players"] == ["Anna", "Bosse", "Cissi"]


def test_the_rematch_offers_who_left_to_come_back(either: Phone, seat: Seat) -> None:
    """The deal moves on within an evening, past who is gone; one tap brings them back."""
    for back, dealer in ((False, "Anna"), (True, "David")):
        table = seat(either, players=FOUR, dealer="Cissi").table
        record(either, table, {"event": "leaves", "player": "David"})
        win(either, table, "Anna")
        form = either.open(table).form(f"{table}/games")
        chip = next(field for field in form.named("player") if field.kind == "checkbox")
        assert (chip.value, chip.checked) == ("David", False)
        chip.checked = back
        either.press("Rematch")
        seated = game(either, table)
        assert seated["players"] == (FOUR if back else FOUR[:3])
        assert seated["dealer"] == dealer


def test_on_another_evening_the_rematch_draws_the_dealer_too(
    phone: Phone, seat: Seat, pass_days: PassDays
) -> None:
    """The night belongs to the evening before."""
    table = seat(phone, players=FOUR).table
    for days, drawn in ((0.3, False), (1, True)):
        win(phone, table, "Anna")
        pass_days(days)
        phone.home()
        told = phone.press("Rematch").announcement
        assert ("was drawn to deal first" in told) is drawn


def test_the_same_names_typed_again_are_asked_about(phone: Phone, seat: Seat) -> None:
    """Their table is offered for a new evening, in the seats that were typed; or one more opens."""
    table = seat(phone, "settled", players=FOUR).table
    typed = {"player": [*reversed(FOUR), ""], "stake": "1", "dealer": "0"}
    page = phone.send("/", typed)
    assert phone.answer.status_code == 422
    assert "That table already exists: start a new evening there?" in page.announcement
    phone.press("New evening there")
    assert phone.table == table
    assert game(phone, table)["players"] == [*reversed(FOUR)]
    assert game(phone, table)["dealer"] == "David"
    assert phone.send("/", typed).link("Go on there").href == table
    phone.press("A new table all the same")
    assert phone.answer.status_code == 303
    assert phone.table != table
    # Both have the same people: the later one has a number.
    assert "table 2 ·" in card(phone, phone.table)
    assert "table" not in card(phone, table)


def test_who_was_away_last_time_belongs_to_the_group(phone: Phone, seat: Seat) -> None:
    """A table at which just these sat last comes before; fewer people, or others, are no group."""
    table = seat(phone, "settled", players=FOUR).table
    form = invitation(phone, table)
    choose(form, *FOUR[:3])
    sit_down(phone, form)
    phone.send("/", {"player": FOUR, "stake": "1"})
    assert phone.page.link("Go on there").href == table
    same = seat(phone, "settled", players=FOUR).table
    phone.send("/", {"player": FOUR, "stake": "1"})
    phone.press("New evening there")
    assert phone.table == same
    for others in (FOUR[:2], [*FOUR[:3], "Eva"]):
        phone.send("/", {"player": others, "stake": "1"})
        assert phone.answer.status_code == 303


def test_a_table_that_is_only_read_is_not_asked_about(
    phone: Phone, seat: Seat, new_phone: NewPhone
) -> None:
    """Its evenings are others' to begin."""
    table, reader = seat(phone, "settled", players=FOUR).table, new_phone()
    reader.open(table)
    reader.send("/", {"player": FOUR, "stake": "1"})
    assert reader.answer.status_code == 303


def test_older_tables_are_folded_but_can_be_begun_at(phone: Phone, seat: Seat) -> None:
    """A new evening there takes who sat last."""
    tables = [seat(phone, "settled", players=[f"Eva {n}", "Fia"]).table for n in range(5)]
    assert len(phone.open("/").elements("details.older [data-table]")) == 2
    form = invitation(phone, tables[0])
    assert not form.named("player")
    sit_down(phone, form)
    assert game(phone, tables[0])["players"] == ["Eva 0", "Fia"]


def test_who_is_known_by_another_name_has_one_chip(phone: Phone, seat: Seat) -> None:
    """Merged names are one person."""
    table = seat(phone, "settled", players=["Anna", "Bosse", "Cissi"]).table
    form = invitation(phone, table)
    choose(form, "Anna", "Cissi")
    form.named("player")[-1].value = "Bo"
    sit_down(phone, form)
    win(phone, table, "Anna")
    phone.send(f"{table}/people", {"name": "4", "into": "2", "seq": newest(phone, table)["seq"]})
    assert phone.answer.status_code == 303
    chips = [each.value for each in invitation(phone, table).named("player")]
    assert chips == ["Anna", "Cissi", "Bo", ""]

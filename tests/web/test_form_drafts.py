"""A form that seats a game, on its way to the rules and back, and as a phone has kept it."""

from __future__ import annotations

import pytest

from app.rules.presets import PRESETS, write_code
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone
from tests.web.ruling import PLAYERS, form, press, to_the_form

STOP = "exchange_stop"


def kept(phone: Phone, address: str, **fields: object) -> dict[str, list[str]]:
    """Send what a phone has kept to an address, as its script does, and return the form then."""
    phone.send(address, {"do": "restored", **fields})
    assert phone.answer.status_code == 200
    start = next(each for each in phone.page.forms if each.named("player"))
    return {name: start.values(name) for name in ("player", "preset", "own", STOP, "stake")}


def test_what_a_phone_has_kept_is_shown_and_opens_nothing(either: Phone) -> None:
    """The form is as it was left, with what follows from its answers, and a way to drop it."""
    code = write_code("huvudregler", PRESETS["huvudregler"])
    sent = {"player": ["Anna", "", "Bo"], "stake": "2,50", "shown": code, STOP: "none"}
    shown = kept(either, "/", **sent, preset="huvudregler")
    assert shown["player"][:3] == ["Anna", "", "Bo"]
    assert (shown["preset"], shown[STOP], shown["stake"]) == (["own"], ["none"], ["2,50"])
    assert either.page.link("Start over").href == "/"
    assert either.table == ""


def test_what_was_typed_gets_the_rules_of_a_link(phone: Phone) -> None:
    """The link leads to the start page with its rules; names typed there before are kept."""
    code = write_code("pagat", PRESETS["vanlig"])
    phone.open(f"/r/{code}")
    page = phone.press("Use these rules")
    assert page.form("/").values("own") == [code]
    address = phone.answer.headers["Location"]
    assert kept(phone, address, player="Anna", preset="wikipedia") == {
        **kept(phone, "/", player="Anna", preset="own", own=code),
    }


def test_rules_of_a_link_are_changed_first(phone: Phone) -> None:
    """The form of the rules begins with them, and leads to the start page."""
    phone.open(f"/r/{write_code('pagat', PRESETS['pagat'])}")
    phone.press("Change them first…")
    assert form(phone).values("base") == ["pagat"]
    press(phone, "use")
    assert phone.page.form("/").values("preset") == ["pagat"]


def test_an_answer_that_cannot_be_read_is_told_before_the_rules_are_changed(phone: Phone) -> None:
    """The form comes back as it was filled in, with the reason at the field."""
    phone.open("/").form("/").fill_each("player", list(PLAYERS))
    phone.fill(**{"exchange_stop.other": "x"})
    page = phone.press("Change the rules…")
    assert phone.answer.status_code == 422
    assert "from 1 to 1000" in page.announcement
    assert page.form("/").values("player")[:3] == list(PLAYERS)
    assert page.form("/").values("exchange_stop.other") == ["x"]


def test_a_rule_that_cannot_be_read_keeps_the_names(phone: Phone) -> None:
    """The form of the rules shows the fault, and leads back with the names all the same."""
    to_the_form(phone).fill(**{"hand_points.pair.other": "x"})
    press(phone, "use")
    assert phone.answer.status_code == 422
    phone.fill(**{"hand_points.pair.other": "3"})
    press(phone, "use")
    assert phone.page.form("/").values("player")[:3] == list(PLAYERS)


@pytest.mark.parametrize(
    "carried",
    [
        "",
        "{",
        "[" * 6000,
        "[]",
        '{"players":[1]}',
        '{"players":%s}' % ([""] * 17),
        '{"players":[]}' + " " * 12_000,
    ],
)
def test_what_is_no_form_is_not_carried(phone: Phone, carried: str) -> None:
    """The rules lead to a form that is empty, by its address."""
    phone.send("/rules", {"do": "use", "base": "pagat", "seating": carried})
    assert phone.answer.headers["Location"] == "/?preset=pagat"
    assert phone.page.form("/").values("player") == [""] * 8
    assert phone.page.form("/").values("preset") == ["pagat"]


def test_a_form_as_full_as_may_be_is_carried(phone: Phone) -> None:
    """The longest names there may be come back, whatever signs they have."""
    names = [f'{seat}"🂡' + "\\" * 36 for seat in range(8)]
    phone.open("/").form("/").fill_each("player", names)
    phone.press("Change the rules…")
    press(phone, "use")
    assert phone.page.form("/").values("player") == names


def test_a_draft_belongs_to_the_game_it_was_begun_for(seat: Seat, phone: Phone) -> None:
    """A form has one mark as long as it begins with the same, and another after a change."""

    def mark(page: str) -> str:
        return phone.open(f"{phone.table}/{page}").elements("#start")[0]["data-draft"]

    seat(phone, "Anna 5, settled")
    marks = {page: mark(page) for page in ("next", "edit")}
    assert marks == {page: mark(page) for page in marks}
    phone.open(f"{phone.table}/next")
    phone.press("Start the game")
    assert mark("edit") not in marks.values()


def test_a_reader_changes_no_rules(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """The form of the rules of a game that is changed is shown to its keeper alone."""
    seat(phone, "nobody")
    address = f"{phone.table}/rules/change?to=edit"
    assert phone.open(address).has("Use these rules")
    reader = new_phone()
    reader.open(address)
    assert reader.answer.headers["Location"] == f"{phone.table}/rules"

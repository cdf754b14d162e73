"""A person who sets house rules on the form, with the controls it offers."""

from __future__ import annotations

from app.rules.house import HouseRules
from app.rules.presets import read_code, write_rules
from app.services import table_view
from app.store.database import Database
from tests.web.pages import Button, Form, Page
from tests.web.phone import Phone

PLAYERS = ("Anna", "Bo", "Cilla")


def to_the_form(phone: Phone) -> Phone:
    """Type names on the start page, then open the form for house rules."""
    page = phone.open("/")
    page.form("/").fill_each("player", list(PLAYERS))
    phone.press("Change the rules…")
    return phone


def form(phone: Phone) -> Form:
    """Return the form for house rules."""
    return next(form for form in phone.page.forms if form.named("base"))


def tick(phone: Phone, name: str, keys: list[str]) -> None:
    """Tick these boxes and no others."""
    boxes = [each for each in form(phone).fields if each.name == name]
    assert {*keys} <= {box.value for box in boxes}
    for box in boxes:
        box.checked = box.value in keys


def button(phone: Phone, do: str) -> Button:
    """Find a button by its value of `do`; of two with the same value, the first."""
    return next(each for each in phone.page.buttons if (each.name, each.value) == ("do", do))


def press(phone: Phone, do: str) -> Page:
    """Press the button with this value of `do`."""
    return phone.submit(button(phone, do))


def use_rules(phone: Phone) -> HouseRules:
    """Use the rules, and decode them from the form of the start page."""
    press(phone, "use")
    start = phone.page.form("/")
    assert start.values("preset") == ["own"], start.values("preset")
    return read_code(start.values("own")[0])[1]


def game_rules(phone: Phone, db: Database, number: int = 1) -> dict[str, object]:
    """Return the rules of a game at the phone's table, as its file holds them."""
    setup = table_view.read_view(db, phone.table.removeprefix("/t/"), number).game.setup
    return write_rules(setup.preset, setup.rules)

"""A person who sets house rules on the form, with the controls it offers."""

from __future__ import annotations

from tests.web.pages import Form, Page
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


def press(phone: Phone, do: str) -> Page:
    """Press the button with this value of `do`; of two, the first."""
    buttons = phone.page.buttons
    return phone.submit(next(each for each in buttons if (each.name, each.value) == ("do", do)))

"""Rules stored on a phone under a name, shared by a link, and changed between two games."""

from __future__ import annotations

import pytest
from flask import Flask

from app.rules.presets import PRESETS, write_code
from app.services import phones
from app.store.database import Database
from app.web.pwa import draw_code
from tests.web.conftest import NewPhone
from tests.web.phone import Phone
from tests.web.ruling import form, game_rules, press, to_the_form

FEW = 2


def keep(phone: Phone, name: str, **changes: str) -> None:
    """Set rules and store them under a name."""
    to_the_form(phone).fill(**changes, name=name)
    press(phone, "keep")


def test_kept_rules_are_offered_for_the_next_table(phone: Phone, db: Database) -> None:
    """The phone's own set stands on the start page with its differences."""
    keep(phone, "Grandma's", exchange_stop="47", target="51")
    assert phone.page.announcement == "Kept on this phone: Grandma's."
    assert "Nothing has been changed." in phone.page.text
    (kept,) = form(phone).values("base")
    page = phone.open("/")
    assert "Grandma's Swedish main rules · Exchange stop at: 47 · Played to: 51" in page.text
    page.form("/").fill("preset", kept)
    page.form("/").fill_each("player", ["Anna", "Bo"])
    phone.press("Start the game")
    assert game_rules(phone, db) == {
        "preset": "huvudregler",
        "exchange_stop": 47,
        "target": 51,
    }


def test_kept_rules_are_what_one_starts_from(phone: Phone) -> None:
    """Changes are marked against the stored set, and can be put back to it."""
    keep(phone, "Ours", exchange_stop="47")
    phone.fill(exchange_stop="48", target="51")
    press(phone, "look")
    assert "2 things you play differently" in phone.page.text
    press(phone, "reset-all")
    assert form(phone).values("exchange_stop") == ["47"]


def test_the_same_name_keeps_the_newer_rules(phone: Phone) -> None:
    """A name stands for one set."""
    keep(phone, "Ours", exchange_stop="47")
    keep(phone, " Ours ", exchange_stop="40")
    page = phone.open("/")
    assert page.text.count("Ours Swedish main rules") == 1
    assert "Ours Swedish main rules · Exchange stop at: 40" in page.text


def test_other_phones_do_not_see_them(phone: Phone, new_phone: NewPhone) -> None:
    """A phone's sets are private, and a guessed number gives access to none."""
    keep(phone, "Secret rules", exchange_stop="47")
    (kept,) = form(phone).values("base")
    other = new_phone()
    assert "Secret rules" not in other.open("/").text
    page = other.open("/")
    page.form("/").fill_each("player", ["Anna", "Bo"])
    other.send("/", {"player": ["Anna", "Bo"], "preset": kept, "stake": "1"})
    assert other.answer.status_code == 422
    press(to_the_form(other), "use")
    other.send("/rules", {"do": kept.replace("saved", "forget")})
    assert "Secret rules" in phone.open("/").text


def test_kept_rules_can_be_forgotten(phone: Phone) -> None:
    """One tap removes the set; the form continues from the published set."""
    keep(phone, "Ours", exchange_stop="47")
    number = form(phone).values("base")[0].removeprefix("saved:")
    press(phone, f"forget:{number}")
    assert "Ours" not in phone.page.text
    assert form(phone).values("base") == ["huvudregler"]
    assert "Ours" not in phone.open("/").text


def test_a_phone_keeps_only_so_many(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set over the limit is refused with a message."""
    monkeypatch.setattr(phones, "MOST_RULE_SETS", FEW)
    for number in range(FEW):
        phone.send("/rules", {"do": "keep", "name": f"Set {number}", "base": "pagat"})
    phone.send("/rules", {"do": "keep", "name": "One more", "base": "pagat"})
    assert phone.answer.status_code == 422
    assert str(FEW) in phone.page.announcement
    phone.send("/rules", {"do": "keep", "name": "Set 0", "base": "vanlig"})
    assert phone.answer.status_code == 200


def test_rules_go_by_link_to_another_phone(phone: Phone, new_phone: NewPhone) -> None:
    """The link shows the rules in words, and one tap uses them; it carries nothing else."""
    to_the_form(phone).fill(exchange_stop="47", chicago_once="yes")
    press(phone, "words")
    link = phone.answer.headers["Location"]
    assert "Whoever has 47 points or more may not exchange." in phone.page.text
    assert f'{link}"' in phone.page.html
    assert "<svg" in phone.page.html
    other = new_phone()
    page = other.open(link)
    assert "Each player may bid Chicago once in a game" in page.text
    assert not [name for name in ("Anna", "Bo", "Cilla") if name in page.text]
    other.press("Use these rules")
    assert other.page.form("/").values("preset") == ["own"]
    assert "Exchange stop at: 47" in other.page.text


@pytest.mark.parametrize(
    "code",
    [
        "å",
        "%00",
        "bnVsbA",
        "eyJwcmVzZXQiOiJub25lIn0",
        write_code("pagat", PRESETS["pagat"])[:-4],
        "eyJraXR0eSI6dHJ1ZX0",
        "A" * 7000,
    ],
)
def test_a_link_that_is_broken_is_told_kindly(phone: Phone, code: str) -> None:
    """The page gives a possible cause and a remedy; nothing is taken from the link."""
    phone.open(f"/r/{code}")
    assert phone.answer.status_code == 422
    assert "It may have been cut off" in phone.page.text
    phone.send(f"/r/{code}", {"do": "use"})
    assert phone.answer.status_code == 422


def test_rules_stand_while_a_game_is_played(keeper: Phone, db: Database) -> None:
    """The form is not offered then, and a form that is sent anyway changes nothing."""
    keeper.send(f"{keeper.table}/rules/change", {"do": "use", "base": "wikipedia", "seq": "1"})
    assert keeper.answer.status_code == 303
    keeper.open(f"{keeper.table}/rules/change")
    assert keeper.answer.status_code == 303
    assert game_rules(keeper, db) == {"preset": "huvudregler"}


def test_of_an_address_that_is_too_long_there_is_no_code(app: Flask) -> None:
    """Every rule changed, below the longest name of a server: the link stands alone."""
    with app.test_request_context(base_url="http://chicago.example"):
        assert draw_code("x" * 2953, "l")
        assert not draw_code("x" * 2954, "l")

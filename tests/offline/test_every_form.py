"""Every form that changes a table does the same on the server as on the phone."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from flask import Flask

from app.offline import replicas
from app.offline.pages import FORMS
from app.services import ledger
from app.services.access import Write
from app.services.commit import commit, form_key
from app.services.edit import Edit
from tests.offline.phones import PLAYERS, Phone, copy_of, pool_of

# Forms of a table that need others or the server, or change nothing that is pushed.
ELSEWHERE = {
    *("pens.hand_over", "pens.take", "pens.revoke_others"),
    *("pens.make_recovery", "pens.turn_recovery_off", "pens.see_recovery", "pens.recover"),
    *("files.add_games", "erasure.forget"),
    *("notes.doubt", "notes.wave_off", "notes.pay_to", "notes.save_own_number"),
    *("notes.say_paid", "notes.answer_paid"),
}


def end_game(phone: Phone, link: str) -> None:
    """Break the game off with Anna in the lead."""
    phone.tap(link, "Anna 7, settled")


@pytest.fixture
def link(phone: Phone) -> str:
    """Return a table on the phone with two finished games; Ines has Cilla's place in the second."""
    link = phone.open_table()
    end_game(phone, link)
    form = {"player": ["Anna", "Bo", "Ines"], "preset": "huvudregler", "stake": "2"}
    assert phone.send(link, "/next", {**form, "dealer": "draw"}).status_code == 303
    end_game(phone, link)
    return link


def pushed(phone: Phone, link: str, path: str, fields: Mapping[str, object]) -> None:
    """Send a form to the phone, and push it; both sides are the same then."""
    before = phone.status()["waiting"]
    assert phone.send(link, path, dict(fields)).status_code == 303
    assert phone.status()["waiting"] == before + 1
    assert phone.push() == [200]
    assert copy_of(phone.server, link) == copy_of(phone.app, link)


def test_every_form_of_a_table_is_known_to_be_carried_out_again_or_not(server: Flask) -> None:
    """A new form must be classified: the server may carry it out at a later time, or not."""
    forms = {
        rule.endpoint
        for rule in server.url_map.iter_rules()
        if rule.rule.startswith("/t/<link>") and "POST" in (rule.methods or ())
    }
    assert forms == (FORMS - {"phone.decide"}) | ELSEWHERE


def test_people_that_are_one_person(phone: Phone, link: str) -> None:
    """Two names are merged, and split again."""
    numbers = {"name": "4", "into": "3"}
    pushed(phone, link, "/people", {**numbers, "do": "merge"})
    pushed(phone, link, "/people", {**numbers, "do": "split"})


def test_payments(phone: Phone, link: str) -> None:
    """A debt in parts, also by an older form, an advance, all debts, and a payment taken back."""
    number = {"number": "070-000 00 01"}
    assert phone.send(link, "/evening/pay/2-1/number", number).status_code == 303
    pushed(phone, link, "/evening/pay/2-1", {"way": "cash", "amount": "3"})
    pushed(phone, link, "/evening/pay/2-1", {"way": "cash", "amount": "1"})
    paid = {"payer": "4", "payee": "3", "way": "swish", "amount": "40,50"}
    pushed(phone, link, "/evening/advance", paid)
    pushed(phone, link, "/evening/all", {"way": "rounded"})
    settlement = ledger.read_ledger(pool_of(phone.server), link).settlements[-1].seq
    pushed(phone, link, "/evening/undo", {"settlement": str(settlement)})


def test_a_dealer_who_is_drawn_by_lot_is_drawn_once(phone: Phone, link: str) -> None:
    """The dealer drawn on the phone deals on the server too; among eight, rarely by chance."""
    names = [*PLAYERS, "Dan", "Eva", "Fia", "Gun", "Hans"]
    for _ in range(4):
        form = {"player": names, "dealer": "draw", "preset": "vanlig", "stake": "1"}
        pushed(phone, link, "/next", form)
        phone.tap(link, "void")


def test_a_rematch_undone_and_redone(phone: Phone, link: str) -> None:
    """A tap in the rematch and a new name of the table follow."""
    pushed(phone, link, "/games", {})
    pushed(phone, link, "/undo", {})
    pushed(phone, link, "/redo", {})
    phone.tap(link, "Bo pair")
    pushed(phone, link, "/name", {"name": "Stugan"})


def test_a_new_evening_with_others(phone: Phone, link: str) -> None:
    """Who is there, with a new name, and whom the lot has fallen to."""
    pushed(phone, link, "/games", {"player": ["Bo", "Anna", "Ines", ""], "dealer": "draw"})
    phone.tap(link, "Ines pair")


def test_an_edited_game(phone: Phone, link: str) -> None:
    """An entry is removed."""
    pushed(phone, link, "/games/1/edit", {"operations": '[["remove",0]]', "do": "save"})


@pytest.mark.parametrize(
    "change",
    [
        Edit(names={"Anna": "Annika"}),
        Edit(names={"Bo": "Bosse"}, others={"Anna": "Eva"}, dealer="Eva"),
        Edit(agreed={"rules": {"preset": "vanlig"}, "stake_ore": 300}),
        Edit(agreed={"rules": {"preset": "vanlig"}}, whole=True),
        Edit(agreed={"players": ["Ines", "Bo", "Anna"]}),
    ],
)
def test_a_game_that_was_agreed_otherwise(phone: Phone, link: str, change: Edit) -> None:
    """Names, persons, dealer, rules and seats match, and so does the undo."""
    phone.send(link, "/games")
    phone.tap(link, "Bo pair, Anna 7")
    db = pool_of(phone.app)
    write = Write(link, replicas.read_phone(db).pen)
    commit(db, write, change, form_key(write.pen or "", b"edited"))
    phone.tap(link, f"{phone.view(link).state.players[0]} 2")
    assert phone.push() == [200]
    assert copy_of(phone.server, link) == copy_of(phone.app, link)
    phone.send(link, "/undo")
    pushed(phone, link, "/undo", {})

"""A table in euros: chosen with the stake, shown on every page, never mixed with kronor."""

from __future__ import annotations

import io
import json

import pytest
from flask import Flask

from app.services import ledger, table_view
from tests.web.conftest import NewPhone
from tests.web.evenings import pen_of, plain, record, store_of
from tests.web.phone import Phone


def sit_down(phone: Phone, stake: str, currency: str | None = "EUR") -> Phone:
    """Open a table with the form of the start page, or with a form without a currency."""
    phone.open("/")
    form = {"player": ["Anna", "Bo", "Cilla"], "dealer": "0", "stake": stake}
    phone.send("/", form if currency is None else {**form, "currency": currency}, plain=True)
    return phone


@pytest.fixture
def keeper(app: Flask, phone: Phone) -> Phone:
    """Return the keeper of a table where a point costs ten cents, and Anna won 21 points."""
    sit_down(phone, "10 cent")
    record(app, phone, "Anna 21, Bo 8, settled")
    return phone


def currency_of(app: Flask, phone: Phone) -> str:
    """Return the currency of the phone's table in the database."""
    return table_view.read_view(store_of(app), pen_of(phone).link).currency


@pytest.mark.parametrize("where", ["/evening/pay/2-1", "/evening/all", "/evening/advance"])
def test_swish_pays_no_euros(app: Flask, keeper: Phone, where: str) -> None:
    """A form that asks for Swish is refused in words, and no payment is recorded."""
    keeper.open(f"{keeper.table}/evening")
    form = {"seq": keeper.page.seq, "way": "swish", "amount": "1", "payer": "2", "payee": "1"}
    page = keeper.send(f"{keeper.table}{where}", form)
    assert keeper.answer.status_code == 422
    assert "Swish pays kronor only" in page.text
    assert not ledger.read_ledger(store_of(app), pen_of(keeper).link).settlements


@pytest.mark.parametrize("currency", ["", "eur"])
def test_another_currency_is_refused(phone: Phone, currency: str) -> None:
    """The form, an import and an API call refuse it; no table is opened."""
    sit_down(phone, "1", currency)
    assert phone.answer.status_code == 422
    assert phone.table == ""
    file = {"currency": currency, "file": (io.BytesIO(b"{}"), "a.json")}
    assert phone.client.post("/files", data=file).status_code == 422
    call = {"players": ["Anna", "Bo"], "currency": currency}
    assert phone.client.post("/api/tables", json=call).status_code in (400, 422)


def test_the_next_table_is_offered_as_the_last(keeper: Phone) -> None:
    """The form takes over currency and stake."""
    form = keeper.open("/").form("/")
    assert (form.values("stake"), form.values("currency")) == (["0,10"], ["EUR"])


def test_a_form_without_a_currency_means_kronor(app: Flask, phone: Phone) -> None:
    """Older pages and programs send no currency."""
    assert currency_of(app, sit_down(phone, "1", None)) == "SEK"


@pytest.mark.parametrize(
    ("stake", "end", "free"), [("0", "void", True), ("0", "settled", True), ("1", "void", False)]
)
def test_a_table_that_never_played_for_money_may_change_its_currency(
    app: Flask, phone: Phone, stake: str, end: str, free: bool
) -> None:
    """The currency can change with the next game's stake; a stake fixes it though nobody won.

    The game that was broken off may be edited, or gone on with, and somebody wins.
    """
    sit_down(phone, stake, "SEK")
    record(app, phone, "Anna 3", end)
    where = f"{phone.table}/next"
    assert bool(phone.open(where).form(where).named("currency")) is free
    if free:
        phone.fill(point="other", stake="0,20", currency="EUR")
        phone.press("Start the game")
        assert currency_of(app, phone) == "EUR"
        record(app, phone, "Bo 5, settled")
        assert "+€2" in plain(phone.home())


def test_amounts_that_were_won_stay_what_they_are(app: Flask, keeper: Phone) -> None:
    """The next game offers no other currency, and a form that asks for one is refused in words."""
    where = f"{keeper.table}/next"
    assert keeper.open(where).form(where).named("currency") == []
    data = {"player": ["Anna", "Bo"], "dealer": "0", "stake": "1", "seq": keeper.page.seq}
    page = keeper.send(where, {**data, "currency": "SEK"})
    assert keeper.answer.status_code == 422
    assert "The ledger already has amounts in another currency" in page.text
    assert currency_of(app, keeper) == "EUR"
    keeper.send(where, data)
    assert (keeper.answer.status_code, currency_of(app, keeper)) == (303, "EUR")


def test_files_know_no_currency_and_a_table_from_them_chooses(
    keeper: Phone, new_phone: NewPhone
) -> None:
    """A game's file holds no currency; its import corrects a table in the wrong currency."""
    file = keeper.client.get(f"{keeper.table}/games/1.json").data
    assert not {"currency", "EUR"} & set(json.loads(file))
    other = new_phone()
    assert other.open("/files").form("/files").values("currency") == ["SEK"]
    page = other.send("/files", {"currency": "EUR", "file": (io.BytesIO(file), "a.json")})
    assert "+€3.40" in plain(page)

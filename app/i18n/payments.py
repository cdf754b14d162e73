"""Payments between people in words: who is to have how much, and in which way it was paid."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.language import N_, Language
from app.rules.balances import PaymentWay
from app.rules.currency import Currency
from app.rules.settlement import Transfer

WAYS: Mapping[PaymentWay, str] = {
    "swish": N_("with Swish"),
    "cash": N_("in cash"),
    "other": N_("paid"),
    "rounding": N_("rounding"),
    "written_off": N_("debt cancelled"),
}


def way_text(way: PaymentWay, language: Language) -> str:
    """How a debt went: `med Swish`."""
    return language.gettext(WAYS[way])


def transfer_text(owed: Transfer, currency: Currency, language: Language) -> str:
    """A payment to be made, within a sentence."""
    amount = language.money(owed.ore, currency)
    values = {"payee": owed.payee, "payer": owed.payer, "kronor": amount}
    return language.gettext("%(payee)s is to have %(kronor)s from %(payer)s", **values)

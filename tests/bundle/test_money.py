"""Amounts in the bundle's Python: with Babel's data, as a server writes them."""

import re

import pytest
from werkzeug.test import Client

from app.i18n.language import CODES, Language
from app.rules.settlement import CURRENCIES
from tests.bundle.bundle_python import BundlePython


@pytest.mark.parametrize("code", CODES)
def test_amounts_are_written_the_same_in_the_bundle(python: BundlePython, code: str) -> None:
    """Every language and currency has its decimals and separators."""
    client = Client(python)
    headers = {"Accept-Language": code, "Sec-Fetch-Site": "same-origin"}
    typed, hundredths = "1234,50", 123_450
    for currency in CURRENCIES:
        form = {"player": ["Anna", "Bo"], "dealer": "0", "stake": typed, "currency": currency}
        form["apart"] = "1"
        opened = client.post("/", data={**form, "key": f"{code}{currency}{typed}" * 3})
        rules = client.get(f"{opened.location}/rules", headers=headers).text
        chosen = re.search('<html lang="(\\w+)"', rules)
        assert chosen
        assert Language(chosen[1]).money(hundredths, currency) in rules

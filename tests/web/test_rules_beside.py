"""What is otherwise in a table's rules than in a known set, or in those of another table's link."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from app.rules.presets import PRESETS, read_rules, write_code
from tests.web.conftest import Seat
from tests.web.phone import Phone

RULES = {"preset": "vanlig", "exchange_stop": 47, "scored_hands": {"1": "equal", "play": "equal"}}


@pytest.fixture
def keeper(seat: Seat, phone: Phone) -> Phone:
    """Return a phone at a table with its own rules."""
    return seat(phone, rules=RULES)


def beside(phone: Phone, **names: str) -> str:
    """Compare with the rules of this name on the table's page, and return what is said."""
    phone.open(f"{phone.table}/rules")
    for name, value in names.items():
        phone.fill(**{name: value})
    phone.open(f"{phone.table}/rules?{urlencode(names)}")
    return phone.page.text


def test_what_differs_from_a_known_set_is_listed_rule_by_rule(keeper: Phone) -> None:
    """Each rule with its value here and there, whatever set the rules started from."""
    said = beside(keeper, **{"with": "pagat"})
    assert "Compared with: Exchange stop 46, no zeroing" in said
    assert "Exchange stop: 47 – there 46" in said
    assert "four of a kind may zero – there four of a kind does not zero" in said
    moments = "after the first exchange and after the play"
    assert f"Who scores: all who are equal {moments} – there the best hand" in said
    assert "Played to:" not in said.partition("Compared with")[2]


@pytest.mark.parametrize("before", ["http://elsewhere.example/chicago/r/", "/r/", ""])
def test_what_differs_from_another_tables_link_is_listed(keeper: Phone, before: str) -> None:
    """The link that passes rules on, as somebody sent it."""
    _, rules = read_rules({**RULES, "win_when": "every_booking"})
    said = beside(keeper, link=f"{before}{write_code('vanlig', rules)}/.")
    differing = said.partition("Compared with: the rules of the link")[2]
    assert "when the deal is over – there as soon as anybody gets there" in differing
    assert differing.count("– there") == 1


def test_the_same_rules_are_the_same(phone: Phone) -> None:
    """A link may be compared too, before it is used."""
    phone.open(f"/r/{write_code('pagat', PRESETS['pagat'])}?with=pagat")
    assert "Compared with: Exchange stop 46, no zeroing the same rules" in phone.page.text


@pytest.mark.parametrize("link", ["x", "http://e.example/r/eyJ", "e" * 3000])
def test_a_link_without_rules_is_told_at_its_field(keeper: Phone, link: str) -> None:
    """The page is there all the same."""
    said = beside(keeper, link=link)
    assert keeper.answer.status_code == 422
    assert "This link holds no rules that can be read." in said
    assert keeper.page.elements("[name=link]")[0]["aria-invalid"] == "true"

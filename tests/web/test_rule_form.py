"""The form for house rules: set, marked, put back, and started from another set."""

import pytest

from app.rules.hands import Hand
from app.rules.presets import SCALES
from app.web.rule_form import LEADING
from tests.web.phone import Phone
from tests.web.ruling import PLAYERS, button, form, press, to_the_form, use_rules


def test_names_stake_and_dealer_survive_the_way_to_the_rules_and_back(phone: Phone) -> None:
    """The names and the other fields need not be typed again after the form for house rules."""
    page = phone.open("/")
    page.form("/").fill_each("player", list(PLAYERS))
    phone.fill(point="other", stake="2,50", dealer="1", name="The cottage")
    phone.press("Change the rules…")
    phone.fill(exchange_stop="47")
    press(phone, "use")
    start = phone.page.form("/")
    assert start.values("player")[:3] == list(PLAYERS)
    assert start.values("stake") == ["2,50"]
    assert start.values("dealer") == ["1"]
    assert start.values("name") == ["The cottage"]


def test_a_chip_tapped_after_a_written_number_counts(phone: Phone) -> None:
    """A number written before no longer counts after a tap on a usual one."""
    to_the_form(phone).fill(**{"exchange_stop.other": "38"})
    press(phone, "look")
    assert form(phone).values("exchange_stop.other") == ["38"]
    phone.fill(exchange_stop="45", target="51")
    assert use_rules(phone).exchange_stop == 45


def test_what_tables_differ_in_stands_first_and_open(phone: Phone) -> None:
    """Each of these rules has a line before all folded ones, with a mark if it is changed."""
    to_the_form(phone).fill(**{"exchange_stop": "47", "zeroing.four_of_a_kind": "none"})
    press(phone, "look")
    lines = phone.page.elements(".leading select")
    assert [line["name"] for line in lines] == list(LEADING)
    assert len(phone.page.elements(".leading .changed")) == 2
    assert "2 changes" in phone.page.text
    rules = use_rules(phone)
    assert (rules.exchange_stop, rules.zeroing) == (47, {Hand.ROYAL_FLUSH: "always"})


def test_what_differs_is_listed_and_put_back_one_by_one(phone: Phone) -> None:
    """A list holds every change beside the old value, with a button that puts it back."""
    to_the_form(phone).fill(exchange_stop="47", target="51")
    press(phone, "look")
    assert "2 things you play differently" in phone.page.text
    assert "Exchange stop at 47 45" in phone.page.text
    press(phone, "reset:exchange_stop")
    assert "1 thing you play differently" in phone.page.text
    assert form(phone).values("exchange_stop") == ["45"]
    assert form(phone).values("target") == ["51"]


def test_everything_can_be_put_back_and_had_again(phone: Phone) -> None:
    """After all changes are put back, one more tap restores them."""
    to_the_form(phone).fill(exchange_stop="47", target="51")
    press(phone, "look")
    press(phone, "reset-all")
    assert "Nothing is changed." in phone.page.text
    press(phone, "restore")
    assert use_rules(phone).exchange_stop == 47


@pytest.mark.parametrize("scale", SCALES)
def test_a_scale_takes_one_tap(phone: Phone, scale: int) -> None:
    """A named scale sets points, winning hands and zeroing, and nothing else."""
    to_the_form(phone).fill(exchange_stop="47")
    press(phone, f"scale:{scale}")
    assert button(phone, f"scale:{scale}").attributes.get("aria-pressed") == "true"
    rules = use_rules(phone)
    assert rules.exchange_stop == 47
    assert rules.hand_points == SCALES[scale].hand_points
    assert rules.winning_hands == SCALES[scale].winning_hands
    assert rules.zeroing == SCALES[scale].zeroing


def test_starting_from_elsewhere_can_be_undone(phone: Phone) -> None:
    """Changes that another set replaced come back together with their own set."""
    to_the_form(phone).fill(exchange_stop="47")
    press(phone, "base:wikipedia")
    press(phone, "restore")
    assert form(phone).values("base") == ["huvudregler"]
    assert use_rules(phone).exchange_stop == 47

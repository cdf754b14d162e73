"""The form for house rules: set, marked, put back, and started from another set."""

import pytest

from app.rules.hands import Hand
from app.rules.presets import SCALES
from app.web.rule_form import LEADING
from tests.web.phone import Phone
from tests.web.ruling import PLAYERS, form, press, to_the_form, use_rules


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
    """Each of these questions stands before all folded rules, with a mark if it is changed."""
    to_the_form(phone).fill(**{"exchange_stop": "47", "zeroing.four_of_a_kind": "none"})
    press(phone, "look")
    asked = phone.page.elements(".leading .field")
    assert [each["id"] for each in asked] == [f"f-{name}" for name in LEADING]
    changed = phone.page.elements(".leading .changed")
    assert [each["id"] for each in changed] == [
        "f-scale",
        "f-exchange_stop",
        "f-zeroing.four_of_a_kind",
    ]
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
    assert "Nothing has been changed." in phone.page.text
    press(phone, "restore")
    assert use_rules(phone).exchange_stop == 47


@pytest.mark.parametrize("scale", SCALES)
def test_a_scale_takes_one_tap(phone: Phone, scale: int) -> None:
    """A named scale sets points, winning hands and zeroing, and nothing else."""
    press(to_the_form(phone), "base:pagat")
    phone.fill(exchange_stop="47", scale=str(scale))
    rules = use_rules(phone)
    assert rules.exchange_stop == 47
    assert rules.hand_points == SCALES[scale].hand_points
    assert rules.winning_hands == SCALES[scale].winning_hands
    assert rules.zeroing == SCALES[scale].zeroing


def test_every_question_says_what_its_answer_comes_to(phone: Phone) -> None:
    """It follows the answer, by the words of the rule page."""
    to_the_form(phone).fill(target="51", exchange_stop="47", win_when="every_booking", scale="3")
    press(phone, "look")
    said = phone.page.text
    assert "51 wins" in said
    assert "Whoever has 47 points or more may not exchange." in said
    assert (
        "Whoever reaches the target with a hand, the last trick or a Chicago wins at once" in said
    )
    assert "Four of a kind 8 or zeroes; Straight flush 11; Royal flush 52 wins at once" in said
    assert len(phone.page.elements(".leading .hint")) == len(LEADING)


def test_who_scores_at_the_usual_moments_follows_the_exchanges(phone: Phone) -> None:
    """Every other moment has a list of its own; those that no deal here has go along unseen."""
    to_the_form(phone).fill(scored_hands="equal", exchanges="2")
    press(phone, "look")
    shown = [each["name"] for each in phone.page.elements(".leading select")]
    assert shown == [f"scored_hands.{moment}" for moment in ("dealt", "1", "2", "play")]
    assert use_rules(phone).scored_hands == {"1": "equal", "play": "equal"}
    phone.press("Change the rules…")
    phone.fill(scored_hands="some", **{"scored_hands.dealt": "best", "scored_hands.play": "nobody"})
    assert use_rules(phone).scored_hands == {"dealt": "best", "1": "equal"}


@pytest.mark.parametrize("usual", ["equal", "everyone"])
def test_a_list_for_each_moment_can_be_had_from_every_answer(phone: Phone, usual: str) -> None:
    """The lists stay in sight with the answers there were, until one is chosen for all again."""
    to_the_form(phone)
    for choice in (usual, "some", usual):
        phone.fill(scored_hands=choice)
        press(phone, "look")
        assert form(phone).values("scored_hands") == [choice]
        assert form(phone).values("scored_hands.play") == [usual]


def test_starting_from_elsewhere_can_be_undone(phone: Phone) -> None:
    """Changes that another set replaced come back together with their own set."""
    to_the_form(phone).fill(exchange_stop="47")
    press(phone, "base:wikipedia")
    press(phone, "restore")
    assert form(phone).values("base") == ["huvudregler"]
    assert use_rules(phone).exchange_stop == 47

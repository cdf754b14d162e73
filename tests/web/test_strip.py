"""The strip over the board: the steps of a deal, the current one, and the result of each."""

from __future__ import annotations

import pytest

from app.web.table.protocol import LONGEST_NAME
from tests.web.conftest import Seat
from tests.web.pages import words
from tests.web.phone import Phone

Rules = dict[str, object]


HUVUDREGLER: Rules = {"preset": "huvudregler"}
GOES_ON: Rules = {"preset": "huvudregler", "after_zeroing": "deal_goes_on"}
# The steps, past in brackets, the current one starred; the events and the rules.
CASES: dict[str, tuple[str, str, Rules]] = {
    "a new deal": ("*Exch. 1* | Exch. 2 | Exch. 3 | play | end", "", HUVUDREGLER),
    "the last exchange goes along with the play": (
        "[Exch. 1 A 1 · Anna pair] | [Exch. 2 · nobody] | *Exch. 3* | *play* | end",
        "Anna pair, nobody",
        HUVUDREGLER,
    ),
    "after a bid nobody exchanges": (
        (
            "[Exch. 1 · nobody …] | [Exch. 2 · nobody] | [Exch. 3]"
            " | *play A · Anna bids Chicago* | end"
        ),
        "Anna 20, no hands, Anna chicago",
        HUVUDREGLER,
    ),
    "the hand after the play": (
        "[Exch. 1 · nobody] | [Exch. 2 · nobody] | [Exch. 3] | [play B 5 · Bo last trick] | *end*",
        "no hands, Bo trick",
        HUVUDREGLER,
    ),
    "what is laid open belongs to the last exchange": (
        (
            "[Exch. 1 · nobody] | [Exch. 2 · nobody] | [Exch. 3 B · Bo zeroes: four of a kind] | "
            "*play* | end"
        ),
        "no hands, Bo zeroes",
        GOES_ON,
    ),
    "a bid that strikes what the deal gave": (
        (
            "[Exch. 1 A 5 · Anna flush] | [Exch. 2 · nobody] | [Exch. 3]"
            " | *play A · Anna bids Chicago* | end"
        ),
        "Anna flush, nobody, Anna chicago",
        {"preset": "pagat", "chicago_hand": "struck", "chicago_minimum": None},
    ),
    "two exchanges": ("*Exch. 1* | Exch. 2 | play | end", "", {"preset": "wikipedia"}),
    "one exchange, no hand after the play": (
        "*Exch. 1* | *play*",
        "",
        {"exchanges": 1, "hand_after_play": False},
    ),
    "an exchange in which no hand scores": (
        "*Exch. 1* | *Exch. 2* | Exch. 3 | play | end",
        "",
        {"scored_exchanges": [2]},
    ),
    "a hand scores after the last one too": (
        "[Exch. 1 · nobody] | [Exch. 2 · nobody] | [Exch. 3 · nobody] | *play* | end",
        "no hands, nobody",
        {"scored_exchanges": [1, 2, 3]},
    ),
}
SIGNS = {"past": "[{}]", "now": "*{}*", "ahead": "{}"}


def read_strip(phone: Phone) -> str:
    """Return the steps as a line of text."""
    steps = phone.page.soup.select(".strip li")
    return " | ".join(SIGNS[str(step["class"])].format(words(step)) for step in steps)


@pytest.mark.parametrize("name", CASES)
def test_it_has_the_steps_of_the_table_s_rules(seat: Seat, phone: Phone, name: str) -> None:
    """The current step is marked, and each past one shows its result."""
    strip, happened, rules = CASES[name]
    seat(phone, happened, rules=rules)
    assert read_strip(phone) == strip
    marked = phone.page.elements(".strip [aria-current=step]")
    assert len(marked) == strip.count("*") // 2


def test_of_six_steps_each_keeps_its_name_and_shows_what_it_gave(seat: Seat, phone: Phone) -> None:
    """Exchanges are numbers there; narrow screens leave nothing out."""
    rules: Rules = {"scored_hands": {"dealt": "best", "1": "best", "play": "best"}}
    seat(phone, "Anna pair, Bo two_pairs", rules=rules)
    assert read_strip(phone).startswith("[dealt A 1 · Anna pair] | [1 B 2 · Bo two pairs] | *2*")
    assert phone.page.elements(".strip.six")
    seat(phone, "Anna 5", rules=rules)
    assert read_strip(phone).startswith("*dealt A 5 · ")


def test_of_everybodys_own_hands_it_tells_what_they_gave_in_all(seat: Seat, phone: Phone) -> None:
    """One hand alone is whose it was."""
    rules: Rules = {"preset": "pagat", "scored_hands": {"1": "everyone", "2": "everyone"}}
    seat(phone, "Anna pair, Bo flush, nobody, Bo pair", rules=rules)
    assert read_strip(phone).startswith(
        "[Exch. 1 +6 · Bo flush …] | *Exch. 2 B 1 · Bo pair* | Exch. 3"
    )


def test_what_a_step_gave_is_a_tap_from_being_edited(seat: Seat, phone: Phone) -> None:
    """One fact leads to its entry, several to the deal on the score sheet."""
    seat(phone, "Anna 20, Anna pair, nobody")
    links = [tag["href"] for tag in phone.page.elements(".strip a")]
    assert links == [f"{phone.table}/protocol#deal-1", f"{phone.table}/games/1/entries/2"]
    assert "Exch. 1 A 1 · Anna pair …" in read_strip(phone)


def test_long_names_are_cut_off_where_they_stay_apart(seat: Seat, phone: Phone) -> None:
    """Names are cut as on the scoreboard, which keeps the strip readable and the answer small."""
    long = "Maximilianafürstenwaldeavhedemo"
    seat(phone, f"{long} pair", players=[long, "Bo"])
    assert f"· {long[: LONGEST_NAME - 1]}… pair" in read_strip(phone)
    alike = ["Maximilianafürstenwalde1", "Maximilianafürstenwalde2"]
    seat(phone, f"{alike[0]} pair", players=alike)
    assert f"· {alike[0]} pair" in read_strip(phone)

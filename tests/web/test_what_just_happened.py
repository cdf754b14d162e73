"""What just happened: the events a table shouts about, and what the deal has given so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings

from app.rules.codes import EffectCode
from app.rules.events import Event, write_event
from app.rules.outcome import Outcome
from app.web.table.consequences import ENDS, LONGEST_NAME, SHOUTED, consequences
from tests.rules.strategies import Played, games
from tests.rules.table import (
    bid,
    broken,
    claims_falsely,
    exchanges_illegally,
    four,
    gets,
    leaves,
    made,
    nobody,
    pair,
    tie,
    to_the_play,
    trick,
    zero,
)
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import words
from tests.web.phone import Phone

Rules = dict[str, object]

HUVUDREGLER: Rules = {"preset": "huvudregler"}
WAITS: Rules = {
    "preset": "huvudregler",
    "after_zeroing": "deal_goes_on",
    "zeroing_and_chicago": "chicago_voids_zeroing",
}
# What happens at every deal, is said by what is due, or by the end of the game.
ORDINARY = {"hand", "bid", "blind_bid", "bid_withdrawn", "breaker", "last_trick"} | {
    "last_trick_with_two",
    "leaves",
    "correction",
}


@dataclass
class Case:
    """What happened, under which rules, and what is then said above the scoreboard."""

    happened: tuple[Event, ...]
    swedish: str
    english: str
    rules: Rules = field(default_factory=lambda: HUVUDREGLER)


CASES = {
    "a zeroing": Case(
        (*gets(Anna=46, Cilla=44), zero("Bo")),
        "Bo nollar med fyrtal Anna 46 → 0 · Cilla 44 → 0. Given är slut.",
        "Bo zeroes with four of a kind Anna 46 → 0 · Cilla 44 → 0. The deal is over.",
    ),
    "a zeroing that takes Chicagos away": Case(
        (*gets(Anna=46), *to_the_play(), bid("Anna"), broken(), zero("Bo")),
        "Bo nollar med fyrtal Anna 31 → 0. Anna blir av med sina chicagor också. Given är slut.",
        "Bo zeroes with four of a kind Anna 31 → 0. "
        "The Chicagos of Anna are taken away too. The deal is over.",
        {**HUVUDREGLER, "zeroing_takes_chicagos": True},
    ),
    "a zeroing that waits": Case(
        (*gets(Anna=46), *to_the_play(), zero("Bo")),
        "Bo nollar med fyrtal Nollningen från Bo väntar.",
        "Bo zeroes with four of a kind The zeroing by Bo waits.",
        WAITS,
    ),
    "a waiting zeroing that is cancelled": Case(
        (*gets(Anna=46), *to_the_play(), zero("Bo"), bid("Anna")),
        "Chicagon går före: Bo får inte nolla",
        "The Chicago cancels the zeroing by Bo",
        WAITS,
    ),
    "a Chicago lost": Case(
        (*gets(Anna=46), *to_the_play(), bid("Anna"), broken()),
        "Anna förlorar chicagon: −15 Anna 46 → 31",
        "Anna loses the Chicago: −15 Anna 46 → 31",
    ),
    "a Chicago made": Case(
        (*gets(Anna=20), *to_the_play(), bid("Anna"), made()),
        "Anna tar hem chicagon: +15 Anna 20 → 35",
        "Anna makes the Chicago: +15 Anna 20 → 35",
    ),
    "the target without a Chicago": Case(
        (*gets(Anna=49), *to_the_play(), trick("Anna"), nobody()),
        "Anna nådde 52 utan chicago och nollas Anna 54 → 0",
        "Anna reached 52 without a Chicago and is zeroed Anna 54 → 0",
    ),
    "four of a kind that ends the deal": Case(
        (four("Bo"),),
        "Bo får +8 för fyrtal Bo 0 → 8. Given är slut.",
        "Bo scores four of a kind: +8 Bo 0 → 8. The deal is over.",
        {**HUVUDREGLER, "zeroing": {}, "four_of_a_kind_ends_deal": True},
    ),
    "an illegal exchange": Case(
        (*gets(Anna=46), exchanges_illegally("Anna")),
        "Anna köpte trots köpstoppet: −46 Anna 46 → 0",
        "Anna exchanged in spite of the stop: −46 Anna 46 → 0",
        {**HUVUDREGLER, "illegal_exchange": "zeroed", "exchange_stop_when": "at_once"},
    ),
    "a false claim": Case(
        (*gets(Anna=46), claims_falsely("Anna")),
        "Anna bluffade och är ute: −46 Anna 46 → 0",
        "Anna claimed falsely and is out: −46 Anna 46 → 0",
        {"preset": "pagat"},
    ),
    "a tie-break": Case(
        (*gets(Anna=52, Bo=52), *to_the_play(), trick("Cilla"), nobody()),
        "Lika i topp: Anna och Bo gör upp i utslagsgiv",
        "Equal at the top: Anna and Bo play on alone",
        {"preset": "gamerules"},
    ),
}


def sit(seat: Seat, phone: Phone, happened: tuple[Event, ...], rules: Rules = HUVUDREGLER) -> None:
    """Open a table at which this has happened."""
    seat(phone, *map(write_event, happened), rules=rules)


def loud(phone: Phone) -> str:
    """Return what is shouted about, or nothing."""
    return " ".join(words(tag) for tag in phone.page.soup.select(".loud"))


def given_so_far(phone: Phone) -> list[str]:
    """Return what the deal has given, in the order in which it is seen: the newest last."""
    return [words(tag) for tag in reversed(phone.page.soup.select(".given a"))]


@pytest.mark.parametrize("name", CASES)
def test_what_a_table_shouts_about_has_a_line_of_its_own(
    seat: Seat, new_phone: NewPhone, name: str
) -> None:
    """Who did what, whose points went from what to what; and what is due says none of it again."""
    case, phone = CASES[name], new_phone(language="sv")
    sit(seat, phone, case.happened, case.rules)
    assert loud(phone) == case.swedish
    english = new_phone()
    english.open(phone.table)
    assert loud(english) == case.english
    due = words(english.page.soup.select(".due")[0])
    for sentence in ("waits", "cancels", "Tie-break", "target", "taken away", "zeroes"):
        assert sentence not in due


def test_the_line_is_there_until_the_next_fact(either: Phone, seat: Seat) -> None:
    """Whatever is recorded next takes its place, and undo brings it back."""
    sit(seat, either, (*gets(Anna=46), zero("Bo")))
    said = loud(either)
    assert said
    either.press("Bo: Pair")
    assert loud(either) == ""
    either.submit(either.page.to("/undo"))
    assert loud(either) == said


def test_what_is_ordinary_is_not_shouted_about() -> None:
    """Every kind of effect is one that is shouted about, ends the game, or is ordinary."""
    assert set(get_args(EffectCode)) == SHOUTED | ENDS | ORDINARY
    assert not SHOUTED & ORDINARY


@settings(max_examples=40)
@given(played=games())
def test_changes_are_those_of_the_scores(played: Played) -> None:
    """Whatever is played, every score that changes is told with what it was and what it is."""
    for event, (before, after) in zip(played.events, pairwise(played.states), strict=True):
        told = consequences(Outcome(event, before, after))
        changed = [
            (seat.score, after.score(seat.name))
            for seat in before.seats
            if seat.score != after.score(seat.name)
        ]
        assert [(change.before, change.after) for change in told.changes] == changed
        codes = {effect.code for effect in after.effects}
        assert told.shouts or not codes & SHOUTED
        assert (told.ends is not None) == after.over
        assert not (told.cuts_short and after.over)


def test_scores_show_by_how_much_they_changed(either: Phone, seat: Seat) -> None:
    """Under each score that the newest fact changed, and nowhere else; not said per head."""
    sit(seat, either, (*gets(Anna=46, Cilla=44), zero("Bo")))
    differences = either.page.soup.select(".head .difference")
    assert [words(tag) for tag in differences] == ["−46", "", "−44", ""]
    assert all(tag["aria-hidden"] == "true" for tag in differences)
    either.press("Bo: Pair")
    differences = either.page.soup.select(".head .difference")
    assert [words(tag) for tag in differences] == ["", "+1", "", ""]


def test_the_deal_so_far_stands_above_the_scoreboard(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """In the deal's order, each with the exchange after which it was; readers have it in words."""
    happened = (tie("pair", "Bo", "Cilla"), nobody(), *gets(Anna=20), leaves("Dan"))
    sit(seat, phone, (*happened, bid("Anna"), broken(), pair("Bo")))
    assert given_so_far(phone) == ["1 Bo pair"]
    reader = new_phone()
    for steps in ([], [nobody()], [nobody(), bid("Anna")]):
        sit(seat, phone, (*gets(Anna=20), pair("Bo"), *steps))
        reader.open(phone.table)
        expected = ["correction Anna +20", "1 Bo pair", "2 nobody", "play Anna bids Chicago"]
        assert given_so_far(phone) == expected[: 2 + len(steps)]
        entries = phone.page.elements(".given a")[::-1]
        facts = reader.page.soup.select(".facts a")
        assert [tag["href"] for tag in facts] == [entry["href"] for entry in entries]
        told = ["Correction for Anna: +20", "Bo scores pair: +1", "nobody has the best hand"]
        assert [words(tag) for tag in facts][:3] == told[: 2 + len(steps)]


def test_each_entry_is_a_tap_away_from_being_mended(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """What stands above the heads leads to its own entry, and so does the loud line."""
    sit(seat, phone, (*gets(Anna=46), zero("Bo"), pair("Bo"), nobody()))
    table = phone.table
    links = [tag["href"] for tag in phone.page.elements(".given a")]
    assert links == [f"{table}/games/1/entries/3", f"{table}/games/1/entries/2"]
    phone.submit(phone.page.to("/undo"))
    phone.submit(phone.page.to("/undo"))
    (line,) = phone.page.elements("a.loud")
    assert line["href"] == f"{table}/games/1/entries/1"
    reader = new_phone()
    for address in (*links[1:], line["href"]):
        phone.open(address)
        reader.open(address)
        assert phone.answer.status_code == reader.answer.status_code in (200, 404)
    assert reader.answer.status_code == 200


def test_a_correction_belongs_to_no_moment(either: Phone, seat: Seat) -> None:
    """A number before it would look like an exchange's."""
    seat(either, *map(write_event, (*gets(Anna=46), pair("Bo"))), rules=HUVUDREGLER)
    assert given_so_far(either) == ["correction Anna +46", "1 Bo pair"]


def test_a_new_deal_has_given_nothing(either: Phone, seat: Seat) -> None:
    """The end of the deal before is told only where it was cut short, or loud."""
    sit(seat, either, (*to_the_play(), trick("Bo"), pair("Anna")))
    assert given_so_far(either) == []
    assert loud(either) == ""


def test_long_names_are_cut_off_where_they_stay_apart(seat: Seat, phone: Phone) -> None:
    """As the scoreboard calls them, so that the line can be read, and its answer stays light."""
    long = "Maximilianafürstenwaldeavhedemo"
    seat(phone, write_event(pair(long)), players=[long, "Bo"])
    assert given_so_far(phone) == [f"1 {long[: LONGEST_NAME - 1]}… pair"]
    alike = ["Maximilianafürstenwalde1", "Maximilianafürstenwalde2"]
    seat(phone, write_event(pair(alike[0])), players=alike)
    assert given_so_far(phone) == [f"1 {alike[0]} pair"]

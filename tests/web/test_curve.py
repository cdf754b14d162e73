"""The curve of a game, and of the years: labelled, described by a sentence, small."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

import pytest

from app.store.database import Database
from app.web.curve import NAME, spread
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import open_games, won
from tests.web.pages import Page, words
from tests.web.phone import Phone

EIGHT = [f"Åsa-Maximiliana Wachtmeister nummer {n:04}" for n in range(8)]
LEVELS = ".curve text:not(.step)"


def protocol(phone: Phone) -> Page:
    """Open the score sheet."""
    return phone.open(f"{phone.table}/protocol")


def read(page: Page, selector: str) -> list[str]:
    """Return the texts of the elements that match a selector."""
    return [words(each, " ") for each in page.soup.select(selector)]


def story(page: Page) -> str:
    """Return the sentence that describes a page's only figure."""
    (drawn,) = page.elements("figure.curve [role=img]")
    (caption,) = page.soup.select(f"figcaption#{drawn['aria-labelledby']}")
    return words(caption)


def names(page: Page) -> list[str]:
    """Return the labels at the ends of the lines."""
    return read(page, ".curve foreignobject")


def numbers(page: Page) -> dict[str, list[str]]:
    """Return the table of numbers by step."""
    return {
        words(row.select("th")[0]): [words(cell) for cell in row.select("td")]
        for row in page.soup.select(".numbers tbody tr")
    }


def heights(page: Page, selector: str, *keys: str) -> list[float]:
    """Return the vertical positions of elements, in per cent of the figure."""
    marks = [each[key] for each in page.elements(selector) for key in keys if key in each]
    return [float(mark.removesuffix("%")) for mark in marks if mark.endswith("%")]


def reached(page: Page) -> list[float]:
    """Return all heights that the lines reach, in per cent."""
    places = []
    for line in page.elements(".curve path[id]"):
        x_y = re.match(r"M(\d+) (\d+)", line["d"])
        assert x_y, line
        height = int(x_y[2])
        for move in re.findall(r"l\d+ (-?\d+)", line["d"]):
            height += int(move)
            places.append(height / 10)
    return places


# A game.


def test_a_game_is_told_in_a_sentence_beside_its_figure(seat: Seat, phone: Phone) -> None:
    """Names stand at the ends of the lines, levels have labels, and a table holds the numbers."""
    seat(phone, "Bo 20, deal Anna, Anna 36", rules={"preset": "pagat"})
    page = protocol(phone)
    assert story(page) == "Anna leads with 41 in deal 2; Bo led until deal 1."
    assert names(page) == ["41 Anna", "20 Bo", "0 Cilla", "0 Dan"]
    assert read(page, LEVELS) == ["target 52", "exchange stop 46", "Chicago from 15", "0"]
    assert read(page, ".curve text.step") == ["1", "2"]
    assert numbers(page) == {"deal 1": ["5", "20", "0", "0"], "deal 2": ["41", "20", "0", "0"]}


def test_a_level_that_no_rule_sets_is_not_drawn(seat: Seat, phone: Phone) -> None:
    """Without a minimum and a stop only the target is drawn; a game without entries says so."""
    seat(phone, rules={"preset": "pagat", "exchange_stop": None, "chicago_minimum": None})
    page = protocol(phone)
    assert read(page, LEVELS) == ["target 52", "0"]
    assert story(page) == "Nothing recorded yet."


@pytest.mark.parametrize("points", [-400, 9999])
def test_no_score_leaves_the_figure(seat: Seat, phone: Phone, points: int) -> None:
    """A game below zero and a correction by thousands have lines, names and labels inside."""
    rules = {"preset": "pagat", "negative_scores": True}
    page = protocol(seat(phone, f"Anna {points}, nobody", rules=rules))
    places = heights(page, ".curve line, .curve use, .curve text", "y", "y1", "y2") + reached(page)
    assert all(0 <= place <= 100 for place in places)
    assert len(places) > 10
    stops = heights(page, LEVELS, "y")
    assert all(abs(one - other) >= 7.9 for one, other in combinations(stops, 2))


def test_eight_with_one_score_have_their_names_side_by_side(seat: Seat, phone: Phone) -> None:
    """Names follow the order of the seats without overlap, and a key holds names that are cut."""
    page = protocol(seat(phone, "nobody", players=EIGHT))
    assert names(page) == [f"0 Åsa-. {n:04}" for n in range(8)]
    tops = heights(page, ".curve foreignobject", "y")
    assert all(b - a >= NAME - 0.1 for a, b in pairwise(tops))
    assert 0 <= tops[0] < tops[-1] <= 100 - NAME
    assert read(page, ".long .key li") == EIGHT


@pytest.mark.parametrize(
    ("places", "moved"),
    [
        ([50, 50, 50, 10], [50, 62, 74, 10]),
        ([0, 0], [6, 18]),
        ([100, 99], [94, 82]),
        ([], []),
    ],
)
def test_names_move_apart_where_they_need_to(places: list[float], moved: list[int]) -> None:
    """Names move below the first of them, or above the last at the foot; those with room stay."""
    assert spread(places, 12) == moved


# The years.


def played(db: Database, phone: Phone, days: list[str], *, stake: int = 100) -> Page:
    """Open the years of a table with a game on each of some days."""
    games = [
        game_from(
            f"{day}T19:00:00Z",
            "Anna Bo",
            *won("Anna" if n % 3 else "Bo", 3 + n),
            stake_ore=stake,
        )
        for n, day in enumerate(days)
    ]
    open_games(db, phone, games, "/years")
    return phone.page


def test_few_evenings_are_drawn_one_by_one(db: Database, phone: Phone) -> None:
    """Each evening is a step with the sums so far; two games of one evening are one step."""
    page = played(db, phone, ["2024-01-05", "2024-01-05", "2024-02-09", "2025-03-01"])
    assert read(page, ".curve text.step") == ["2024", "2024", "2025"]
    told = "Anna and Bo are level at the top with 0 kr after 3 evenings"
    assert story(page) == f"{told}; Anna led until 9 February 2024."


def test_many_evenings_are_told_by_their_years(db: Database, phone: Phone) -> None:
    """Within a year there are days."""
    days = [f"{2015 + n // 28:04}-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(84)]
    page = played(db, phone, sorted(days))
    assert f"after {len(set(days))} evenings" in story(page)
    assert read(page, ".curve text.step") == ["2016", "2017"]
    page = phone.open(f"{phone.table}/years?year=2016")
    assert read(page, ".curve text.step")[-1].endswith("Dec")


def test_without_a_stake_the_years_are_of_games_won(db: Database, phone: Phone) -> None:
    """The sentence counts wins; a single evening has its own curve, and none of the years."""
    page = played(db, phone, ["2024-01-05", "2024-02-09", "2024-02-10"], stake=0)
    assert story(page) == "Anna leads with 2 wins after 3 evenings; Bo led until 5 January 2024."
    assert not played(db, phone, ["2024-01-05"]).elements(".curve")

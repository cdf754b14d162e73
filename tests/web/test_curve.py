"""The curves of a game and of the years, and strokes: nothing leaves its place."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

from app.store.database import Database
from app.web.curve import NAME, spread, thin
from app.web.protocol import draw_tally
from tests.services.keeper import game_from
from tests.told import told
from tests.web.conftest import Seat
from tests.web.evenings import open_games, won
from tests.web.pages import Page, words
from tests.web.phone import Phone

EIGHT = [f"Åsa-Maximiliana Wachtmeister nummer {n:04}" for n in range(8)]


def read(page: Page, selector: str) -> list[str]:
    """Return the texts of the elements that match a selector."""
    return [words(each, " ") for each in page.soup.select(selector)]


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


@told
def test_no_score_leaves_the_figure(seat: Seat, phone: Phone, points: int) -> None:
    """A game below zero and a correction by thousands have lines, names and labels inside."""
    rules = {"preset": "pagat", "negative_scores": True}
    page = seat(phone, f"Anna {points}, nobody", rules=rules).open(f"{phone.table}/protocol")
    places = heights(page, ".curve line, .curve use, .curve text", "y", "y1", "y2") + reached(page)
    assert all(0 <= place <= 100 for place in places)
    assert len(places) > 10
    stops = heights(page, ".curve text:not(.step)", "y")
    assert all(abs(one - other) >= 7.9 for one, other in combinations(stops, 2))


def test_eight_with_one_score_have_their_names_side_by_side(seat: Seat, phone: Phone) -> None:
    """Names follow the order of the seats without overlap, and a key holds names that are cut."""
    page = seat(phone, "nobody", players=EIGHT).open(f"{phone.table}/protocol")
    assert read(page, ".curve foreignobject") == [f"0 Åsa-. {n:04}" for n in range(8)]
    tops = heights(page, ".curve foreignobject", "y")
    assert all(b - a >= NAME - 0.1 for a, b in pairwise(tops))
    assert 0 <= tops[0] < tops[-1] <= 100 - NAME
    assert read(page, ".long .key li") == EIGHT


@told
def test_names_move_apart_where_they_need_to(places: list[float], moved: list[int]) -> None:
    """Names move below the first of them, or above the last at the foot; those with room stay."""
    assert spread(places, 12) == moved


@told
def test_of_many_steps_round_ones_are_told(last: int, steps: list[int]) -> None:
    """Five at most, and the last one always."""
    assert thin(last, 5) == steps


def test_many_evenings_are_told_by_their_years(db: Database, phone: Phone) -> None:
    """Within a year there are days."""
    days = sorted(f"{2015 + n // 28:04}-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(84))
    games = [
        game_from(f"{day}T19:00:00Z", "Anna Bo", *won("Anna" if n % 3 else "Bo", 3 + n), id=f"{n}")
        for n, day in enumerate(days)
    ]
    open_games(db, phone, games, "/years")
    assert f"after {len(set(days))} evenings" in phone.page.text
    assert read(phone.page, ".curve text.step") == ["2016", "2017"]
    page = phone.open(f"{phone.table}/years?year=2016")
    assert read(page, ".curve text.step")[-1].endswith("Dec")


@told
def test_points_are_drawn_as_strokes_five_by_five(points: int, crossed: int, height: int) -> None:
    """Each point is a stroke, every fifth crosses the four before it, and a line has ten."""
    drawn = draw_tally(points)
    assert drawn is not None
    assert drawn.path.count("M") == points
    assert drawn.path.count("v11") == points - crossed
    assert drawn.height == height

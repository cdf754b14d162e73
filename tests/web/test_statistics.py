"""Over the years, on a phone: the numbers, the time they are of, and what leads there."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.rules.gamefile import Game, read_game
from app.services import import_export
from app.store.clock import evening_of, now
from app.store.database import Database
from tests.web.conftest import Seat
from tests.web.evenings import SETTLED, won
from tests.web.pages import words
from tests.web.phone import Phone
from tests.web.test_errors_at_fields import fault_at

PLAYED = won("Bo", 30)


@pytest.fixture
def played(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table where one game was played for money."""
    return seat(phone, *PLAYED)


def lines(phone: Phone, caption: str) -> dict[str, list[str]]:
    """Return the lines of a table on the page."""
    tables = phone.page.soup.select("table")
    (table,) = [table for table in tables if words(table.select("caption")[0]) == caption]
    return {
        words(row.select("th")[0]): [
            re.sub("[ \n]+", " ", cell.text).strip() for cell in row.select("td")
        ]
        for row in table.select("tbody" if table.select("[scope=rowgroup]") else "tbody tr")
        if row.select("th")
    }


def order(phone: Phone, caption: str) -> str:
    """Return whose lines a table on the page has, in order, by their first letters."""
    return "".join(name[0] for name in lines(phone, caption))


WIN: dict[str, object] = {"event": "correction", "points": 60}


def game(number: int, winner: str, players: str = "Anna Bo Cilla") -> Game:
    """Return a game that somebody won by a correction; of Anna and Bo without a stake."""
    raw = {
        "format": "chicago-game/1",
        "id": f"{number}",
        "at": f"2025-{number:02}-10T20:00:00+00:00",
        "players": players.split(),
        "events": [{**WIN, "player": winner}, SETTLED],
    }
    return read_game(raw)


@pytest.fixture
def regulars(app: Flask, phone: Phone, db: Database) -> Phone:
    """Return a phone at a table where Anna is always there, and Bo and Dan have won more often.

    Bo won half of six games, Anna two of eight, Cilla one of six, and Dan both of his two.
    """
    games = [game(n, w) for n, w in enumerate(["Bo", "Bo", "Anna", "Cilla", "Anna", "Bo"], start=1)]
    games += [game(n, "Dan", "Anna Dan") for n in (7, 8)]
    link = import_export.open_table(db, games, "", "pen")
    phone.open(f"/t/{link}/years")
    return phone


def test_the_share_of_games_won_comes_first_and_few_games_last(regulars: Phone) -> None:
    """Whoever has played most stands where the wins put them; two games are too few to lead."""
    assert order(regulars, "Wins and averages") == "BACD"
    assert "Fewer than 5 games" in regulars.page.text
    assert lines(regulars, "Wins and averages")["Bo"][0] == "50% 3 of 6"
    assert lines(regulars, "Wins and averages")["Dan"][2] == "2 now 2"
    assert order(regulars, "Chicago")[-1] == "D"


def test_wins_in_a_row_are_those_of_now_in_a_time_that_reaches_to_the_last_game(
    regulars: Phone,
) -> None:
    """A spring long ago has its longest row, and none that still goes on."""
    regulars.open(f"{regulars.table}/years?from=2025-01&to=2025-06")
    assert lines(regulars, "Wins and averages")["Bo"][2] == "2"
    regulars.open(f"{regulars.table}/years?from=2025-07&to=2025-12")
    assert lines(regulars, "Wins and averages")["Dan"][2] == "2 now 2"


def test_a_heading_sorts_every_section_and_says_so(regulars: Phone) -> None:
    """Down, and up at the second tap; within the time that is looked at, and kept for the next."""
    regulars.follow("Points on average")
    assert order(regulars, "Wins and averages") == order(regulars, "Zeroings") == "BACD"
    headings = regulars.page.soup.select("[aria-sort]")
    assert [(words(each), each["aria-sort"]) for each in headings] == [
        ("Points on average", "descending")
    ]
    regulars.follow("Points on average")
    assert order(regulars, "Wins and averages") == order(regulars, "Zeroings") == "CABD"
    regulars.follow("Last year")
    assert [each["aria-sort"] for each in regulars.page.soup.select("[aria-sort]")] == ["ascending"]
    regulars.open(f"{regulars.table}/years?sort=name")
    assert order(regulars, "Chicago") == "ABCD"
    regulars.open(f"{regulars.table}/years?sort=nonsense&order=up&from=2025-01&to=2025-05")
    assert order(regulars, "Wins and averages") == "ABC"


def test_the_first_games_bring_three_figures(played: Phone) -> None:
    """Games, wins and money stand alone until a fifth game; all else is folded, and sorts open."""
    played.open(f"{played.table}/years")
    assert lines(played, "Over the years")["Bo"] == ["1", "1", "+90\N{NO-BREAK SPACE}kr"]
    [folded] = played.page.soup.select("details.all")
    assert folded.select("#figures-1")
    assert not folded.has_attr("open")
    played.follow("Points on average")
    assert played.page.soup.select("details.all[open]")


def test_five_games_bring_all_figures(regulars: Phone) -> None:
    """Then nothing is folded, and no table stands twice."""
    assert not regulars.page.soup.select("details.all")
    assert "Over the years" not in map(words, regulars.page.soup.select("caption"))


def test_records_name_who_when_and_where(regulars: Phone) -> None:
    """Each with whoever did as well later, and a link to the game or the evening."""
    text = regulars.page.text
    part = text[text.index("Records") : text.index("Won and lost")]
    assert "Most wins in a row 2 Bo Game 2, 10 February 2025 shared with Dan" in part
    assert "Highest score 60 points Bo Game 1, 10 January 2025 shared with Anna, Cilla" in part
    evening = next(a for a in regulars.page.soup.select(".records a") if "/evening/" in a["href"])
    regulars.open(str(evening["href"]))
    assert regulars.answer.status_code == 200


def test_without_a_stake_no_kronor_are_shown(seat: Seat, phone: Phone) -> None:
    """Where all games were played for points only, nothing on the page speaks of money."""
    seat(phone, *PLAYED, stake_ore=0)
    phone.open(f"{phone.table}/years")
    text = phone.page.text
    assert "Head to head" in text
    assert not re.search(r"\bkr\b|[Kk]ronor", text)


def test_a_time_is_chosen_by_link_or_by_month(played: Phone) -> None:
    """A time shows its games alone, with the months filled in; it may be named backwards."""
    year = evening_of(now()).year
    played.open(f"{played.table}/years")
    assert [words(link) for link in played.page.soup.select("[aria-current]")] == ["All"]
    played.follow("Last year")
    assert "No game has ended in this time." in played.answer.text
    assert f'value="{year - 1}-01"' in played.answer.text
    played.follow("This year")
    assert lines(played, "Wins and averages")["Anna"][0] == "0% 0 of 1"
    played.open(f"{played.table}/years?from={year}-12&to={year}-01")
    assert lines(played, "Wins and averages")["Anna"][0] == "0% 0 of 1"
    played.open(f"{played.table}/years?from={year + 1}-01")
    assert "No game has ended in this time." in played.answer.text


@pytest.mark.parametrize("month", ["2026-13", "%00", "\uff12026-10"])
def test_a_month_that_is_none_is_refused_in_words(played: Phone, month: str) -> None:
    """The page says how a month is written, and shows all there is."""
    played.open(f"{played.table}/years?from={month}")
    assert played.answer.status_code == 422
    assert fault_at(played, "from") == "A month is written as 2026-10."
    assert len(lines(played, "Wins and averages")) == 4
    played.open(f"{played.table}/years.csv?from={month}")
    played.open(played.answer.headers["Location"])
    assert fault_at(played, "from") == "A month is written as 2026-10."


def test_before_a_game_has_ended_it_says_so(keeper: Phone) -> None:
    """A table without an ended game has a page without tables."""
    keeper.open(f"{keeper.table}/years")
    assert keeper.answer.status_code == 200
    assert "No game has ended in this time." in keeper.answer.text
    assert "<table" not in keeper.answer.text


def test_two_people_are_told_head_to_head(regulars: Phone) -> None:
    """How many games they had together, who was ahead how often, and who paid whom."""
    assert lines(regulars, "Bo")["Cilla"] == ["6", "3–1", "+120\N{NO-BREAK SPACE}kr"]

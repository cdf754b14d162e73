"""Statistics over the years: numbers, period, and links."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from app.store.clock import this_evening
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import Seat
from tests.web.evenings import open_games, won
from tests.web.pages import words
from tests.web.phone import Phone

WINS = "Wins and averages"


@pytest.fixture
def played(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table with one game for money."""
    return seat(phone, "Bo 30, settled")


def lines(phone: Phone, caption: str = WINS) -> dict[str, list[str]]:
    """Return the lines of a table on the page."""
    table = f"table:has(caption:-soup-contains('{caption}'))"
    rows = f"{table} tbody:has([scope=rowgroup]), {table} tr:has([scope=row])"
    return {
        words(row.select("th")[0]): [" ".join(cell.text.split()) for cell in row.select("td")]
        for row in phone.page.soup.select(rows)
    }


def order(phone: Phone, caption: str = WINS) -> str:
    """Return the initials of the players in a table on the page, in its order."""
    return "".join(name[0] for name in lines(phone, caption))


@pytest.fixture
def regulars(phone: Phone, db: Database) -> Phone:
    """Return a phone at a table where Anna is always there, and Bo and Dan have won more often.

    Bo won half of six games, Anna two of eight, Cilla one of six, and Dan both of his two.
    """
    winners = ["Bo", "Bo", "Anna", "Cilla", "Anna", "Bo", "Dan", "Dan"]
    games = [
        game_from(
            f"{2025 + n // 7}-{n:02}-10T20:00:00Z",
            "Anna Dan" if winner == "Dan" else "Anna Bo Cilla",
            *won(winner, 60),
            id=f"{n}",
        )
        for n, winner in enumerate(winners, start=1)
    ]
    open_games(db, phone, games, "/years")
    return phone


def test_the_share_of_games_won_comes_first_and_few_games_last(regulars: Phone) -> None:
    """The player of the most games stands where the wins say; two games are too few to lead."""
    assert order(regulars) == "BACD"
    assert "Fewer than 5 games" in regulars.page.text
    assert lines(regulars)["Bo"][0] == "50% 3 of 6"
    assert order(regulars, "Chicago")[-1] == "D"
    assert lines(regulars, "Bo")["Cilla"] == ["6", "3–1", "+120 kr"]


@pytest.mark.parametrize(
    ("query", "who", "streak"),
    [
        ("", "Dan", "2 now 2"),
        ("?year=2025", "Bo", "2"),
        ("?year=2026", "Dan", "2 now 2"),
    ],
)
def test_wins_in_a_row_are_those_of_now_in_a_time_that_reaches_to_the_last_game(
    regulars: Phone, query: str, who: str, streak: str
) -> None:
    """A past period has its longest streak, and none that goes on now."""
    regulars.open(f"{regulars.table}/years{query}")
    assert lines(regulars)[who][2] == streak


def test_a_past_year_has_its_own_order(regulars: Phone) -> None:
    """In it nobody has fewer games than others; the ranking column says so."""
    regulars.open(f"{regulars.table}/years?year=2025")
    assert order(regulars) == "BAC"
    assert "Fewer than 5 games" not in regulars.page.text
    ranks = [words(each) for each in regulars.page.soup.select("[aria-sort=descending]")]
    assert ranks[0] == "Won"
    assert "Made in 10 games" in ranks


def test_records_name_who_when_and_where(regulars: Phone) -> None:
    """A record lists those who equalled it later, and has a link to the game or the evening."""
    text = regulars.page.text
    part = text[text.index("Records") : text.index("Won and lost")]
    assert "Most wins in a row 2 Bo Game 2, 10 February 2025 shared with Dan" in part
    assert "Highest score 60 points Bo Game 1, 10 January 2025 shared with Anna, Cilla" in part
    evening = next(a for a in regulars.page.soup.select(".records a") if "/evening/" in a["href"])
    regulars.open(str(evening["href"]))
    assert regulars.answer.status_code == 200


def test_of_more_than_twelve_people_those_who_played_most_are_head_to_head(
    phone: Phone, db: Database
) -> None:
    """The page says so, and leaves the others out."""
    names = [f"N{number:02}" for number in range(13)]
    games = [
        game_from(f"2025-01-{day:02}T20:00:00Z", f"{one} {other}", *won(one, 60))
        for day, (one, other) in enumerate([*pairwise(names), *pairwise(names[:-1])], start=1)
    ]
    open_games(db, phone, games, "/years")
    [section] = [s for s in phone.page.soup.select("section") if "Head to head" in words(s)]
    assert "Only the 12 who have played most are here." in words(section)
    assert {words(each) for each in section.select("summary")} == {*names[:-1]}
    assert "N12" not in words(section)
    open_games(db, phone, games[:3], "/years")
    assert "Only the" not in phone.page.text


def test_without_a_stake_no_kronor_are_shown(seat: Seat, phone: Phone) -> None:
    """If all games were played for points only, no text on the page is about money."""
    seat(phone, "Bo 30, settled", stake_ore=0)
    text = phone.open(f"{phone.table}/years").text
    assert "Head to head" in text
    assert not re.search(r"\bkr\b|[Kk]ronor", text)


def test_a_year_is_chosen_by_its_link(played: Phone) -> None:
    """A year shows its own games; what is none shows all of them."""
    year = this_evening().year
    played.open(f"{played.table}/years")
    assert [words(link) for link in played.page.soup.select("[aria-current]")] == ["All"]
    played.follow(f"{year}")
    assert [words(link) for link in played.page.soup.select("[aria-current]")] == [f"{year}"]
    assert lines(played)["Anna"][0] == "0% 0 of 1"
    played.open(f"{played.table}/years?year={year + 1}")
    assert "No game has ended in this time." in played.page.text
    for none in ("2026-10", "%00", "\uff12026", "99999"):
        played.open(f"{played.table}/years?year={none}")
        assert len(lines(played)) == 4


def test_before_a_game_has_ended_it_says_so(keeper: Phone) -> None:
    """A table without an ended game has a page without tables."""
    page = keeper.open(f"{keeper.table}/years")
    assert "No game has ended in this time." in page.text
    assert not page.elements("table")

"""Statistics over the years: numbers, period, and links."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from app.services.access import Write
from app.services.commit import commit
from app.services.people import Merge, pseudonym_of
from app.store.clock import this_evening
from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import open_games, won
from tests.web.pages import words
from tests.web.phone import Phone

YEARS, COMPARED = "Over the years", "Points, Chicagos and zeroings"


@pytest.fixture
def played(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table with one game for money."""
    return seat(phone, "Bo 30, settled")


def lines(phone: Phone, caption: str = YEARS, within: str = "main") -> dict[str, list[str]]:
    """Return the lines of a page's tables with a caption, the first of each player."""
    rows = phone.page.soup.select(
        f"{within} table:has(caption:-soup-contains('{caption}')) tr:has([scope=row])"
    )
    return {
        words(row.select("th")[0]): [" ".join(cell.text.split()) for cell in row.select("td")]
        for row in reversed(rows)
    }


def order(phone: Phone) -> str:
    """Return the initials of the players in the first table, in its order."""
    return "".join(words(each)[0] for each in phone.page.soup.select("table")[0].select("tbody th"))


def fold(phone: Phone, summary: str) -> str:
    """Return the text of what is folded away behind a summary."""
    [found] = [
        words(each)
        for each in phone.page.soup.select("details")
        if words(each.select("summary")[0]) == summary
    ]
    return found


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


def test_the_share_of_games_won_comes_first_and_few_games_are_folded(regulars: Phone) -> None:
    """The player of the most games stands where the wins say; two games are too few to lead."""
    assert order(regulars) == "BAC"
    assert lines(regulars)["Bo"] == ["6", "3 50%", "+180"]
    assert lines(regulars)["Dan"] == ["2", "2 100%", "+120"]
    assert "Dan" in fold(regulars, "Fewer than 5 games")


def test_each_person_has_their_own_figures_behind_their_name(regulars: Phone) -> None:
    """With whom they met, and in a table beside the others what they can be compared in."""
    assert "Biggest swing, points 0" in fold(regulars, "Bo")
    assert lines(regulars, "Head to head", "details:has(summary:-soup-contains('Bo'))")[
        "Cilla"
    ] == ["6", "3–1", "+120 kr"]
    assert lines(regulars, COMPARED)["Bo"] == ["30.0", "0 of 0", "0", "0"]


@pytest.mark.parametrize(
    ("query", "who", "streak"),
    [
        ("", "Dan", "2 (now 2)"),
        ("?year=2025", "Bo", "2 Last"),
        ("?year=2026", "Dan", "2 (now 2)"),
    ],
)
def test_wins_in_a_row_are_those_of_now_in_a_time_that_reaches_to_the_last_game(
    regulars: Phone, query: str, who: str, streak: str
) -> None:
    """A past period has its longest streak, and none that goes on now."""
    regulars.open(f"{regulars.table}/years{query}")
    assert f"Wins in a row {streak}" in fold(regulars, who)


def test_a_past_year_has_its_own_order(regulars: Phone) -> None:
    """In it nobody has fewer games than others."""
    regulars.open(f"{regulars.table}/years?year=2025")
    assert order(regulars) == "BAC"
    assert "Fewer than 5 games" not in regulars.page.text


def test_three_records_name_who_and_when_and_lead_there(regulars: Phone) -> None:
    """A record lists those who equalled it later; more of them are folded away."""
    first, *_ = regulars.page.soup.select(".records")
    told = [words(each) for each in first.select("li")]
    assert told == [
        "Highest win in a game 120 kr Bo, Anna and 1 more · 10 January 2025",
        "Most wins in a row 2 Bo, Dan · 10 February 2025",
        "Highest score 60 points Bo, Anna and 2 more · 10 January 2025",
    ]
    assert str(first.select("a")[1]["href"]).endswith("/games/2")
    assert "Highest win in an evening" in fold(regulars, "More records")
    evening = next(a for a in regulars.page.soup.select(".records a") if "/evening/" in a["href"])
    regulars.open(str(evening["href"]))
    assert regulars.answer.status_code == 200


def test_the_readers_own_row_stands_out(db: Database, regulars: Phone, new_phone: NewPhone) -> None:
    """On the phone that has said who it is, by any name of the person, and on no other."""
    write = Write(regulars.table.removeprefix("/t/"), "pen")
    commit(db, write, Merge("Cilla", "Dan"))
    for name, own in (("Bo", {"Bo"}), ("Cilla", {"Dan"}), ("Nobody", set())):
        phone = new_phone()
        phone.open(f"{regulars.table}?me={pseudonym_of(write.link, name)}")
        phone.open(f"{regulars.table}/years")
        rows = phone.page.soup.select("tr.me > th")
        assert {words(each) for each in rows} == own
    regulars.open(f"{regulars.table}/years")
    assert not regulars.page.elements("tr.me")


def test_of_more_than_twelve_people_those_who_played_most_are_head_to_head(
    phone: Phone, db: Database
) -> None:
    """The others have figures of their own alone."""
    names = [f"N{number:02}" for number in range(13)]
    games = [
        game_from(f"2025-01-{day:02}T20:00:00Z", f"{one} {other}", *won(one, 60))
        for day, (one, other) in enumerate([*pairwise(names), *pairwise(names[:-1])], start=1)
    ]
    open_games(db, phone, games, "/years")
    assert {name for name in names if "Head to head" in fold(phone, name)} == {*names[:-1]}


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
    assert lines(played)["Anna"][:2] == ["1", "0 0%"]
    played.open(f"{played.table}/years?year={year + 1}")
    assert "No game ended in this period." in played.page.text
    for none in ("2026-10", "%00", "\uff12026", "99999"):
        played.open(f"{played.table}/years?year={none}")
        assert len(lines(played)) == 4


def test_before_a_game_has_ended_it_says_so(keeper: Phone) -> None:
    """A table without an ended game has a page without tables."""
    page = keeper.open(f"{keeper.table}/years")
    assert "No game ended in this period." in page.text
    assert not page.elements("table")

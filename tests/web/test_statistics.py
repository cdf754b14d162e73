"""Over the years, on a phone: the numbers, the time they are of, and what leads there."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.i18n.language import get_language
from app.services import statistics, tables
from app.services.evening import evening_of
from app.store.clock import now
from app.store.database import Pool
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import words
from tests.web.phone import Phone

EIGHT = [f"{name}-Wilhelmina von Oxenstierna"[:40] for name in "ABCDEFGH"]
SETTLED: dict[str, object] = {"event": "break_off", "settle": True}
PLAYED: tuple[dict[str, object], ...] = (
    {"event": "correction", "player": "Bo", "points": 30},
    {"event": "best_hand", "player": "Anna", "hand": "flush"},
    {"event": "best_hand", "player": "Cilla", "hand": "pair"},
    {"event": "chicago", "player": "Bo"},
    {"event": "chicago_result", "won": True},
    SETTLED,
)


@pytest.fixture
def played(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table where one game was played for money."""
    return seat(phone, *PLAYED)


def lines(phone: Phone, caption: str) -> dict[str, list[str]]:
    """Return the lines of a table on the page."""
    tables = phone.page.soup.select("table")
    (table,) = [table for table in tables if words(table.select("caption")[0]) == caption]
    return {
        words(row.select("th")[0]): [cell.text for cell in row.select("td")]
        for row in table.select("tbody tr")
    }


def test_the_page_shows_the_figures(played: Phone, pool: Pool) -> None:
    """Each table's numbers are those of the figures, as the language writes them."""
    played.open(f"{played.table}/years")
    result = statistics.read_statistics(
        pool, tables.read_table_id(pool, played.table.removeprefix("/t/"))
    )
    speak = get_language("en")
    people = {each.name: each for each in result.people}
    assert set(people) == {"Anna", "Bo", "Cilla", "Dan"}
    assert lines(played, "Games") == {n: [str(p.games), str(p.won)] for n, p in people.items()}
    kronor = {n: [speak.signed_kronor(p.ore)] for n, p in people.items()}
    assert lines(played, "Won and lost, kronor") == kronor
    chicagos = {n: [str(p.chicagos_said), str(p.chicagos_made)] for n, p in people.items()}
    assert lines(played, "Chicago") == chicagos
    assert chicagos["Bo"] == ["1", "1"]
    zeroed = {n: [str(p.zeroings_given), str(p.zeroings_suffered)] for n, p in people.items()}
    assert lines(played, "Zeroings") == zeroed
    rest = {
        n: [str(each) for each in (p.last_tricks, p.biggest_swing, p.longest_stop)]
        for n, p in people.items()
    }
    assert lines(played, "Last tricks, swings and exchange stops") == rest
    for name, met in result.meetings.items():
        cells = {
            m.other: [str(m.games), f"{m.ahead}–{m.behind}", speak.signed_kronor(m.ore)]
            for m in met
        }
        assert lines(played, name) == cells


def test_best_hands_are_told_by_kind(played: Phone) -> None:
    """Each kind of hand somebody had is named with how often, and no other."""
    played.open(f"{played.table}/years")
    text = played.page.text
    part = text[text.index("Best hands") : text.index("Head to head")]
    assert "Anna 1 Flush 1" in part
    assert "Cilla 1 Pair 1" in part
    assert "Straight" not in part


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
    assert lines(played, "Games")["Anna"] == ["1", "0"]
    played.open(f"{played.table}/years?from={year}-12&to={year}-01")
    assert lines(played, "Games")["Anna"] == ["1", "0"]
    played.open(f"{played.table}/years?from={year + 1}-01")
    assert "No game has ended in this time." in played.answer.text


@pytest.mark.parametrize("month", ["2026", "2026-13", "x", "2026-10-01", "%00", "\uff12026-10"])
def test_a_month_that_is_none_is_refused_in_words(played: Phone, month: str) -> None:
    """The page says how a month is written, and shows all there is."""
    played.open(f"{played.table}/years?from={month}")
    assert played.answer.status_code == 422
    assert "A month is written as 2026-10." in played.answer.text
    assert len(lines(played, "Games")) == 4


def test_readers_see_it_and_strangers_do_not(played: Phone, new_phone: NewPhone) -> None:
    """Whoever has the link reads; without it there is nothing."""
    other = new_phone()
    other.open(f"{played.table}/years")
    assert other.answer.status_code == 200
    other.open("/t/nothing-like-this/years")
    assert other.answer.status_code == 404


def test_it_is_reached_from_the_protocol_and_from_more(played: Phone) -> None:
    """Both lead to the page."""
    for page in ("/protocol", "/more"):
        played.open(f"{played.table}{page}")
        played.follow("Over the years")
        assert len(lines(played, "Games")) == 4


def test_before_a_game_has_ended_it_says_so(keeper: Phone) -> None:
    """A table without an ended game has a page without tables."""
    keeper.open(f"{keeper.table}/years")
    assert keeper.answer.status_code == 200
    assert "No game has ended in this time." in keeper.answer.text
    assert "<table" not in keeper.answer.text


def test_names_are_written_as_text(seat: Seat, phone: Phone) -> None:
    """A name that looks like a page is a name."""
    seat(phone, SETTLED, players=["<b>Bo</b>", "A&B"])
    phone.open(f"{phone.table}/years")
    assert "<b>Bo" not in phone.answer.text
    assert set(lines(phone, "Games")) == {"<b>Bo</b>", "A&B"}


def test_bars_stay_within_their_strips(seat: Seat, phone: Phone) -> None:
    """No bar begins before its strip or ends after it, with eight long names."""
    first, second = EIGHT[:2]
    up = {"event": "correction", "player": first, "points": 40}
    hand = {"event": "best_hand", "player": second, "hand": "full_house"}
    seat(phone, up, hand, SETTLED, players=EIGHT)
    phone.open(f"{phone.table}/years")
    bars = phone.page.elements("rect")
    assert len(bars) > 20
    assert all(0 < float(bar["width"]) <= 100.01 - float(bar["x"]) for bar in bars)


def test_the_command_works_the_figures_out_anew(app: Flask, played: Phone, pool: Pool) -> None:
    """Figures that were lost are there again, however often it is run."""
    table = tables.read_table_id(pool, played.table.removeprefix("/t/"))
    games = statistics.recount(pool)
    speak = get_language("en")
    said = speak.ngettext("Worked out %(num)s game.", "Worked out %(num)s games.", games)
    before = statistics.read_statistics(pool, table)
    for name in ("game", "game_pair", "month", "month_pair"):
        pool.connection.execute(f"DELETE FROM {name}_statistics")
    for _ in range(2):
        outcome = app.test_cli_runner().invoke(args=["years"], env={"LANG": "en_US.UTF-8"})
        assert outcome.exit_code == 0, outcome.output
        assert outcome.output == f"{said}\n"
        assert statistics.read_statistics(pool, table) == before

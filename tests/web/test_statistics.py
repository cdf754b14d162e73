"""Statistics over the years of many people."""

from __future__ import annotations

from itertools import pairwise

from app.store.database import Database
from tests.services.keeper import game_from
from tests.web.evenings import open_games, won
from tests.web.pages import words
from tests.web.phone import Phone


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
    folds = [words(each) for each in phone.page.soup.select("details")]
    met = [fold for fold in folds if "Head to head" in fold]
    assert {fold[:3] for fold in met} == {*names[:-1]}

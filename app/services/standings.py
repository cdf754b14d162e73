"""How a table stands, to be told from one server to another: its newest game, as a game file."""

from __future__ import annotations

import msgspec

from app.rules.currency import Currency
from app.rules.gamefile import read_game, write_game
from app.services.sheets import Sheet, read_sheet
from app.store.database import Pool


class Standing(msgspec.Struct, frozen=True):
    """A table as it stands: `game` is its newest, the others as in Sheet."""

    name: str
    seq: int
    number: int
    begun_at: str
    game: dict[str, object]
    currency: Currency


def read_standing(pool: Pool, link: str) -> Standing:
    """How the table behind a link stands. Raises NotFound."""
    sheet = read_sheet(pool, link)
    game = write_game(sheet.game)
    return Standing(sheet.name, sheet.seq, sheet.number, sheet.begun_at, game, sheet.currency)


def to_sheet(standing: Standing) -> Sheet:
    """The table as it stood; what could be undone is not told."""
    game, number = read_game(standing.game), standing.number
    return Sheet(
        name=standing.name,
        seq=standing.seq,
        games=number,
        number=number,
        begun_at=standing.begun_at,
        game=game,
        states=game.states(),
        currency=standing.currency,
    )

"""The ledger as a spreadsheet opens it, read by Python's own reader of such files."""

import csv
import io
from decimal import Decimal

from tests.web.conftest import Seat
from tests.web.phone import Phone


def rows(phone: Phone) -> list[list[str]]:
    """Read the ledger as a spreadsheet set to Swedish would."""
    answer = phone.client.get(f"{phone.table}/ledger.csv")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=";"))


def amount(cell: str) -> Decimal:
    """Read an amount with a decimal comma."""
    return Decimal(cell.replace(",", "."))


def test_every_row_of_the_ledger_sums_to_nothing(seat: Seat, phone: Phone) -> None:
    """What one wins others lose, to the öre, in a game and in what is left."""
    won = {"event": "correction", "player": "Bo", "points": 7}
    keeper = seat(phone, won, {"event": "break_off", "settle": True})
    head, game, left = rows(keeper)
    assert head[2:] == ["Anna", "Bo", "Cilla", "Dan"]
    assert [amount(cell) for cell in game[2:]] == [-7, 21, -7, -7]
    assert sum(map(amount, left[2:])) == 0


def test_a_ledger_without_games_has_its_heads(keeper: Phone) -> None:
    """Before anything is won there are names and nothing to settle."""
    head, left = rows(keeper)
    assert len(head) == len(left)
    assert all(amount(cell) == 0 for cell in left[2:])

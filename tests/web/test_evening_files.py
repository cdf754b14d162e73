"""The games of one evening in one file."""

import io
import zipfile

from app.store.clock import evening_of, now
from tests.web.conftest import Seat
from tests.web.phone import Phone


def files(phone: Phone, evening: str) -> list[str]:
    """Return the names of the files in an evening's archive."""
    answer = phone.client.get(f"{phone.table}/games.zip", query_string={"evening": evening})
    return zipfile.ZipFile(io.BytesIO(answer.data)).namelist()


def test_an_evening_comes_out_in_one_file(seat: Seat, phone: Phone) -> None:
    """The games of the evening are in its file; another evening's has none of them."""
    keeper = seat(phone, {"event": "break_off", "settle": False})
    assert len(files(keeper, evening_of(now()).isoformat())) == 1
    assert files(keeper, "1999-12-31") == []
    assert files(keeper, "no day") == []

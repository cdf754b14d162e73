import pytest
from flask import Flask

from tests.bench.weight import (
    EIGHT,
    PAGE_GOAL,
    TAP_GOAL,
    styles_and_scripts,
    weigh,
)
from tests.web.conftest import Seat
from tests.web.phone import HTMX, Phone


def test_the_page_loads_light_and_taps_are_answered_light(app: Flask) -> None:
    """The page with styles and scripts is under 28 kB, every tap's answer under 2.8 kB.

    These are the sizes in gzip, which packs less than brotli. Refusals carry the table as well, and
    are as light.
    """
    weight = weigh(app, EIGHT, "gzip")
    assert len(weight.parts) >= 4
    assert weight.page < PAGE_GOAL, weight.parts
    assert weight.tap < TAP_GOAL, weight.taps


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_every_answer_is_compressed_as_the_phone_can_unpack_it(
    keeper: Phone, encoding: str
) -> None:
    """Pages, parts, refusals, files and static files do so, for phones with one encoding only."""
    headers = {**keeper.headers, "Accept-Encoding": encoding}
    files = styles_and_scripts(keeper.page)
    for path in (keeper.table, f"{keeper.table}/more", *files):
        answer = keeper.client.get(path, headers=headers)
        assert answer.headers.get("Content-Encoding") == encoding, path
        answer.close()
        if path in files:
            # Kept for a year; a new version has a new address.
            assert "v=" in path
            assert "max-age=31536000" in answer.headers["Cache-Control"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    refused = keeper.client.post(f"{keeper.table}/redo", data={"seq": "1"}, headers=headers | HTMX)
    assert refused.status_code == 422
    assert refused.headers.get("Content-Encoding") == encoding


def test_whoever_unpacks_nothing_gets_plain_text(seat: Seat, phone: Phone) -> None:
    """A phone that accepts no encoding gets uncompressed text."""
    seat(phone)
    answer = phone.client.get(phone.table, headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in answer.headers
    assert answer.text.startswith("<!DOCTYPE html>")

"""How many bytes of compressed bodies the keeper's page is, and the answers to taps."""

import json
from collections.abc import Mapping

import pytest

from tests.rules.table import Rules
from tests.told import told
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import Page
from tests.web.phone import HTMX, Phone

PAGE, TAP = 26_700, 2_500


@told
def test_the_page_loads_light_and_taps_are_answered_light(
    seat: Seat, new_phone: NewPhone, players: list[str], taps: list[Rules]
) -> None:
    """The page with styles and scripts is under 26.7 kB, every tap's answer under 2.5 kB.

    These are the sizes in gzip, which packs less than brotli. Refusals carry the table as well, and
    are as light.
    """
    phone = seat(new_phone(language="sv"), players=players, stake_ore=100)
    packed = {**phone.headers, "Accept-Encoding": "gzip"}
    parts = [size(phone, path, packed) for path in styles_and_scripts(phone.page)]
    pages, answers, statuses = [size(phone, phone.table, packed)], [], []
    for event in taps:
        form = {"seq": phone.home().seq, "event": json.dumps(event)}
        answer = phone.client.post(f"{phone.table}/events", data=form, headers=packed | HTMX)
        statuses.append(answer.status_code)
        answers.append(len(answer.data))
        pages.append(size(phone, phone.table, packed))
    assert (statuses.count(200), statuses.count(422)) == (len(taps) - 2, 2)
    assert len(parts) >= 3
    assert max(pages) + sum(parts) < PAGE, (pages, parts)
    assert max(answers) < TAP, answers


def size(phone: Phone, path: str, headers: Mapping[str, str]) -> int:
    """Return how many bytes an answer is as it crosses the network."""
    answer = phone.client.get(path, headers=headers, buffered=True)
    assert answer.status_code == 200
    return len(answer.data)


def styles_and_scripts(page: Page) -> list[str]:
    """What a page needs before it is all there; icons and other screens' styles come later."""
    styles = [found["href"] for found in page.elements("[rel=stylesheet]:not([media])")]
    return styles + [found["src"] for found in page.elements("script")]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", None])
def test_every_answer_is_compressed_as_the_phone_can_unpack_it(
    keeper: Phone, encoding: str | None
) -> None:
    """Pages, parts, refusals and all files do so, for phones with one encoding or none."""
    headers = {**keeper.headers, "Accept-Encoding": encoding or "identity"}
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

"""The end of a game or an evening to send to friends: a picture, and the same as text."""

from __future__ import annotations

import hashlib
import re
import struct
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from app.http.application import Application
from app.store.clock import this_evening
from app.web import picture
from tests.web.conftest import Seat
from tests.web.evenings import next_game, won
from tests.web.phone import Phone

FONTS = Path(picture.FONTS[0]).parent
WIDTH, HEIGHT = 1080, 1350
GAME = "/games/1/picture"


@pytest.fixture
def four(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table where Anna has won 30 points over all others, at 1 kr each."""
    return seat(phone, "Anna 30, settled")


def test_the_picture_is_painted_as_png(four: Phone) -> None:
    """The page shows a PNG of 1080 × 1350."""
    (image,) = four.open(f"{four.table}{GAME}").elements("#picture")
    answer = four.client.get(image["src"], headers=four.headers)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data.startswith(b"\x89PNG")
    assert struct.unpack(">LL", answer.data[16:24]) == (WIDTH, HEIGHT)
    assert "noindex" in answer.headers["X-Robots-Tag"]


@pytest.mark.parametrize("address", [GAME, f"/evening/{this_evening()}/picture"])
def test_every_text_keeps_inside_the_frame_with_any_font(
    seat: Seat, phone: Phone, address: str
) -> None:
    """Each has a set width, or is short enough for the widest letters; and nothing is fetched."""
    names = [f"{n} <b>Maximiliana Wilhelmina Wikström" for n in range(8)]
    table = seat(phone, *won(names[0], 300_000), players=names, stake_ore=100).table
    answer = phone.client.get(f"{table}{address}.svg", headers=phone.headers)
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert not re.search(r"(?<!xmlns=\")http|href|url\(|style=|<b>", answer.text)
    tree = ET.fromstring(answer.data)
    written = [*tree.iter("{http://www.w3.org/2000/svg}text")]
    assert len(written) > 20
    for each in written:
        x, y = float(each.attrib["x"]), float(each.attrib["y"])
        widest = len(each.text or "") * float(each.attrib["font-size"])
        width = float(each.get("textLength", widest))
        left = x - width if each.get("text-anchor") == "end" else x
        assert 0 < left <= left + width < WIDTH
        assert 0 < y < float(tree.attrib["height"])


def test_the_fonts_are_what_their_readme_says() -> None:
    """Every font has the hash that stands beside its source, and its licence is in the folder."""
    readme = (FONTS / "README.md").read_text("utf-8")
    assert dict(re.findall(r"\| `(\S+\.otf)` \| `([0-9a-f]{64})` \|", readme)) == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FONTS.glob("*.otf")
    }
    assert "SIL Open Font License" in (FONTS / "OFL.txt").read_text("utf-8")


def test_a_picture_is_painted_once_for_a_version(
    app: Application, four: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Further requests paint nothing; a change of the table makes a new picture."""
    paint = Mock(return_value=b"")
    monkeypatch.setattr(picture, "paint", paint)
    for count in (1, 1, 2):
        if count == 2:
            next_game(app, four, "Bo 10, settled")
        four.client.get(f"{four.table}{GAME}.png", headers=four.headers)
        assert paint.call_count == count


def test_where_nothing_can_be_painted_the_drawing_is_shown(
    seat: Seat, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows the drawing, as on an offline phone, where its script paints it."""
    monkeypatch.setattr(picture, "find_spec", lambda _: None)
    seat(phone, "void")
    (image,) = phone.open(f"{phone.table}{GAME}").elements("#picture")
    assert str(image["src"]).endswith(".svg")
    assert phone.client.get(image["src"]).status_code == 200
    assert phone.client.get(f"{phone.table}{GAME}.png").status_code == 404

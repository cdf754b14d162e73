"""The end of a game or an evening to send to friends: a picture, and the same as text."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree as ET

import pytest

from app import create_app
from app.http import limits
from app.http.application import Application
from app.store.clock import this_evening
from app.web import picture
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import next_game, won
from tests.web.phone import Phone

FONTS = Path(picture.FONTS[0]).parent
SVG = "{http://www.w3.org/2000/svg}"
WIDTH, HEIGHT = 1080, 1350
GAME = "/games/1/picture"


@pytest.fixture
def four(seat: Seat, phone: Phone) -> Phone:
    """Return the phone of a table where Anna has won 30 points over all others, at 1 kr each."""
    return seat(phone, "Anna 30, settled")


def tonight() -> str:
    """Return the address of this evening's picture."""
    return f"/evening/{this_evening()}/picture"


def drawn(phone: Phone, address: str = GAME) -> ET.Element:
    """Return a picture of a phone's table as an element tree."""
    answer = phone.client.get(f"{phone.table}{address}.svg", headers=phone.headers)
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    return ET.fromstring(answer.data)


def texts(tree: ET.Element) -> list[str]:
    """Return the texts in a picture."""
    return [str(each.text) for each in tree.iter(f"{SVG}text")]


def words(phone: Phone, address: str = GAME) -> list[str]:
    """Return the lines of the text version."""
    (area,) = phone.open(f"{phone.table}{address}").soup.select("#words")
    return area.text.replace("\N{NO-BREAK SPACE}", " ").splitlines()


def test_a_game_is_told_in_words(four: Phone) -> None:
    """The text has winner and end, points and kronor, open payments, and the link for readers."""
    first, *lines, last = words(four)
    assert re.fullmatch("Chicago · .* · Game 1", first)
    assert lines[:3] == [
        "Broken off and settled as it stands: Anna ahead",
        "",
        "Anna: 30 points, +90 kr",
    ]
    assert "Bo: 0 points, −30 kr" in lines
    assert lines[lines.index("The evening so far:") + 1] == "Bo → Anna: 30 kr"
    assert re.fullmatch(f"http://.*{four.table}", last)


def test_the_picture_is_painted_as_png(four: Phone) -> None:
    """The page shows a PNG of 1080 × 1350."""
    (image,) = four.open(f"{four.table}{GAME}").elements("#picture")
    answer = four.client.get(image["src"], headers=four.headers)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data.startswith(b"\x89PNG")
    assert struct.unpack(">LL", answer.data[16:24]) == (WIDTH, HEIGHT)
    assert "noindex" in answer.headers["X-Robots-Tag"]


def test_an_evening_is_told_by_what_it_brought(app: Application, four: Phone) -> None:
    """Two games: the text has the winner by money, the games won, and the open payments."""
    next_game(app, four, "Bo 10, settled")
    lines = words(four, tonight())
    assert lines[1] == "The evening goes to Anna: +80 kr"
    assert {"Anna: 1 win, +80 kr", "Cilla: 0 wins, −40 kr", "Left to settle:"} < set(lines)
    assert "The evening goes to Anna" in " ".join(texts(drawn(four, tonight())))


def test_the_largest_swings_of_an_evening_are_told_with_deal_and_names(
    app: Application, seat: Seat, phone: Phone
) -> None:
    """Three of them, the largest first, each up or down; of a game only its own."""
    rules = {"preset": "huvudregler", "zeroing": {"four_of_a_kind": "choice"}}
    seat(phone, "deal Dan, Bo 30, Anna zeroes, settled", rules=rules)
    second = "Cilla 20, no hands, Cilla chicago, made, no hands, Dan trick, nobody, settled"
    next_game(app, phone, second)
    told = [
        "Bo lost 30 points in game 1, deal 2: Anna zeroed with four of a kind.",
        "Cilla took 15 points in game 2, deal 1: made the Chicago.",
        "Dan took 5 points in game 1, deal 1: the last trick.",
    ]
    assert [line for line in words(phone, tonight()) if " deal " in line] == told
    drawing = " ".join(" ".join(texts(drawn(phone, tonight()))).split())
    assert all(swing.rstrip(".") in drawing for swing in told)
    of_game = [line.replace("game 1, ", "") for line in (told[0], told[2])]
    assert [line for line in words(phone) if " deal " in line] == of_game


def test_without_a_stake_nothing_is_said_of_kronor(seat: Seat, phone: Phone) -> None:
    """Texts and picture have points and games won only."""
    keeper = seat(phone, "Anna 30, settled", stake_ore=0)
    for address in (GAME, tonight()):
        text = "\n".join(words(keeper, address) + texts(drawn(keeper, address)))
        assert not re.search(r"[\s\xa0]kr|settle:", text)
    assert "The evening goes to Anna: 1 win" in words(keeper, tonight())


def test_a_void_game_has_a_picture_without_figures(seat: Seat, phone: Phone) -> None:
    """The picture says so, and lists no swing; the evening has no winner."""
    keeper = seat(phone, "Anna flush, void")
    written = " ".join(texts(drawn(keeper)))
    assert "nobody pays" in written
    assert "deal" not in written
    assert words(keeper, tonight())[1].startswith("The evening of")


def test_every_text_keeps_inside_the_frame_with_any_font(seat: Seat, phone: Phone) -> None:
    """Each has a set width, or is short enough for the widest letters."""
    names = [f"{n} Maximiliana Wilhelmina Wikström" for n in range(8)]
    tree = drawn(seat(phone, *won(names[0], 300_000), players=names, stake_ore=100))
    written = [*tree.iter(f"{SVG}text")]
    assert len(written) > 20
    for each in written:
        x, y = float(each.attrib["x"]), float(each.attrib["y"])
        widest = len(each.text or "") * float(each.attrib["font-size"])
        width = float(each.get("textLength", widest))
        left = x - width if each.get("text-anchor") == "end" else x
        assert 0 < left <= left + width < WIDTH
        assert 0 < y < float(tree.attrib["height"])


def test_a_long_text_is_cut_off_with_an_ellipsis(seat: Seat, phone: Phone) -> None:
    """Names stand whole, except for two of them in one line."""
    names = ["Maximilianawilhelminawikströmkarlsson" + end for end in "abc"]
    written = texts(drawn(seat(phone, *won(names[0], 3), players=names)))
    assert set(names) <= set(written)
    assert [each for each in written if "→" in each and each.endswith("…")]


def test_names_are_text_and_nothing_else(seat: Seat, phone: Phone) -> None:
    """Markup is text, a name that cannot be drawn is a number, and nothing is fetched."""
    names = ["<b>&amp;\"'", "中文", "Бо 🎉", "Ζωή"]
    tree = drawn(seat(phone, "中文 4, settled", players=names))
    assert {"<b>&amp;\"'", "Player 2", "Бо", "Ζωή"} <= set(texts(tree))
    assert "Player 2 ahead" in " ".join(texts(tree))
    source = ET.tostring(tree, "unicode").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"http|href|url\(|style=|<b>", source)


def test_the_fonts_are_what_their_readme_says() -> None:
    """Every font has the hash that stands beside its source, and its licence is in the folder."""
    readme = (FONTS / "README.md").read_text()
    assert dict(re.findall(r"\| `(\S+\.otf)` \| `([0-9a-f]{64})` \|", readme)) == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FONTS.glob("*.otf")
    }
    assert "SIL Open Font License" in (FONTS / "OFL.txt").read_text()


def test_nobody_is_shown_the_host_that_another_asked_for(four: Phone, new_phone: NewPhone) -> None:
    """The text has a link that is passed on: a forged Host reaches its sender alone."""
    for host in ("evil.example", "home.example", "evil.example"):
        reader = new_phone()
        headers = reader.headers | {"Host": host}
        told = reader.client.get(f"{four.table}{GAME}", headers=headers)
        assert f"http://{host}{four.table}" in told.text


def test_what_is_not_over_has_no_picture(keeper: Phone) -> None:
    """A game in progress, an unknown game and an evening without games have none."""
    for address in ("/games/1", "/games/2", "/evening/1999-01-01", "/evening/x"):
        for ending in ("", ".svg", ".png"):
            answer = keeper.client.get(f"{keeper.table}{address}/picture{ending}")
            assert answer.status_code == 404


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


@pytest.fixture
def without_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Application]:
    """Return an application on a machine without the library that paints."""
    monkeypatch.setattr(picture, "find_spec", lambda _: None)
    app = create_app({"DATABASE": str(tmp_path / "chicago.db"), "LIMITS": False})
    yield app
    app.close()


def test_where_nothing_can_be_painted_the_drawing_is_shown(without_png: Application) -> None:
    """The page shows the drawing, as on an offline phone, where its script paints it."""
    phone = Phone(without_png.test_client())
    phone.send("/", {"player": ["Anna", "Bo"], "stake": "1", "dealer": "0"})
    phone.send(
        f"{phone.table}/events", {"event": '{"event": "break_off", "settle": false}', "seq": "1"}
    )
    (image,) = phone.open(f"{phone.table}{GAME}").elements("#picture")
    assert str(image["src"]).endswith(".svg")
    assert phone.client.get(image["src"]).status_code == 200
    assert phone.client.get(f"{phone.table}{GAME}.png").status_code == 404


def test_a_flood_of_pictures_is_told_to_wait(tmp_path: Path) -> None:
    """Painting has its own limit, because it is expensive."""
    app = create_app({"DATABASE": str(tmp_path / "chicago.db"), "LIMITS": True})
    with app.test_client() as client:
        client.get("/")
        limiter = app.extensions[limits.LIMITER]
        while not limiter.acquire(limits.PICTURES, "127.0.0.1"):
            pass
        table = client.post("/", data={"player": ["A", "B"], "stake": "1", "dealer": "0"}).location
        assert client.get(f"{table}{GAME}.png").status_code == 429
        assert client.get(f"{table}{GAME}.svg").status_code == 404
    app.close()

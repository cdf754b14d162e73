"""The letters of the pictures: the font that is there, and how wide each of them is said to be."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from app.web.evening.canvas import (
    BOLD,
    ELLIPSIS,
    fit,
    leave_out_undrawable,
    measure,
    shorten,
    wrap,
)
from app.web.evening.png import FONTS

FOLDER = Path(FONTS[0]).parent
NEEDED = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    "ÅÄÖåäöÆØæøÐÞðþŠŽšžŁłŹźÉéÜüßÇçÑñ ΑΒΓΔΩαβγδω АБВГДЖЩЯабвгджщя"
    "+−–…→★·×,.:;!?()/&'’”“\N{NO-BREAK SPACE}€%"
)


def test_names_in_three_alphabets_can_be_drawn() -> None:
    """Nordic letters, Greek and Cyrillic, and all that the texts themselves use."""
    assert leave_out_undrawable(NEEDED) == NEEDED


def test_what_the_font_lacks_is_left_out() -> None:
    """No empty boxes: neither signs of other scripts nor pictures are drawn."""
    assert leave_out_undrawable("Anna 🎉") == "Anna"
    assert leave_out_undrawable("中文") == ""


def test_the_fonts_are_what_their_readme_says() -> None:
    """Every font has the hash that is written beside its source, and its licence lies with it."""
    readme = (FOLDER / "README.md").read_text()
    hashes = dict(re.findall(r"\| `(\S+\.otf)` \| `([0-9a-f]{64})` \|", readme))
    fonts = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.otf")
    }
    assert hashes == fonts
    assert "SIL Open Font License" in (FOLDER / "OFL.txt").read_text()


def test_a_long_text_is_cut_off_where_the_width_ends() -> None:
    """It is as much as fits, with an ellipsis; a text that fits stays as it is."""
    long = "Maximiliana Öberg-Fürstenwalde av Hedemo"
    short = shorten(long, 300, 40, BOLD)
    assert short.endswith(ELLIPSIS)
    assert long.startswith(short[:-1])
    assert 200 < measure(short, 40, BOLD) <= 300
    assert shorten("Anna", 300, 40, BOLD) == "Anna"


def test_a_text_is_as_large_as_it_fits() -> None:
    """The first size at which it fits, else the smallest and cut off."""
    assert fit("Anna", 1000, (60, 40)) == ("Anna", 60)
    assert fit("Anna Bo", measure("Anna Bo", 50), (60, 40)) == ("Anna Bo", 40)
    assert fit("Anna Bo", 60, (60, 40))[1] == 40
    assert measure(fit("Anna Bo", 60, (60, 40))[0], 40) <= 60


def test_lines_are_no_longer_than_the_width() -> None:
    """Words go to the next line, and one that is too long by itself is cut off."""
    lines = wrap("Anna och Maximilianamaximiliana vinner", 300, 40, BOLD)
    assert all(measure(line, 40, BOLD) <= 300 for line in lines)
    assert lines[0] == "Anna och"
    assert lines[1].endswith(ELLIPSIS)

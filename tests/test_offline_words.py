"""What a phone says when its application cannot be asked is said in every language."""

import re
from pathlib import Path

from app.i18n.language import CODES, DEFAULT

STATIC = Path(__file__).parents[1] / "static"
WORDS = STATIC / "offline" / "words.js"
LANGUAGE = re.compile(r"^  (\w+): \{\n(.*?)^  \},", re.MULTILINE | re.DOTALL)
TEXT = re.compile(r'^    (\w+): "(.*)",$', re.MULTILINE)
# A script shows what a page hands it; of its own there are only signs.
SHOWN = re.compile(
    r"(?:textContent|innerText|innerHTML|ariaLabel|title|placeholder|alt)\s*=\s*"
    r"(?P<quote>[\"'`])(?P<text>.*?)(?P=quote)"
)


def test_every_language_has_the_same_texts() -> None:
    """Whichever the phone speaks, each page is there, and none is left in another language."""
    words = {code: dict(TEXT.findall(texts)) for code, texts in LANGUAGE.findall(words_script())}
    assert list(words) == list(CODES)
    for name in words[DEFAULT]:
        assert len({words[code].get(name, "") for code in CODES} - {""}) == len(CODES), name
    assert {len(texts) for texts in words.values()} == {len(words[DEFAULT])}


def words_script() -> str:
    """Return the script that holds them."""
    return WORDS.read_text(encoding="utf-8")


def test_no_script_shows_words_of_its_own() -> None:
    """What other scripts show comes with the page, translated."""
    scripts = [path for path in STATIC.rglob("*.js") if "vendor" not in path.parts]
    found = [
        f"{path.name}: {match['text']}"
        for path in scripts
        for match in SHOWN.finditer(path.read_text(encoding="utf-8"))
        if re.search(r"[^\W\d_]{2}", re.sub(r"\$\{.*?\}", "", match["text"]))
    ]
    assert len(scripts) > 10
    assert found == []

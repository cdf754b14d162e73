"""Scripts have no words of their own: their words come with the page, translated."""

import re
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
# An assignment of literal text to a visible property; only signs are allowed.
SHOWN = re.compile(
    r"(?:textContent|innerText|innerHTML|ariaLabel|title|placeholder|alt)\s*=\s*"
    r"(?P<quote>[\"'`])(?P<text>.*?)(?P=quote)"
)


def test_no_script_shows_words_of_its_own() -> None:
    """Scripts of pages and of workers are included."""
    scripts = [path for path in STATIC.rglob("*.js") if "vendor" not in path.parts]
    found = [
        f"{path.name}: {match['text']}"
        for path in scripts
        for match in SHOWN.finditer(path.read_text(encoding="utf-8"))
        if re.search(r"[^\W\d_]{2}", re.sub(r"\$\{.*?\}", "", match["text"]))
    ]
    assert len(scripts) > 10
    assert found == []

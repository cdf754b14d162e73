"""Texts have printed signs: the language's quotation marks, minus signs, ellipses."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup

from app.i18n.language import CODES

ROOT = Path(__file__).resolve().parent.parent
CATALOGS = ROOT / "app" / "i18n" / "translations"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
ATTRIBUTE = re.compile(r'[\w-]+="[^"]*"')
SPOKEN = ("alt", "aria-label", "placeholder", "title")
# Typewriter signs: quotation marks, apostrophes, ellipses and minus signs.
TYPEWRITTEN = re.compile(r"""['"]|\.\.\.|(?<![\w-])-(?=\d)""")
# Quotation marks of other languages.
FOREIGN = {
    "en": re.compile("[„«»]"),
    "sv": re.compile("[“„«»]"),
    "fi": re.compile("[“„«»]"),
}


def texts(language: str) -> Iterator[str]:
    """Yield the texts of pages; the help of commands is for terminals, and contains commands."""
    code = "sv" if language == "en" else language
    with (CATALOGS / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        for message in read_po(file, locale=code):
            either = message.id if language == "en" else message.string
            for text in either if isinstance(either, (list, tuple)) else [either]:
                if "\n" not in str(text):
                    yield str(text)


@pytest.mark.parametrize("language", CODES)
def test_no_text_is_typewritten(language: str) -> None:
    """Quotation marks, apostrophes, ellipses and minus signs are the printed ones."""
    said = list(texts(language))
    assert len(said) > 500
    wrong = [text for text in said if TYPEWRITTEN.search(text) or FOREIGN[language].search(text)]
    assert wrong == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_what_stands_in_the_templates_is_not_typewritten(template: Path) -> None:
    """Signs and placeholders that need no translation are printed ones too."""
    soup = BeautifulSoup(JINJA.sub("", template.read_text(encoding="utf-8")), "html.parser")
    spoken = [str(tag[name]) for name in SPOKEN for tag in soup.select(f"[{name}]")]
    # The attributes that a macro writes are text here.
    said = [*ATTRIBUTE.sub("", soup.get_text(" ")).splitlines(), *spoken]
    assert [text for text in said if TYPEWRITTEN.search(text)] == []

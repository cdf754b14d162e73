"""Every text exists in every language, with the values and the form of the English one.

Signs are as they are printed: the language's quotation marks, minus signs, ellipses.
"""

import re
from functools import cache

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup

from app.i18n.game import FACTS
from app.i18n.language import CATALOGS, CODES, get_language
from tests.checkout import ROOT
from tests.extraction import PLACEHOLDER

Texts = tuple[str, ...]

# English is the language of the sources.
TRANSLATED = [code for code in CODES if code != "en"]
MAKE = "run `make messages`, then translate what is empty"
THE_GAMES_NAME = re.compile(r"\bchicago\b", re.IGNORECASE)
# The longest part of a fact on a head, in letters, before it has to break into a new line.
LONGEST_PART = 8
# Finnish players use the English letters on the cards.
INTERNATIONAL = {("fi", "J Q K A")}
# Typewriter signs, and quotation marks of other languages.
TYPEWRITTEN = re.compile(r"""['"]|\.\.\.|(?<![\w-])-(?=\d)|[„«»]""")
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
ATTRIBUTE = re.compile(r'[\w-]+="[^"]*"')
SPOKEN = ("alt", "aria-label", "placeholder", "title")
# A script that writes a text of its own; signs are allowed.
SHOWN = re.compile(
    r"(?:textContent|innerText|innerHTML|ariaLabel|title|placeholder|alt)\s*=\s*"
    r"(?P<quote>[\"'`])(?P<text>.*?)(?P=quote)"
)


@pytest.fixture(scope="module", params=TRANSLATED)
def catalog(request: pytest.FixtureRequest) -> Catalog:
    """Return the catalog of a language from its source file."""
    with (CATALOGS / request.param / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=request.param)


@pytest.fixture(scope="module")
def forms(catalog: Catalog) -> list[tuple[str, str]]:
    """Return each English form with its translation."""
    texts = ((texts_of(m.id), texts_of(m.string)) for m in catalog if m.id)
    return [form for pair in texts for form in zip(*pair, strict=True)]


def texts_of(either: object) -> Texts:
    """Return the forms of an id or a translation, one or several."""
    return tuple(either) if isinstance(either, (list, tuple)) else (str(either),)


@cache
def extracted() -> frozenset[Texts]:
    """Return the messages of code and templates."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # not typed
    found = extract_from_dir(ROOT, methods, options)
    return frozenset(texts_of(message) for _, _, message, _, _ in found)


def test_the_catalog_holds_exactly_the_messages_of_the_sources(catalog: Catalog) -> None:
    """It has all messages of code and templates, and no others, and each is translated for good.

    A message that depends on a number has all plural forms, by the rule that Babel says.
    """
    messages, rule = [message for message in catalog if message.id], get_plural(catalog.locale)
    assert extracted() ^ {texts_of(each.id) for each in messages} == set(), MAKE
    assert [each.id for each in messages if each.fuzzy or not all(texts_of(each.string))] == [], (
        MAKE
    )
    assert catalog.plural_expr == rule.plural_expr
    plural = {len(texts_of(each.string)) for each in messages if each.pluralizable}
    assert plural == {rule.num_plurals}
    assert sorted(path.name for path in CATALOGS.iterdir()) == sorted(TRANSLATED)


def test_translations_are_of_the_form_of_the_english(
    catalog: Catalog, forms: list[tuple[str, str]]
) -> None:
    """They name the same values, are a sentence or a question where it is, and not English."""
    code, ends = str(catalog.locale), set(".?:\n")
    for english, translated in forms:
        assert values_of(english) == values_of(translated), english
        # In Finnish a place has a full stop: `2.` is second.
        last = {english[-1:], translated[-1:]}
        assert len(last) == 1 or not last & ends or english[0].isdigit(), english
        same = english == translated and (code, english) not in INTERNATIONAL
        assert not (same and has_words(english)), english


def values_of(text: str) -> tuple[list[str], bool]:
    """Return the names of a text's values, and whether a per cent sign stands outside them."""
    return sorted(PLACEHOLDER.findall(text)), "%" in PLACEHOLDER.sub("", text)


def has_words(text: str) -> bool:
    """Tell whether a text holds a letter outside its values and the game's name."""
    return any(char.isalpha() for char in THE_GAMES_NAME.sub("", PLACEHOLDER.sub("", text)))


def test_words_on_a_head_fit_their_column() -> None:
    """The words of a fact break into readable parts."""
    heads = filter(None, (fact.narrow or fact.head for fact in FACTS.values()))
    for words in (get_language(code).gettext(head) for head in heads for code in CODES):
        parts = PLACEHOLDER.sub("00", words).replace("\N{SOFT HYPHEN}", "- ").split()
        assert max(map(len, parts)) <= LONGEST_PART, parts


def test_no_text_is_typewritten(forms: list[tuple[str, str]]) -> None:
    """The help of commands is for terminals, and contains commands."""
    said = [pair for pair in forms if "\n" not in pair[0]]
    assert [pair for pair in said if TYPEWRITTEN.search(" ".join(pair)) or "“" in pair[1]] == []


def test_what_stands_in_the_templates_is_not_typewritten() -> None:
    """Signs and placeholders that need no translation are printed ones too."""
    for template in (ROOT / "templates").rglob("*.html"):
        soup = BeautifulSoup(JINJA.sub("", template.read_text("utf-8")), "html.parser")
        spoken = [str(tag[name]) for name in SPOKEN for tag in soup.select(f"[{name}]")]
        # The attributes that a macro writes are text here.
        said = [*ATTRIBUTE.sub("", soup.get_text(" ")).splitlines(), *spoken]
        assert [text for text in said if TYPEWRITTEN.search(text)] == [], template


def test_no_script_shows_words_of_its_own() -> None:
    """Words of pages and workers come with the page, translated."""
    scripts = [path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts]
    shown = {match["text"] for path in scripts for match in SHOWN.finditer(path.read_text("utf-8"))}
    assert scripts
    assert [s for s in shown if re.search(r"[^\W\d_]{2}", re.sub(r"\$\{.*?\}", "", s))] == []

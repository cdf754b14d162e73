"""Every text exists in every language, and has the values and the form of the English one."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from app.i18n.cards import HAND_LABELS
from app.i18n.effects import EFFECTS
from app.i18n.errors import SENTENCES, STEP_NAMES, WHATS
from app.i18n.game import FACTS, QUESTIONS
from app.i18n.house_rules import PRESET_NAMES, PRESET_SOURCES
from app.i18n.language import CODES, get_language

ROOT = Path(__file__).resolve().parent.parent
CATALOGS = ROOT / "app" / "i18n" / "translations"
# English is the language of the sources.
TRANSLATED = [code for code in CODES if code != "en"]
MAKE = "run `make messages`, then translate what is empty"
PLACEHOLDER = re.compile(r"%\((\w+)\)s|\{(\w+)\}")
THE_GAMES_NAME = re.compile(r"\bchicago\b", re.IGNORECASE)
# The longest part of a fact on a head, in letters, before it has to break into a new line.
LONGEST_PART = 8
# Finnish players use the English letters on the cards.
INTERNATIONAL = {("fi", "J Q K A")}


@pytest.fixture(scope="module", params=TRANSLATED)
def catalog(request: pytest.FixtureRequest) -> Catalog:
    """Return the catalog of a language from its source file."""
    path = CATALOGS / request.param / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        return read_po(file, locale=request.param)


@pytest.fixture(scope="module")
def messages(catalog: Catalog) -> list[Message]:
    """Return the catalog's messages without its header."""
    return [message for message in catalog if message.id]


def texts_of(either: object) -> tuple[str, ...]:
    """Return the forms of an id or a translation, one or several."""
    return tuple(either) if isinstance(either, (list, tuple)) else (str(either),)


def ids(messages: list[Message]) -> set[tuple[str, ...]]:
    """Return the ids of messages: the English, in one form or two."""
    return {texts_of(message.id) for message in messages}


@cache
def extracted() -> frozenset[tuple[str, ...]]:
    """Return the messages of code and templates."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # not typed
    found = extract_from_dir(ROOT, methods, options)
    return frozenset(texts_of(message) for _, _, message, _, _ in found)


def test_the_catalog_holds_exactly_the_messages_of_the_sources(messages: list[Message]) -> None:
    """The catalog has all messages of code and templates, and no others."""
    said, kept = extracted(), ids(messages)
    assert said - kept == set(), MAKE
    assert kept - said == set(), MAKE


def test_nothing_is_marked_where_extraction_does_not_look() -> None:
    """A message marked in code, even within an f-string, is found by the extraction."""
    said = {texts for path in sorted((ROOT / "app").rglob("*.py")) for texts in marked(path)}
    assert said - extracted() == set()


def test_every_message_is_translated_for_good(messages: list[Message]) -> None:
    """Every form of every message has a translation, and none is fuzzy."""
    empty = [message.id for message in messages if not all(texts_of(message.string))]
    assert empty == [], MAKE
    assert [message.id for message in messages if message.fuzzy] == []


def test_every_language_has_its_catalog() -> None:
    """Each language of the pages has a catalog, and no catalog is unused."""
    assert sorted(path.name for path in CATALOGS.iterdir()) == sorted(TRANSLATED)


def test_plurals_have_the_forms_of_their_language(
    catalog: Catalog, messages: list[Message]
) -> None:
    """A message that depends on a number has all plural forms of Babel for the language."""
    plural = [message for message in messages if message.pluralizable]
    assert plural
    forms = get_plural(catalog.locale).num_plurals
    assert [m.id for m in plural if len(texts_of(m.string)) != forms] == []


def test_numbers_ask_for_the_forms_that_babel_says(catalog: Catalog) -> None:
    """The plural rule of a catalog is that of Babel, for all numbers of a game."""
    rule = get_plural(catalog.locale)
    assert catalog.plural_expr == rule.plural_expr
    spoken = get_language(str(catalog.locale))
    tags = {spoken.locale.plural_form(number) for number in (0, 1, 2, 5, 21, 101)}
    assert len(tags) == rule.num_plurals
    for number in (0, 1, 2, 5, 21, 101):
        one = spoken.locale.plural_form(number) == "one"
        form = texts_of(catalog["%(num)s card"].string)[0 if one else 1]
        said = spoken.ngettext("%(num)s card", "%(num)s cards", number)
        assert said == form % {"num": number}


def test_translations_name_the_same_values(messages: list[Message]) -> None:
    """A translation has the values of the English, no others, and no stray per cent sign."""
    differ = [
        (english, translated)
        for message in messages
        for english in texts_of(message.id)
        for translated in texts_of(message.string)
        if values_of(english) != values_of(translated)
    ]
    assert differ == []


def values_of(text: str) -> tuple[list[str], bool]:
    """Return the names of a text's values, and whether a per cent sign stands outside them."""
    return sorted(PLACEHOLDER.findall(text)), "%" in PLACEHOLDER.sub("", text)


def test_nothing_is_left_in_english(catalog: Catalog, messages: list[Message]) -> None:
    """A translation differs from the English, unless the English has no word to translate."""
    same = [
        english
        for message in messages
        for english in texts_of(message.id)
        if english in texts_of(message.string) and has_words(english)
        if (str(catalog.locale), english) not in INTERNATIONAL
    ]
    assert same == []


def has_words(text: str) -> bool:
    """Tell whether a text holds a letter outside its values and the game's name."""
    return any(char.isalpha() for char in THE_GAMES_NAME.sub("", PLACEHOLDER.sub("", text)))


def test_sentences_end_alike(messages: list[Message]) -> None:
    """A translation is a sentence or a question where the English is one."""
    differ = [
        (english, translated)
        for message in messages
        for english, translated in zip(texts_of(message.id), texts_of(message.string), strict=True)
        # In Finnish a place has a full stop: `2.` is second.
        if not english[:1].isdigit()
        if english[-1:] != translated[-1:] and {english[-1:], translated[-1:]} & set(".?:\n")
    ]
    assert differ == []


@pytest.mark.parametrize("head", [f.narrow or f.head for f in FACTS.values() if f.head])
def test_words_on_a_head_fit_their_column(head: str, catalog: Catalog) -> None:
    """The words of a fact break into readable parts."""
    message = catalog.get(head)
    assert message is not None
    for words in (head, str(message.string)):
        parts = PLACEHOLDER.sub("00", words).replace("\N{SOFT HYPHEN}", "- ").split()
        assert max(map(len, parts)) <= LONGEST_PART, parts


def test_named_texts_are_in_the_catalog(messages: list[Message]) -> None:
    """A text looked up by its code is marked for translation."""
    tables: list[Mapping[Any, str]] = [
        SENTENCES,
        WHATS,
        HAND_LABELS,
        QUESTIONS,
        STEP_NAMES,
        PRESET_NAMES,
        PRESET_SOURCES,
    ]
    named = [text for table in tables for text in table.values()]
    named += [text for words in FACTS.values() for text in words]
    named += [text for words in EFFECTS.values() for text in msgspec.structs.astuple(words)]
    texts = {(text,) for text in named if has_words(text)}
    assert texts - ids(messages) == set()


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (1, {"sv": "1 poäng", "en": "1 point", "fi": "1 piste"}),
        (5, {"sv": "5 poäng", "en": "5 points", "fi": "5 pistettä"}),
    ],
)
def test_points_are_counted_in_every_language(points: int, said: dict[str, str]) -> None:
    """The unit of points has the plural form of the number."""
    assert {code: get_language(code).points(points) for code in CODES} == said


def marked(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield every message that a file marks for translation."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        said = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if name in ("_", "N_", "gettext") and said and said[0]:
            yield (str(said[0]),)
        elif name == "ngettext" and said:
            yield str(said[0]), str(said[1])

"""Every text is there in Swedish and says the same as the English."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from app.cli.standing import REFUSALS
from app.i18n.amendment import STEP_NAMES
from app.i18n.effects import EFFECTS
from app.i18n.errors import SENTENCES, WHATS
from app.i18n.game import HAND_LABELS, STEP_TITLES
from app.i18n.language import CODES, get_language
from app.i18n.notices import NOTICES
from app.i18n.rule_summary import PRESET_LABELS

ROOT = Path(__file__).resolve().parent.parent
CATALOG = ROOT / "app" / "i18n" / "translations" / "sv" / "LC_MESSAGES" / "messages.po"
MAKE = "run `make messages`, then translate what is empty"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
THE_GAMES_NAME = re.compile(r"\bchicago\b", re.IGNORECASE)
# What stands beside a player has room for so many letters before it has to go on in a new line.
LONGEST_PART = 8


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """Return the Swedish catalog as it stands in the source."""
    with CATALOG.open("rb") as file:
        return read_po(file, locale="sv")


@pytest.fixture(scope="module")
def messages(catalog: Catalog) -> list[Message]:
    """Return the catalog's messages without its header."""
    return [message for message in catalog if message.id]


def texts_of(either: object) -> tuple[str, ...]:
    """Return the forms of an id or a translation, one or several."""
    return tuple(either) if isinstance(either, (list, tuple)) else (str(either),)


def ids(messages: list[Message]) -> set[tuple[str, ...]]:
    """Return what messages are known by: the English, in one form or two."""
    return {texts_of(message.id) for message in messages}


def test_the_catalog_holds_exactly_the_messages_of_the_sources(messages: list[Message]) -> None:
    """What code and templates can say is in the catalog, and nothing else is."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]  # not typed
    found = extract_from_dir(ROOT, methods, options)
    said, kept = {texts_of(message) for _, _, message, _, _ in found}, ids(messages)
    assert said - kept == set(), MAKE
    assert kept - said == set(), MAKE


def test_nothing_is_marked_where_extraction_does_not_look(messages: list[Message]) -> None:
    """A message marked in code, be it within an f-string, is one that extraction finds."""
    said = {texts for path in sorted((ROOT / "app").rglob("*.py")) for texts in marked(path)}
    assert said - ids(messages) == set()


def test_every_message_is_translated_for_good(messages: list[Message]) -> None:
    """Every form of every message has its Swedish, and none is a guess."""
    empty = [message.id for message in messages if not all(texts_of(message.string))]
    assert empty == [], MAKE
    assert [message.id for message in messages if message.fuzzy] == []


def test_plurals_have_both_forms(messages: list[Message]) -> None:
    """A message that depends on a number has a Swedish form for one and for many."""
    plural = [message for message in messages if message.pluralizable]
    assert plural
    assert [m.id for m in plural if len(texts_of(m.string)) != 2] == []


def test_translations_name_the_same_values(messages: list[Message]) -> None:
    """A translation uses every value of the English, no other, and no stray per cent sign."""
    differ = [
        (english, swedish)
        for message in messages
        for english in texts_of(message.id)
        for swedish in texts_of(message.string)
        if values_of(english) != values_of(swedish)
    ]
    assert differ == []


def values_of(text: str) -> tuple[list[str], bool]:
    """Return the names of a text's values, and whether a per cent sign stands outside them."""
    return sorted(PLACEHOLDER.findall(text)), "%" in PLACEHOLDER.sub("", text)


def test_nothing_is_left_in_english(messages: list[Message]) -> None:
    """A translation differs from the English, unless there is no word in it to translate."""
    same = [
        english
        for message in messages
        for english in texts_of(message.id)
        if english in texts_of(message.string) and has_words(english)
    ]
    assert same == []


def has_words(text: str) -> bool:
    """Tell whether a text holds a letter outside its values and the game's name."""
    return any(char.isalpha() for char in THE_GAMES_NAME.sub("", PLACEHOLDER.sub("", text)))


def test_sentences_end_alike(messages: list[Message]) -> None:
    """A translation is a sentence where the English is, and a question where it is."""
    differ = [
        (english, swedish)
        for message in messages
        for english, swedish in zip(texts_of(message.id), texts_of(message.string), strict=True)
        if english[-1:] != swedish[-1:] and {english[-1:], swedish[-1:]} & set(".?:\n")
    ]
    assert differ == []


@pytest.mark.parametrize("chip", NOTICES.values())
def test_chips_fit_their_column(chip: str, catalog: Catalog) -> None:
    """What stands beside a player can be broken into parts that are read whole."""
    message = catalog.get(chip)
    assert message is not None
    for words in (chip, str(message.string)):
        parts = PLACEHOLDER.sub("00", words).replace("\N{SOFT HYPHEN}", "- ").split()
        assert max(map(len, parts)) <= LONGEST_PART, parts


def test_named_texts_are_in_the_catalog(messages: list[Message]) -> None:
    """A text that is looked up by its code is marked, so that it is translated."""
    tables: list[Mapping[Any, str]] = [
        SENTENCES,
        WHATS,
        HAND_LABELS,
        STEP_TITLES,
        STEP_NAMES,
        NOTICES,
        REFUSALS,
        PRESET_LABELS,
    ]
    named = [text for table in tables for text in table.values()]
    named += [text for words in EFFECTS.values() for text in msgspec.structs.astuple(words)]
    texts = {(text,) for text in named if has_words(text)}
    assert texts - ids(messages) == set()


@pytest.mark.parametrize(
    ("points", "swedish", "english"),
    [(1, "1 poäng", "1 point"), (5, "5 poäng", "5 points")],
)
def test_points_are_counted_in_both_languages(points: int, swedish: str, english: str) -> None:
    """Points have their unit in the form that the number asks for."""
    assert [get_language(code).points(points) for code in CODES] == [swedish, english]


def marked(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield every message that a file marks for translation, from its syntax tree."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        said = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        if name in ("_", "N_", "gettext") and said and said[0]:
            yield (str(said[0]),)
        elif name == "ngettext" and said:
            yield str(said[0]), str(said[1])

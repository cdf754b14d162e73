"""The texts of each language, by what they say in English: in catalogs, or packed for a phone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import json

# Several forms where a text depends on a number, one for each kind of number in the language.
Text = str | list[str]
Texts = Mapping[str, Text]

# A folder for each language; in its place a phone carries its texts in a JSON file.
CATALOGS = Path(__file__).with_name("translations")


def load_texts(code: str) -> Texts:
    """The texts of a language; none for one without a catalog, which is English."""
    packed = CATALOGS / f"{code}.json"
    if packed.exists():
        return json.decode(packed.read_bytes(), type=dict[str, Text])
    path = CATALOGS / code / "LC_MESSAGES" / "messages.po"
    return _read_catalog(path, code) if path.exists() else {}


def _read_catalog(path: Path, code: str) -> Texts:
    # What reads catalogs is left out where a phone starts in a second.
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        catalog = read_po(file, locale=code)
    pairs = [(_text(message.id), _text(message.string)) for message in catalog if message.id]
    return {
        message if isinstance(message, str) else message[0]: text
        for message, text in pairs
        if all(text)
    }


def _text(value: object) -> Text:
    return list(value) if isinstance(value, (list, tuple)) else str(value)

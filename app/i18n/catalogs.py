"""The texts of each language, by what they say in English: in catalogs, or packed for a phone."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path

from msgspec import json

# Several forms where a text depends on a number, one for each kind of number in the language.
Text = str | list[str]
Texts = Mapping[str, Text]

CATALOGS = Path(__file__).with_name("translations")
# What a phone carries in place of the catalogs.
PACKED = "packed.json"


def load_texts(code: str) -> Texts:
    """The texts of a language; none for one without a catalog, which is English."""
    packed = CATALOGS / PACKED
    if packed.exists():
        columns = json.decode(packed.read_bytes(), type=dict[str, list[Text]])
        return dict(zip(map(_key, columns["en"]), columns[code], strict=True))
    return {_key(message): text for message, text in _read_catalog(CATALOGS, code)}


def pack_catalogs(folder: Path, needed: Container[str]) -> bytes:
    """The needed messages of a folder's catalogs, a column for each language and the English.

    So the English is there once, and what compresses it sees all languages together.
    """
    codes = sorted(path.name for path in folder.iterdir())
    catalogs = {code: _read_catalog(folder, code) for code in codes}
    messages = [message for message, _ in catalogs[codes[0]] if _key(message) in needed]
    columns = {}
    for code, catalog in catalogs.items():
        texts = {_key(message): text for message, text in catalog}
        columns[code] = [texts.get(_key(message), message) for message in messages]
    return json.encode({"en": messages, **columns})


def _read_catalog(folder: Path, code: str) -> list[tuple[Text, Text]]:
    """The messages of a catalog in its order, each with its translation if there is one."""
    # What reads catalogs is left out where a phone starts in a second.
    from babel.messages.pofile import read_po

    path = folder / code / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        return []
    with path.open("rb") as file:
        catalog = read_po(file, locale=code)
    pairs = [(_text(message.id), _text(message.string)) for message in catalog if message.id]
    return [(message, text if all(text) else message) for message, text in pairs]


def _text(value: object) -> Text:
    return list(value) if isinstance(value, (list, tuple)) else str(value)


def _key(message: Text) -> str:
    """What a message is known by: its English for one."""
    return message if isinstance(message, str) else message[0]

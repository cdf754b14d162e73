"""A phone's packed texts are those of the server's catalogs."""

from pathlib import Path

import msgspec
import pytest

from app.i18n import language
from app.i18n.language import CODES, Language, load_texts


def test_packed_texts_are_those_of_the_catalogs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plural forms are there, and English, which has no catalog, has its own."""
    texts = {code: load_texts(code) for code in CODES}
    for code in CODES:
        (tmp_path / f"{code}.json").write_bytes(msgspec.json.encode(texts[code]))
    monkeypatch.setattr(language, "CATALOGS", tmp_path)
    assert {code: load_texts(code) for code in CODES} == texts
    said = {code: [Language(code).points(number) for number in (1, 5)] for code in CODES}
    assert said == {
        "sv": ["1 poäng", "5 poäng"],
        "en": ["1 point", "5 points"],
        "fi": ["1 piste", "5 pistettä"],
    }

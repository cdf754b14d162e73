"""A phone, which carries the texts packed, says the same as the server, whose catalogs they are."""

from pathlib import Path

import pytest

from app.i18n import catalogs
from app.i18n.catalogs import CATALOGS, PACKED, load_texts, pack_catalogs
from app.i18n.language import CODES, Language
from app.kit.texts import find_messages

ROOT = Path(__file__).parents[1]
NEVER_ON_A_PHONE = ("Print JSON, for programs.", "The database is now what %(file)s holds.")


@pytest.fixture(scope="module")
def packed() -> bytes:
    """Return the texts as a phone carries them."""
    return pack_catalogs(CATALOGS, find_messages(ROOT))


@pytest.fixture
def texts(
    packed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, catalogs.Texts]:
    """Return the texts of every language from their catalogs, and leave only a phone's after."""
    in_full = {code: load_texts(code) for code in CODES}
    (tmp_path / PACKED).write_bytes(packed)
    monkeypatch.setattr(catalogs, "CATALOGS", tmp_path)
    return in_full


def test_packed_texts_are_those_of_the_catalogs(texts: dict[str, catalogs.Texts]) -> None:
    """In every language each message that is carried has the translation it has on the server."""
    carried = load_texts("en")
    assert len(carried) > 1000
    for code in CODES:
        expected = {message: texts[code].get(message, text) for message, text in carried.items()}
        assert load_texts(code) == expected


def test_a_phone_carries_no_text_that_only_a_server_says(texts: dict[str, catalogs.Texts]) -> None:
    """The help of commands stays at home; all that a page, a rule or a refusal says comes along."""
    carried = load_texts("fi")
    assert [message for message in NEVER_ON_A_PHONE if message not in texts["fi"]] == []
    assert [message for message in NEVER_ON_A_PHONE if message in carried] == []
    assert {"Undo", "Pair", "The game is over.", "%(num)s point", "%(player)s bids Chicago"} <= {
        *carried
    }


@pytest.mark.usefixtures("texts")
def test_forms_are_chosen_by_number_on_a_phone_too() -> None:
    """One and many are told apart, and English, which has no catalog, knows its own."""
    said = {code: [Language(code).points(number) for number in (1, 5)] for code in CODES}
    assert said == {
        "sv": ["1 poäng", "5 poäng"],
        "en": ["1 point", "5 points"],
        "fi": ["1 piste", "5 pistettä"],
    }

"""Finding by words: case and accents make no difference, and a word may be only begun."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

# Nobody looks for more, and each word is looked for in every entry of a list.
LONGEST_QUERY, MOST_WORDS = 80, 8


def split_words(text: str) -> list[str]:
    """The words of a text, without case and accents: `Åsa-Östen` is `asa` and `osten`."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return re.findall(
        r"[^\W_]+", "".join(char for char in letters if not unicodedata.combining(char))
    )


def read_query(text: str) -> list[str]:
    """The words that somebody looks for."""
    return split_words(text[:LONGEST_QUERY])[:MOST_WORDS]


def has_words(wanted: Collection[str], words: Collection[str]) -> bool:
    """Whether each word that is wanted begins one of these."""
    return all(any(word.startswith(each) for word in words) for each in wanted)

"""A cache of versions: made once, bounded, and never of a failure."""

from collections.abc import Callable

import pytest
from app.http.version_cache import VersionCache


def test_it_holds_so_much_and_no_more() -> None:
    """What was used least recently goes first."""
    made: list[str] = []

    def make(text: str) -> Callable[[], tuple[int, str]]:
        def once() -> tuple[int, str]:
            made.append(text)
            return 1, text

        return once

    cache = VersionCache[str](3, 10, len)
    for text in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb", "x" * 11, "x" * 11, "aaaa"):
        assert cache.get(text, 1, make(text)) == (1, text)
    assert made == ["aaaa", "bbbb", "cccc", "bbbb", "x" * 11, "x" * 11, "aaaa"]
    made.clear()
    for text in ("1", "2", "3", "4", "4", "1"):
        cache.get(text, 1, make(text))
    assert made == ["1", "2", "3", "4", "1"]


def test_a_failure_is_not_kept() -> None:
    """The next who asks tries again."""
    cache = VersionCache[str](3)
    with pytest.raises(ZeroDivisionError):
        cache.get("a", 1, lambda: (1 // 0, ""))
    assert cache.get("a", 1, lambda: (1, "now")) == (1, "now")

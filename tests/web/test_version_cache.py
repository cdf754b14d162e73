"""A cache of versions: made once, bounded, and never of a failure."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app import create_app
from app.http import readers, sse
from app.http.version_cache import VersionCache
from tests.api.calling import Caller, shut_down


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


@pytest.mark.parametrize(("most", "cached"), [(1_000_000, 1), (100, 0)])
def test_long_remarks_fill_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, cached: int
) -> None:
    """What is larger than there is room for is sent to who reads the table, and not cached."""
    monkeypatch.setattr(readers, "MAX_BYTES", most)
    monkeypatch.setattr(sse, "MAX_BYTES", most)
    app = create_app({"DATABASE": str(tmp_path / "chicago.db")})
    table = Caller(app.test_client()).open()
    for stream in (f"/t/{table.link}/live", f"{table.path}/live"):
        with app.test_client().get(stream) as answer:
            messages = answer.iter_encoded()
            assert b"event: table" in [next(messages), next(messages)][1]
    assert len(app.extensions["bases"]) == cached
    assert len(app.extensions["messages"]) == 2 * cached
    shut_down(app)


def test_a_failure_is_not_kept() -> None:
    """The next who asks tries again."""
    cache = VersionCache[str](3)
    with pytest.raises(ZeroDivisionError):
        cache.get("a", 1, lambda: (1 // 0, ""))
    assert cache.get("a", 1, lambda: (1, "now")) == (1, "now")

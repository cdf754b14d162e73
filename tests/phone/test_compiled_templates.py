"""Templates are compiled once on a phone, and not at every start."""

from pathlib import Path

import pytest

from app.phone import runtime
from app.phone.compiled_templates import CompiledTemplates
from tests.empty_database import copy_empty_database


def started(database: Path) -> None:
    """Start on an empty file, and look at the first page."""
    copy_empty_database(database)
    runtime.start(str(database))
    assert runtime.answer("GET", "http://chicago.test/", []).status == 200


def test_what_was_compiled_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start that is given the templates of the last one compiles none for the same page."""
    monkeypatch.setattr(runtime, "_templates", CompiledTemplates())
    started(tmp_path / "chicago.db")
    kept = runtime.dump_templates()
    assert kept
    assert runtime.dump_templates() is None
    monkeypatch.setattr(runtime, "_templates", CompiledTemplates())
    runtime.load_templates(kept)
    started(tmp_path / "chicago.db")
    runtime.stop()
    assert runtime.dump_templates() is None


def test_what_cannot_be_read_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever another version has left does no harm."""
    monkeypatch.setattr(runtime, "_templates", CompiledTemplates())
    runtime.load_templates(b"\x00nothing of ours")
    started(tmp_path / "chicago.db")
    runtime.stop()
    assert runtime.dump_templates()

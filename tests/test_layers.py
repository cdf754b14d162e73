"""The rules depend on nobody; the linter's contracts hold the order of all other layers."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = sorted((Path(__file__).parent.parent / "app" / "rules").glob("*.py"))
# Modules of Python that the rules must not import: clock, chance, and the outside world.
OUTSIDE_WORLD = {
    *("asyncio", "ctypes", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib"),
    *("random", "secrets", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile"),
    *("threading", "time", "urllib", "uuid"),
}
SIDE_EFFECTS = {"open", "print", "input", "exec", "eval", "__import__"}


def imports_of(path: Path) -> Iterator[str]:
    """Yield the dotted name of every module that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_know_nobody(path: Path) -> None:
    """The rules import only the standard library, msgspec and each other."""
    for name in imports_of(path):
        top = name.partition(".")[0]
        known = top in sys.stdlib_module_names or top == "msgspec"
        assert known or name.startswith("app.rules"), name
        assert top not in OUTSIDE_WORLD


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_rules_have_no_side_effects(path: Path) -> None:
    """The rules neither read nor write, and always give the same answer."""
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls & SIDE_EFFECTS == set()

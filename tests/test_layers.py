"""The rules depend on nobody; the linter's contracts hold the order of all other layers."""

import ast
import sys
from pathlib import Path

# Modules of Python that the rules must not import: clock, chance, and the outside world.
OUTSIDE_WORLD = {
    *("asyncio", "ctypes", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib"),
    *("random", "secrets", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile"),
    *("threading", "time", "urllib", "uuid"),
}
SIDE_EFFECTS = {"open", "print", "input", "exec", "eval", "__import__"}


def imported(node: ast.AST) -> list[str]:
    """Return the dotted names of the modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_rules_know_nobody_and_have_no_side_effects() -> None:
    """They import only the standard library, msgspec and each other, and neither read nor write."""
    paths = [*(Path(__file__).parent.parent / "app" / "rules").glob("*.py")]
    assert len(paths) > 10
    for node in (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))):
        for name in imported(node):
            top = name.partition(".")[0]
            known = top in sys.stdlib_module_names - OUTSIDE_WORLD or top == "msgspec"
            assert known or name.startswith("app.rules"), name
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in SIDE_EFFECTS

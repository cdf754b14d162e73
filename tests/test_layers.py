"""Imports run downwards only: web and commands, then use cases, then the store and the rules."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

APP = Path(__file__).parent.parent / "app"
FILES = sorted(APP.rglob("*.py"))
RULES = sorted((APP / "rules").glob("*.py"))

WEB, USE_CASES, BOTTOM = 3, 2, 1
IN_THE_WEB = (
    "app.api",
    "app.commands",
    "app.current",
    "app.limits",
    "app.serve",
    "app.streams",
    "app.web",
)
# What the rules must not know of, though Python brings it along: clock, chance, and the outside.
OUTSIDE_WORLD = {
    "asyncio",
    "ctypes",
    "datetime",
    "http",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}


def module_of(path: Path) -> str:
    """Return the dotted name of a file of the application."""
    parts = path.relative_to(APP.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path) -> Iterator[str]:
    """Return the dotted name of every module a file imports, inside functions too."""
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _imported_from(node, package)


def _imported_from(node: ast.ImportFrom, package: str) -> Iterator[str]:
    base = node.module or ""
    if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*above, base] if base else above)
    names = [f"{base}.{alias.name}" for alias in node.names]
    # What is imported may be a module or something in one; only files tell which.
    yield from (name if is_module(name) else base for name in names)


def is_module(name: str) -> bool:
    """Tell whether a dotted name is a file or a folder of the application."""
    path = APP.parent.joinpath(*name.split("."))
    return name.startswith("app.") and (path.is_dir() or path.with_suffix(".py").exists())


def within(name: str, *modules: str) -> bool:
    """Tell whether a module is one of these or lies inside one."""
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def layer(name: str) -> int:
    """Return how high a module of the application stands."""
    if within(name, "app.rules", "app.store", "app.migrations", "app.live"):
        return BOTTOM
    if within(name, *IN_THE_WEB) or name == "app":
        return WEB
    return USE_CASES


def named(path: Path) -> str:
    """Name a test after the file it looks at."""
    return str(path.relative_to(APP))


def test_there_is_something_to_look_at() -> None:
    """The rules are there, and their imports are found."""
    assert RULES
    assert {module_of(path) for path in FILES} >= {"app", "app.rules", "app.rules.game"}
    assert "app.rules.state" in set(imports_of(APP / "rules" / "game.py"))


@pytest.mark.parametrize("path", RULES, ids=named)
def test_rules_know_nobody(path: Path) -> None:
    """The rules import the standard library, msgspec and each other, and nothing else."""
    for name in imports_of(path):
        top = name.partition(".")[0]
        assert top in sys.stdlib_module_names or top == "msgspec" or within(name, "app.rules"), name


@pytest.mark.parametrize("path", RULES, ids=named)
def test_rules_know_no_clock_and_no_chance(path: Path) -> None:
    """The rules neither read nor write, and give the same answer every time."""
    assert {name.partition(".")[0] for name in imports_of(path)} & OUTSIDE_WORLD == set()
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls & {"open", "print", "input", "exec", "eval", "__import__"} == set()


@pytest.mark.parametrize("path", FILES, ids=named)
def test_imports_run_downwards(path: Path) -> None:
    """No file imports from a layer above its own."""
    own = layer(module_of(path))
    above = {name for name in imports_of(path) if within(name, "app") and layer(name) > own}
    assert above == set()


def test_the_store_does_not_know_the_game() -> None:
    """The store keeps what it is given: it imports neither the rules nor the web."""
    for path in FILES:
        if within(module_of(path), "app.store", "app.migrations"):
            known = [name for name in imports_of(path) if within(name, "flask", "app.rules")]
            assert known == [], path


@pytest.mark.parametrize("path", FILES, ids=named)
def test_only_the_web_knows_flask(path: Path) -> None:
    """Use cases, store and rules work without Flask."""
    if layer(module_of(path)) < WEB:
        imported = {name.partition(".")[0] for name in imports_of(path)}
        assert imported & {"flask", "werkzeug", "jinja2"} == set()

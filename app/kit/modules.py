"""Which modules a program may import, and those as the kit carries them: compiled, and small.

Runs in Pyodide, whose Python the kit carries and whose syntax it knows, while the kit is built.
"""

from __future__ import annotations

import ast
import hashlib
import importlib._bootstrap_external as bootstrap
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import NamedTuple

# In a table of lines, an entry for eight instructions that stand nowhere in the source.
NO_LOCATION, INSTRUCTIONS = bytes([0x80 | 15 << 3 | 7]), 8
# Tables are as long as a multiple of this many entries: fewer lengths compress to less.
ENTRIES = 16
# Where our own modules are, from their root.
OURS = "app/"
# Where a statement has others in it.
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class Module(NamedTuple):
    """A module that may be imported: what it imports itself, and what is in its `.pyc` file."""

    imports: tuple[str, ...]
    compiled: bytes


# Reads a module from its file, and its name.
Read = Callable[[Path, str], Module]


def find_modules(
    starts: Iterable[str], omitted: Sequence[str], roots: Sequence[Path], read: Read
) -> dict[Path, bytes]:
    """Compile all that can be imported from `starts`, however late, by file.

    Modules that are `omitted` are left out with all that they alone import.
    """
    found: dict[Path, bytes] = {}
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        if name in seen or is_omitted(name, omitted):
            continue
        seen.add(name)
        path = locate(name, roots)
        if path is not None:
            waiting.append(name.rpartition(".")[0])
            imports, found[path] = read(path, name)
            waiting.extend(imports)
    return found


def is_omitted(name: str, omitted: Sequence[str]) -> bool:
    """Whether a module, or a package that it is in, is left out."""
    return any(name == each or name.startswith(f"{each}.") for each in omitted)


def locate(name: str, roots: Sequence[Path]) -> Path | None:
    """The file of a module; None where there is none: it is built in, or a name in a module."""
    for root in roots:
        path = root.joinpath(*name.split("."))
        for each in (path / "__init__.py", path.with_name(f"{path.name}.py")):
            if each.is_file():
                return each
    return None


def read_module(source: bytes, filename: str, name: str) -> Module:
    """Read a module from its source."""
    package = name if filename.endswith("__init__.py") else name.rpartition(".")[0]
    imports = sorted(set(find_imports(ast.parse(source), package)))
    return Module(tuple(imports), compile_module(source, filename))


def find_imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Name what a module in a package may import; some may be no module but a name in one."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below a node, but what no import runs."""
    for block in BLOCKS:
        if block == "body" and isinstance(node, ast.If) and _is_never_so(node.test):
            continue
        for child in getattr(node, block, ()):
            yield child
            yield from _statements(child)


def _is_never_so(test: ast.expr) -> bool:
    """Whether a condition holds for type checkers only, or for a module run as a program."""
    said = {getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(test)}
    return bool(said & {"TYPE_CHECKING", "__name__"})


def _base(node: ast.ImportFrom, package: str) -> str:
    """The module after `from`, in full."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) + 1 - node.level]
    return ".".join([*parts, node.module] if node.module else parts)


def compile_module(source: bytes, filename: str) -> bytes:
    """Compile to what a `.pyc` file holds, without docstrings, assertions and line numbers.

    It is never checked against a source, which is not there. Our own functions go without
    annotations too, which only a type checker reads, and are known by their name alone; libraries
    may ask for theirs.
    """
    tree, ours = ast.parse(source), filename.startswith(OURS)
    if ours:
        _strip_annotations(tree)
    code = compile(tree, filename, "exec", dont_inherit=True, optimize=2)
    return bytes(bootstrap._code_to_hash_pyc(_without_places(code, ours), bytes(8), False))  # type: ignore[attr-defined]  # noqa: SLF001  # as py_compile does, which asks for files


def _strip_annotations(tree: ast.AST) -> None:
    """Take the annotations from all functions; those of classes are what records are made of."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None


def _without_places(code: CodeType, ours: bool) -> CodeType:
    """The code without where it stands: on which lines, and of ours in which class or function."""
    constants = tuple(
        _without_places(each, ours) if isinstance(each, CodeType) else each
        for each in code.co_consts
    )
    return code.replace(
        co_consts=constants,
        co_firstlineno=1,
        co_linetable=_no_locations(len(code.co_code) // 2),
        co_qualname=code.co_name if ours else code.co_qualname,
    )


def _no_locations(instructions: int) -> bytes:
    """A table that says of each instruction that it stands nowhere; none would break tracebacks."""
    return NO_LOCATION * (-(-instructions // (INSTRUCTIONS * ENTRIES)) * ENTRIES)


class Cache:
    """Modules as they were read before, by what they were read from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, path: Path, name: str) -> Module:
        """Read a module, from its source where it is not here."""
        source = path.read_bytes()
        filename = "/".join(path.parts[2:])
        key = hashlib.sha256(b"\0".join([filename.encode(), source])).hexdigest()
        kept = self._folder / key
        if kept.exists():
            imports, _, compiled = kept.read_bytes().partition(b"\n")
            return Module(tuple(json.loads(imports)), compiled)
        module = read_module(source, filename, name)
        kept.write_bytes(json.dumps(module.imports).encode() + b"\n" + module.compiled)
        return module


def main(work: Path) -> None:
    """Do what the build planned; what was compiled is below `compiled`, in a folder by root."""
    plan = json.loads((work / "plan.json").read_text())
    cache = Cache(Path(plan["cache"]))
    roots = [*map(Path, plan["roots"])]
    for path, compiled in find_modules(plan["starts"], plan["omitted"], roots, cache.read).items():
        target = work.joinpath("compiled", *path.parts[1:]).with_suffix(".pyc")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(compiled)


if __name__ == "__main__":
    main(Path("/work"))

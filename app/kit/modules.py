"""Which modules a program may import, and those as the kit carries them: compiled, and small.

Runs in Pyodide, whose Python the kit carries and whose syntax it knows, while the kit is built.
"""

from __future__ import annotations

import ast
import importlib._bootstrap_external as bootstrap
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType

# In a table of lines, an entry of at most eight instructions that stand nowhere in the source.
NO_LOCATION, LONGEST_ENTRY = 0x80 | 15 << 3, 8


def find_modules(
    starts: Iterable[str], omitted: Sequence[str], roots: Sequence[Path]
) -> dict[str, Path]:
    """Find the files of all that can be imported from `starts`, however late, by module.

    Modules that are `omitted` are left out with all that they alone import.
    """
    found: dict[str, Path] = {}
    waiting = list(starts)
    while waiting:
        name = waiting.pop()
        path = None if name in found or is_omitted(name, omitted) else locate(name, roots)
        if path is None:
            continue
        found[name] = path
        waiting.extend(parents(name))
        if path.is_file():
            waiting.extend(imports(path.read_bytes(), name, is_package=path.stem == "__init__"))
    return {name: path for name, path in sorted(found.items()) if path.is_file()}


def is_omitted(name: str, omitted: Sequence[str]) -> bool:
    """Whether a module, or a package that it is in, is left out."""
    return any(name == each or name.startswith(f"{each}.") for each in omitted)


def locate(name: str, roots: Sequence[Path]) -> Path | None:
    """Where a module is: its file, or its folder if that is all it is; None for no file at all."""
    for root in roots:
        path = root.joinpath(*name.split("."))
        for each in (path / "__init__.py", path.with_name(f"{path.name}.py"), path):
            if each.exists():
                return each
    return None


def parents(name: str) -> Iterator[str]:
    """Name the packages that are imported before a module in them."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def imports(source: bytes, name: str, *, is_package: bool) -> Iterator[str]:
    """Name what a module's source may import; some of it may be no module but a name in one."""
    tree = ast.parse(source)
    never = {id(node) for each in ast.walk(tree) for node in _never_run(each)}
    for node in ast.walk(tree):
        if id(node) in never:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, name, is_package=is_package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _never_run(node: ast.AST) -> Iterator[ast.AST]:
    """What is there for a type checker, or for a module that is run as a program."""
    if isinstance(node, ast.If) and (
        "TYPE_CHECKING" in ast.unparse(node.test) or "'__main__'" in ast.unparse(node.test)
    ):
        for statement in node.body:
            yield from ast.walk(statement)


def _base(node: ast.ImportFrom, name: str, *, is_package: bool) -> str:
    """The module after `from`, in full."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    kept = parts[: len(parts) + (1 if is_package else 0) - node.level]
    return ".".join([*kept, node.module] if node.module else kept)


def compile_module(source: bytes, filename: str) -> bytes:
    """Compile to what a `.pyc` file holds, without docstrings, assertions and line numbers.

    It is never checked against a source, which is not there.
    """
    code = compile(source, filename, "exec", dont_inherit=True, optimize=2)
    return bytes(bootstrap._code_to_hash_pyc(_without_lines(code), bytes(8), False))  # type: ignore[attr-defined]  # noqa: SLF001  # as py_compile does, which asks for files


def _without_lines(code: CodeType) -> CodeType:
    constants = tuple(
        _without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_consts=constants, co_linetable=_no_locations(len(code.co_code) // 2))


def _no_locations(instructions: int) -> bytes:
    """A table that says of each instruction that it stands nowhere; none would break tracebacks."""
    whole, rest = divmod(instructions, LONGEST_ENTRY)
    table = bytes([NO_LOCATION | LONGEST_ENTRY - 1]) * whole
    return table + bytes([NO_LOCATION | rest - 1]) if rest else table


def main(work: Path) -> None:
    """Do one step of the build, as its plan says: find modules, or compile those found."""
    plan = json.loads((work / "plan.json").read_text())
    if "starts" in plan:
        found = find_modules(plan["starts"], plan["omitted"], [*map(Path, plan["roots"])])
        names = {name: str(path) for name, path in found.items()}
        (work / "found.json").write_text(json.dumps(names))
        return
    for path in map(Path, plan["compile"]):
        _, root, *parts = path.parts
        target = work.joinpath("compiled", root, *parts).with_suffix(".pyc")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(compile_module(path.read_bytes(), "/".join(parts)))


if __name__ == "__main__":
    main(Path("/work"))

"""The bundle's modules, found and compiled: runs in Pyodide, whose Python is the phone's.

`plan.json` says where imports begin, the modules left out, the languages, and the file that keeps
what was made of each source for the next build. Compiled modules are put into a folder for each of
the roots that sources are looked for in, and with them Babel's data without what no page has: names
of languages, countries, units, currencies and time zones.
"""

import ast
import json
import marshal
import pickle
import sys
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from importlib.util import MAGIC_NUMBER, resolve_name
from pathlib import Path
from types import CodeType
from typing import Any

WORK = Path("/work")
ROOTS = (Path("/project"), Path("/site"), Path("/stdlib"))
# Before the code in a `.pyc` file that is never checked against its source, which is not there.
HEAD = MAGIC_NUMBER + bytes([1, 0, 0, 0]) + bytes(8)
# In a table of lines, an entry for eight instructions on the same line as the one before them.
SAME_LINE, INSTRUCTIONS = bytes([0x80 | 13 << 3 | 7, 0]), 8


def find_modules(starts: Iterable[str], omitted: Sequence[str], roots: Sequence[Path]) -> set[Path]:
    """Find all modules that can be imported from `starts`, however late.

    Those that are `omitted` are left out with all that they alone import.
    """
    found: set[Path] = set()
    seen: set[str] = set()
    waiting = set(starts)
    while waiting:
        name = waiting.pop()
        seen.add(name)
        path = None if is_omitted(name, omitted) else locate(name, roots)
        if path:
            found.add(path)
            parent = name.rpartition(".")[0]
            package = name if path.stem == "__init__" else parent
            waiting |= {*keep(find_imports, path.read_bytes(), package), parent} - seen
    return found


# What was made before, and what is made now, by the hash of what it is made of.
before, now = dict[bytes, Any](), dict[bytes, Any]()


def keep(make: Callable[[bytes, str], Any], source: bytes, name: str) -> Any:  # noqa: ANN401  # of any type
    """What is made of a source, which the build before may have made."""
    key = sha256(f"{make.__name__} {name} ".encode() + source).digest()
    now[key] = before[key] if key in before else make(source, name)
    return now[key]


def is_omitted(name: str, omitted: Sequence[str]) -> bool:
    """Whether a module, or a package that it is in, is left out."""
    return any(f"{name}.".startswith(f"{each}.") for each in omitted)


def locate(name: str, roots: Sequence[Path]) -> Path | None:
    """The file of a module; None where there is none: it is built in, or a name in a module."""
    paths = [root / name.replace(".", "/") for root in roots]
    files = [file for path in paths for file in (path / "__init__.py", Path(f"{path}.py"))]
    return next(filter(Path.is_file, files), None)


def find_imports(source: bytes, package: str) -> list[str]:
    """Name what a module of a package may import; some may be no module but a name in one."""
    found = list[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            found += (base, *(f"{base}.{alias.name}" for alias in node.names))
    return found


def compile_module(source: bytes, filename: str) -> bytes:
    """Compile to the content of a `.pyc` file, without docstrings and assertions."""
    code = compile(source, filename, "exec", dont_inherit=True, optimize=2)
    return HEAD + marshal.dumps(without_lines(code))


def without_lines(code: CodeType) -> CodeType:
    """The code with all of a function on its first line: whole tables are a third of it."""
    constants = [
        without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts
    ]
    entries = -(-len(code.co_code) // 2 // INSTRUCTIONS)
    return code.replace(co_consts=tuple(constants), co_linetable=SAME_LINE * entries)


# What Babel knows of all languages, and of each.
UNUSED = frozenset(
    {
        *("likely_subtags", "territory_languages", "territory_currencies", "territory_zones"),
        *("zone_territories", "meta_zones", "windows_zone_mapping", "all_currencies"),
        *("unit_patterns", "unit_display_names", "compound_unit_patterns", "languages", "scripts"),
        *("variants", "territories", "currency_names", "currency_names_plural", "time_zones"),
        *("compact_decimal_formats", "compact_currency_formats", "interval_formats"),
    }
)


def without_unused(content: bytes) -> bytes:
    """One of Babel's files without what nothing asks for."""
    data = pickle.loads(content)  # noqa: S301  # of a package that is known by its hash
    return pickle.dumps({key: {} if key in UNUSED else data[key] for key in data}, protocol=2)


def main() -> None:
    """Carry out the build's plan."""
    plan = json.loads((WORK / "plan.json").read_text())
    kept = Path("/kept", plan["kept"])
    if kept.exists():
        before.update(marshal.loads(kept.read_bytes()))  # noqa: S302  # this program's own
    found = find_modules(plan["starts"], plan["omitted"], ROOTS)
    for path in sorted([*found, *Path("/project").glob("*/tmpl_*.py")]):
        filename = "/".join(path.parts[2:])
        target = (WORK / "compiled" / path.parts[1] / filename).with_suffix(".pyc")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(keep(compile_module, path.read_bytes(), filename))
    unfinished = kept.with_suffix(".new")
    unfinished.write_bytes(marshal.dumps(now))
    unfinished.rename(kept)
    # Its data is made of its own classes.
    sys.path.append("/site")
    for name in ("global.dat", *(f"locale-data/{code}.dat" for code in ("root", *plan["codes"]))):
        target = WORK / "compiled" / "site" / "babel" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(without_unused(Path("/site/babel", name).read_bytes()))


if __name__ == "__main__":
    main()

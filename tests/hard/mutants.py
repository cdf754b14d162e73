"""Mutants, to see what the tests hold: python -m tests.hard.mutants SEED N app/rules app/services.

Draws N changes of the code in these folders by a seed, makes each in a copy of the tree, and runs
the tests that come to its function, the quickest first, for five minutes at most. Which come where
is found once for a tree, by a run of all tests but those with a browser or the bundle.
"""

import ast
import builtins
import json
import os
import random
import shutil
import sys
from collections.abc import Generator
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from subprocess import DEVNULL, run
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter
from types import CodeType
from typing import Any

import pytest

from tests.checkout import clone, set_up

OPERATORS = "Lt LtE Gt GtE Eq NotEq Is IsNot In NotIn And Or Add Sub Mult Div"
OPPOSITES = "LtE Lt GtE Gt NotEq Eq IsNot Is NotIn In Or And Sub Add Div Mult"
PYTEST = [sys.executable, "-m", "pytest", "-qp", "no:cacheprovider"]
ALL = ["-ptests.hard.mutants", "-n2", "--ignore=tests/browser", "--ignore=tests/bundle"]
FIRST = ["timeout", "300", *PYTEST, "-xofaulthandler_timeout=60"]


# The functions of the tree that the running test has come to: file and line.
SEEN: dict[tuple[str, int], object] = {}


def pytest_load_initial_conftests() -> None:
    """Let each function of the tree note that it was called."""
    vars(builtins)["SEEN"], sys.dont_write_bytecode = SEEN, True
    loader: Any = SourceFileLoader
    loader.source_to_code = noting


def noting(_: SourceFileLoader, source: bytes, path: str) -> CodeType:
    """Compile a module so that its functions do."""
    module, name = ast.parse(source), path.rpartition("/tree/")[2]
    for node in ast.walk(module) if name.startswith("app/") else ():
        if isinstance(node, ast.FunctionDef):
            note = ast.parse(f"SEEN[{name!r}, {node.lineno}] = None").body
            head = int(ast.get_docstring(node) is not None)
            node.body[head:head] = note
    return compile(module, path, "exec", dont_inherit=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note a test's time and the functions that it comes to, unless it fails without a mutant."""
    SEEN.clear()
    failed, began = item.session.testsfailed, perf_counter()
    result = yield
    if item.session.testsfailed == failed:
        row = json.dumps((perf_counter() - began, item.nodeid, [*SEEN]))
        # In one piece, as others write there too.
        with Path(os.environ["MUTANTS"]).open("ab", buffering=0) as log:
            log.write(f"{row}\n".encode())
    return result


def mutate(node: ast.AST) -> bool:
    """Change a node, and say whether there was something to change."""
    names, fields = OPERATORS.split(), vars(node)
    operator = fields.get("op") or fields.get("ops", [None])[0]
    if (name := type(operator).__name__) in names:
        fields["op"] = getattr(ast, OPPOSITES.split()[names.index(name)])()
        fields["ops"] = [fields["op"], *fields.get("ops", ())[1:]]
    elif isinstance(fields.get("value"), int):
        fields["value"] = fields["value"] + 1 if fields["value"] > 1 else not fields["value"]
    elif isinstance(node, ast.If):
        node.test = ast.Constant(value=False)
    elif isinstance(node, ast.Return | ast.Expr) and not isinstance(
        node.value, ast.Constant | None
    ):
        node.value = ast.Constant(None)
    else:
        return False
    return True


def find_flags(nodes: list[ast.AST]) -> list[ast.expr]:
    """Find values such as that of `frozen`, of which mypy alone sees that they are needed."""
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    return [flag.value for node in classes for flag in node.keywords]


def choose(log: Path, path: Path, line: int) -> list[str]:
    """Return the tests that come to the function at a line, or to the module; else all."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    spans = [(node.lineno - len(node.decorator_list), node.end_lineno or 0) for node in functions]
    first, last = max((s for s in spans if s[0] <= line <= s[1]), default=(0, sys.maxsize))
    found = sorted(map(json.loads, log.open()))
    return [
        test
        for _, test, places in found
        if any(name == str(path) and first <= at <= last for name, at in places)
    ] or [test for _, test, _ in found]


def main(seed: str, count: str, *rooms: str) -> None:
    """Print for each mutant whether a test fails by it."""
    sources = [path.read_bytes() for path in sorted(Path().glob("[at][pe]*/**/*.py"))]
    kept = Path(gettempdir(), f"mutants-{sha256(b''.join(sources)).hexdigest()}")
    modules = [path for room in rooms for path in Path(room).rglob("*.py")]
    walked = [(path, [*ast.walk(ast.parse(path.read_text("utf-8")))]) for path in sorted(modules)]
    places = [
        (path, n)
        for path, nodes in walked
        for flags in [find_flags(nodes)]
        for n, node in enumerate(nodes)
        if node not in flags and mutate(node)
    ]
    with TemporaryDirectory() as folder:
        tree, log = Path(folder, "tree"), Path(folder, "log")
        set_up(clone(tree))
        if not kept.exists():
            run(["env", f"MUTANTS={log}", *PYTEST, *ALL], cwd=tree, check=False)
            shutil.move(log, kept)
        for path, number in random.Random(seed).sample(places, int(count)):
            module = ast.parse(path.read_text("utf-8"))
            node: Any = [*ast.walk(module)][number]
            line, before = node.lineno, ast.unparse(node)
            mutate(node)
            (tree / path).write_text(ast.unparse(module))
            tests = [*FIRST, *choose(kept, path, line)]
            status = run(tests, cwd=tree, stdout=DEVNULL, check=False).returncode
            shutil.copy(path, tree / path)
            # The time limit of all is no failure, as that of one is.
            fate = "survived" if status in {0, 124} else "killed"
            print(fate, f"{path}:{line}", before, "->", ast.unparse(node), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

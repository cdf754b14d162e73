"""Mutants of the program, run against a tree's tests without a browser: which of them are killed?

    python -m tests.hard.mutants [--tree FOLDER] [--like FOLDER] [--count 80] [--seed 1]

The sample is drawn by its seed from `app/{rules,services,store,http,web}` of the tree `--like`, so
that the suites of two trees meet the same mutants. Each is put into a copy of `--tree`, in which
the tests run that reach its line, until one fails. cosmic-ray makes the mutants and pytest-cov
tells which tests reach them; both are installed below `build`. Without `--reach` that is
measured first, which takes a few times as long as the tests do.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tests.browser.serving import ROOT

LIBRARY = ROOT / "build" / "mutants"
ROOMS = ("rules", "services", "store", "http", "web")
WITHOUT = ("tests/browser", "tests/hard", "tests/bundle", "tests/bench", "tests/screens")
QUIET = ("-q", "-x", "-p", "no:cacheprovider", "--no-header", "-W", "ignore")
# A mutant that makes its tests hang is killed by that.
LONGEST_SECONDS = 900.0
OPERATORS = ("Replace", "AddNot", "NumberReplacer", "RemoveDecorator", "ZeroIteration", "Exception")


@dataclass(frozen=True)
class Mutant:
    """One change of one file, as a patch with its context."""

    path: str
    line: int
    patch: str


def main() -> int:
    """Run the sample and print each mutant's fate; the exit status is 0 however many survive."""
    asked = _arguments()
    _install()
    mutants = draw(asked.like, asked.count, asked.seed)
    reach = asked.reach or measure_reach(asked.tree)
    fates: Counter[str] = Counter()
    for number, mutant in enumerate(mutants):
        fate = judge(asked.tree, mutant, reach)
        fates[fate.split(":")[0]] += 1
        print(f"{number:3} {mutant.path}:{mutant.line} {fate}", flush=True)
        if not fate.startswith("killed"):
            print(mutant.patch, flush=True)
    print(f"seed {asked.seed}: {dict(fates)}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--like", type=Path, default=ROOT)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reach", type=Path, help="a .coverage file that was measured before")
    return parser.parse_args()


def _install() -> None:
    """Let cosmic-ray and pytest-cov be found, by this program and by those that it starts."""
    pip = [sys.executable, "-m", "pip", "-qq", "install", "--target", str(LIBRARY)]
    if not LIBRARY.is_dir():
        subprocess.run([*pip, "cosmic-ray", "pytest-cov"], check=True)
    sys.path.append(str(LIBRARY))


def draw(tree: Path, count: int, seed: int) -> list[Mutant]:
    """Return so many mutants of a tree, the same for the same seed."""
    files = [path for room in ROOMS for path in sorted((tree / "app" / room).rglob("*.py"))]
    places = [(path, *place) for path in files for place in _places(path)]
    drawn: list[Mutant] = []
    for path, operator, occurrence in random.Random(seed).sample(places, len(places)):
        mutant = _mutate(tree, path, operator, occurrence)
        if mutant is not None:
            drawn.append(mutant)
        if len(drawn) == count:
            break
    return drawn


def _places(path: Path) -> Iterator[tuple[str, int]]:
    """Yield each operator's name with the number of each of its occurrences in a file."""
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.plugins import get_operator, operator_names

    nodes = list(ast_nodes(get_ast_from_path(path)))
    for name in operator_names():
        if name.rpartition("/")[2].startswith(OPERATORS) and not get_operator(name).arguments():
            operator = get_operator(name)()
            found = sum(len(list(operator.mutation_positions(node))) for node in nodes)
            yield from ((name, number) for number in range(found))


def _mutate(tree: Path, path: Path, operator: str, occurrence: int) -> Mutant | None:
    """Return a mutant, or None where it cannot be compiled or differs in annotations alone."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    before = path.read_text(encoding="utf-8")
    try:
        after = mutate_code(before, get_operator(operator)(), occurrence)
    except AttributeError:  # cosmic-ray cannot put another exception in the place of a dotted name.
        return None
    if after is None or _runs_alike(before, after):
        return None
    name = str(path.relative_to(tree))
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = next(n for n, (a, b) in enumerate(zip(old, new, strict=False), start=1) if a != b)
    patch = "".join(unified_diff(old, new, f"a/{name}", f"b/{name}"))
    return Mutant(name, first, patch)


def _runs_alike(before: str, after: str) -> bool:
    try:
        return _without_annotations(before) == _without_annotations(after)
    except SyntaxError:
        return True


def _without_annotations(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if getattr(node, field, None) is not None:
                setattr(node, field, ast.Constant(None))
    return ast.dump(tree)


def measure_reach(tree: Path) -> Path:
    """Run a tree's tests once, noting which of them reach which line."""
    reach = LIBRARY / f"{tree.resolve().name}.coverage"
    covered = ["--cov=app", "--cov-context=test", "--cov-report=", "-n", "2"]
    ignored = [f"--ignore={folder}" for folder in WITHOUT]
    _pytest(tree, *covered, *ignored, "tests", longest=None, COVERAGE_FILE=str(reach))
    return reach


def judge(tree: Path, mutant: Mutant, reach: Path) -> str:
    """Put a mutant into a copy of the tree and tell what becomes of it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        ignored = shutil.ignore_patterns(".git", "build", ".*_cache", "__pycache__", ".hypothesis")
        shutil.copytree(tree, copy, symlinks=True, ignore=ignored)
        applied = subprocess.run(
            ["git", "apply", "-"], cwd=copy, input=mutant.patch, text=True, check=False
        )
        if applied.returncode:
            return "does not apply"
        tests = tests_reaching(reach, tree, mutant)
        if not tests:
            return "unreached"
        (copy / "chosen.txt").write_text("\n".join(tests), encoding="utf-8")
        return _fate(_pytest(copy, *QUIET, "-n", "0", "@chosen.txt"), len(tests))


def _fate(ended: subprocess.CompletedProcess[str] | None, tests: int) -> str:
    if ended is None:
        return "killed: it hangs"
    if ended.returncode == 0:
        return f"survived: {tests} tests"
    said = ended.stdout.splitlines()
    failed = [line for line in said if line.startswith(("FAILED", "ERROR"))]
    return f"killed: {[*failed, *said[-1:], 'it cannot be imported'][0][:100]}"


def tests_reaching(reach: Path, tree: Path, mutant: Mutant) -> list[str]:
    """Return the tests that run a mutant's line; for what runs at import, those of its file."""
    from coverage import CoverageData

    data = CoverageData(str(reach))
    data.read()
    contexts = data.contexts_by_lineno(str(tree.resolve() / mutant.path))
    found = _tests(contexts.get(mutant.line, []))
    return sorted(found or {test for line in contexts.values() for test in _tests(line)})


def _tests(contexts: list[str]) -> set[str]:
    return {context.rpartition("|")[0] for context in contexts if context}


def _pytest(
    tree: Path, *options: str, longest: float | None = LONGEST_SECONDS, **environ: str
) -> subprocess.CompletedProcess[str] | None:
    """Run a tree's tests as CI does, without bytecode of another mutant; None where they hang."""
    paths = os.pathsep.join([str(tree), str(LIBRARY)])
    settled = {"CI": "1", "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **environ}
    try:
        return subprocess.run(
            [sys.executable, "-m", "pytest", *options],
            cwd=tree,
            env=os.environ | settled,
            capture_output=True,
            text=True,
            timeout=longest,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    sys.exit(main())

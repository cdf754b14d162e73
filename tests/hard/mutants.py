"""Mutants of the program, run against the tests without a browser: which of them are killed?

    python -m tests.hard.mutants [--count 80] [--seed 1]

A mutant is one sign, word or number of app that has become another. Each is put into a copy of the
project, in which the tests run that reach its line, until one fails. pytest-cov, installed below
`build`, tells which do; that is measured first, and takes a few times as long as the tests. The
exit status is 0 however many survive.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.browser.serving import ROOT

LIBRARY = ROOT / "build" / "mutants"
ROOMS = ("rules", "services", "store", "http", "web")
WITHOUT = [f"--ignore=tests/{room}" for room in ("browser", "bundle", "bench", "screens")]
BECOMES = {
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "+": "-",
    "-": "+",
    "and": "or",
    "or": "and",
    "is": "is not",
    "not": "",
    "in": "not in",
    "if": "if not",
    "True": "False",
    "False": "True",
    "break": "continue",
    "continue": "break",
    "elif": "elif not",
    "return": "return None and",
    "0": "1",
    "1": "2",
    "2": "3",
}
# A mutant that makes its tests hang is killed by that many seconds.
LONGEST = "900"
Mutant = tuple[Path, tokenize.TokenInfo]


def mutants(home: Path) -> Iterator[Mutant]:
    """Yield each place of the program that can become another."""
    for room in ROOMS:
        for path in sorted((home / "app" / room).rglob("*.py")):
            tokens = tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
            yield from ((path, token) for token in tokens if token.string in BECOMES)


def mutate(source: str, token: tokenize.TokenInfo) -> str:
    """Return a source with another token in the place of one."""
    lines, (row, column) = source.splitlines(keepends=True), token.start
    before, after = lines[row - 1][:column], lines[row - 1][token.end[1] :]
    lines[row - 1] = f"{before}{BECOMES[token.string]}{after}"
    return "".join(lines)


def judge(home: Path, mutant: Mutant) -> str:
    """Put a mutant into its place for a while, and tell what becomes of it."""
    # It is installed only when this runs.
    from coverage import CoverageData

    path, token = mutant
    source = path.read_text()
    try:
        compile(mutated := mutate(source, token), path, "exec")
    except SyntaxError:
        return "is no program"
    data = CoverageData(str(home / ".coverage"))
    data.read()
    contexts = data.contexts_by_lineno(str(path)).get(token.start[0], [])
    tests = sorted({each.partition("|")[0] for each in contexts} - {""})
    if not tests:
        return "unreached"
    (home / "chosen.txt").write_text("\n".join(tests))
    path.write_text(mutated)
    try:
        killed = run_tests(home, "-x", "-n", "0", "@chosen.txt")
    finally:
        path.write_text(source)
    return "killed" if killed else f"survived {len(tests)} tests: {token.line.strip()}"


def run_tests(home: Path, *options: str) -> bool:
    """Run tests, and return whether one failed or hung."""
    paths = {"PYTHONPATH": os.pathsep.join([str(home), str(LIBRARY)]), "CI": "1"}
    options = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options)
    env = {**os.environ, **paths, "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(["timeout", LONGEST, *options], cwd=home, env=env, check=False)
    return ended.returncode > 0


def main() -> None:
    """Draw mutants, and print what becomes of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", default="tests", help="those of a folder alone")
    args = parser.parse_args()
    pip = [sys.executable, "-m", "pip", "-qq", "install", "--target", str(LIBRARY)]
    subprocess.run([*pip, "--upgrade", "pytest-cov"], check=True)
    sys.path.append(str(LIBRARY))
    fates: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        without = shutil.ignore_patterns(".git", "build", ".*_cache", "__pycache__", ".hypothesis")
        home = shutil.copytree(ROOT, Path(name) / "home", symlinks=True, ignore=without)
        covered = ("--cov=app", "--cov-context=test", "--cov-report=", "-n", "2")
        run_tests(home, *covered, *WITHOUT, args.tests)
        for path, token in random.Random(args.seed).sample([*mutants(home)], args.count):
            fate = judge(home, (path, token))
            fates[fate.split()[0]] += 1
            print(f"{path.relative_to(home)}:{token.start[0]} `{token.string}` {fate}", flush=True)
    print(f"seed {args.seed}: {dict(fates)}")


if __name__ == "__main__":
    main()

"""Mutants of the program, run against the tests without a browser: which of them are killed?

    python -m tests.hard.mutants [--count 80] [--seed 1]

A mutant is one sign, word or number of app that has become another. Each is put into a copy of the
project, where the tests run until one fails. The exit status is 0 however many survive.
"""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.browser.serving import ROOT
from tests.hard.figures import Figures, options

WITHOUT = [f"--ignore=tests/{room}" for room in ("browser", "bundle", "bench", "screens")]
# A mutant that makes its tests hang is killed by that many seconds.
PYTEST = ["timeout", "1800", sys.executable, "-m", "pytest", "-qx", "-n", "2", *WITHOUT, "tests"]
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
    "if": "if not",
    "elif": "elif not",
    "True": "False",
    "False": "True",
    "return": "return None and",
    "0": "1",
    "1": "2",
}


def mutants(home: Path) -> Iterator[tuple[Path, tokenize.TokenInfo, str]]:
    """Yield each place of the program that can become another, and the source then."""
    for path in sorted(home.glob("app/*/**/*.py")):
        source = path.read_text()
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.string in BECOMES:
                lines, row = source.splitlines(keepends=True), token.start[0] - 1
                before, after = lines[row][: token.start[1]], lines[row][token.end[1] :]
                lines[row] = before + BECOMES[token.string] + after
                yield path, token, "".join(lines)


def is_killed(home: Path, path: Path, mutant: str) -> bool:
    """Put a mutant into its place for a while, and return whether a test fails."""
    source = path.read_text()
    path.write_text(mutant)
    env = {**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(PYTEST, cwd=home, env=env, capture_output=True, check=False)
    path.write_text(source)
    return ended.returncode > 0


def main() -> None:
    """Draw mutants, and print those that survive."""
    args = options(__doc__, count=80, seed=1)
    figures, killed = Figures(f"mutants: {args}"), 0
    without = shutil.ignore_patterns(".git", "build", ".*_cache", "__pycache__", ".hypothesis")
    with tempfile.TemporaryDirectory() as name:
        home = shutil.copytree(ROOT, Path(name) / "home", symlinks=True, ignore=without)
        drawn = random.Random(args.seed).sample([*mutants(home)], args.count)
        for path, token, mutant in drawn:
            if is_killed(home, path, mutant):
                killed += 1
            else:
                figures.add(f"{path.relative_to(home)}:{token.start}", token.line.strip())
    figures.add("killed", f"{killed} of {len(drawn)}")


if __name__ == "__main__":
    main()

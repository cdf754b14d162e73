"""Decisions of the pages' and the worker's scripts, held in Node by a clock of the tests' own."""

import subprocess
from pathlib import Path

from tests.bundle.bundle_python import NODE

HERE = Path(__file__).parent


def test_scripts_do_what_their_tests_say() -> None:
    """Every test beside this file passes; what Node says of one that does not is shown."""
    found = sorted(HERE.glob("*.test.mjs"))
    assert len(found) > 4
    ran = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", *found], check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr

"""Decisions of the pages' and the worker's scripts, held in Node by a clock of the tests' own."""

import re
import subprocess
from pathlib import Path

from tests.bundle.bundle_python import NODE

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "static"
# A replacement of a text by a text: what is put in, and whether that is a function or a literal.
_REPLACED = re.compile(r"""(?<!location)\.replace(?:All)?\((?:/.+?/\w*|".*?"), (.*)""")
_UNREAD = re.compile(r"""\(?\w*\)? =>|"[^"$]*"\)""")


def test_scripts_do_what_their_tests_say() -> None:
    """Every test beside this file passes; what Node says of one that does not is shown."""
    found = sorted(HERE.glob("*.test.mjs"))
    assert len(found) > 4
    ran = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", *found], check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_is_put_into_a_text_is_not_read_for_signs() -> None:
    """A player may be called Ca$$h: a replacement that is a text would have one sign of it."""
    scripts = [each for each in SCRIPTS.rglob("*.js") if "vendor" not in each.parts]
    put_in = {(each.name, text) for each in scripts for text in _REPLACED.findall(each.read_text())}
    assert "ahead.js" in dict(put_in)
    assert not [each for each in put_in if not _UNREAD.match(each[1])]

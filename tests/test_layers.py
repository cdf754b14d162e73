"""The rules depend on nobody; the linter's contracts hold the order of all other layers."""

import re

from tests.checkout import ROOT

# Neither clock nor chance, and nothing of the outside world.
KNOWN = """
app.rules msgspec
base64 bisect collections enum functools itertools json operator re typing unicodedata zlib
"""
IMPORTED = re.compile(r"(?m)^ *(?:from (app\.\w+|\w+)\S* import|import (\w+))")


def test_rules_import_only_each_other_msgspec_and_what_reaches_nothing_outside() -> None:
    """The linter lets them neither print nor open a file."""
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "app" / "rules").glob("*.py"))
    imported = {"".join(found) for found in IMPORTED.findall(sources)}
    assert imported == {*KNOWN.split()}

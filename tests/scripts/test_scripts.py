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
# Selectors, their parts, and data attributes that are read; where each is written or set.
_SELECTOR = re.compile(
    r"""(?:find|all|closest|matches|querySelector(?:All)?|const [A-Z]+ =)[( ]\s*(["'`])(.+?)\1"""
)
_PART = re.compile(r"([#.]|\[data-|\[name=)([a-z][\w-]*)")
_DATA = re.compile(r"dataset\.(\w+)(?! *=[^=])\b")
_WRITTEN = {
    "#": r'\bid="{}"',
    # A macro is told a class as its kind, and a page its own in a block.
    ".": r"(?:\bclass=[^>]*?|\bkind(?:=| %}})[^>%]*?)(?<![\w-]){}(?![\w-])",
    "[data-": r"\bdata-{}(?![\w-])",
    "[name=": r"""\bname="{0}"|\(["']{0}["']""",
}
_SET = {
    "#": r'\bid = "{}"',
    ".": r'(?:classList\.\w+\(|className = [^;]*?)"{}\b',
    "[data-": r"\bdataset\.{} =(?!=)",
    "[name=": r'\bname = "{}"',
}


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
    put_in = {
        (each.name, text) for each in scripts for text in _REPLACED.findall(each.read_text("utf-8"))
    }
    assert "ahead.js" in dict(put_in)
    assert not [each for each in put_in if not _UNREAD.match(each[1])]


def test_what_scripts_select_is_there() -> None:
    """An id, class, name or data attribute of a selector is in a template, or set by a script."""
    scripts = [each.read_text("utf-8") for each in SCRIPTS.glob("*.js")]
    pages = [each.read_text("utf-8") for each in (SCRIPTS.parent / "templates").rglob("*.html")]
    code, there = re.sub(r"\$\{.*?\}", "", "\n".join(scripts)), "\n".join(pages)
    asked = {part for _, selector in _SELECTOR.findall(code) for part in _PART.findall(selector)}
    asked |= {("[data-", re.sub("[A-Z]", r"-\g<0>", name).lower()) for name in _DATA.findall(code)}
    assert len(asked) > 60
    assert [
        sign + name
        for sign, name in sorted(asked)
        if not re.search(_WRITTEN[sign].format(name), there)
        and not re.search(_SET[sign].format(name), code)
    ] == []

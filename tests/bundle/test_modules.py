"""Modules of a phone: all importable ones, compiled, with the tracebacks of their sources."""

import marshal
import pickle
import traceback
from pathlib import Path

import pytest

from app.offline.bundle_modules import HEAD, compile_module, find_modules, without_unused

FAILING = """
class Record:
    def fail(self):
        %s
        return [1 / each for each in [0]]
Record().fail()
"""


def test_imports_are_followed_wherever_they_stand(tmp_path: Path) -> None:
    """In functions, relative ones, of packages and names in them; not in omitted modules."""
    files = {
        "a.py": "def late():\n    import b.c\n    from b import d, name\n    import left.out, sys",
        "b/__init__.py": "from .e import name",
        "b/c.py": "from . import f\nfrom .g.h import name",
        **dict.fromkeys(("b/d.py", "b/e.py", "b/f.py", "b/g/h.py", "b/unused.py"), ""),
        "left/__init__.py": "import only",
        **dict.fromkeys(("left/out.py", "only.py"), ""),
    }
    for name, text in files.items():
        path = tmp_path / "second" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = find_modules(["a"], ["left"], [tmp_path / "first", tmp_path / "second"])
    assert {path.relative_to(tmp_path / "second").as_posix() for path in found} == {
        *("a.py", "b/__init__.py", "b/c.py", "b/d.py", "b/e.py", "b/f.py", "b/g/h.py")
    }


@pytest.mark.parametrize(
    "long", ["pass", "all = 1, 2, 3\n        del all\n" + "        +1\n" * 400]
)
def test_a_traceback_names_file_function_and_its_line(long: str) -> None:
    """The line is right in code of any length; Jinja needs a line number too."""
    compiled = compile_module((FAILING % long).encode(), "app/web/a.py")
    with pytest.raises(ZeroDivisionError) as caught:
        exec(marshal.loads(compiled[len(HEAD) :]), {})
    told = "".join(traceback.format_exception(caught.value))
    assert 'File "app/web/a.py", line 3, in fail' in told


def test_data_comes_without_what_no_page_asks_for() -> None:
    """What is left out is there, and empty."""
    data = {"territories": {"SE": "Sverige"}, "number_symbols": {"decimal": ","}}
    left = pickle.loads(without_unused(pickle.dumps(data)))
    assert left == {"territories": {}, "number_symbols": {"decimal": ","}}

"""A phone carries our modules without what only a type checker reads."""

import marshal
from typing import Any

import pytest

from app.kit.modules import compile_module

SOURCE = b"""
class Record:
    name: str
    def say(self, word: str = "hello") -> str:
        def twice(text: str) -> str:
            return text * 2
        return twice(word)
"""
# What stands before the code in a `.pyc` file.
HEAD = 16


def run(filename: str) -> Any:  # noqa: ANN401  # a class that is made here
    """Return the class of the source, compiled as the kit does."""
    names: dict[str, Any] = {}
    exec(marshal.loads(compile_module(SOURCE, filename)[HEAD:]), names)
    return names["Record"]


@pytest.mark.parametrize(("filename", "kept"), [("app/web/a.py", False), ("flask/a.py", True)])
def test_functions_of_ours_go_without_annotations(filename: str, kept: bool) -> None:
    """Those of a library stay, which may ask for them; all do what they did."""
    record = run(filename)
    assert record().say() == "hellohello"
    assert bool(record.say.__annotations__) is kept


def test_records_keep_their_fields() -> None:
    """What a class says of its fields is what msgspec makes a record of."""
    assert run("app/rules/a.py").__annotations__ == {"name": str}

"""A phone carries modules without annotations and places, and they do and tell what they did."""

import marshal
import traceback
from types import CodeType
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
FAILING = b"""
class Record:
    def fail(self):
        pass  # more
        return [1 / each for each in [0]]
Record().fail()
"""
FILENAMES = ("app/web/a.py", "flask/a.py")


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


def fail(filename: str, source: bytes) -> str:
    """Return the traceback of what fails in a source, compiled as the kit does."""
    code: CodeType = marshal.loads(compile_module(source, filename)[HEAD:])
    with pytest.raises(ZeroDivisionError) as caught:
        exec(code, {})
    return "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("filename", FILENAMES)
@pytest.mark.parametrize(
    "long", [b"pass", b"all = 1, 2, 3\n        del all\n" + b"        +1\n" * 400]
)
def test_a_traceback_names_file_and_function(filename: str, long: bytes) -> None:
    """Of code of any length."""
    told = fail(filename, FAILING.replace(b"pass  # more", long))
    assert f'File "{filename}", line None, in fail' in told


@pytest.mark.parametrize("filename", FILENAMES)
def test_code_that_moved_is_the_same(filename: str) -> None:
    """However many lines stand before it."""
    assert compile_module(b"\n\n" + FAILING, filename) == compile_module(FAILING, filename)


@pytest.mark.parametrize(
    ("filename", "name"), [(FILENAMES[0], "fail"), (FILENAMES[1], "Record.fail")]
)
def test_functions_of_ours_are_known_by_their_name_alone(filename: str, name: str) -> None:
    """Those of a library keep the class that they are in, which may be asked for."""
    source, names = FAILING.replace(b"Record().fail()", b""), dict[str, type]()
    exec(marshal.loads(compile_module(source, filename)[HEAD:]), names)
    assert vars(names["Record"])["fail"].__qualname__ == name

"""A phone carries modules without where their code stands, and still tells where it failed."""

import marshal
import traceback
from types import CodeType

import pytest

from app.kit.modules import compile_module
from tests.kit.test_annotations import HEAD

SOURCE = b"""
class Record:
    def fail(self):
        pass  # more
        return [1 / each for each in [0]]
Record().fail()
"""
FILENAMES = ("app/web/a.py", "flask/a.py")


def run(filename: str, source: bytes) -> str:
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
    told = run(filename, SOURCE.replace(b"pass  # more", long))
    assert f'File "{filename}", line None, in fail' in told


@pytest.mark.parametrize("filename", FILENAMES)
def test_code_that_moved_is_the_same(filename: str) -> None:
    """However many lines stand before it."""
    assert compile_module(b"\n\n" + SOURCE, filename) == compile_module(SOURCE, filename)


@pytest.mark.parametrize(
    ("filename", "name"), [(FILENAMES[0], "fail"), (FILENAMES[1], "Record.fail")]
)
def test_functions_of_ours_are_known_by_their_name_alone(filename: str, name: str) -> None:
    """Those of a library keep the class that they are in, which may be asked for."""
    source, names = SOURCE.replace(b"Record().fail()", b""), dict[str, type]()
    exec(marshal.loads(compile_module(source, filename)[HEAD:]), names)
    assert vars(names["Record"])["fail"].__qualname__ == name

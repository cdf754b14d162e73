"""Tables of cases in a JSON file beside the test that reads them.

Of `test_hands.py` they are in `hands.json`, each under the name of its test: the names of its
columns, and groups of rows, each with what its rows have in common.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


def read_tables(module: str) -> Any:  # noqa: ANN401 - JSON
    """Return what is told in the JSON file beside a module, which is named by its `__file__`."""
    path = Path(module)
    name = f"{path.stem.removeprefix('test_')}.json"
    return json.loads(path.with_name(name).read_text("utf-8"))


def told(test: Test) -> Test:
    """Carry out a test for each row of its table."""
    tables = read_tables(test.__code__.co_filename)
    table = tables[test.__name__.removeprefix("test_").replace("_", " ")]
    names = table.pop("columns").split(", ")
    rows = [
        pytest.param(*(row if len(names) > 1 else [row]), id=f"{group} {number}")
        for group, rows in table.items()
        for number, row in enumerate(rows)
    ]
    marked: Test = pytest.mark.parametrize(names, rows)(test)
    return marked

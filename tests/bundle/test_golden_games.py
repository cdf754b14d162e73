"""The golden games have the same results in the bundle."""

import json
from pathlib import Path
from typing import Any

from tests.bundle.bundle_python import BundlePython
from tests.golden.test_golden import FILES, as_text


def read(path: Path) -> dict[str, Any]:
    """Return a golden game and its result."""
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return golden


def test_golden_games_have_the_same_results_in_the_bundle(python: BundlePython) -> None:
    """The JSON of each result is the same as here, with its keys in the same order."""
    golden = {path.stem: read(path) for path in FILES}
    results = python.ask("score", games={name: each["game"] for name, each in golden.items()})
    assert {name: as_text(results[name]) for name in golden} == {
        name: as_text(each["result"]) for name, each in golden.items()
    }

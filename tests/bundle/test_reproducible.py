"""The same sources build the same bundle, byte for byte, so that only changed files are fetched."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.offline.build import ROOT, WORK, collect, make_zip

COMPILE = """from app.offline.phone import create_phone_app as create
create("").jinja_env.compile_templates(%r, zip=None, ignore_errors=False)"""


@pytest.mark.usefixtures("bundle")
def test_templates_become_the_same_modules_in_another_process(tmp_path: Path) -> None:
    """Sets may have another order there."""
    command = [sys.executable, "-c", COMPILE % str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"}, check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in (WORK / "templates").iterdir()}


def test_what_is_put_together_comes_out_the_same_again(bundle: Path) -> None:
    """Archives, texts and licences are the same, and contain no path of the machine.

    Neither the order of an archive's files nor the time matters.
    """
    order = {"b.pyc": b"two", "a.pyc": b"one"}
    assert make_zip(order) == make_zip(dict(reversed(order.items())))
    files = {path.name: path.read_bytes() for path in bundle.glob("*/*") if path.suffix != ".br"}
    assert collect() == files
    assert [name for name, content in files.items() if str(ROOT).encode() in content] == []

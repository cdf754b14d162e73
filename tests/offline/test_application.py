"""The application for one phone: every page of a game, without the guards of a server."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.offline.build import OMITTED
from app.offline.phone import create_phone_app
from tests.empty_database import copy_empty_database

# Modules that only a server needs, and that a browser's Python does not have.
SERVER_ONLY = ["gunicorn", "brotli", *(name for name in OMITTED if name[:4] in ("app.", "flas"))]


def test_it_needs_nothing_of_a_servers() -> None:
    """It is made without the server's own libraries, which a phone does not carry."""
    code = f"""
import sys
from app.offline.phone import create_phone_app
create_phone_app("none.db")
sys.exit(" ".join(name for name in {SERVER_ONLY} if name in sys.modules))
"""
    found = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True
    )
    assert found.stderr.strip() == ""


def test_what_fails_is_logged_whole(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has the message and the traceback, since only the phone's owner sees it."""
    path = copy_empty_database(tmp_path / "chicago.db")
    app = create_phone_app(str(path))
    app.view_functions["new_table.page"] = lambda: str(1 // 0)
    answer = app.test_client().get("/")
    assert answer.status_code == 500
    assert "ZeroDivisionError: integer" in caplog.text
    assert "Traceback" in caplog.text

"""A server whose bundle can be followed by another release, which brings a migration of its own."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
import zipfile
from pathlib import Path

from flask import Flask

import app as score_keeper
from tests.browser.serving import ROOT

# What tells the server where its bundle is.
FOLDER = "NEXT_KIT"
RELEASE = "next"
MIGRATION = "m999_next_release"
MIGRATIONS = "app/store/schema.py"
MORE = f"""

def {MIGRATION}(database):
    database.execute("CREATE TABLE next_release (id INTEGER PRIMARY KEY) STRICT")


migrations()({MIGRATION})
"""


def create_app() -> Flask:
    """Make the application with the bundle that may change while it is served."""
    return score_keeper.create_app({"KIT": os.environ[FOLDER]})


def copy_kit(folder: Path) -> None:
    """Put the bundle that was built into a folder where it may change."""
    shutil.copytree(ROOT / "build/offline", folder, copy_function=os.link)


def release_next(folder: Path) -> None:
    """Put another release in the place of the bundle: the same, with one migration more."""
    listing = json.loads((folder / "kit.json").read_text())
    (application,) = (file for file in listing["files"] if file["name"] == "app.zip")
    content = _with_migration((folder / _below(application["url"])).read_bytes())
    digest = hashlib.sha256(content)
    path = folder / digest.hexdigest()[:16] / "app.zip"
    path.parent.mkdir()
    path.write_bytes(content)
    integrity = f"sha256-{base64.b64encode(digest.digest()).decode()}"
    application |= {"url": f"/offline/{path.parent.name}/app.zip", "integrity": integrity}
    listing["release"] = RELEASE
    # The file it is a link to stays, nothing compressed of it is left, and nobody reads half of it.
    (folder / "kit.json.br").unlink()
    (folder / "next.json").write_text(json.dumps(listing))
    (folder / "next.json").rename(folder / "kit.json")


def _with_migration(archive: bytes) -> bytes:
    """Return the application with one migration more: sources come before what was compiled."""
    changed = io.BytesIO(archive)
    with zipfile.ZipFile(changed, "a", zipfile.ZIP_STORED) as application:
        application.writestr(MIGRATIONS, (ROOT / MIGRATIONS).read_text() + MORE)
    return changed.getvalue()


def _below(url: str) -> str:
    return url.removeprefix("/offline/")

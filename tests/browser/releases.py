"""A bundle that can be replaced by another release with one more migration."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
import zipfile
from pathlib import Path

from tests.browser.serving import ROOT

RELEASE = "next"
MIGRATION = "m999_next_release"
MIGRATIONS = "app/store/schema.py"
MORE = f"""

def {MIGRATION}(database):
    database.execute("CREATE TABLE next_release (id INTEGER PRIMARY KEY) STRICT")


migrations()({MIGRATION})
"""


def copy_bundle(folder: Path) -> None:
    """Copy the built bundle into a folder in which it may change."""
    shutil.copytree(ROOT / "build/offline", folder, copy_function=os.link)


def release_next(folder: Path) -> None:
    """Replace the bundle by another release: the same, with one more migration."""
    listing = json.loads((folder / "kit.json").read_text("utf-8"))
    (application,) = (file for file in listing["files"] if file["name"] == "app.zip")
    content = _with_migration((folder / application["url"].removeprefix("offline/")).read_bytes())
    digest = hashlib.sha256(content)
    path = folder / digest.hexdigest()[:16] / "app.zip"
    path.parent.mkdir()
    path.write_bytes(content)
    integrity = f"sha256-{base64.b64encode(digest.digest()).decode()}"
    application |= {"url": f"offline/{path.parent.name}/app.zip", "integrity": integrity}
    listing["release"] = RELEASE
    listing["schema"] += 1
    # The linked file stays, its compressed copy goes, and the rename leaves no half file to read.
    (folder / "kit.json.br").unlink()
    (folder / "next.json").write_text(json.dumps(listing))
    (folder / "next.json").rename(folder / "kit.json")


def _with_migration(archive: bytes) -> bytes:
    """Return the application with one more migration: sources precede compiled files."""
    changed = io.BytesIO(archive)
    with zipfile.ZipFile(changed, "a", zipfile.ZIP_STORED) as application:
        application.writestr(MIGRATIONS, (ROOT / MIGRATIONS).read_text("utf-8") + MORE)
    return changed.getvalue()

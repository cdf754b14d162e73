"""A server whose kit can be followed by another release, which brings a migration of its own."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from pathlib import Path

from flask import Flask

import app as score_keeper
from tests.browser.serving import ROOT

# What tells the server where its kit is.
FOLDER = "NEXT_KIT"
RELEASE = "next"
MIGRATION = "m999_next_release"
MIGRATIONS = "app/store/schema.py"
# Where the worker has the list from.
TOLD = re.compile(r"/offline/[0-9a-f]+/kit\.js")
MORE = f"""

def {MIGRATION}(database):
    database.execute("CREATE TABLE next_release (id INTEGER PRIMARY KEY) STRICT")


migrations()({MIGRATION})
"""


def create_app() -> Flask:
    """Make the application with the kit that may change while it is served."""
    return score_keeper.create_app({"KIT": os.environ[FOLDER]})


def copy_kit(folder: Path) -> None:
    """Put the kit that was built into a folder where it may change."""
    shutil.copytree(ROOT / "build/offline", folder, copy_function=os.link)


def release_next(folder: Path) -> None:
    """Put another release in the place of the kit: the same, with one migration more."""
    listing = json.loads((folder / "kit.json").read_text())
    (application,) = (file for file in listing["files"] if file["name"] == "app.zip")
    content = _with_migration((folder / _below(application["url"])).read_bytes())
    url, digest = _add(folder, "app.zip", content)
    application |= {"url": url, "sha256": digest, "bytes": len(content), "download": len(content)}
    listing["release"] = RELEASE
    script, _ = _add(folder, "kit.js", f"export const KIT = {json.dumps(listing)};".encode())
    worker = (folder / "worker.js").read_text()
    _put(folder / "worker.js", TOLD.sub(script, worker))
    _put(folder / "kit.json", json.dumps(listing))


def _with_migration(archive: bytes) -> bytes:
    """Return the application with one migration more: sources come before what was compiled."""
    changed = io.BytesIO(archive)
    with zipfile.ZipFile(changed, "a", zipfile.ZIP_STORED) as application:
        application.writestr(MIGRATIONS, (ROOT / MIGRATIONS).read_text() + MORE)
    return changed.getvalue()


def _add(folder: Path, name: str, content: bytes) -> tuple[str, str]:
    """Add a file under its hash; its address and the whole hash."""
    digest = hashlib.sha256(content).hexdigest()
    path = folder / digest[:16] / name
    path.parent.mkdir()
    path.write_bytes(content)
    return f"/offline/{digest[:16]}/{name}", digest


def _put(path: Path, text: str) -> None:
    """Replace a file, of which nothing compressed is left, and not what it is a link to."""
    for ending in ("", ".br", ".gz"):
        path.with_name(path.name + ending).unlink()
    path.write_text(text)


def _below(url: str) -> str:
    return url.removeprefix("/offline/")

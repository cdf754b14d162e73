"""Record evenings anew, all or the named ones: `python -m tests.evenings [NAME ...]`."""

from __future__ import annotations

import os
import sys

from tests.evenings.replay import FOLDER, play, read, served, write

os.environ["CHICAGO_LIMITS"] = "off"

with served() as app:
    for path in sorted(FOLDER.glob("*.json")):
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            path.write_text(write(play(app.test_client, read(path))), "utf-8")

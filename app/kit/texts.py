"""Which messages a phone can come to say: those of the modules and the templates it carries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel.messages.extract import extract_from_file

from app.kit.contents import OMITTED, SERVERS_PAGES
from app.kit.modules import is_omitted

# As templates are read by what gathers the messages for the catalogs.
OPTIONS = {"trimmed": "true", "silent": "false"}


def find_messages(root: Path) -> set[str]:
    """The English of each message, for one, that not only a server or a terminal says."""
    found: set[str] = set()
    for path in _modules(root):
        found |= _messages("python", path)
    for path in _templates(root / "templates"):
        found |= _messages("jinja2", path)
    return found


def _modules(root: Path) -> Iterator[Path]:
    for path in (root / "app").rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        if not is_omitted(".".join(parts), OMITTED):
            yield path


def _templates(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*.html"):
        if not path.relative_to(folder).as_posix().startswith(SERVERS_PAGES):
            yield path


def _messages(method: str, path: Path) -> set[str]:
    options = OPTIONS if method == "jinja2" else {}
    found = (message for _, message, _, _ in extract_from_file(method, path, options=options))
    return {message if isinstance(message, str) else message[0] for message in found}

"""The licences of all that the kit carries, in one text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from app.kit.downloads import MissingSource

# Of what no wheel brings: Pyodide, Python, and what is compiled into them.
BESIDE = Path(__file__).parent / "licences"
NAMES = ("LICENSE*", "licenses/LICENSE*", "licenses/COPYING*")


def collect_licences(root: Path, site: Path, packages: Iterable[str]) -> bytes:
    """Ours, then everybody else's. Raises MissingSource for a package that has none."""
    ours = [("Chicago", [root / "LICENSE"])]
    theirs = [(name, _licences_of(site, name)) for name in packages]
    carried = [
        ("Languages and their ways with numbers (CLDR)", [*site.glob("babel/*/LICENSE.unicode")]),
        ("htmx", [root / "static" / "vendor" / "htmx-LICENSE"]),
    ]
    texts = [_section(name, paths) for name, paths in [*ours, *theirs, *carried]]
    beside = [path.read_text(encoding="utf-8") for path in sorted(BESIDE.glob("*.txt"))]
    return "\n\n".join(text.strip() + "\n" for text in [*texts, *beside]).encode()


def _licences_of(site: Path, package: str) -> list[Path]:
    """The files that a wheel brings. Raises MissingSource."""
    folders = site.glob(f"{package.replace('-', '_')}-*.dist-info")
    paths = sorted(path for folder in folders for name in NAMES for path in folder.glob(name))
    if not paths:
        raise MissingSource(f"{package} comes without its licence.")
    return paths


def _section(name: str, paths: Iterable[Path]) -> str:
    texts = [path.read_text(encoding="utf-8").strip() for path in paths]
    return "\n\n".join([f"{name}\n{'=' * len(name)}", *texts])

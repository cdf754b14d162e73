"""The bundle's Python comes to what a server comes to, in games, evenings and pages."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from werkzeug.test import Client

from app.offline import bundle_modules
from app.offline.build import ABI, CACHE, PACKAGES, PLATFORMS, PYTHON, ROOT, SITE, STDLIB, read_lock
from app.offline.bundle_modules import is_omitted, locate
from app.store.clock import evening_of
from tests.bundle.bundle_python import HERE, BundlePython
from tests.evenings.replay import FOLDER, play, read, write
from tests.golden.test_golden import FILES, as_text
from tests.web.walk import HEADERS, Walk, kind

LOCK = read_lock((ROOT / "requirements.txt").read_text())
# Around nights with a clock change, before 1996 too, and in the far future.
MOMENTS = [
    *("1985-09-29T02:30Z", "2026-03-29T02:59Z", "2026-03-29T03:00Z", "2026-10-25T03:59Z"),
    *("2026-10-25T04:00Z", "2026-11-01T08:59Z", "2026-11-01T09:00Z", "2090-07-01T02:59Z"),
]

OPENING = {"player": ["Anna", "Bo", "Cilla"], "dealer": "Anna", "stake": "1", "key": "k" * 22}
# Pages that the walk must see, among any others.
PAGES = """
GET /, GET /tables, GET /files, GET /t/*, GET /t/*/more, GET /t/*/comings, GET /t/*/rare,
GET /t/*/settings, GET /t/*/tie, GET /t/*/player/*, GET /t/*/rules, POST /t/*/events,
POST /t/*/games, GET /t/*/protocol, GET /t/*/compare, GET /t/*/games/*,
GET /t/*/games/*/entries/*, POST /t/*/games/*/edit, GET /t/*/games/*.json, GET /t/*/games.zip,
GET /t/*/evening, GET /t/*/evening/pay/*-*, POST /t/*/evening/all, GET /t/*/people,
GET /t/*/evening/advance, GET /t/*/money, GET /t/*/years, GET /t/*/games, GET /t/*/ledger.csv,
GET /t/*/join
"""
# Pages that the walk does not reach, requested by name.
APART = ("/", "/rules", "/files", "/tables", "/app.webmanifest", "/not-a-page")
# Modules of optional imports, left out on purpose.
TOLERATED = ("ctypes",)
# Those with most kinds of pages; the walk asks for the others, and rules are in golden games.
EVENINGS = ("editing", "files", "mistakes", "next", "payments")


@pytest.fixture(scope="module")
def python(bundle: Path) -> Iterator[BundlePython]:
    """Start the bundle's Python, with the phone's application."""
    started = BundlePython(bundle)
    yield started
    started.stop()


def test_pyodides_python_is_that_which_msgspec_is_compiled_for(
    python: BundlePython, listing: dict[str, Any]
) -> None:
    """For this Python and ABI; any library has the version that the server runs."""
    inside = python.ask("versions")
    assert "".join(map(str, inside["python"])) == PYTHON
    assert LOCK["msgspec"].startswith(f"msgspec=={inside['msgspec']} ")
    assert listing["abi"] == ABI
    name = f"msgspec-{inside['msgspec']}-cp{PYTHON}-cp{PYTHON}-{PLATFORMS[0]}.whl"
    for wheel in (CACHE / "downloads").glob(f"*/{name}"):
        assert hashlib.sha256(wheel.read_bytes()).hexdigest() in LOCK["msgspec"]
    for name in PACKAGES:
        assert LOCK[name].startswith(f"{name}=={importlib.metadata.version(name)} ")


def test_golden_games_have_the_same_results(python: BundlePython) -> None:
    """The JSON of each result is the same as here, with its keys in the same order."""
    golden = {path.stem: json.loads(path.read_text("utf-8")) for path in FILES}
    results = python.ask("score", games={name: each["game"] for name, each in golden.items()})
    assert {name: as_text(results[name]) for name in golden} == {
        name: as_text(each["result"]) for name, each in golden.items()
    }


@pytest.mark.parametrize("zone", ["Europe/Stockholm", "America/New_York", "Asia/Kolkata"])
def test_evenings_are_the_same(
    python: BundlePython, set_zone: Callable[[str], None], zone: str
) -> None:
    """They match in the default zone, and in others that a server may have."""
    set_zone(zone)
    found = python.ask("evenings", moments=MOMENTS, zone=zone)
    assert found["evenings"] == [evening_of(moment).isoformat() for moment in MOMENTS]


def test_modules_are_compiled_to_the_same_by_another_process(
    python: BundlePython, bundle: Path
) -> None:
    """Another order and the bundle's own Python make no difference."""
    program = Path(bundle_modules.__file__).read_text()
    (packed,) = bundle.glob("*/app.zip")
    with ZipFile(packed) as archive:
        names = sorted((n for n in archive.namelist() if n.startswith("app/")), reverse=True)
        compiled = [name for name in names if name.endswith(".pyc")]
        assert len(compiled) > 60
        for name in compiled[::8]:
            filename = name.replace(".pyc", ".py")
            source = (ROOT / filename).read_text()
            again = python.ask("compile_module", program=program, source=source, filename=filename)
            assert base64.b64decode(again["compiled"]) == archive.read(name), name


@pytest.fixture(scope="module")
def answers(python: BundlePython) -> dict[str, int]:
    """Open a table, import another with a whole game, and walk through all pages of both."""
    client = Client(python)
    opened = client.post("/", data=OPENING, headers=HEADERS)
    game = json.loads((ROOT / "tests/golden/evening-of-huvudregler-for-four.json").read_text())[
        "game"
    ]
    file = (BytesIO(json.dumps(game).encode()), "evening.json")
    taken_in = client.post("/files", data={"file": file}, headers=HEADERS)
    found: dict[str, int] = {}
    for each in (opened, taken_in):
        assert each.status_code == HTTPStatus.SEE_OTHER, each.text
        walk = Walk(client)
        walk.follow_all(each.location)
        found |= walk.answers
    return found | {path: client.get(path, headers=HEADERS).status_code for path in APART}


def test_every_page_is_answered(answers: dict[str, int]) -> None:
    """No page, sheet, file or form fails, and the pages of tables are among them."""
    assert {each: status for each, status in answers.items() if status >= 500} == {}
    wanted = PAGES.replace("\n", " ").strip().split(", ")
    assert set(wanted) - {kind(address) for address in answers} == set()


@pytest.mark.usefixtures("answers")
def test_nothing_that_is_imported_is_missing(python: BundlePython) -> None:
    """A module that imports did not find is in no library, or is left out on purpose."""
    roots = (SITE, STDLIB)
    absent = python.ask("absent")["names"]
    assert absent
    missing = [name for name in absent if locate(name, roots) and not is_omitted(name, TOLERATED)]
    assert missing == []


@pytest.fixture(scope="module")
def server(python: BundlePython) -> BundlePython:
    """Put the server's application in the place of the phone's; each evening has its own table."""
    python.ask("run", program=(HERE / "server.py").read_text())
    return python


@pytest.mark.parametrize("name", EVENINGS)
def test_everybody_sees_what_they_saw(server: BundlePython, name: str) -> None:
    """The same requests get the same status codes, words and numbers as recorded on a server.

    The application is the server's, since an evening has several phones, but its rules, pages and
    texts are the bundle's own: compiled modules and templates, SQLite and Babel. Only the PNG of a
    picture stays empty, as nothing paints there.
    """
    path = FOLDER / f"{name}.json"
    assert write(play(lambda: Client(server), read(path))) == path.read_text("utf-8")

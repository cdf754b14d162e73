"""The bundle's Python comes to what a server comes to, in games, evenings and pages."""

import base64
import importlib.metadata
import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from werkzeug.test import Client

from app.i18n.language import Language
from app.offline import bundle_modules
from app.offline.build import ABI, PACKAGES, PYTHON, ROOT, SITE, STDLIB, read_lock
from app.offline.bundle_modules import is_omitted, locate
from app.offline.phone import create_phone_app
from app.store.clock import evening_of
from tests.bundle.bundle_python import BundlePython
from tests.golden.test_golden import as_text
from tests.rules.table import GOLDEN
from tests.web.walk import HEADERS, Walk, kind

LOCK = read_lock((ROOT / "requirements.txt").read_text("utf-8"))
# Around nights with a clock change, before 1996 too, and in the far future.
MOMENTS = """
1985-09-29T02:30Z 2026-03-29T02:59Z 2026-03-29T03:00Z 2026-10-25T03:59Z
2026-10-25T04:00Z 2026-11-01T08:59Z 2026-11-01T09:00Z 2090-07-01T02:59Z
"""

OPENING = {"player": ["Anna", "Bo", "Cilla"], "dealer": "0", "stake": "1", "key": "k" * 22}
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
ROOTS = (SITE, STDLIB)
# A time, a table.
BY_CHANCE = re.compile(r"\d\d[:.]\d\d|[\w-]{22}")


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
    for name in PACKAGES:
        assert LOCK[name].startswith(f"{name}=={importlib.metadata.version(name)} ")


def test_golden_games_have_the_same_results(python: BundlePython) -> None:
    """The JSON of each result is the same as here, with its keys in the same order."""
    results = python.ask("score", games={name: each["game"] for name, each in GOLDEN.items()})
    assert {name: as_text(results[name]) for name in GOLDEN} == {
        name: as_text(each["result"]) for name, each in GOLDEN.items()
    }


@pytest.mark.parametrize(
    ("zone", "code"),
    [("Europe/Stockholm", "sv"), ("America/New_York", "en"), ("Asia/Kolkata", "fi")],
)
def test_evenings_are_the_same_and_written_alike(
    python: BundlePython, set_zone: Callable[[str], None], zone: str, code: str
) -> None:
    """They match in the default zone, and in others that a server may have."""
    set_zone(zone)
    found, speak = (
        python.ask("evenings", moments=MOMENTS.split(), zone=zone, language=code),
        Language(code),
    )
    days = map(evening_of, MOMENTS.split())
    assert found["evenings"] == [[speak.day(day), speak.short_day(day)] for day in days]
    assert found["amount"] == speak.money(-123450, "EUR")


def test_modules_are_compiled_to_the_same_by_another_process(
    python: BundlePython, bundle: Path
) -> None:
    """Another order and the bundle's own Python make no difference."""
    program = Path(bundle_modules.__file__).read_text("utf-8")
    (packed,) = bundle.glob("*/app.zip")
    with ZipFile(packed) as archive:
        names = sorted((n for n in archive.namelist() if n.startswith("app/")), reverse=True)
        compiled = [name for name in names if name.endswith(".pyc")]
        assert len(compiled) > 60
        for name in compiled[::8]:
            filename = name.replace(".pyc", ".py")
            source = (ROOT / filename).read_text("utf-8")
            again = python.ask("compile_module", program=program, source=source, filename=filename)
            assert base64.b64decode(again["compiled"]) == archive.read(name), name


def walk(client: Client) -> list[tuple[str, int, str]]:
    """Open a table, import another with a whole game, and return the pages of both by kind."""
    opened = client.post("/", data=OPENING, headers=HEADERS)
    game = json.dumps(GOLDEN["evening-of-huvudregler-for-four"]["game"])
    file = (BytesIO(game.encode()), "evening.json")
    taken_in = client.post("/files", data={"file": file}, headers=HEADERS)
    found: list[tuple[str, int, str]] = []
    for address in (opened.location, taken_in.location, *APART):
        walk = Walk(client)
        walk.follow_all(address)
        for at, status in walk.answers.items():
            text = walk.pages[at].text if at in walk.pages else ""
            found.append((kind(at), status, BY_CHANCE.sub("", text)))
    return found


def test_every_page_is_the_same_and_no_module_is_missing(
    python: BundlePython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled modules and templates, SQLite and Babel give the words and numbers they give here.

    A module that imports did not find is in no library, or is left out on purpose.
    """
    here = create_phone_app(str(tmp_path / "phone.db"), PROPAGATE_EXCEPTIONS=True)
    monkeypatch.setattr("secrets.choice", min)
    pages = walk(Client(here))
    wanted = PAGES.replace("\n", " ").strip().split(", ")
    assert {*wanted} - {at for at, *_ in pages} == set()
    assert walk(Client(python)) == pages
    absent = python.ask("absent")["names"]
    missing = [name for name in absent if locate(name, ROOTS) and not is_omitted(name, TOLERATED)]
    assert absent
    assert missing == []

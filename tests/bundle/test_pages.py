"""Pages of a table in the bundle's Python: all of them work, and no import is missing."""

from __future__ import annotations

import json
from http import HTTPStatus
from io import BytesIO
from pathlib import Path

import pytest
from werkzeug.test import Client

from app.offline.build import SITE, STDLIB
from app.offline.bundle_modules import is_omitted, locate
from tests.bundle.bundle_python import BundlePython
from tests.web.walk import HEADERS, Walk, kind

GOLDEN = Path(__file__).parents[1] / "golden"
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


@pytest.fixture(scope="module")
def answers(python: BundlePython) -> dict[str, int]:
    """Open a table, import another with a whole game, and walk through all pages of both."""
    client = Client(python)
    opened = client.post("/", data=OPENING, headers=HEADERS)
    game = json.loads((GOLDEN / "evening-of-huvudregler-for-four.json").read_text())["game"]
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

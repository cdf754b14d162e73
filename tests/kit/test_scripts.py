"""The worker's scripts import each other, and the kit, by their hashes."""

import json
import re

import pytest

from app.kit.compilation import BuildFailed
from app.kit.listing import File, Listing
from app.kit.scripts import link_scripts

SOURCES = {
    "worker.js": 'import { boot } from "./boot.js";\nimport { KIT } from "./kit.js";\nboot(KIT);',
    "boot.js": "import { loadPyodide } from './pyodide.mjs';\nexport const boot = loadPyodide;",
}


def listing(release: str = "1", url: str = "/offline/0123/pyodide.mjs") -> Listing:
    """Return a list of one file."""
    return Listing(release, "0", "0", "0", [File("pyodide.mjs", url, "", 1, 1)], 1, 1)


def imported(script: bytes) -> list[str]:
    """Return what a script imports."""
    return re.findall(r"""from ?["']([^"']+)""", script.decode())


def test_imports_lead_to_addresses_with_hashes() -> None:
    """Those of other scripts, of the list, and of the kit's files."""
    linked = link_scripts(SOURCES, listing())
    assert imported(linked["boot.js"]) == ["/offline/0123/pyodide.mjs"]
    leads = imported(linked["worker.js"])
    assert [re.sub("[0-9a-f]{16}", "#", lead) for lead in leads] == [
        "/offline/#/boot.js",
        "/offline/#/kit.js",
    ]


def test_the_list_is_a_module() -> None:
    """The worker knows what it needs from the beginning."""
    text = link_scripts(SOURCES, listing())["kit.js"].decode()
    assert json.loads(text.removeprefix("export const KIT=").rstrip(";"))["release"] == "1"


@pytest.mark.parametrize("other", [listing(release="2"), listing(url="/offline/4567/pyodide.mjs")])
def test_another_kit_is_another_worker(other: Listing) -> None:
    """Whatever it is that differs, the browser finds another script at the same address."""
    workers = {link_scripts(SOURCES, each)["worker.js"] for each in (listing(), other)}
    assert len(workers) == 2


@pytest.mark.parametrize("text", ['import "./none.js";', 'import "./worker.js";'])
def test_an_import_that_leads_nowhere_is_told(text: str) -> None:
    """The build says which script is missing, or imports itself."""
    with pytest.raises(BuildFailed, match=r"none\.js is not there|imports itself, by way of"):
        link_scripts({**SOURCES, "boot.js": text}, listing())

"""The search for secrets in a log finds them."""

import json
from urllib.parse import quote

import pytest

from tests.api.leaks import find_leaks

LINK, PEN = "0Zx9_abcdefghijklmnopA", "eIjZ1rCPNmAuQ61mKDL67VFCwwYIv4reNciwEQZlTAQ"
NAME = "Åsa & Bo"


@pytest.mark.parametrize("line", [f"GET /t/{LINK} 500", f'"/t/x/pen/{PEN}"', f"x={LINK}&y"])
def test_links_and_pens_that_nobody_told_of_are_found(line: str) -> None:
    """Their form tells them from ids, routes and times."""
    assert len(find_leaks(line, [])) == 1
    honest = "2026-11-23 19:33:36,484 INFO dabcdf0e0ef4 GET /t/<link> 200 80.9 ms"
    assert find_leaks(honest, [NAME]) == []


@pytest.mark.parametrize("written", [NAME, quote(NAME), json.dumps(NAME), repr(NAME.encode())])
def test_names_are_found_however_they_are_written(written: str) -> None:
    """A name may be spelt as in an address, in JSON or in Python."""
    assert find_leaks(f"error in {written}", [NAME]) == [NAME]

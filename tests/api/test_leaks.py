"""The search for secrets in a log finds them."""

import json
from urllib.parse import quote

import pytest

from tests.api.leaks import find_leaks

LINK, PEN = "0Zx9_abcdefghijklmnopA", "eIjZ1rCPNmAuQ61mKDL67VFCwwYIv4reNciwEQZlTAQ"
NAME = "Åsa & Bo"


@pytest.mark.parametrize(
    "line",
    [f"GET /t/{LINK} 500", f'{{"path":"/t/x/pen/{PEN}"}}', f"KeyError: '{LINK}'", f"x={LINK}&y"],
)
def test_links_and_pens_that_nobody_told_of_are_found(line: str) -> None:
    """By their form."""
    assert len(find_leaks(line, [])) == 1


@pytest.mark.parametrize("written", [NAME, quote(NAME), json.dumps(NAME), repr(NAME.encode())])
def test_names_are_found_however_they_are_written(written: str) -> None:
    """As addresses, JSON and Python write them."""
    assert find_leaks(f"error in {written}", [NAME]) == [NAME]


def test_an_honest_line_holds_none() -> None:
    """Nor do ids, routes, times and lines of code look like one."""
    line = '{"time":"2026-11-22T02:46:29.959Z","request":"8f14e45f-ceea-467f-a9d1-0242ac120002",'
    assert (
        find_leaks(line + '"route":"/t/<link>","at":["app/http/request_log.py:73"]}', [NAME]) == []
    )

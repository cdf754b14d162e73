"""A request's id: on every answer, in the log, and on the page that tells of an error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask

from app import create_app
from tests.api.calling import shut_down
from tests.api.logs import capture_log

HEADER = "X-Request-Id"
OURS = re.compile(r"[0-9a-f]{12}")
THEIRS = "8f14e45f-ceea-467f-a9d1-0242ac120002"


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/static/app.css", "/api/openapi.json", "/sw.js"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST"])
def test_every_answer_has_an_id_of_its_own_which_is_in_the_log(
    app: Flask, method: str, path: str
) -> None:
    """Made by us, whatever the client says that it is."""
    with capture_log() as log:
        sent = {HEADER: THEIRS}
        answers = [
            app.test_client().open(path, method=method, headers=sent, buffered=True)
            for _ in range(2)
        ]
    ids = [answer.headers[HEADER] for answer in answers]
    assert len(set(ids)) == 2
    assert all(OURS.fullmatch(an_id) for an_id in ids)
    assert [line["request"] for line in log.requests] == ids


@pytest.mark.parametrize("path", ["/nothing", "/t/nothing", "/?page=1"])
def test_the_page_of_an_error_shows_the_id(app: Flask, path: str) -> None:
    """In words, to be mentioned; a page that shows no error has none."""
    answer = app.test_client().get(path, headers={"Accept-Language": "sv"})
    shown = f"Nämn felkoden om du hör av dig: {answer.headers[HEADER]}" in answer.text
    assert shown == (answer.status_code >= 400)


def test_a_proxy_may_give_the_id(tmp_path: Path) -> None:
    """Only where there is one, and only what can be neither a secret nor a name."""
    app = create_app({"DATABASE": str(tmp_path / "chicago.db"), "PROXIES": 1})
    link, number = "0Zx9_abcdefghijklmnopA", "0701234567"
    for sent in (THEIRS, "0" * 64):
        assert app.test_client().get("/", headers={HEADER: sent}).headers[HEADER] == sent
    for sent in (link, number, "Quintilianus-Augusta", "0" * 65, f"{THEIRS}, {THEIRS}", ""):
        answer = app.test_client().get("/", headers={HEADER: sent})
        assert OURS.fullmatch(answer.headers[HEADER])
    shut_down(app)

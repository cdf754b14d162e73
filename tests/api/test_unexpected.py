"""Unexpected exceptions: an answer in words, a log that locates the fault, and no secrets."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from tests.api import places
from tests.api.leaks import MADE_UP, SECRETS, find_logged
from tests.api.network import connect, raw, send
from tests.browser.serving import UNWANTED, Server


@pytest.mark.parametrize(
    ("how", "status", "told"),
    [
        ("view", b"500", ["RuntimeError\n", "KeyError\n", "places.py"]),
        ("template", b"500", ["UndefinedError\n", "places.py"]),
        ("database", b"500", ["OperationalError SQLITE_ERROR\n", "places.py"]),
        ("stream", b"200", ["LookupError\n"]),
        ("header", b"500", []),
        # Of a text that has its values in it already nothing is known to be none.
        ("library", b"200", ["ArithmeticError\n", " a person %s\n", " a message of some.lib"]),
        ("greenlet", b"200", ["NotImplementedError\n"]),
    ],
)
def test_of_a_fault_the_log_has_the_kind_and_the_place_and_no_value(
    observed: Server, how: str, status: bytes, told: list[str]
) -> None:
    """The page of an error says so in words, and has the same id."""
    for secret in SECRETS:
        before = len(observed.log.read_text())
        answer = raw(observed.port, f"GET /broken/{how}/{secret} HTTP/1.0\r\n\r\n".encode())
        log, leaks = find_logged(observed, [secret], before)
        assert answer.split()[1] == status
        assert leaks == []
        assert [each for each in told if each not in log] == []
        assert secret.encode() not in answer
        if "places.py" in told:
            [made] = re.findall(rb"X-Request-Id: (\w+)", answer)
            assert b"felkoden om du h\xc3\xb6r av dig: " + made in answer
            assert f"ERROR {made.decode()} failed\n" in log


def test_a_program_gets_json_of_the_same_form_as_ever(observed: Server) -> None:
    """The id is in the header only."""
    answer = send(observed.port, "GET", f"/api/broken/view/{MADE_UP}")
    assert (answer.status, set(answer.json["error"])) == (500, {"code", "message"})
    assert MADE_UP.encode() not in answer.data
    assert f"ERROR {answer.headers['X-Request-Id']} failed\n" in find_logged(observed, [])[0]


def test_whoever_hangs_up_is_no_error(observed: Server) -> None:
    """A broken pipe is not logged."""
    before = len(observed.log.read_text())
    with connect(observed.port) as connection:
        connection.sendall(f"GET /broken/written/{MADE_UP} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        connection.recv(10)
    log, leaks = find_logged(observed, [MADE_UP], before)
    assert leaks == []
    assert not UNWANTED.search(log)


def test_tests_and_programmers_get_the_exception_itself(alone: Flask) -> None:
    """No error page hides it from them."""
    places.register(alone)
    alone.config["PROPAGATE_EXCEPTIONS"] = True
    with pytest.raises(RuntimeError):
        alone.test_client().get("/broken/view/x")

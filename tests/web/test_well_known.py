"""What browsers and programs ask every site for is there, and leads to no table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser

import pytest
from flask import Flask

from tests.web.phone import Phone


def test_the_icon_is_there_for_who_reads_no_page(phone: Phone) -> None:
    """It is a file of icons, as browsers have asked for since before pages named one."""
    with phone.client.get("/favicon.ico") as answer:
        assert (answer.status_code, answer.data[:4]) == (200, b"\0\0\1\0")


def test_search_engines_are_to_leave_out_tables(phone: Phone) -> None:
    """Who shows a sent link may read it; the start page and the rules are anybody's."""
    robots = RobotFileParser()
    answer = phone.client.get("/robots.txt")
    assert answer.mimetype == "text/plain"
    robots.parse(answer.text.splitlines())
    assert not robots.can_fetch("Searcher", "/t/abc")
    assert not robots.can_fetch("Searcher", "/transfer/abc")
    assert robots.can_fetch("Searcher", "/how")
    assert robots.can_fetch("Twitterbot", "/t/abc")


def test_faults_can_be_told_to_somebody(
    app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whom the server names, else the server; the file is good for less than a year."""
    address = "/.well-known/security.txt"
    told = dict(
        line.split(": ", 1)
        for line in phone.client.get(address).text.splitlines()
        if not line.startswith("#")
    )
    assert told["Contact"].startswith("http://")
    expires = datetime.fromisoformat(told["Expires"])
    assert timedelta() < expires - datetime.now(UTC) < timedelta(days=365)
    monkeypatch.setitem(app.config, "CONTACT", "mailto:anna@example.com")
    assert "Contact: mailto:anna@example.com\n" in phone.client.get(address).text

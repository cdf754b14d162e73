"""The replay of a whole evening: it sends the requests, and records the visible answers."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from flask import Flask
from werkzeug.test import TestResponse

from tests.api.describing import check
from tests.evenings.seen import changes, visible
from tests.stopped import stopped_at
from tests.web.pages import Button, Page

Step = dict[str, Any]

BEGINNING = datetime(2026, 10, 17, 17, 0, tzinfo=UTC)
BASE = "https://chicago.example"
ASKED = ("phone", "open", "follow", "at", "press", "fields", "files", "call", "body", "pen", "keep")
SECRETS = re.compile(
    r"/(t|pen|recovery|transfer|start)/([\w-]{22,})"
    r"|\"(pen)\": ?\"([\w-]{43})\""
    r"|\b([0-9a-f]{32})\b"
)
NAMES = {"t": "table", "": "game"}


def replay(app: Flask, path: Path) -> str:
    """Return the text of an evening's file, with its requests and the present answers to them."""
    evening = json.loads(path.read_text("utf-8"))
    table = _Table(app, evening["phones"])
    steps = [table.take(number, each) for number, each in enumerate(evening["steps"])]
    return json.dumps(evening | {"steps": steps}, ensure_ascii=False, indent=1) + "\n"


class _Table:
    """The phones around a table, and the secrets that their answers contained."""

    def __init__(self, app: Flask, phones: dict[str, str]) -> None:
        self.clients = {name: app.test_client() for name in phones}
        self.languages = phones
        self.pages: dict[str, tuple[str, Page]] = {}
        self.shown: dict[tuple[str, str], list[str]] = {}
        self.secrets: dict[str, str] = {}
        self.kept: dict[str, bytes] = {}

    def take(self, number: int, step: Step) -> Step:
        """Take one step; return it with its answer."""
        asked = {key: step[key] for key in ASKED if key in step}
        try:
            with stopped_at(BEGINNING + timedelta(minutes=number)):
                return asked | self._answer(asked)
        except AssertionError as error:
            raise AssertionError(f"Step {number}, {json.dumps(asked)}: {error}") from error

    def _answer(self, step: Step) -> Step:
        phone = step["phone"]
        if "call" in step:
            return self._call(phone, step)
        if "at" not in step:
            where = step.get("open") or self.pages[phone][1].link(step["follow"]).href
            return self._see(phone, self._get(phone, self._filled(where)), step)
        answer = self._press(phone, step)
        first = {"status": answer.status_code}
        if answer.status_code == 303:
            answer = self._get(phone, answer.headers["Location"])
        return self._see(phone, answer, step) | first

    def _call(self, phone: str, step: Step) -> Step:
        method, where = self._filled(step["call"]).split(" ")
        headers = {"Authorization": f"Bearer {self._filled(step['pen'])}"} if "pen" in step else {}
        asked: Step = {"json": step.get("body"), "headers": headers, "base_url": BASE}
        answer = self.clients[phone].open(where, method=method, **asked)
        check(method, where, answer)
        return self._see(phone, answer, step)

    def _get(self, phone: str, where: str) -> TestResponse:
        headers = self._headers(phone)
        return self.clients[phone].get(where, headers=headers, base_url=BASE, follow_redirects=True)

    def _press(self, phone: str, step: Step) -> TestResponse:
        """Press a button of the phone's page, with the fields filled in."""
        button = self._button(phone, step)
        form = button.form
        for name, value in step.get("fields", {}).items():
            # A list fills the fields one after another, or ticks each box.
            if isinstance(value, list) and form.named(name)[0].kind != "checkbox":
                form.fill_each(name, value)
            else:
                for each in [value] if isinstance(value, str) else value:
                    form.fill(name, each)
        sent: dict[str, list[Any]] = {}
        for name, value in button.data:
            sent.setdefault(name, []).append(self._filled(value))
        for name, kept in step.get("files", {}).items():
            sent[name] = [(io.BytesIO(self.kept[each]), each) for each in kept]
        action = self._filled(step["at"])
        headers = self._headers(phone)
        return self.clients[phone].post(action, data=sent, headers=headers, base_url=BASE)

    def _button(self, phone: str, step: Step) -> Button:
        where, page = self.pages[phone]
        pressed = step.get("press")
        for button in page.buttons:
            is_fact = isinstance(pressed, dict) and button.value.startswith("{")
            is_meant = pressed in (None, json.loads(button.value) if is_fact else button.value)
            if is_meant and urljoin(where, button.action) == step["at"]:
                return button
        others = [f"{each.action} {each.value}" for each in page.buttons]
        raise AssertionError(f"there is no such button, but {others}")

    def _see(self, phone: str, answer: TestResponse, step: Step) -> Step:
        """Record the page or the file that a phone shows now."""
        self._learn(answer.headers.get("Location", "") + answer.text if _is_text(answer) else "")
        where = answer.request.full_path.removesuffix("?")
        seen: Step = {"status": answer.status_code}
        if "keep" in step:
            self.kept[step["keep"]] = answer.data
        if "call" not in step and self._masked(where) != step.get("open"):
            seen["leads"] = re.sub(r"=\d{8}$", "={me}", self._masked(where))
        if answer.mimetype == "application/json":
            return seen | {"json": json.loads(self._masked(answer.text))}
        if answer.mimetype != "text/html":
            return seen | {"type": answer.mimetype, "file": self._file(answer)}
        page = Page(self._masked(answer.text, answer))
        self.pages[phone] = (self._masked(where), page)
        lines, key = visible(page.soup), (phone, urlsplit(where).path)
        before = self.shown.get(key)
        self.shown[key] = lines
        if "open" in step or before is None:
            return seen | {"page": lines}
        return seen | {"changed": changes(before, lines)}

    def _file(self, answer: TestResponse) -> list[str]:
        if answer.mimetype == "application/zip":
            with zipfile.ZipFile(io.BytesIO(answer.data)) as files:
                names = "\n".join(files.namelist())
                self._learn(names)
                return self._masked(names).splitlines()
        return self._masked(answer.text).splitlines() if _is_text(answer) else []

    def _headers(self, phone: str) -> dict[str, str]:
        return {"Accept-Language": self.languages[phone], "Sec-Fetch-Site": "same-origin"}

    def _learn(self, text: str) -> None:
        for found in SECRETS.finditer(text):
            kind, secret = found[1] or found[3] or "", found[2] or found[4] or found[5]
            if secret not in self.secrets.values():
                name = NAMES.get(kind, kind)
                alike = sum(each.rstrip("0123456789") == name for each in self.secrets)
                self.secrets[f"{name}{alike + 1 if alike else ''}"] = secret

    def _filled(self, text: str) -> str:
        for name, secret in self.secrets.items():
            text = text.replace(f"{{{name}}}", secret)
        return text

    def _masked(self, text: str, answer: TestResponse | None = None) -> str:
        for name, secret in self.secrets.items():
            text = text.replace(secret, f"{{{name}}}")
        request = answer.headers.get("X-Request-Id") if answer else None
        return text.replace(request, "{request}") if request else text


def _is_text(answer: TestResponse) -> bool:
    return bool(re.search("text|json|svg", answer.mimetype or ""))

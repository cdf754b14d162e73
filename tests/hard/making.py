"""Requests made up for a program: built from its routes and its own forms, then spoilt."""

from __future__ import annotations

import io
import json
import random
import re
import urllib.parse
import zipfile
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from werkzeug.routing import Map

GOLDEN = Path(__file__).parents[1] / "golden"
FORM = "application/x-www-form-urlencoded"
NAMES = ["Zacharina Q", "Ödgren-Wü", "Brynhildq", "Knäppgök X"]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"]
BUTTONS = re.compile(rb'<form[^>]*action="([^"]+)"(.*?)</form>', re.DOTALL)
FIELDS = re.compile(rb'<(?:input|button)[^>]*\bname="([^"]+)"[^>]*?\bvalue="([^"]*)"')
FOUND = re.compile(rb"/t/[\w-]{20,}(?:/(?:pen|recovery)/[\w-]{20,})?|/r/[\w.~-]+")
ODD = [
    *("", " ", "0", "-1", "1", "2", "99", "1e3", "9" * 400, "²", "\u0663", "null", "true", "[]"),
    *(
        "{}",
        '"',
        "'",
        "<b>",
        "../..",
        "..%2f",
        "%00",
        "\0",
        "\r\n",
        "\ud800",
        "å" * 300,
        "x" * 5000,
    ),
    *("[" * 3000, "2026-02-30", "0001-01-01", "99999-01-01", "chicago", "pair", "Anna", "+-5"),
    *("1970-01-01T00:00", "\u202e", "\U0001f0a1", "a@b", "0701234567", "NaN", "-0", "1,5", "sv-SE"),
]
HOSTS = [
    *("localhost", "localhost:8000", "a" * 64 + ".example", "a." * 130 + "example", "[::1]", "[::"),
    *("xn--", "ex\xe4mple", "", " ", "a b", "1.2.3.4:99999", "h:x", "@", "/", "..", "-", "a,b"),
]
EVENTS: list[dict[str, Any]] = [
    {"event": "no_best_hand"},
    {"event": "best_hand", "player": NAMES[0], "hand": "pair"},
    {"event": "best_hand", "player": NAMES[1], "hand": "flush", "choose": "zero"},
    {"event": "no_best_hand", "hand": "pair", "tied": NAMES[:2]},
    {"event": "chicago", "player": NAMES[2], "blind": True},
    {"event": "chicago_result", "won": True, "with_two": True},
    {"event": "last_trick", "player": NAMES[3]},
    {"event": "correction", "player": NAMES[1], "points": -3, "note": "n"},
    {"event": "leaves", "player": NAMES[2]},
    {"event": "joins", "player": "Zebulonq", "after": NAMES[0], "points": 0},
    {"event": "break_off", "settle": True},
    {"event": "false_claim", "player": NAMES[0]},
]
# A form of a page: where it goes, and its fields.
Form = tuple[str, list[tuple[str, str]]]


@dataclass
class Request:
    """A request as it is sent; the address is of bytes that were Latin-1."""

    method: str
    path: str
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    chunked: bool = False


@dataclass
class Maker:
    """Makes up requests by chance, and learns from the answers: links, pens, cookies and forms."""

    chance: random.Random
    routes: Map
    files: Sequence[str] = ()
    links: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    pens: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    cookies: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    # By the address they go to, so that the pages with many forms do not crowd out the others.
    forms: dict[str, deque[Form]] = field(default_factory=dict)
    handed: deque[str] = field(default_factory=lambda: deque(maxlen=6))
    # What lets somebody write at a table, by its link.
    owners: dict[str, dict[str, str]] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=lambda: set(NAMES))

    def __post_init__(self) -> None:
        """Read the routes and the games that others are made from."""
        self._routes = [
            (rule.rule, sorted(rule.methods or ())) for rule in self.routes.iter_rules()
        ]
        texts = [json.loads(path.read_text()) for path in sorted(GOLDEN.glob("*.json"))]
        self._games: list[dict[str, Any]] = [text["game"] for text in texts if "game" in text]

    def make(self) -> Request:
        """Make up the next request: the half of them as the program's own pages send them."""
        kind = self.chance.random()
        if not self.links or kind < 0.02:
            request = self._new_table()
        elif kind < 0.45 and self.forms:
            alike = self.forms[self.chance.choice(list(self.forms))]
            request = self._filled_in(*self.chance.choice(alike))
        else:
            request = self._at_route()
        link = next((part for part in request.path.split("/") if part in self.owners), "")
        owner = self.owners[link] if link and self.chance.random() < 0.7 else {}
        for name, value in {**self._headers(), **owner}.items():
            request.headers.setdefault(name, value)
        if self.chance.random() < 0.4:
            self._spoil(request)
        return request

    def learn(self, request: Request, status: int, headers: dict[str, str], body: bytes) -> None:
        """Remember what an answer gives away, as whoever got it could use it."""
        if cookie := headers.get("Set-Cookie", "").partition(";")[0]:
            self.cookies.append(cookie)
        if status == 201 and request.path == "/api/tables":
            reply = json.loads(body)
            self._remember(self.links, reply["table"])
            self._remember(self.pens, reply["pen"])
            self.owners[reply["table"]] = {"Authorization": f"Bearer {reply['pen']}"}
        if status == 303 and request.path in ("/", "/files"):
            link = headers.get("Location", "").partition("/t/")[2]
            self.owners[link] = {"Cookie": cookie or request.headers.get("Cookie", "")}
        for found in FOUND.findall(body + headers.get("Location", "").encode("latin-1")):
            parts = found.decode().split("/")
            if parts[1] == "t":
                self._remember(self.links, parts[2])
                for secret in parts[4:]:
                    self._remember(self.handed, secret)
        if headers.get("Content-Type", "").startswith("text/html"):
            for action, inside in BUTTONS.findall(body)[:8]:
                fields = [(_text(name), _text(value)) for name, value in FIELDS.findall(inside)]
                alike = self.forms.setdefault(shape(_text(action)), deque(maxlen=10))
                alike.append((_text(action), fields))

    def _remember(self, known: deque[str], secret: str) -> None:
        self.secrets.add(secret)
        if secret not in known:
            known.append(secret)

    def _new_table(self) -> Request:
        setup: dict[str, Any] = {"players": NAMES, "name": self._odd() if self._seldom() else "n"}
        if self.chance.random() < 0.5:
            return self._json("POST", "/api/tables", setup)
        fields = [("player", name) for name in NAMES]
        return self._form("/", [*fields, ("preset", "vanlig"), ("stake", "1"), ("dealer", "0")])

    def _filled_in(self, action: str, fields: list[tuple[str, str]]) -> Request:
        fields = [
            (name, self._odd() if self._seldom() or not value else value) for name, value in fields
        ]
        if self._seldom() and fields:
            self.chance.shuffle(fields)
            fields = fields[: self.chance.randrange(len(fields) + 1)]
        path, _, query = action.partition("?")
        request = self._form(path, fields)
        request.query = query
        return request

    def _at_route(self) -> Request:
        rule, methods = self.chance.choice(self._routes)
        method = self.chance.choice(METHODS if self.chance.random() < 0.05 else methods)
        path = re.sub(r"<(?:(\w+):)?(\w+)>", self._argument, rule)
        if method in ("GET", "HEAD", "OPTIONS"):
            query = self._odd() if self._seldom() else ""
            return Request(method, path, urllib.parse.quote(query.encode("utf-8", "replace")))
        if "files" in rule:
            return self._upload(method, path)
        if rule.startswith("/api"):
            return self._json(method, path, self._value(rule))
        fields = [(name, self._odd()) for name in ("seq", "event", "player", "name", "do", "what")]
        return self._form(path, fields, method)

    def _argument(self, match: re.Match[str]) -> str:
        kind, name = match.groups()
        if self._seldom():
            return urllib.parse.quote(self._odd().encode("utf-8", "replace"), safe="/%")
        if name == "link" and self.links:
            return self.chance.choice(self.links)
        if name == "secret" and self.handed:
            return self.chance.choice(self.handed)
        if name == "filename" and self.files:
            return self.chance.choice(self.files)
        if kind == "int":
            return str(self.chance.choice([0, 1, 1, 1, 2, 3, 7, 10**9, 10**30]))
        return self.chance.choice([*NAMES, "pair", "2026-11-22", "x" * 22, "pagat~hdsc"])

    def _value(self, rule: str) -> object:
        if rule.endswith(("events", "<int:index>")):
            event = dict(self.chance.choice(EVENTS))
            if self._seldom():
                event["seq"] = self.chance.choice([1, 2, 0, -1, 10**20, "1", None])
            return event
        game = dict(self.chance.choice(self._games))
        return game if self._seldom() else {k: game[k] for k in ("players", "rules") if k in game}

    def _upload(self, method: str, path: str) -> Request:
        games = [json.dumps(game).encode() for game in self.chance.choices(self._games, k=3)]
        content = games[0]
        if self.chance.random() < 0.6:
            content = self._zip(games)
        if self._seldom():
            content = self._bytes(content)
        name = self.chance.choice(["g.json", "g.zip", "", "../g", "g" * 300])
        seq = self.chance.choice(["1", "2", "3", "x"])
        head = f'--b\r\nContent-Disposition: form-data; name="seq"\r\n\r\n{seq}\r\n--b\r\n'
        head += f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + b"\r\n--b--\r\n"
        return Request(method, path, "", {"Content-Type": "multipart/form-data; boundary=b"}, body)

    def _zip(self, games: list[bytes]) -> bytes:
        buffer = io.BytesIO()
        kind = self.chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
        with zipfile.ZipFile(buffer, "w", kind) as archive:
            for number, game in enumerate(games):
                # The same game may be there twice, under two names.
                archive.writestr(f"{number}.json", games[0] if self._seldom() else game)
        return buffer.getvalue()

    def _form(self, path: str, fields: list[tuple[str, str]], method: str = "POST") -> Request:
        sent = [(k.encode("utf-8", "replace"), v.encode("utf-8", "replace")) for k, v in fields]
        body = urllib.parse.urlencode(sent).encode()
        return Request(method, path, "", {"Content-Type": FORM}, body)

    def _json(self, method: str, path: str, value: object) -> Request:
        body = json.dumps(value).encode()
        return Request(method, path, "", {"Content-Type": "application/json"}, body)

    def _headers(self) -> dict[str, str]:
        """Make up who asks, and how: with a pen of this table or another, or with none."""
        headers: dict[str, str] = {}
        chance = self.chance
        if self.pens and chance.random() < 0.5:
            headers["Authorization"] = f"Bearer {chance.choice(self.pens)}"
        if self.cookies and chance.random() < 0.7:
            headers["Cookie"] = chance.choice(self.cookies)
        choices: dict[str, tuple[float, Callable[[], str]]] = {
            "HX-Request": (0.3, lambda: "true"),
            "Accept-Language": (0.3, lambda: chance.choice(["sv", "en", "xx;q=9", self._odd()])),
            "Idempotency-Key": (0.2, lambda: chance.choice(["k", str(chance.random()), "x" * 129])),
            "If-None-Match": (0.1, lambda: chance.choice(['W/"x"', "*", self._odd()])),
            "Sec-Fetch-Site": (0.1, lambda: chance.choice(["same-origin", "cross-site", "x"])),
            "Origin": (0.05, lambda: chance.choice(["null", "http://localhost", self._odd()])),
            "Last-Event-ID": (0.1, self._odd),
            "X-Forwarded-For": (0.05, self._odd),
            "Range": (0.05, lambda: chance.choice(["bytes=0-1", "bytes=9-1", self._odd()])),
            "Accept-Encoding": (0.2, lambda: chance.choice(["gzip", "br", "x;q=2", self._odd()])),
            "Host": (0.1, lambda: chance.choice(HOSTS)),
        }
        for name, (share, value) in choices.items():
            if chance.random() < share:
                headers[name] = _one_line(value())
        return headers

    def _spoil(self, request: Request) -> None:
        """Change a request somewhere."""
        kind = self.chance.randrange(6)
        if kind == 0:
            request.body = self._bytes(request.body)
        elif kind == 1 and request.headers:
            name = self.chance.choice(list(request.headers))
            request.headers[name] = _one_line(self._odd())
        elif kind == 2:
            request.path = "/" + _one_line(self._bytes(request.path.encode()).decode("latin-1"))
        elif kind == 3:
            request.chunked = True
        elif kind == 4:
            request.headers["Cookie"] = "chicago=" + _one_line(self._odd())
        else:
            request.query = _one_line(self._odd())

    def _bytes(self, text: bytes) -> bytes:
        """Cut, double or overwrite a piece of some bytes."""
        chance, spoilt = self.chance, bytearray(text)
        at = chance.randrange(len(spoilt) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            return bytes(spoilt[:at])
        if kind == 1:
            return bytes(spoilt[:at] + spoilt[max(0, at - 50) :])
        if kind == 2:
            return bytes(spoilt[:at]) + self._odd().encode("utf-8", "replace") + bytes(spoilt[at:])
        for _ in range(3):
            if spoilt:
                spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        return bytes(spoilt)

    def _odd(self) -> str:
        return self.chance.choice(ODD)

    def _seldom(self) -> bool:
        return self.chance.random() < 0.15


def shape(path: str) -> str:
    """Return an address without what only one table has."""
    return re.sub(r"[\w-]{20,}|\d+", "*", path)[:60]


def _one_line(text: str) -> str:
    """Make a text one that can stand in a header: bytes as Latin-1, on one line."""
    raw = text.encode("utf-8", "replace").decode("latin-1")
    return re.sub(r"[\r\n\0]", " ", raw).strip()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").replace("&#34;", '"').replace("&amp;", "&")

"""Phones that tap at random at the same table, and hold every answer to what was promised of it."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlencode, urljoin

from tests.api.calling import OFF, PLAYERS, correction
from tests.api.network import Answer
from tests.bench.filling import cookie
from tests.hard.keepers import FORM, Ask
from tests.web.pages import Button, Page

VERSION = re.compile(r'data-seq="(\d+)"\s+data-facts="(\d+)"')
CELL = re.compile(r"""<button\b(?![^>]*aria-disabled="true")[^>]*?value='(\{[^']*\})'""")
HEAD = re.compile(r'class="head"[^>]*?title="([^"]+)"')
HANDED = re.compile(r"/t/[\w-]+/pen/[\w-]{20,}")
# Where forms stand that are seldom needed. What gives or takes rights, and erases, is left out.
ROOMS = ("more", "deal", "evening", "evening/advance", "people", "revise", "latecomer", "tie")
ELSEWHERE = re.compile(r"/(?:forget|pen|pen/back|recovery|recovery/off|language|tables|number)$")
# What is typed into a field that is empty.
TYPED = ("", "7", "Eva", "-3", "Onsdagar")
PRESSES, AGAIN, BREAKS_OFF, NEWEST = 3, 0.05, 0.1, (1, 1, 2, 3, 9)
# How the page counts: so many facts a game.
GAME_FACTS = 100_000
WRITTEN, REFUSED, STALE = "written", "refused", "somebody else was first"
SAID = {409: STALE, 422: REFUSED, 400: REFUSED, 404: REFUSED}


@dataclass
class Tapper:
    """A phone with a pen of its own; `asked` is what was asked from which version.

    `mended` is how often it was asked for whatever others had recorded meanwhile. `written` is each
    version that it was told is its own, with the kind of change; `wrong` is what it was told and
    may not have been.
    """

    ask: Ask
    link: str
    pen: str
    chance: random.Random
    seq: int = 0
    page: str = ""
    asked: dict[int, list[str]] = field(default_factory=dict)
    mended: int = 0
    written: dict[int, str] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def tap_often(self, times: int) -> None:
        """Do so many things."""
        ways = [self.tap, self.step_back, self.step_on, self.call, self.replace, self.wander]
        try:
            self.look()
            for _ in range(times):
                self.chance.choices(ways, [56, 12, 6, 8, 8, 10])[0]()
        except Exception as error:
            self.wrong.append(f"a phone gave up: {error!r}")
            raise

    def look(self) -> None:
        """Look at the table."""
        self._see(self._send("GET", ""))

    def tap(self) -> None:
        """Tap a cell of the grid, or begin the next game."""
        cells = [
            match for match in CELL.findall(self.page) if "disabled" not in match[0] + match[2]
        ]
        if f'action="/t/{self.link}/games"' in self.page:
            self._submit("/games", "start")
        elif cells:
            self._submit("/events", "record", event=unescape(self.chance.choice(cells)))

    def step_back(self) -> None:
        """Undo."""
        self._submit("/undo", "undo")

    def step_on(self) -> None:
        """Redo, where something was undone."""
        if 'class="redo"' in self.page:
            self._submit("/redo", "redo")

    def call(self) -> None:
        """Record a correction as a program does, or break the game off."""
        event = OFF if self.chance.random() < BREAKS_OFF else self._correction()
        self._call("POST", "", "record", event)

    def replace(self) -> None:
        """Put something in the place of one of the newest entries."""
        match = VERSION.search(self.page)
        if count := int(match[2]) % GAME_FACTS if match else 0:
            index = max(0, count - self.chance.choice(NEWEST))
            self._call("PUT", f"/{index}", "mend", self._correction())

    def wander(self) -> None:
        """Fill in the forms of another page, one leading to the next."""
        room = self.chance.choice([*ROOMS, f"games/{self._game}/mend"])
        answer = self._send("GET", f"/{room}", whole=True)
        address = f"/t/{self.link}/{room}"
        for _ in range(PRESSES):
            page = answer.data.decode() if answer.status in (200, 422) else ""
            buttons = [each for each in Page(page).buttons if self._is_open(each)]
            if not buttons:
                break
            button = self.chance.choice(buttons)
            self._fill(button)
            answer, address = self._press(address, button)
        self.look()

    @property
    def _game(self) -> int:
        match = VERSION.search(self.page)
        return max(1, int(match[2]) // GAME_FACTS) if match else 1

    def _is_open(self, button: Button) -> bool:
        return button.form.method == "post" and not ELSEWHERE.search(button.action)

    def _fill(self, button: Button) -> None:
        for each in button.form.fields:
            if each.options:
                each.value = self.chance.choice(each.options)
            elif each.kind == "text" and not each.value:
                each.value = self.chance.choice(TYPED)
            elif each.kind == "radio":
                each.checked = each is self.chance.choice(button.form.named(each.name))

    def _press(self, page: str, button: Button) -> tuple[Answer, str]:
        """Send a form from the version that it was made for, and go where it leads."""
        address = urljoin(page, button.action or page)
        versions = [int(value) for name, value in button.data if name == "seq"]
        for version in versions:
            self.asked.setdefault(version + 1, []).append(address)
        answer = self._post(address, button.data)
        self.mended += address.endswith("/mend") and answer.status == 303
        self.answers["forms of other pages"] += 1
        if answer.status == 303:
            address = urljoin(page, answer.headers["Location"])
            answer = self.ask("GET", address, Cookie=cookie(self.pen))
        return answer, address

    def _submit(self, part: str, kind: str, **fields: str) -> None:
        """Send a form of the table, sometimes twice: the same again is no other change."""
        version, address = self.seq, f"/t/{self.link}{part}"
        sent = list({"seq": str(version), **fields}.items())
        self.asked.setdefault(version + 1, []).append(kind)
        answer = self._post(address, sent, part=True)
        self._note(answer, version, kind)
        self._see(answer)
        if answer.status == 200 and self.seq != version + 1:
            self.wrong.append(f"{part} from {version} was answered with {self.seq}")
        if self.chance.random() < AGAIN:
            self._send_again(answer, address, sent)

    def _send_again(self, first: Answer, address: str, sent: Sequence[tuple[str, str]]) -> None:
        again = self._post(address, sent, part=True)
        self.answers["the same sent again"] += 1
        self._see(again)
        if first.status == 200 and again.status != 200:
            self.wrong.append(f"{address}: 200, then {again.status}")
        if first.status == 409 and again.status != 409:
            self.wrong.append(f"{address}: 409, then {again.status}")

    def _call(self, method: str, end: str, kind: str, event: dict[str, object]) -> None:
        """Record an event over the API, or put it in the place of another."""
        version = self.seq
        self.asked.setdefault(version + 1, []).append(kind)
        path = f"/api/tables/{self.link}/events{end}"
        body = json.dumps({**event, "seq": version}).encode()
        headers = {"Authorization": f"Bearer {self.pen}"}
        answer = self.ask(method, path, body, **headers)
        self._note(answer, version, kind)
        if answer.status in (200, 201) and (told := answer.json["seq"]) != version + 1:
            # Something put in the place of its equal is no change.
            self.written.pop(version + 1)
            if (method, told) != ("PUT", version):
                self.wrong.append(f"{method} from {version} was answered with {told}")
        self.look()

    def _correction(self) -> dict[str, object]:
        names = HEAD.findall(self.page) or PLAYERS
        points = self.chance.choice([-3, -1, 1, 2])
        return correction(points, unescape(self.chance.choice(names)))

    def _note(self, answer: Answer, version: int, kind: str) -> None:
        if answer.status in (200, 201):
            self.written[version + 1] = kind
        elif answer.status not in SAID:
            self.wrong.append(f"{kind} from {version}: {answer.status} {answer.data[:200]!r}")
        self.answers[f"{kind}, {SAID.get(answer.status, WRITTEN)}"] += 1

    def _see(self, answer: Answer) -> None:
        """Look at an answer, which is the table's page, or a sheet of it; it is never older."""
        page = answer.data.decode()
        if (match := VERSION.search(page)) is None:
            page = self._send("GET", "").data.decode()
            match = VERSION.search(page)
        if match is None:
            self.wrong.append(f"a page without a version: {page[:200]}")
            return
        if int(match[1]) < self.seq:
            self.wrong.append(f"version {match[1]} after {self.seq}")
        self.seq, self.page = int(match[1]), page

    def _send(self, method: str, part: str, *, whole: bool = False) -> Answer:
        headers = {"Cookie": cookie(self.pen)} | ({} if whole else {"HX-Request": "true"})
        return self.ask(method, f"/t/{self.link}{part}", b"", **headers)

    def _post(self, address: str, sent: Sequence[tuple[str, str]], *, part: bool = False) -> Answer:
        headers = {"HX-Request": "true"} if part else {}
        headers |= {"Content-Type": FORM, "Cookie": cookie(self.pen)}
        answer = self.ask("POST", address, urlencode(sent).encode(), **headers)
        if answer.status >= 500:
            self.wrong.append(f"POST {address} {sent}: {answer.status}")
        return answer


def open_table(ask: Ask, seed: int, players: Sequence[str]) -> tuple[Tapper, Tapper]:
    """Open a table where people play for money, and hand the pen over to a second phone."""
    setup = {"players": players, "stake_ore": 100}
    reply = ask("POST", "/api/tables", json.dumps(setup).encode()).json
    chance = random.Random(seed)
    first = Tapper(ask, reply["table"], reply["pen"], random.Random(chance.random()))
    pen = _hand_over(ask, first)
    return first, Tapper(ask, first.link, pen, random.Random(chance.random()))


def _hand_over(ask: Ask, keeper: Tapper) -> str:
    """Have another pen of the table, as a phone that scans a code."""
    code = ask("POST", f"/t/{keeper.link}/pen", Cookie=cookie(keeper.pen)).data.decode()
    [link] = {*HANDED.findall(code)}
    offered = ask("GET", link)
    mine = offered.headers["Set-Cookie"].partition(";")[0]
    ask("POST", link, Cookie=mine)
    return mine.removeprefix(cookie(""))

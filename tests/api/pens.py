"""Browsers that hold a table's pen: one has opened the table, the others were handed the pen."""

from __future__ import annotations

import re
import urllib.parse
from dataclasses import dataclass

from tests.api.calling import PLAYERS
from tests.api.network import Answer, insist, send

GIVES_PEN = re.compile(r"/t/[\w-]+/pen/[\w-]{20,}")
RECOVERS_PEN = re.compile(r"/t/[\w-]+/recovery/[\w-]{20,}")
TAKES_ALONG = re.compile(r"/(transfer|start)/[\w-]{43}")


@dataclass
class Pen:
    """One browser's cookie, and the table at which it writes."""

    port: int
    link: str
    cookie: str

    def write(self, method: str, path: str, body: object, key: str) -> Answer:
        """Call something below the table. Raises OSError or HTTPException without an answer."""
        headers = {"Cookie": self.cookie, "Idempotency-Key": key}
        return insist(self.port, method, f"/api/tables/{self.link}{path}", body, **headers)

    def hand_on(self) -> Pen:
        """Give another browser the pen."""
        form = urllib.parse.urlencode({"seq": "1"}).encode()
        page = send(self.port, "POST", f"/t/{self.link}/pen", form, **self._form())
        match = GIVES_PEN.search(page.data.decode())
        assert match, page.status
        asked = send(self.port, "GET", match.group())
        send(self.port, "POST", match.group(), Cookie=_cookie(asked))
        return Pen(self.port, self.link, _cookie(asked))

    def _form(self) -> dict[str, str]:
        return {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}


def open_table(port: int) -> Pen:
    """Open a table as a browser does."""
    form = urllib.parse.urlencode({"player": PLAYERS, "preset": "huvudregler"}, doseq=True)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = send(port, "POST", "/", form.encode(), **kind)
    return Pen(port, answer.headers["Location"].rpartition("/")[2], _cookie(answer))


def _cookie(answer: Answer) -> str:
    return answer.headers["Set-Cookie"].partition(";")[0]

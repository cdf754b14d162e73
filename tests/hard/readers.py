"""Readers of one table: by every stream, and by asking again and again."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.api.network import Message, Watcher, send

VERSION = re.compile(r'data-seq="(\d+)"')
PAUSE = 0.03


@dataclass
class Reader:
    """Somebody who reads a table; `seq` is the version shown now, `text` what is shown."""

    port: int
    name: str
    path: str
    link: str
    headers: Mapping[str, str] = field(default_factory=dict)
    seq: int = 0
    text: str = ""
    seen: int = 0
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin to read."""
        self.over = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until they read no more: once it is `over`, and a stream is at its end."""
        self._thread.join()

    def _read(self) -> None:
        raise NotImplementedError

    def _see(self, seq: int, text: str) -> None:
        if seq < self.seq:
            self.wrong.append(f"{self.name}: version {seq} after {self.seq}")
        self.seq, self.text = seq, text
        self.seen += 1


@dataclass
class Stream(Reader):
    """Somebody who follows a table by a stream; with `patience`, again after so many messages.

    `messages` are all of a program's, by version.
    """

    patience: int = 0
    messages: dict[int, str] = field(default_factory=dict)

    def _read(self) -> None:
        while not self.over.is_set():
            try:
                with Watcher(self.port, self.link, self.path, **self.headers) as watcher:
                    self._follow(watcher)
            except OSError:
                time.sleep(PAUSE)

    def _follow(self, watcher: Watcher) -> None:
        before, first = 0, self.seen
        while (message := watcher.next()).event:
            self._take(message)
            if message.id <= before:
                self.wrong.append(f"{self.name}: {message.id} follows {before} in one stream")
            before = message.id
            if self.patience and self.seen - first >= self.patience:
                break

    def _take(self, message: Message) -> None:
        if message.event != "table":
            self.wrong.append(f"{self.name}: {message.event}")
        if self.path.startswith("/api"):
            told = self.messages.setdefault(message.id, message.text)
            if told != message.text:
                self.wrong.append(f"{self.name}: version {message.id} was told in two ways")
        self._see(message.id, message.text)


@dataclass
class Poller(Reader):
    """Somebody who asks for the same again and again, with the tag of what they have."""

    def _read(self) -> None:
        tag = ""
        while not self.over.wait(PAUSE):
            asked = {**self.headers, "If-None-Match": tag} if tag else self.headers
            answer = send(self.port, "GET", f"{self.path}/{self.link}", **asked)
            if answer.status == 304:
                continue
            if answer.status != 200:
                self.wrong.append(f"{self.name}: {answer.status}")
                continue
            tag = answer.headers["ETag"]
            self._see(self._version(answer.data.decode()), answer.data.decode())

    def _version(self, text: str) -> int:
        pattern = r'"seq":(\d+)' if self.path.startswith("/api") else VERSION
        found = re.search(pattern, text)
        return int(found[1]) if found else 0

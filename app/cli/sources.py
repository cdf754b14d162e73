"""Games from files and from standing input, each one played as far as it goes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click
import msgspec

from app.i18n.language import Language
from app.rules.errors import BadFile, NotAllowed
from app.rules.game import fold
from app.rules.gamefile import Game, decode_game
from app.rules.state import GameState

STANDARD_INPUT = "-"


class Source(msgspec.Struct, frozen=True):
    """One game's bytes, and where they are from: a file, or a line (from 1) of standard input."""

    path: str
    line: int | None
    data: bytes

    def label(self, language: Language) -> str:
        """Where this game is from, in words."""
        if self.line is None:
            return click.format_filename(self.path)
        return language.gettext("standard input, line %(line)s", line=self.line)


class UnreadableFile(msgspec.Struct, frozen=True):
    """A file that could not be read, and why, in the system's words."""

    path: str
    why: str


class Replay(msgspec.Struct, frozen=True):
    """A game replayed as far as it holds, and the error that stopped it, if any.

    `game` is None when the file is bad; then there are no states.
    """

    game: Game | None
    states: Sequence[GameState]
    error: BadFile | NotAllowed | None


def read_sources(paths: Iterable[str]) -> Iterator[Source | UnreadableFile]:
    """Every game in some files, in order; `-` is standard input, a game on each line."""
    for path in paths:
        try:
            if path == STANDARD_INPUT:
                yield from _lines()
            else:
                yield Source(path, None, Path(path).read_bytes())
        except OSError as error:
            yield UnreadableFile(path, error.strerror or type(error).__name__)


def _lines() -> Iterator[Source]:
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if line.strip():
            yield Source(STANDARD_INPUT, number, line)


def play(data: bytes) -> Replay:
    """Read a game and play it; what is wrong with it is in the answer, nothing is raised."""
    try:
        game = decode_game(data)
    except BadFile as error:
        return Replay(None, (), error)
    return Replay(game, *fold(game.setup, game.events))

"""What the commands share: the language, and lines, JSON and complaints as they are printed."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from app.i18n.language import CODES, Language, from_environment, get_language

ENGLISH = get_language("en")
FAILED, MISUSED = 1, 2
# Control characters, halves of surrogate pairs, and separators of lines and paragraphs.
_STEERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")

# Help is in the language of the environment.
gettext = from_environment(os.environ).gettext
_F = TypeVar("_F", bound=Callable[..., Any])


def add_common_options(command: _F) -> _F:
    """Add the options of every command that reads games or hands."""
    as_json = click.option(
        "--json", "as_json", is_flag=True, help=gettext("Print JSON, for programs.")
    )
    lang = click.option(
        "--lang",
        type=click.Choice(CODES),
        help=gettext("The language; left out, the one that LANG names, otherwise Swedish."),
    )
    return as_json(lang(command))


def start_command(lang: str | None = None) -> Language:
    """The language to print in, and UTF-8 whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return get_language(lang) if lang else from_environment(os.environ)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for people."""
    click.echo("\n".join(map(_plain, lines)))


def print_json(data: dict[str, object]) -> None:
    """Print one line of JSON; as bytes, because nothing may be taken out or encoded otherwise."""
    click.echo(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def complain(text: str) -> None:
    """Print a sentence on standard error."""
    click.echo(_plain(text), err=True)


def _plain(text: str) -> str:
    """Replace what would steer the terminal instead of being shown."""
    return _STEERS.sub("\N{REPLACEMENT CHARACTER}", text)

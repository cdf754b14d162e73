"""What every command does first, and how it says that it has failed."""

from __future__ import annotations

import io
import os
import sys

import click

from app.cli.terminal import choose_colours, paint, plain
from app.i18n.language import Language, from_environment, get_language


def start_command(ctx: click.Context, lang: str | None = None) -> Language:
    """Choose language and colours, and write UTF-8 whatever the locale says."""
    ctx.color = choose_colours()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return get_language(lang) if lang else from_environment(os.environ)


def complain(text: str) -> None:
    """Print a sentence on standard error."""
    click.echo(paint(plain(text), "red"), err=True)

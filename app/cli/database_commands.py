"""The commands of the database: `flask years`, `flask backup` and `flask restore`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from app.cli import help_texts
from app.cli.output import complain, start_command
from app.http.context import pool
from app.i18n.database import describe
from app.i18n.language import Language
from app.services import statistics
from app.store.availability import DatabaseUnavailable
from app.store.backup import back_up, put_back

FAILED = 1
FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))


@click.command("years", help=help_texts.YEARS_HELP)
@click.pass_context
@with_appcontext
def years(ctx: click.Context) -> None:
    """Work the figures of all games out anew."""
    language = start_command(ctx)
    with _fail_in_words(ctx, language):
        games = statistics.recount(pool())
        text = language.ngettext("Worked out %(num)s game.", "Worked out %(num)s games.", games)
        click.echo(text)


@click.command("backup", help=help_texts.BACKUP_HELP)
@FILE
@click.pass_context
@with_appcontext
def backup(ctx: click.Context, file: Path) -> None:
    """Copy the database to a file, and say so once it is whole and on disk."""
    language = start_command(ctx)
    with _fail_in_words(ctx, language):
        back_up(_database(), file)
        name = click.format_filename(file)
        click.echo(language.gettext("%(file)s is a copy of the database, and sound.", file=name))


@click.command("restore", help=help_texts.RESTORE_HELP)
@FILE
@click.pass_context
@with_appcontext
def restore(ctx: click.Context, file: Path) -> None:
    """Put a backup in the place of the database."""
    language = start_command(ctx)
    with _fail_in_words(ctx, language):
        put_back(_database(), file)
        name = click.format_filename(file)
        click.echo(language.gettext("The database is now what %(file)s holds.", file=name))


def _database() -> Path:
    return Path(current_app.config["DATABASE"])


@contextmanager
def _fail_in_words(ctx: click.Context, language: Language) -> Iterator[None]:
    """End with status 1 and a sentence where the database cannot be used."""
    try:
        yield
    except DatabaseUnavailable as error:
        complain(describe(error, _database(), language))
        ctx.exit(FAILED)

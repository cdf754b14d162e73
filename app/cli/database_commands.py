"""The commands of the database: `flask` `years`, `backup`, `restore` and `vacuum`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click
from flask import current_app
from flask.cli import with_appcontext

from app.cli.output import FAILED, complain, print_lines, start_command
from app.cli.output import gettext as _
from app.http.context import db
from app.i18n.errors import describe
from app.i18n.language import Language
from app.services import erasure, figures
from app.store.backup import back_up, put_back
from app.store.connection import DatabaseUnavailable
from app.store.files import ServerLock

FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))


@click.command(
    help=_("""\
Work out anew what the page of the years shows.

Everything is counted again from the recorded games; nothing else changes, however often it is done.
""")
)
@click.pass_context
@with_appcontext
def years(ctx: click.Context) -> None:
    """Work the figures of all games out anew."""
    with _fail_in_words(ctx) as language:
        games = figures.recount_all(db())
        text = language.ngettext("Worked out %(num)s game.", "Worked out %(num)s games.", games)
        print_lines([text])


@click.command(
    help=_("""\
Copy the database to FILE, while people play.

The copy is checked before it is put in place. A FILE that is there already is replaced only by a \
copy that is whole.

Exit status: 0 where it was copied, 1 where no copy was made and FILE is as it was.
""")
)
@FILE
@click.pass_context
@with_appcontext
def backup(ctx: click.Context, file: Path) -> None:
    """Copy the database to a file, and say so once it is whole and on disk."""
    with _fail_in_words(ctx) as language:
        back_up(_database(), file)
        name = click.format_filename(file)
        print_lines([language.gettext("%(file)s is a copy of the database, and sound.", file=name)])


@click.command(
    help=_("""\
Put a copy that backup has made in the place of the database.

The server has to be stopped first. What was recorded after the copy was made is gone.

Exit status: 0 where it was put back, 1 where nothing was and the database is as it was.
""")
)
@FILE
@click.pass_context
@with_appcontext
def restore(ctx: click.Context, file: Path) -> None:
    """Put a backup in the place of the database."""
    with _fail_in_words(ctx) as language:
        put_back(_database(), file)
        name = click.format_filename(file)
        print_lines([language.gettext("The database is now what %(file)s holds.", file=name)])


@click.command(
    help=_("""\
Write the database anew, so that nothing of what was forgotten is left in its files.

The server has to be stopped first; its next start does the same.

Exit status: 0 where nothing is left, 1 where something may be.
""")
)
@click.pass_context
@with_appcontext
def vacuum(ctx: click.Context) -> None:
    """Clear erased content from the files of the database."""
    with _fail_in_words(ctx) as language, closing(ServerLock(_database())):
        if not erasure.clear_files(db()):
            complain(language.gettext("Something of it may be left: the database is still read."))
            ctx.exit(FAILED)
        print_lines([language.gettext("Nothing of what was forgotten is left in the files.")])


def _database() -> Path:
    return Path(current_app.config["DATABASE"])


@contextmanager
def _fail_in_words(ctx: click.Context) -> Iterator[Language]:
    """End with status 1 and a sentence where the database cannot be used."""
    language = start_command()
    try:
        yield language
    except DatabaseUnavailable as error:
        complain(describe(error, _database(), language))
        ctx.exit(FAILED)

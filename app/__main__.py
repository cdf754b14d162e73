"""The command `chicago`, where the score keeper is installed as a program of its own."""

import os
import sys

import click
from flask.cli import ScriptInfo

from app import PACKAGE, ROOT, VERSION, create_app
from app.cli.commands import COMMANDS
from app.cli.output import gettext as _

# gunicorn looks for modules in the folder it is run in first, where another `app` may be.
SERVE = (
    f"import sys; sys.path.append({str(PACKAGE.parent)!r}); import app;"
    " from gunicorn.app.wsgiapp import run; run(prog='chicago')"
)


@click.group(
    help=_("Keeps the score of the card game Chicago."),
    context_settings={"obj": ScriptInfo(create_app=create_app)},
)
@click.version_option(VERSION, prog_name="chicago", message="%(prog)s %(version)s")
def chicago() -> None:
    """Offer the commands of `flask --app app`, and the server."""


@chicago.command(
    help=_("""\
Serve the score keeper, and print its address and a QR code for the phones in the house.

The database is the file that CHICAGO_DB names, or by default one kept with your own settings.
""")
)
@click.option("--host", help=_("The address to listen on; by default HOST, or else all of them."))
@click.option("--port", help=_("The port; by default PORT, or else 8000."))
def run(host: str | None, port: str | None) -> None:
    """Become gunicorn, with our settings."""
    os.environ |= {name: value for name, value in (("HOST", host), ("PORT", port)) if value}
    settings = ["--config", str(ROOT / "gunicorn.conf.py"), "app:create_app()"]
    os.execv(sys.executable, [sys.executable, "-P", "-c", SERVE, *settings])  # noqa: S606


for command in COMMANDS:
    chicago.add_command(command)

if __name__ == "__main__":
    chicago(prog_name="chicago")

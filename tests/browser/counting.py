"""The score keeper, which writes down what it is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

import app as score_keeper

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

# The variable with the file of the paths that were asked for.
ASKED = "ASKED"


def create_app() -> Flask:
    """Make the application."""
    app = score_keeper.create_app()
    served = app.wsgi_app

    def counted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with Path(os.environ[ASKED]).open("a") as asked:
            asked.write(f"{environ['PATH_INFO']}\n")
        return served(environ, start_response)

    app.wsgi_app = counted  # type: ignore[method-assign]  # Flask's documented place for it
    return app

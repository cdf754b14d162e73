"""The score keeper with addresses that fail in every way, and under observation.

`/broken/HOW/SECRET` fails as HOW says, and quotes SECRET wherever it can.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import gevent
import greenlet
from flask import Flask, Response, render_template_string

from app import create_app
from app.http.application import Application
from app.http.context import db

# The home of the machine that runs the tests.
HOME = "192.168.1.20"
YIELDED = "A transaction has let others go on"
LIBRARY = logging.getLogger("some.library")


def in_view(secret: str) -> str:
    """Raise, with the secret in the message, in the cause and in a note."""
    error = RuntimeError(secret)
    error.add_note(secret)
    raise error from KeyError(secret)


def in_template(secret: str) -> str:
    """Raise while a template is rendered."""
    return render_template_string("{{ secret.nothing.nothing }}", secret=secret)


def in_database(secret: str) -> str:
    """Raise as SQLite does, with a name in the message."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.execute(f'SELECT "{secret}" FROM "{secret}"')
    return ""


def in_stream(secret: str) -> Response:
    """Raise after a part of the response has been sent."""

    def parts() -> Iterator[str]:
        yield "begun"
        raise LookupError(secret)

    return Response(parts())


def in_header(secret: str) -> Response:
    """Answer with a header that the server refuses to send."""
    answer = Response("")
    answer.headers._list.append(("X-Secret", f"{secret}\x00"))  # noqa: SLF001 - Flask refuses it too
    return answer


def in_library(secret: str) -> str:
    """Log as libraries do: with values, with the exception, and with a wrong format."""
    LIBRARY.warning("a person %s", secret)
    LIBRARY.error("a person: " + secret)
    LIBRARY.error("%s is that person, " + secret, 1)
    LIBRARY.error(f"{secret} is a person")
    LIBRARY.error("%d people", secret)
    LIBRARY.critical("%(name)s", {"name": secret})
    try:
        raise ArithmeticError(secret)
    except ArithmeticError as error:
        LIBRARY.exception(error)
    return ""


def in_greenlet(secret: str) -> str:
    """Raise in a greenlet of its own, as one that serves a connection does."""

    def fail(told: str) -> None:
        raise NotImplementedError(told)

    gevent.spawn(fail, secret).join()
    return ""


def when_written(secret: str) -> Response:
    """Answer with more than the buffers hold, to a client that does not read."""
    return Response(iter([secret.encode() * 5_000] * 100))


WAYS: dict[str, Callable[[str], str | Response]] = {
    "view": in_view,
    "template": in_template,
    "database": in_database,
    "stream": in_stream,
    "header": in_header,
    "library": in_library,
    "greenlet": in_greenlet,
    "written": when_written,
}


def register(app: Flask) -> None:
    """Add the failing addresses, for pages and for programs."""
    for path in ("/broken", "/api/broken"):
        rule = f"{path}/<how>/<secret>"
        app.add_url_rule(rule, path, lambda how, secret: WAYS[how](secret))


def observed() -> Application:
    """Make the score keeper with the failing addresses.

    It logs an error where a transaction yields to another greenlet.
    """
    app = create_app()
    log = logging.getLogger("app.tests")

    def look(_event: str, _greenlets: object) -> None:
        database = vars(app).get("database")
        opened = database and vars(database)["_connection"]
        if opened and opened.conn.in_transaction:
            log.error(YIELDED)

    def yields() -> str:
        with db().transaction():
            time.sleep(0.001)
        return "yielded"

    greenlet.settrace(look)
    app.add_url_rule("/yields", "yields", yields)
    register(app)
    return app

"""The score keeper with addresses that fail in every way, to be served: what do logs then hold?

`/broken/HOW/SECRET` fails as HOW says, and quotes SECRET wherever it can.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import warnings
from collections.abc import Callable, Iterator

from flask import Flask, Response, render_template_string, request

from app import create_app as create_score_keeper

LIBRARY = logging.getLogger("some.library")


def in_view(secret: str) -> str:
    """Raise, the secret in the message, in its cause and in a note."""
    error = RuntimeError(secret)
    error.add_note(secret)
    raise error from KeyError(secret)


def in_template(secret: str) -> str:
    """Raise while a page is made."""
    return render_template_string("{{ secret.nothing.nothing }}", secret=secret)


def in_database(secret: str) -> str:
    """Raise as SQLite does, with a name in the message."""
    sqlite3.connect(":memory:").execute(f'SELECT "{secret}" FROM "{secret}"')
    return ""


def in_stream(secret: str) -> Response:
    """Raise when a part of the answer has been sent."""

    def parts() -> Iterator[str]:
        yield "begun"
        raise LookupError(secret)

    return Response(parts())


def in_header(secret: str) -> Response:
    """Answer with a header that the server refuses to send."""
    answer = Response("")
    answer.headers._list.append(("X-Secret", f"{secret}\x00"))  # noqa: SLF001 - Flask refuses it too
    return answer


def in_thread(secret: str) -> str:
    """Raise in another thread."""

    def fail() -> None:
        raise OverflowError(secret)

    thread = threading.Thread(target=fail, name=secret)
    thread.start()
    thread.join()
    return ""


def when_forgotten(secret: str) -> str:
    """Raise where Python can only ignore it."""

    class Forgotten:
        def __del__(self) -> None:
            raise BufferError(secret)

    Forgotten()
    return ""


def in_warning(secret: str) -> str:
    """Warn, and not for the first time."""
    warnings.warn(f"{secret} is no more", FutureWarning, stacklevel=1)
    return ""


def in_library(secret: str) -> str:
    """Log as other programs do, with values, with the exception, and so that it cannot be done."""
    LIBRARY.warning("a person %s", secret)
    LIBRARY.error(secret)
    LIBRARY.error("%d people", secret)
    LIBRARY.critical("%(name)s", {"name": secret})
    try:
        raise ArithmeticError(secret)
    except ArithmeticError as error:
        LIBRARY.exception(error)
    request.environ["wsgi.errors"].flush()
    return ""


def in_our_logger(secret: str) -> str:
    """Log as this program does, of an exception and of an address."""
    error = EOFError(secret)
    logging.getLogger("app.somewhere").warning("cannot: %s, at /t/%s", error, secret)
    return ""


def when_written(secret: str) -> Response:
    """Answer more than fits on the way, to somebody who does not listen."""
    return Response(iter([secret.encode() * 5_000] * 100))


WAYS: dict[str, Callable[[str], str | Response]] = {
    "view": in_view,
    "template": in_template,
    "database": in_database,
    "stream": in_stream,
    "header": in_header,
    "thread": in_thread,
    "forgotten": when_forgotten,
    "warning": in_warning,
    "library": in_library,
    "ours": in_our_logger,
    "written": when_written,
}


def create_app() -> Flask:
    """Make the score keeper, broken."""
    app = create_score_keeper()
    app.add_url_rule("/broken/<how>/<secret>", "broken", lambda how, secret: WAYS[how](secret))
    return app

"""The application: Flask, with this process's state between requests."""

import logging
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from datetime import timedelta
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from cachetools import LRUCache
from flask import Flask, Response, current_app

from app.http.assets import send_text
from app.http.log import request_id
from app.i18n.language import N_, from_environment
from app.store.database import Database

VERSION = "0.2.0"
PACKAGE = Path(__file__).resolve().parents[1]
# The pages stand beside the package in a checkout, and in it where it is installed.
ROOT = PACKAGE if (PACKAGE / "templates").is_dir() else PACKAGE.parent


MAX_RENDERED_BYTES = 32_000_000

Caught = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

_log = logging.getLogger(__name__)


class Application(Flask):
    """Flask, with the database and the cache of pages.

    The keys of `rendered` tell all that makes versions of a page differ, the table last.
    `read_banner` returns the banner on every page of this process.
    """

    def __init__(self, *args: Any, **values: Any) -> None:  # noqa: ANN401  # as Flask's
        self.rendered: LRUCache[str, Any] = LRUCache(MAX_RENDERED_BYTES, sys.getsizeof)
        self.read_banner: Callable[[], Hashable] = lambda: None
        super().__init__(*args, **values)

    @cached_property
    def database(self) -> Database:
        """The database, opened when it is first asked for. Raises DatabaseUnavailable."""
        return Database(self.config["DATABASE"])

    def close(self) -> None:
        """Close the database, if it was opened; the next request opens it again."""
        if opened := self.__dict__.pop("database", None):
            opened.close()

    def log_exception(self, exc_info: Caught) -> None:
        """Log an exception that a view did not expect; Flask adds the address, a secret."""
        _log.error("%s failed", request_id(), exc_info=exc_info)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Take each function for a plain one, as all of ours are: asking takes longer than most."""
        return func

    def send_static_file(self, filename: str) -> Response:
        """Answer with a static file: styles and scripts minified."""
        text = send_text(self.static_folder or "", filename)
        return super().send_static_file(filename) if text is None else text


def make_app(config: Mapping[str, object]) -> Application:
    """Make an application without pages and calls, for a server or a phone."""
    app = Application(
        "app",
        template_folder=str(ROOT / "templates"),
        static_folder=str(ROOT / "static"),
        instance_path=str(ROOT / "instance"),
    )
    app.config.from_mapping(
        VERSION=VERSION,
        # Whether this runs on the phone that it answers, without a network: app/offline.
        PHONE=False,
        # Whether that phone is all there is: it never had a server.
        ALONE=False,
        # The offline bundle, if it was built.
        KIT=str(ROOT / "build" / "offline"),
        # As on a phone, which has no environment.
        LIMITS=False,
        URL="",
        INSTANCE="",
        PROXIES=0,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=365),
    )
    app.config.from_mapping(config)
    return app


SEVERAL_THREADS = N_(
    "The score keeper runs in one thread, but this server has several: serve it with make run,"
    " make dev, or the command in the Procfile."
)


class OneThread:
    """WSGI middleware: refuse, in a sentence, a server that answers in several threads.

    The database has one connection, of which other threads cannot make use. Those that gevent puts
    in the place of threads are none.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request that no other thread may interrupt."""
        if environ.get("wsgi.multithread"):
            # Where nothing has threads, there may be no gevent.
            from gevent import monkey

            if not monkey.is_module_patched("threading"):
                sentence = from_environment(os.environ).gettext(SEVERAL_THREADS)
                refusal = Response(sentence, HTTPStatus.SERVICE_UNAVAILABLE, mimetype="text/plain")
                return refusal(environ, start_response)
        return self._app(environ, start_response)


def application() -> Application:
    """The application that answers this request."""
    return cast("Application", current_app)

"""The application: Flask, with what this process keeps between requests."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Hashable
from functools import cached_property
from types import TracebackType
from typing import Any, TypeVar, cast

from cachetools import LRUCache
from flask import Flask, Response, current_app

from app.http.assets import send_text
from app.http.buckets import RateLimiter
from app.http.log import request_id
from app.services import erasure
from app.store.database import Database

MAX_RENDERED_BYTES = 32_000_000

T = TypeVar("T")
Caught = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

_log = logging.getLogger(__name__)


class Application(Flask):
    """Flask, with the database, the cache of pages and the rate limits.

    The keys of `rendered` tell all that makes versions of a page differ. Without a `limiter`
    nothing is limited. `read_notice` returns what every page of this process tells.
    """

    def __init__(self, *args: Any, **values: Any) -> None:  # noqa: ANN401  # as Flask's
        self.rendered: LRUCache[Hashable, Any] = LRUCache(MAX_RENDERED_BYTES, sys.getsizeof)
        self.limiter: RateLimiter | None = None
        self.read_notice: Callable[[], Hashable] = lambda: None
        super().__init__(*args, **values)

    @cached_property
    def database(self) -> Database:
        """The database, opened when it is first asked for. Raises DatabaseUnavailable."""
        opened = Database(self.config["DATABASE"])
        opened.on_erased = self.rendered.clear
        erasure.make_up(opened)
        return opened

    def close(self) -> None:
        """Close the database, if it was opened; the next request opens it again."""
        if opened := self.__dict__.pop("database", None):
            opened.close()

    def log_exception(self, exc_info: Caught) -> None:
        """Log an exception that a view did not expect; Flask adds the address, a secret."""
        _log.error("%s failed", request_id(), exc_info=exc_info)

    def ensure_sync(self, func: Callable[..., T]) -> Callable[..., T]:
        """Take each function for a plain one, as all of ours are: asking takes longer than most."""
        return func

    def send_static_file(self, filename: str) -> Response:
        """Answer with a static file: styles and scripts minified."""
        text = send_text(self.static_folder or "", filename)
        return super().send_static_file(filename) if text is None else text


def application() -> Application:
    """The application that answers this request."""
    return cast("Application", current_app)

"""Request bodies of the calls: all that comes in them is from outside, and bounded."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, TypeVar

import msgspec
from flask import request
from msgspec import Meta
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, TooManyRequests

from app.rules.json_input import too_deep
from app.services.phone_state import PhoneState
from app.store.table_copy import TableCopy

# A table with all that was ever played at it, as when it is brought from elsewhere in files.
LARGEST_BODY = 20_000_000
# Larger ones are decoded one at a time in the whole server, so that its memory is bounded: whoever
# finds another under way waits so many seconds, and then is told to come again after as many more.
# Nothing else that is sent is as large. Before, what comes is on the disk, however slowly it comes.
USUAL_BODY, MEMORY_BODY = 1_000_000, 65_536
TURN_SECONDS, RETRY_SECONDS = 2.0, 5
MOST_CHANGES, MOST_FIELDS, MOST_LINKS = 500, 1000, 1000
# A value that was read takes up to ninety bytes, however few it was sent in. A log has some six
# commas to an entry, so this is more than twenty years of them.
MOST_COMMAS = 1_000_000

Link = Annotated[str, Meta(pattern=r"^([a-z0-9]{1,8}\.)?[A-Za-z0-9_-]{22,64}\Z")]
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22,64}\\Z")]
# A version, or a number that a phone gives its changes.
Count = Annotated[int, Meta(ge=0, le=10**15)]
Text = Annotated[str, Meta(max_length=100_000)]
Field = tuple[Annotated[str, Meta(max_length=100)], Text]

T = TypeVar("T")


class Change(msgspec.Struct, frozen=True):
    """A form that a phone carried out, at a version of the table and a time, and what it did."""

    number: Count
    seq: Count
    path: Annotated[str, Meta(max_length=100)]
    fields: Annotated[list[Field], Meta(max_length=MOST_FIELDS)]
    at: Annotated[datetime, Meta(tz=True)]
    effect: Text


class Batch(msgspec.Struct, frozen=True):
    """The changes of one table that wait on a phone, and its opening where the server has none."""

    link: Link
    phone: Secret
    pen: Secret
    changes: Annotated[list[Change], Meta(max_length=MOST_CHANGES)]
    opening: TableCopy | None = None


class ReplicaRequest(msgspec.Struct, frozen=True):
    """Which tables a phone has, by their links and versions, and what else it has changed."""

    have: Annotated[dict[str, Count], Meta(max_length=MOST_LINKS)] = {}
    phone: PhoneState = PhoneState()


_turn = threading.Lock()


@contextmanager
def receive_body(largest: int = USUAL_BODY) -> Iterator[IO[bytes]]:
    """Receive the request's body whole. Raises RequestEntityTooLarge for more than `largest` bytes.

    Nobody's turn is taken meanwhile.
    """
    request.max_content_length = largest
    with SpooledTemporaryFile(MEMORY_BODY) as body:
        shutil.copyfileobj(request.stream, body)
        yield body


@contextmanager
def one_large_body(body: IO[bytes]) -> Iterator[None]:
    """Take this request's turn, where its body is a large one. Raises TooManyRequests."""
    if body.seek(0, os.SEEK_END) <= USUAL_BODY:
        yield
        return
    if not _turn.acquire(timeout=TURN_SECONDS):
        raise TooManyRequests(retry_after=RETRY_SECONDS)
    try:
        yield
    finally:
        _turn.release()


def read_body(body: IO[bytes], body_type: type[T]) -> T:
    """What is in a body that has been received.

    Raises BadRequest where it is none of these, RequestEntityTooLarge where it holds too much.
    """
    body.seek(0)
    if sum(piece.count(b",") for piece in iter(partial(body.read, MEMORY_BODY), b"")) > MOST_COMMAS:
        raise RequestEntityTooLarge
    body.seek(0)
    data = body.read()
    if too_deep(data):
        raise BadRequest
    try:
        return msgspec.json.decode(data, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRequest from None

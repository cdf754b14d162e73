"""Request bodies of the calls: all that comes in them is from outside, and bounded."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeVar

import msgspec
from flask import request
from msgspec import Meta
from werkzeug.exceptions import BadRequest

from app.rules.json_input import too_deep
from app.services.phone_state import PhoneState
from app.store.copies import TableCopy

# A table with all that was ever played at it, as when it is brought from elsewhere in files.
LARGEST_BODY = 20_000_000
MOST_CHANGES, MOST_FIELDS, MOST_LINKS = 500, 1000, 1000

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

    link: Secret
    phone: Secret
    pen: Secret
    changes: Annotated[list[Change], Meta(max_length=MOST_CHANGES)]
    opening: TableCopy | None = None


class ReplicaRequest(msgspec.Struct, frozen=True):
    """Which tables a phone has, by their links and versions, and what else it has changed."""

    have: Annotated[dict[str, Count], Meta(max_length=MOST_LINKS)] = {}
    phone: PhoneState = PhoneState()


def read_body(body_type: type[T]) -> T:
    """The request body. Raises BadRequest where it is none of these, or is too large."""
    request.max_content_length = LARGEST_BODY
    data = request.get_data()
    if too_deep(data):
        raise BadRequest
    try:
        return msgspec.json.decode(data, type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadRequest from None

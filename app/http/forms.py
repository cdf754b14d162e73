"""Forms: numbers read from their fields, and the one way in which a form changes a table.

There are three kinds of refusal. Malformed input and what the rules forbid give the form again,
with the reason in words (422). A form filled in before somebody else's change gives the table as
it is now (409). Whoever has no pen or a dead link never comes this far (401, 404).
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from flask import flash, g, get_flashed_messages, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.outbox import keep_change
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.rules.errors import BadFile, ChicagoError, NotAllowed, Stale
from app.services import idempotency
from app.services.idempotency import IdempotentRequest
from app.services.tables import Write, hash_secret
from app.store.database import Database

T = TypeVar("T")

# What a form asks to be done in the database, for whom, from which version of the table.
TableChange = Callable[[Database, Write], T]

STALE = N_("Somebody else was first. This is how things stand now.")
# What a form shows again of a text that was typed, more than any that is accepted: where the form
# has many such fields, and where it has one.
LONGEST_TEXT, LONGEST_FIELD = 60, 6000
MAX_SEQ = 10**15 - 1
# No table was ever at this version, so that a form without one changes nothing.
NO_SEQ = -1


class Refusal(msgspec.Struct, frozen=True):
    """Why a form was not carried out: the reason in words, and the status that goes with it.

    `field` names the field at fault where it is one, so that the reason stands there.
    `malformed`: what was typed cannot be read, so that a field has to be mended.
    """

    message: str
    status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY
    field: str = ""
    malformed: bool = False

    @property
    def stale(self) -> bool:
        """Whether somebody else was first, so that the page has to be read again."""
        return self.status is HTTPStatus.CONFLICT


class BadField(BadFile):
    """What one field of a form asks for cannot be read, or is not allowed."""

    def __init__(self, form_field: str, fault: ChicagoError) -> None:
        super().__init__(fault.code, **fault.values)
        self.form_field = form_field


def read_field(name: str, read: Callable[[], T]) -> T:
    """Do what one field of a form asks for. Raises BadField for BadFile and NotAllowed."""
    try:
        return read()
    except (BadFile, NotAllowed) as fault:
        raise BadField(name, fault) from None


def submit(
    act: TableChange[T], again: Callable[[], T] | None = None, stale: str = STALE
) -> T | Refusal:
    """Change the table as this request's form asks, or say why not.

    `again` as in `change_table`; `stale` is the message when somebody else was first. Raises
    NoPen, NotFound.
    """
    return attempt(lambda: change_table(act, again), stale)


def change_table(act: TableChange[T], again: Callable[[], T] | None = None) -> T:
    """Change the table as this request's form asks; every form that changes one comes by here.

    With `again` the change is idempotent: the same form sent from the same version of the table
    with the same pen is the same request, and `again` answers its repetition. Raises what `act`
    raises.
    """
    db, write = context.db(), _write()

    def change() -> T:
        return keep_change(write, lambda: act(db, write))

    if again is None:
        result = change()
    else:
        result = idempotency.perform(db, _idempotent_request(), change, again)
    g.carried_out = True
    return result


def attempt(act: Callable[[], T], stale: str = STALE) -> T | Refusal:
    """Do something, or say in words why it was refused. Other errors are passed on.

    Of a form that is carried out again (app/http/sent_forms.py) a refusal is passed on too.
    """
    if "repeats" in g and g.repeats:
        return act()
    try:
        return act()
    except Stale:
        return Refusal(context.language().gettext(stale), HTTPStatus.CONFLICT)
    except BadField as error:
        return Refusal(_reason(error), field=error.form_field)
    except (NotAllowed, BadFile) as error:
        return Refusal(_reason(error), malformed=isinstance(error, BadFile))


def redirect_to(address: str) -> AnyResponse:
    """Send the browser on to a page, so that loading it again sends no form again."""
    return redirect(address, HTTPStatus.SEE_OTHER)


def _write() -> Write:
    """Who asks for a change, and from which version of the table."""
    seq = read_int(request.form.get("seq", ""), 0, MAX_SEQ)
    return Write(context.link(), cookies.pen(), NO_SEQ if seq is None else seq)


def _idempotent_request() -> IdempotentRequest:
    """This form as a request that carries a key, which is made from all that it asks."""
    content = f"{request.method} {request.path} {sorted(request.form.items(multi=True))}"
    sender = f"form {context.link()} {cookies.pen()}"
    return IdempotentRequest(context.link(), sender, hash_secret(content), content)


def _reason(error: ChicagoError) -> str:
    """What was wrong, and in which of the files sent."""
    text, file = error_text(error, context.language()), error.values.get("file")
    return f"{file}: {text}" if file and str(file) not in text else text


def read_int(text: str, low: int, high: int) -> int | None:
    """A whole number from `low` to `high`, neither below 0; None when it cannot be read as one."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(high)):
        return None
    number = int(text)
    return number if low <= number <= high else None


def flash_at(address: str, message: str) -> None:
    """Leave a message for the page at an address; on another page it is not told, and is gone."""
    flash(message, urlsplit(address).path)


def read_flashes() -> list[str]:
    """The messages that were left for the page that is asked for; they are told once."""
    page = f"{request.script_root}{request.path}"
    return [str(told) for told in get_flashed_messages(category_filter=[page])]

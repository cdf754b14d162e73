"""Forms: numbers read from their fields, and the one way in which a form changes a table.

There are three kinds of refusal. Malformed and forbidden input give the form again,
with the reason in words (422). A form filled in before somebody else's change gives the table as
it is now (409). A request without a pen, or with a dead link, never comes this far (401, 404).
"""

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from flask import Response, flash, get_flashed_messages, make_response, redirect, request, url_for
from msgspec.structs import replace

from app.http import context
from app.http.errors import status_of
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.rules.codes import BadFile, ChicagoError, NotAllowed, Stale
from app.rules.names import tidy
from app.services import table_view
from app.services.access import Write
from app.services.commit import Change, commit, find_version, form_key
from app.services.import_export import Busy
from app.services.table_view import TableView
from app.store.log import Key

Result = TypeVar("Result")

STALE = N_("Somebody else got there first. This is how things stand now.")
# The length of a typed text that a form shows again, more than any accepted: where the form
# has many such fields, and where it has one.
LONGEST_TEXT, LONGEST_FIELD = 60, 6000
MAX_SEQ = 10**15 - 1
# No table was ever at this version, so that a form without one changes nothing.
NO_SEQ = -1


class Refusal(msgspec.Struct, frozen=True):
    """Why a form was not carried out: the reason in words, and the status that goes with it.

    `field` names the field at fault where it is one, so that the reason stands there.
    `malformed`: a text cannot be read, so that a field has to be written anew.
    """

    message: str
    status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY
    field: str = ""
    malformed: bool = False

    @property
    def stale(self) -> bool:
        """Whether somebody else was first, so that the page has to be read again."""
        return self.status is HTTPStatus.CONFLICT

    def at(self, field: str) -> "Refusal":
        """The same, said at a field, where it is no other field's and does not need the page."""
        return self if self.field or self.stale else replace(self, field=field)


class BadField(BadFile):
    """One field of a form cannot be read, or is not allowed."""

    def __init__(self, form_field: str, fault: ChicagoError) -> None:
        super().__init__(fault.code, **fault.values)
        self.form_field = form_field


def read_field(name: str, read: Callable[[], Result]) -> Result:
    """Act on one field of a form. Raises BadField for BadFile and NotAllowed."""
    try:
        return read()
    except (BadFile, NotAllowed) as fault:
        raise BadField(name, fault) from None


def submit(read: Callable[[], Change], stale: str = STALE) -> TableView | Refusal:
    """Make the change of the table that `read` reads from this form, or say why not.

    The same form sent again from the same version of the table, with the same pen, is the same
    change. `stale` is the message when somebody else was first. Raises NoPen, NotFound.
    """
    write, before = read_write(), context.access().seq
    if write.seq == before or not is_sent_again():
        outcome = attempt(lambda: commit(context.db(), write, read(), _form_key(write)), stale)
        if isinstance(outcome, Refusal) or outcome.seq > before:
            return outcome
    # The form was carried out before: the page shows the table as it is now.
    return table_view.read_view(context.db(), write.link)


def is_sent_again() -> bool:
    """Whether this form was carried out before, so that only its answer was lost.

    What it asks for would be read from the table as it is, which may not allow it any more. Raises
    NotAllowed for the key of another request.
    """
    write, now = read_write(), context.access()
    if write.seq == now.seq or not now.writes:
        return False
    return bool(find_version(context.db().connection, now, _form_key(write)))


def _form_key(write: Write) -> Key:
    content = f"{request.path} {sorted(request.form.items(multi=True))}"
    asked = sha256(content.encode("utf-8", "surrogatepass")).digest()
    return form_key(write.pen or "", asked)


def attempt(act: Callable[[], Result], stale: str = STALE) -> Result | Refusal:
    """Do something, or say in words why it was refused. Other errors are passed on."""
    try:
        return act()
    except (Stale, NotAllowed, BadFile, Busy) as error:
        field = error.form_field if isinstance(error, BadField) else ""
        reason, file = error_text(error, context.language().of_pages), error.values.get("file")
        if isinstance(error, Stale):
            reason = context.gettext(stale)
        elif file and str(file) not in reason:
            reason = f"{tidy(str(file)[-LONGEST_TEXT:])}: {reason}"
        return Refusal(reason, status_of(error), field, malformed=isinstance(error, BadFile))


def read_write() -> Write:
    """The writer of a change, and the version of the table it was made from."""
    seq = read_int(request.form.get("seq", ""), 0, MAX_SEQ)
    return replace(context.write(), seq=NO_SEQ if seq is None else seq)


def redirect_to(address: str, message: str = "") -> Response:
    """Send the browser on to a page, so that loading it again sends no form again.

    The page tells the `message`, if there is one.
    """
    if message:
        # On another page it is not told, and is gone.
        flash(message, urlsplit(address).path)
    return make_response(redirect(address, HTTPStatus.SEE_OTHER))


def lead_to(address: str, message: str = "") -> Response:
    """As `redirect_to`, also for htmx, which by itself would put that page into a part of this."""
    response = redirect_to(address, message)
    if not context.wants_fragment():
        return response
    return Response(status=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": address})


def read_int(text: str, low: int, high: int) -> int | None:
    """A whole number from `low` to `high`, neither below 0; None when it cannot be read as one."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(high)):
        return None
    number = int(text)
    return number if low <= number <= high else None


def tell_at_table(message: str) -> Response:
    """Send the browser on to the page of this table, with a message."""
    return redirect_to(url_for("table.page"), message)


def read_flashes() -> list[str]:
    """The messages that were left for the page that is asked for; they are told once."""
    page = f"{request.script_root}{request.path}"
    return [str(message) for message in get_flashed_messages(category_filter=[page])]

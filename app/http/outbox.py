"""What a phone without a network keeps for the server: the forms that changed a table there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from flask import current_app, g, request

from app.http import context
from app.rules.errors import NotAllowed
from app.services import outbox
from app.services.effects import SentForm
from app.services.tables import Write
from app.store.outbox import Fields

T = TypeVar("T")

# The forms that do the same wherever they are sent from the same version of a table. All others
# need the server: they give rights to others, or erase what is there.
REPEATABLE = frozenset(
    {
        "table.record",
        "table.undo",
        "table.redo",
        "table.rematch",
        "amend.mend",
        "next_game.start",
        "rules.send_next",
        "evening.all_paid",
        "evening.undo",
        "advance.pay",
        "payments.pay",
        "payments.number",
        "people.change",
        "table_list.rename",
    }
)
# Nothing is erased on the server by a phone that cannot ask it.
ERASURE = "erasure.forget"
# A change that the server has carried out, which this phone only follows.
ACKNOWLEDGED = "X-Acknowledged"


def keep_change(write: Write, act: Callable[[], T]) -> T:
    """Change a table by `act`; on a phone, keep the form of this request for the server.

    Raises NotAllowed there for what needs the server, and what `act` raises.
    """
    if not current_app.config["PHONE"]:
        return act()
    if request.endpoint == ERASURE:
        return outbox.forget_here(context.db(), write.link, act)
    if request.endpoint not in REPEATABLE:
        raise NotAllowed("needs_network")
    acknowledged = ACKNOWLEDGED in request.headers
    return outbox.keep_change(context.db(), write, _sent_form, act, acknowledged=acknowledged)


def keep_opening(act: Callable[[], str]) -> str:
    """Open a table by `act`, which returns its link; on a phone, keep it for the server."""
    if not current_app.config["PHONE"]:
        return act()
    return outbox.open_here(context.db(), act)


def restate(path: str, fields: Fields) -> None:
    """Let this form be kept as another one, which does the same wherever it is sent.

    For forms that leave something to chance, or speak of what only this phone has.
    """
    g.restated = SentForm(path, fields)


def _sent_form() -> SentForm:
    """This request's form, once it is carried out."""
    if "restated" in g:
        return cast("SentForm", g.restated)
    path = request.path.removeprefix(f"{context.PAGES_OF_TABLES}{context.link()}")
    return SentForm(path, list(request.form.items(multi=True)))

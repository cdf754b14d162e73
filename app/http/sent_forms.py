"""Forms carried out again: as they were sent to a phone, at the time they were sent there.

Each is dispatched to its view as a request of its own, within the request that brought it and in
its transaction. Nothing is rendered: a refusal is raised, and an answer is thrown away.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from inspect import unwrap
from typing import cast

from flask import Flask, current_app, g, request, session
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.test import create_environ

from app.http import context, security
from app.http.outbox import REPEATABLE
from app.rules.errors import NotAllowed
from app.services.effects import SentForm
from app.store import clock


def carry_out(link: str, pen: str, form: SentForm, moment: datetime) -> None:
    """Carry a form out at a table, with a pen, as at that moment.

    Raises NotAllowed for what is no such form, and what the change itself raises.
    """
    app = cast("Flask", current_app._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001  # the one way to the application itself
    path = f"{context.PAGES_OF_TABLES}{link}{form.path}"
    environ = create_environ(path=path, method="POST", data=MultiDict(form.fields))
    with app.app_context(), app.request_context(environ), clock.stopped_at(moment):
        session["pen"] = pen
        try:
            _dispatch(app, link)
        except HTTPException:
            raise NotAllowed("cannot_take_over") from None


def _dispatch(app: Flask, link: str) -> None:
    values = cast("Mapping[str, object]", request.view_args or {})
    if request.endpoint not in REPEATABLE or values.get("link") != link:
        raise NotAllowed("cannot_take_over")
    context.resolve_table()
    security.refuse_readers()
    g.repeats, g.carried_out = True, False
    # Without its limits: they are for who sends requests, and that is one.
    unwrap(app.view_functions[request.endpoint])(**values)
    if not g.carried_out:
        raise NotAllowed("cannot_take_over")

"""What a phone chooses for itself: the language."""

from __future__ import annotations

import re
from http import HTTPStatus

from flask import Blueprint, Flask, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from app.http import context

bp = Blueprint("language", __name__)


def register(app: Flask) -> None:
    """Add the page to the application."""
    app.register_blueprint(bp)


# A page of ours; `//host` would be another site.
_INSIDE = re.compile(r"/([\w-][\w./-]*)?")


@bp.post("/language")
def language() -> AnyResponse:
    """Speak another language from now on, and go back to the page."""
    context.choose_language(request.form.get("language", ""))
    back = request.form.get("back", "/")
    return redirect(back if _INSIDE.fullmatch(back) else "/", HTTPStatus.SEE_OTHER)

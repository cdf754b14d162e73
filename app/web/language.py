"""What a phone chooses for itself: the language, and what it need not be told again."""

from __future__ import annotations

import re

from flask import Blueprint, Flask, request
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import redirect_to

bp = Blueprint("language", __name__)


def register(app: Flask) -> None:
    """Add the page to the application."""
    app.register_blueprint(bp)


# A page of ours; `//host` would be another site.
_INSIDE = re.compile(r"/([\w-][\w./-]*)?")


@bp.post("/language")
def language() -> AnyResponse:
    """Speak another language from now on, and go back to the page."""
    cookies.choose_language(request.form.get("language", ""))
    return _lead_back()


@bp.post("/http")
def know_of_http() -> AnyResponse:
    """Be told no more of what a phone goes without where there is no HTTPS."""
    cookies.note_told_of_http()
    return _lead_back()


def _lead_back() -> AnyResponse:
    back = request.form.get("back", "/")
    return redirect_to(f"{context.prefix()}{back if _INSIDE.fullmatch(back) else '/'}")

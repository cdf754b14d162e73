"""What a phone chooses for itself: the language."""

from __future__ import annotations

import re

from flask import Blueprint, Flask, request
from werkzeug.wrappers import Response as AnyResponse

from app.http import phone_cookie
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
    phone_cookie.choose_language(request.form.get("language", ""))
    back = request.form.get("back", "/")
    return redirect_to(back if _INSIDE.fullmatch(back) else "/")

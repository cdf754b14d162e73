"""What a phone chooses for itself: the language."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlsplit

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from app.web import phone

bp = Blueprint("settings", __name__)


@bp.post("/language")
def language() -> AnyResponse:
    """Speak another language from now on, and go back to the page."""
    phone.choose_language(request.form.get("language", ""))
    back = urlsplit(request.form.get("back", "/")).path
    inside = back if back.startswith("/") and not back.startswith("//") else "/"
    return redirect(inside, HTTPStatus.SEE_OTHER)

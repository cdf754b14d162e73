"""What became of a change: done, or refused with the reason in words."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from app.reasons import sentence
from app.rules.errors import BadFile, NotAllowed, Stale
from app.web import phone


def attempt(act: Callable[[], object]) -> tuple[str, HTTPStatus]:
    """Do a change; return what is said about it, nothing when it is done, and the status."""
    try:
        act()
    except Stale:
        said = phone.speaking().gettext("Somebody else was first. This is how things stand now.")
        return said, HTTPStatus.CONFLICT
    except (NotAllowed, BadFile) as refusal:
        return sentence(refusal, phone.speaking()), HTTPStatus.UNPROCESSABLE_ENTITY
    return "", HTTPStatus.OK

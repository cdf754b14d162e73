"""What became of a change: done, or refused with the reason in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from http import HTTPStatus

from app.http import context
from app.i18n.errors import error_text
from app.rules.errors import BadFile, NotAllowed, Stale


def attempt(act: Callable[[], object]) -> tuple[str, HTTPStatus]:
    """Do a change; return what is said about it, nothing when it is done, and the status."""
    try:
        act()
    except Stale:
        said = context.language().gettext("Somebody else was first. This is how things stand now.")
        return said, HTTPStatus.CONFLICT
    except (NotAllowed, BadFile) as refusal:
        return error_text(refusal, context.language()), HTTPStatus.UNPROCESSABLE_ENTITY
    return "", HTTPStatus.OK


_KRONOR = re.compile(r"-?(?=\.?[0-9])[0-9]{0,9}(\.[0-9]{0,2}0*)?")


def read_kronor(text: str) -> int | None:
    """Read kronor with öre, `1`, `0,50`, `2.5`, as öre; None when it cannot be read."""
    plain = text.strip().lower().removesuffix("kr").strip().replace(",", ".").replace(":", ".")
    if not _KRONOR.fullmatch(plain or "0"):
        return None
    return int(Decimal(plain or "0") * 100)


def format_kronor(ore: int) -> str:
    """Öre as somebody writes kronor into the form."""
    kronor, rest = divmod(ore, 100)
    return f"{kronor},{rest:02}" if rest else str(kronor)

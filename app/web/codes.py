"""Addresses of ours as codes to scan, and what stands there where no phone could follow one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import segno
from markupsafe import Markup

from app.http import context
from app.i18n.language import N_

if TYPE_CHECKING:
    from app.http.address import Obstacle

WORDS: Mapping[Obstacle, str] = {
    "here": N_(
        "There is no code to scan: only this machine can reach the score keeper, since it listens"
        " to no network or there is none."
    ),
    "unknown": N_(
        "There is no code to scan: from here nobody knows by which name other phones reach the"
        " score keeper. Open this page by the name or the address of the machine in the network,"
        " or set CHICAGO_URL to it."
    ),
}


def draw_code(address: str, error: str = "m", border: int = 3) -> str:
    """An address of ours as a QR code, in SVG; or in words why other phones cannot open it."""
    obstacle = context.obstacle()
    if obstacle:
        reason = context.language().gettext(WORDS[obstacle])
        return Markup('<p class="hint">{}</p>').format(reason)
    code = segno.make(address, error=error)
    return str(code.svg_inline(scale=4, border=border, light="#fff", omitsize=True))

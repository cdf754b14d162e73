"""The pictures as PNG, painted by the server: messaging apps show no SVG."""

from __future__ import annotations

from pathlib import Path

import resvg_py
from flask import Blueprint, Response

from app.http.limits import PICTURES, rate_limit
from app.http.rendered import cache_page
from app.web.evening.picture import draw

bp = Blueprint("png", __name__, url_prefix="/t/<link>")

FONTS = [str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.otf"))]


@bp.get("/games/<int:number>/picture.png")
@bp.get("/evening/<day>/picture.png")
@cache_page()
@rate_limit(PICTURES)
def painted(link: str, number: int | None = None, day: str | None = None) -> Response:
    """The picture of a game that is over, or of an evening."""
    return Response(paint(draw(link, number, day)), mimetype="image/png")


def paint(svg: str) -> bytes:
    """Paint a picture, with our own fonts and none of the machine's."""
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=FONTS)

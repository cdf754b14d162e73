"""The pictures as PNG, painted by the server: messaging apps show no SVG."""

from __future__ import annotations

from pathlib import Path

import resvg_py
from flask import Blueprint, Flask, Response

from app.http.limits import RateLimit, rate_limit
from app.http.rendered import cache_page
from app.web.evening.picture import draw, tell_evening, tell_game
from app.web.evening.story import Story

bp = Blueprint("png", __name__, url_prefix="/t/<link>")

FONTS = [str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.otf"))]
# Painting holds everybody up for some 100 ms, since the library lets no other thread run meanwhile.
# One picture serves all of a table, and a club's thirty tables may all end at once.
PICTURES = RateLimit(30, 1 / 2)


def register(app: Flask) -> None:
    """Add the pictures to an application that runs on a server."""
    app.register_blueprint(bp)


@bp.get("/games/<int:number>/picture.png")
@cache_page()
@rate_limit(PICTURES)
def game(link: str, number: int) -> Response:
    """The picture of a game that is over."""
    return _answer(tell_game(link, number))


@bp.get("/evening/<day>/picture.png")
@cache_page()
@rate_limit(PICTURES)
def evening(link: str, day: str) -> Response:
    """The picture of an evening."""
    return _answer(tell_evening(link, day))


def paint(svg: str) -> bytes:
    """Paint a picture, with our own fonts and none of the machine's."""
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=FONTS)


def _answer(told: Story) -> Response:
    return Response(paint(draw(told)), mimetype="image/png")

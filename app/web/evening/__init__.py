"""The evening: won and lost, who pays whom, who is who; and who is ahead over all of them."""

from __future__ import annotations

from flask import Flask

from app.web.evening import advance, money, page, payments, people, picture

BLUEPRINTS = (
    page.bp,
    advance.bp,
    money.bp,
    payments.bp,
    people.bp,
    picture.bp,
)


def register(app: Flask) -> None:
    """Add these pages to the application."""
    for bp in BLUEPRINTS:
        app.register_blueprint(bp)

"""Runs in the kit's Python: the phone's application."""

from app.phone.application import create_phone_app

application = create_phone_app({"DATABASE": "/chicago.db", "PROPAGATE_EXCEPTIONS": True})

"""A program in the bundle's Python: the phone's application."""

from app.offline.phone import create_phone_app

application = create_phone_app("/chicago.db", PROPAGATE_EXCEPTIONS=True)

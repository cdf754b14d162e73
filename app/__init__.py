"""The score keeper for the Swedish card game Chicago."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from flask import Flask

ROOT = Path(__file__).resolve().parent.parent


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make the application; `config` overrides what the environment says."""
    from app import commands

    app = Flask(__name__, template_folder=str(ROOT / "templates"), static_folder=str(ROOT / "static"))
    app.config.from_mapping(config or {})
    commands.register(app)
    return app

"""The server's own settings, with deadlines of one second, for tests that wait for them."""

from pathlib import Path

from app.http import deadlines

ROOT = Path(__file__).parents[2]

exec(compile((ROOT / "gunicorn.conf.py").read_text(encoding="utf-8"), "gunicorn.conf.py", "exec"))
deadlines.SECONDS = 1.0

"""Nothing is unused: no function, class, field or constant, and no vendored file."""

import re
from keyword import iskeyword
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parents[1]
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
SCRIPTS = sorted((ROOT / "static").glob("*.js"))
# Called by their registry: routes, request hooks, migrations.
DECORATORS = [
    *("@*.get", "@*.post", "@*.put", "@*.delete", "@*.before_request", "@*.errorhandler"),
    *("@*.app_template_filter", "@migrations"),
]
IGNORED = {
    "set on objects of Flask, click, zipfile and Python, which read them": """
        immutable loader public regex jinja_environment jinja_options mimetype session_interface
        exc_text
    """,
    "columns of the database, keys of answers and of a phone's pages, read by name alone": """
        busts missed may_bid_chicago payout_ore balance_ore abi boards
    """,
    "called by Flask, Jinja and Python's logging, and by tests of invisible behaviour": """
        open_session save_session preprocess affects ensure_sync log_exception
        formatException
    """,
    "house rules that are only shown and change no score, read by name alone": """
        chicago_breaker first_dealer_by lay_aside open_card redeal_low_hand
    """,
}


def test_no_code_is_unused() -> None:
    """Everything in the application is used by it or by a template."""
    ignored = " ".join(IGNORED.values()).split()
    found = Vulture(ignore_names=ignored, ignore_decorators=DECORATORS)
    found.scavenge([str(ROOT / "app")])
    found.scan((ROOT / "gunicorn.conf.py").read_text(encoding="utf-8"))
    found.scan("\n".join(f"template.{name}" for name in sorted(named_in_templates())))
    unused = [
        item.get_report()
        for item in found.get_unused_code(min_confidence=60)
        if ROOT / "app" in Path(item.filename).parents
    ]
    assert unused == []


def named_in_templates() -> set[str]:
    """Return every attribute and every macro argument that a template reads."""
    return {
        name
        for path in TEMPLATES
        for name in re.findall(r"[.|\"'](\w+)", path.read_text(encoding="utf-8"))
        if name.isidentifier() and not iskeyword(name)
    }


def test_no_vendored_file_is_unused() -> None:
    """Each vendored script is loaded by a page."""
    pages = "".join(path.read_text(encoding="utf-8") for path in [*TEMPLATES, *SCRIPTS])
    vendored = sorted((ROOT / "static" / "vendor").glob("*.js"))
    assert vendored
    assert [path.name for path in vendored if f"vendor/{path.name}" not in pages] == []

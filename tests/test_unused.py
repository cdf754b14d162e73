"""Nothing is unused: no function, class, field or constant."""

import re
from keyword import kwlist
from pathlib import Path

from vulture import Vulture

from tests.checkout import ROOT

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
    found.scan((ROOT / "gunicorn.conf.py").read_text("utf-8"))
    templates = "".join(path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.*"))
    named = filter(str.isidentifier, re.findall(r"[.|\"'](\w+)", templates))
    found.scan("\n".join(f"template.{name}" for name in {*named} - {*kwlist}))
    unused = [
        item.get_report()
        for item in found.get_unused_code(min_confidence=60)
        if ROOT / "app" in Path(item.filename).parents
    ]
    assert unused == []

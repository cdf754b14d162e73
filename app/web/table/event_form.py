"""From a form to an event as a game file writes it: a tapped cell, or a few fields filled in."""

import re
from collections.abc import Callable, Mapping

import msgspec
from werkzeug.datastructures import MultiDict

from app.http.forms import read_field
from app.rules.errors import BadFile
from app.rules.events import MOST_JOINING_POINTS, Event
from app.rules.json_input import decode
from app.rules.names import read_name

FormData = MultiDict[str, str]

_POINTS = re.compile(r"[+-]?[0-9]+")
MOST_POINTS = 9999
_LONGEST_JOINING = len(f"+{MOST_JOINING_POINTS}")


def event_value(event: Event) -> str:
    """The value of a button that records this event."""
    return msgspec.json.encode(event).decode()


def read_event_form(form: FormData) -> object:
    """The event a form asks to record. Raises BadFile when it cannot be read."""
    value = form.get("event", "")
    if value in _FILLED_IN:
        return {"event": value, **_FILLED_IN[value](form)}
    return decode(value.encode("utf-8", "replace"))


def _correction(form: FormData) -> dict[str, object]:
    return {"player": form.get("player", ""), "points": _points(form.get("points", ""))}


def _points(text: str) -> int:
    plain = _plain(text)
    if not _POINTS.fullmatch(plain):
        raise BadFile("points_unreadable", typed=text)
    if len(plain.lstrip("+-")) > len(str(MOST_POINTS)):
        raise BadFile("too_many_points", points=MOST_POINTS, typed=text)
    return int(plain)


def _joins(form: FormData) -> dict[str, object]:
    name = form.get("name", "").strip() or form.get("known", "")
    return {
        "player": read_field("name", lambda: read_name(name)),
        "after": form.get("after", ""),
        "points": read_field("begins", lambda: _joining_points(form.get("begins", ""))),
    }


def _joining_points(text: str) -> int:
    plain = _plain(text)
    readable = _POINTS.fullmatch(plain) and len(plain) <= _LONGEST_JOINING
    if not readable or abs(int(plain)) > MOST_JOINING_POINTS:
        raise BadFile("joining_points", limit=MOST_JOINING_POINTS, typed=text)
    return int(plain)


def _plain(text: str) -> str:
    return text.strip().replace("\N{MINUS SIGN}", "-").replace(" ", "")


def _tie(form: FormData) -> dict[str, object]:
    hand = {"hand": form["hand"]} if form.get("hand") else {}
    return {**hand, "tied": form.getlist("tied")}


_FILLED_IN: Mapping[str, Callable[[FormData], dict[str, object]]] = {
    "correction": _correction,
    "joins": _joins,
    "no_best_hand": _tie,
}

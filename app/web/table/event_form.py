"""From a form to an event as a game file writes it: a tapped cell, or a few fields filled in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import msgspec
from werkzeug.datastructures import MultiDict

from app.rules.errors import BadFile
from app.rules.events import Event, write_event
from app.rules.json_input import decode

FormData = MultiDict[str, str]

_POINTS = re.compile(r"[+-]?[0-9]+")
MOST_POINTS = 9999


def event_value(event: Event) -> str:
    """What a button carries to record this event."""
    return msgspec.json.encode(write_event(event)).decode()


def read_event_form(form: FormData) -> object:
    """The event a form asks to record. Raises BadFile when it cannot be read."""
    value = form.get("event", "")
    if value in _FILLED_IN:
        return {"event": value, **_FILLED_IN[value](form)}
    return decode(value.encode("utf-8", "replace"))


def _correction(form: FormData) -> dict[str, object]:
    return {"player": form.get("player", ""), "points": _points(form.get("points", ""))}


def _points(text: str) -> int:
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace(" ", "")
    if not _POINTS.fullmatch(plain):
        raise BadFile("points_unreadable", typed=text)
    if len(plain.lstrip("+-")) > len(str(MOST_POINTS)):
        raise BadFile("too_many_points", points=MOST_POINTS, typed=text)
    return int(plain)


def _tie(form: FormData) -> dict[str, object]:
    hand = {"hand": form["hand"]} if form.get("hand") else {}
    return {**hand, "tied": form.getlist("tied")}


_FILLED_IN: Mapping[str, Callable[[FormData], dict[str, object]]] = {
    "correction": _correction,
    "no_best_hand": _tie,
}

"""A program in the bundle's Python: it answers the tests, one JSON line each way."""

import base64
import json
import secrets
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from app.i18n.errors import error_text
from app.i18n.language import get_language
from app.offline import phone
from app.rules.codes import BadFile, NotAllowed
from app.rules.gamefile import read_game, write_error, write_result
from app.store import clock
from app.store.clock import evening_of

Answer = dict[str, Any]

# Whom a lot would choose, the tests know.
vars(secrets)["choice"] = min
phone.start("/phone.db", "http://localhost/")


def versions(_: Answer) -> Answer:
    """The versions of Python and of msgspec."""
    return {"python": list(sys.version_info[:2]), "msgspec": msgspec.__version__}


def score(asked: Answer) -> Answer:
    """Score games as a program does; return their results, or their errors."""
    return {name: _result(game) for name, game in asked["games"].items()}


def _result(game: object) -> object:
    try:
        return write_result(read_game(game).states())
    except (BadFile, NotAllowed) as error:
        return write_error(error, error_text(error, get_language("en")))


def call(asked: Answer) -> Answer:
    """Pass a request to the phone's application, and return its response."""
    body = base64.b64decode(asked["body"])
    found = phone.answer(asked["method"], asked["url"], asked["headers"], body)
    encoded = base64.b64encode(found.body).decode()
    return {"status": found.status, "headers": found.headers, "body": encoded}


def evenings(asked: Answer) -> Answer:
    """The evenings of moments in a time zone, and an amount, as a language writes them."""
    speak = get_language(asked["language"])
    clock.set_zone(clock.find_zone(asked["zone"]))
    days = [evening_of(moment) for moment in asked["moments"]]
    clock.set_zone(clock.find_zone(clock.DEFAULT_ZONE))
    written = [[speak.day(day), speak.short_day(day)] for day in days]
    return {"evenings": written, "amount": speak.money(-123450, "EUR")}


def absent(_: Answer) -> Answer:
    """The modules that imports did not find."""
    found = {name for finder in sys.meta_path for name in getattr(finder, "absent", ())}
    return {"names": sorted(found)}


def compile_module(asked: Answer) -> Answer:
    """Compile a source with the build's own program."""
    namespace: Answer = {"__name__": "modules"}
    exec(asked["program"], namespace)
    compiled = namespace["compile_module"](asked["source"].encode(), asked["filename"])
    return {"compiled": base64.b64encode(compiled).decode()}


ANSWERS: dict[str, Callable[[Answer], Answer]] = {
    each.__name__: each for each in (versions, score, call, evenings, absent, compile_module)
}


def answer(line: str) -> str:
    """Answer a line; an error ends the program, with its traceback."""
    asked = json.loads(line)
    return json.dumps(ANSWERS[asked["ask"]](asked), ensure_ascii=False)

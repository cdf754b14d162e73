"""State of a phone besides its tables: language, rule sets, and tables that are put away.

The newest counts, wherever it was changed: nothing is refused, and nothing is merged.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from msgspec import Meta

from app.http import cookies
from app.http.context import db
from app.rules.errors import BadFile
from app.rules.json_input import decode
from app.rules.presets import read_rules
from app.services import rule_sets
from app.services.tables import NotFound, hash_secret

# One entry each: "language", "rules NAME" (as a game file writes them), "away LINK".
Key = Annotated[str, Meta(max_length=110)]
Value = Annotated[str, Meta(max_length=20_000)]
State = Annotated[dict[Key, Value | None], Meta(max_length=200)]


def read_state() -> dict[str, str | None]:
    """The state of the phone that asks."""
    texts = rule_sets.read_texts(db().connection, hash_secret(cookies.pen() or ""))
    away = [link for link, is_away in cookies.tables().items() if is_away]
    return {
        "language": cookies.language_choice(),
        **{f"rules {name}": text for name, text in texts.items()},
        **{f"away {link}": "" for link in away},
    }


def find_changes(before: State, now: State) -> dict[str, str | None]:
    """Entries of a state that differ from before; None for what is gone."""
    return {key: now.get(key) for key in before | now if before.get(key) != now.get(key)}


def apply(changes: State) -> None:
    """Let the phone that asks have these entries; an unreadable one is passed over."""
    for key, value in changes.items():
        kind, _, name = key.partition(" ")
        with suppress(BadFile, NotFound):
            if kind == "language":
                cookies.choose_language(value or "")
            elif kind == "away":
                cookies.put_away(name, away=value is not None)
            elif kind == "rules":
                _keep_rules(name, value)


def _keep_rules(name: str, text: str | None) -> None:
    pen = cookies.take_pen()
    if text is not None:
        rule_sets.save(db(), pen, name, *read_rules(decode(text.encode())))
    for each in rule_sets.list_rule_sets(db(), pen) if text is None else ():
        if each.name == name:
            rule_sets.delete(db(), pen, each.id)

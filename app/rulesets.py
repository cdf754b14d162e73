"""House rules that a phone keeps under names of its own, for the next table."""

from __future__ import annotations

import msgspec

from app.rules.errors import BadFile
from app.rules.gamefile import decode, read_name
from app.rules.house import HouseRules
from app.rules.presets import read_rules, write_rules
from app.store import RuleSetRow, Store
from app.tables import hashed

MOST = 40


class RuleSet(msgspec.Struct, frozen=True):
    """Rules under a name; `preset` is the published rule set they started from."""

    id: int
    name: str
    preset: str
    rules: HouseRules


def kept(store: Store, pen: str | None) -> list[RuleSet]:
    """The rule sets of the phone that holds a pen; one from another version is passed over."""
    rows = store.rule_sets(hashed(pen)) if pen else []
    return [found for row in rows if (found := _read(row)) is not None]


def _read(row: RuleSetRow) -> RuleSet | None:
    try:
        return RuleSet(row.id, row.name, *read_rules(decode(row.rules.encode())))
    except BadFile:
        return None


def find(store: Store, pen: str | None, set_id: int) -> RuleSet | None:
    """One of the phone's rule sets."""
    return next((found for found in kept(store, pen) if found.id == set_id), None)


def keep(store: Store, pen: str, name: str, preset: str, rules: HouseRules) -> RuleSet:
    """Keep rules under a name, in place of what it stood for.

    Raises BadFile for a name that is none, or when the phone keeps too many.
    """
    name = read_name(name)
    text = msgspec.json.encode(write_rules(preset, rules)).decode()
    with store.writing():
        names = {row.name for row in store.rule_sets(hashed(pen))}
        if name not in names and len(names) >= MOST:
            raise BadFile("too_many_rule_sets", limit=MOST)
        store.keep_rule_set(hashed(pen), name, text)
    return next(found for found in kept(store, pen) if found.name == name)


def forget(store: Store, pen: str | None, set_id: int) -> None:
    """Forget one of the phone's rule sets."""
    if pen:
        with store.writing():
            store.forget_rule_set(hashed(pen), set_id)

"""What a phone keeps besides tables: its language, its rule sets, and which tables it put away.

Of these the newest counts, wherever it was changed: nothing is refused, and nothing is merged.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta

from app.rules.errors import BadFile
from app.rules.json_input import decode
from app.rules.names import MAX_NAME
from app.rules.presets import read_rules
from app.services import rule_sets
from app.services.phone_tables import PhoneTable
from app.services.tables import hash_secret
from app.store import clock
from app.store.database import Database

# All of it comes from outside. Of rule sets there are as many as a phone keeps, and as many that
# it has forgotten; of tables as many as it tells of.
LONGEST_RULES, LONGEST_CODE, LONGEST_LINK, MOST_TABLES = 20_000, 40, 100, 1000

# A rule set as a game file writes it; None for one that is forgotten.
RuleText = Annotated[str, Meta(max_length=LONGEST_RULES)]
RuleTexts = dict[Annotated[str, Meta(max_length=MAX_NAME)], RuleText | None]
Code = Annotated[str, Meta(max_length=LONGEST_CODE)]


class ZoneCopy(msgspec.Struct, frozen=True):
    """A time zone as a server tells it to a phone, which has none but its own: name and rules."""

    name: Code
    rules: Annotated[bytes, Meta(max_length=LONGEST_RULES)]


class PhoneState(msgspec.Struct, frozen=True):
    """What a phone keeps, or what of it has changed.

    `language` is a code, nothing while none is chosen; `put_away` says of tables, by their links,
    whether the start is to pass them over. `instance` is where new tables go that it opens itself,
    `zone` that of the server's evenings.
    """

    language: Code = ""
    rule_sets: Annotated[RuleTexts, Meta(max_length=2 * rule_sets.MOST)] = {}
    put_away: Annotated[
        dict[Annotated[str, Meta(max_length=LONGEST_LINK)], bool], Meta(max_length=MOST_TABLES)
    ] = {}
    instance: Code = ""
    zone: ZoneCopy | None = None


def read_state(
    db: Database, pen: str | None, language: str, tables: list[PhoneTable]
) -> PhoneState:
    """What the phone that has a pen keeps."""
    texts = rule_sets.read_texts(db.connection, hash_secret(pen or ""))
    away = {table.link: table.put_away for table in tables}
    return PhoneState(language, dict(texts), away)


def find_changes(before: PhoneState, now: PhoneState) -> PhoneState:
    """What of a phone's state has changed; a table that is new there counts as not put away."""
    gone: RuleTexts = {name: None for name in before.rule_sets if name not in now.rule_sets}
    return PhoneState(
        now.language if now.language != before.language else "",
        gone | dict(now.rule_sets.items() - before.rule_sets.items()),
        {
            link: away
            for link, away in now.put_away.items()
            if away != before.put_away.get(link, False)
        },
    )


def keep_rule_sets(db: Database, pen: str, changes: PhoneState) -> None:
    """Let a phone keep the rule sets that have changed; what cannot be read is passed over."""
    for name, text in changes.rule_sets.items():
        if text is None:
            known = rule_sets.list_rule_sets(db, pen)
            rule_sets.delete(db, pen, next((each.id for each in known if each.name == name), 0))
        else:
            with suppress(BadFile):
                rule_sets.save(db, pen, name, *read_rules(decode(text.encode())))


def follow_zone(state: PhoneState) -> bool:
    """Tell moments in the server's time zone; whether that is another than before.

    Rules that cannot be read are none.
    """
    before = clock.zone().key
    if state.zone is not None:
        with suppress(ValueError, LookupError, struct.error):
            clock.set_zone(clock.read_zone(state.zone.name, state.zone.rules))
    return clock.zone().key != before

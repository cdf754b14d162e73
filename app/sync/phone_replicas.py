"""What a phone takes along of its tables, from every instance that has some of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.http import instances, phone_cookie
from app.services import phone_state, replicas
from app.services.phone_state import PhoneState
from app.services.phone_tables import PhoneTable
from app.services.replicas import Replica


def copy_tables(links: Iterable[str], have: Mapping[str, int]) -> tuple[list[Replica], bool]:
    """Copies of the tables behind links where this phone writes, and whether there are more."""
    pen, parts = phone_cookie.pen(), instances.divide(links)

    def ask(name: str) -> tuple[list[Replica], bool]:
        known = {link: have[link] for link in parts[name] if link in have}
        return instances.call(name, replicas.copy_tables, pen, parts[name], known)

    found = instances.gather(parts, ask).values()
    return [copy for copies, _ in found for copy in copies], any(more for _, more in found)


def find_gone(links: Iterable[str]) -> list[str]:
    """Which of these links open nothing any more, or nothing that this phone's pen writes at."""
    pen, parts = phone_cookie.pen(), instances.divide(links)
    found = instances.gather(
        parts, lambda name: instances.call(name, replicas.find_gone, pen, parts[name])
    )
    return [link for gone in found.values() for link in gone]


def follow(changes: PhoneState) -> None:
    """Let this browser keep what its phone has changed besides tables.

    Raises InstanceUnavailable where that cannot be kept just now.
    """
    phone_cookie.choose_language(changes.language)
    parts = instances.divide(changes.put_away)
    if changes.rule_sets:
        parts.setdefault(instances.first(), [])
    for name, links in parts.items():
        rule_sets = changes.rule_sets if name == instances.first() else {}
        away = {link: changes.put_away[link] for link in links}
        part = PhoneState(rule_sets=rule_sets, put_away=away)
        instances.call(name, phone_state.apply_changes, phone_cookie.take_pen(), part)


def read_state(tables: list[PhoneTable]) -> PhoneState:
    """What this phone keeps besides tables. Raises InstanceUnavailable."""
    language, pen = phone_cookie.language_choice() or "", phone_cookie.pen()
    return instances.call(instances.first(), phone_state.read_state, pen, language, tables)

"""Transfers of all that a phone knows, at every instance: one secret, of which each has its part.

Nothing is transferred in part: where an instance does not answer, InstanceUnavailable is raised,
and the same link does it later.
"""

from __future__ import annotations

from app.http import instances, phone_cookie
from app.services import transfers
from app.services.tables import new_pen
from app.services.transfers import Transfer, TransferState
from app.store.transfers import Kind

# Where parts of a transfer differ, what it is to a phone; an instance that is new has no part.
_ORDER: tuple[TransferState, ...] = ("open", "own", "taken", "used", "expired", "gone")


def make_secret(kind: Kind) -> str:
    """Make a transfer of all that this phone knows."""
    secret, pen = new_pen(), phone_cookie.take_pen()
    links, language = phone_cookie.recent_tables(), phone_cookie.language_choice() or ""
    recent = instances.divide(links)
    for name in instances.everyone():
        known = recent.get(name, [])
        instances.call(name, transfers.make_transfer, kind, pen, known, language, secret)
    return secret


def is_open(kind: Kind) -> bool:
    """Whether a transfer that this phone made can still be taken."""
    first, pen = instances.first(), phone_cookie.pen()
    return instances.gather(
        [first], lambda name: instances.call(name, transfers.is_open, kind, pen)
    ).get(first, False)


def withdraw(kind: Kind) -> None:
    """Let nobody take what this phone has made."""
    if pen := phone_cookie.pen():
        for name in instances.everyone():
            instances.call(name, transfers.withdraw, kind, pen)


def read_transfer(kind: Kind, secret: str, pen: str | None) -> Transfer:
    """What a transfer is to the phone with a pen, None for one that has none yet."""
    return _add_up(
        {
            name: instances.call(name, transfers.read_transfer, kind, secret, pen)
            for name in instances.everyone()
        }
    )


def take(kind: Kind, secret: str) -> Transfer:
    """Bring all that a transfer holds to this phone, and say what it was to it.

    The first instance decides between two phones. What breaks off is gone on with when it is taken
    again.
    """
    pen, recent = phone_cookie.take_pen(), instances.divide(phone_cookie.recent_tables())
    read_transfer(kind, secret, pen)
    parts: dict[str, Transfer] = {}
    for name in instances.everyone():
        known = recent.get(name, [])
        parts[name] = instances.call(name, transfers.take, kind, secret, pen, known)
        if parts[instances.first()].state not in ("open", "taken"):
            break
        if parts[name].tables:
            phone_cookie.remember_instance(name)
    return _add_up(parts)


def _add_up(parts: dict[str, Transfer]) -> Transfer:
    """The whole of a transfer; its state is that of the first instance, unless taking broke off."""
    states = {part.state for part in parts.values()}
    first = parts[instances.first()]
    broke_off = first.state == "taken"
    state = next(each for each in _ORDER if each in states) if broke_off else first.state
    return Transfer(
        state,
        sum(part.tables for part in parts.values()),
        sum(part.pens for part in parts.values()),
        first.language,
    )

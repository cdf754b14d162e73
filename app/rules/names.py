"""Players' names, and how many there are."""

import unicodedata
from collections.abc import Sequence
from typing import Annotated, TypeVar

from msgspec import Meta

from app.rules.errors import BadFile

T = TypeVar("T")

MAX_NAME, MIN_PLAYERS, MAX_PLAYERS = 40, 2, 8
# Of a name as it is sent other programs are told so much; what is checked is what is left of it.
PlayerName = Annotated[
    str,
    Meta(
        description="Trimmed; no control characters.",
        extra_json_schema={"minLength": 1, "maxLength": MAX_NAME},
    ),
]

_INVISIBLE = ("Cc", "Cs", "Zl", "Zp")


def read_players(raw: object) -> tuple[str, ...]:
    """Read two to eight different names in seat order, trimmed. Raises BadFile."""
    if not isinstance(raw, (list, tuple)):
        raise BadFile("players_not_a_list")
    names = tuple(read_name(name) for name in raw)
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise BadFile("wrong_number_of_players", count=len(names))
    for name in names:
        if names.count(name) > 1:
            raise BadFile("name_twice", player=name)
    return names


def read_name(raw: object) -> str:
    """Read one name, trimmed: 1 to 40 characters, no control characters. Raises BadFile."""
    if not isinstance(raw, str):
        raise BadFile("name_not_text", value=raw)
    name = raw.strip()
    if not name:
        raise BadFile("name_empty")
    if len(name) > MAX_NAME:
        raise BadFile("name_too_long", player=name[:MAX_NAME], limit=MAX_NAME)
    if any(unicodedata.category(char) in _INVISIBLE for char in name):
        raise BadFile("name_unprintable", player=name)
    return name


def look_alikes(names: Sequence[str]) -> tuple[str, str] | None:
    """Two names that differ in nothing but letter case and blanks, None where none do."""
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault("".join(name.split()).casefold(), name)
        if first != name:
            return first, name
    return None


def clockwise(players: tuple[T, ...], after: T) -> tuple[T, ...]:
    """All players round the table, from the one behind `after` to that one."""
    seat = players.index(after) + 1
    return players[seat:] + players[:seat]


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name's short one, in the same order.

    That is the first name where it tells the players apart, else shortened with the last name.
    """
    firsts = [name.split()[0] for name in names]
    shorts = {
        name: first if firsts.count(first) == 1 else _first_and_last(name)
        for first, name in zip(firsts, names, strict=True)
    }
    return shorts if len({*shorts.values()}) == len(names) else {name: name for name in names}


def _first_and_last(name: str) -> str:
    words = name.split()
    return name if len(words) == 1 else f"{words[0][:4]}. {words[-1]}"


def seat_behind(players: tuple[T, ...], name: T, after: T) -> tuple[T, ...]:
    """The players in seat order once `name` has sat down behind `after`, clockwise."""
    seat = players.index(after) + 1
    return (*players[:seat], name, *players[seat:])

"""Untrusted input: JSON from anybody, and players' names with their seats."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar
from unicodedata import category, normalize

import msgspec

from app.rules.codes import BadFile

Player = TypeVar("Player")

MAX_NAME, MIN_PLAYERS, MAX_PLAYERS = 40, 2, 8
# So much is looked at of what may be a name: a letter may be sent in pieces.
LONGEST_TYPED = 10 * MAX_NAME
_CONTROLS = ("Cc", "Cs", "Zl", "Zp")
# What has no picture beside the marks of category Cf: fillers, selectors, and a braille blank.
_BLIND = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001d159\U000e0000-\U000e0fff]"
)
# A flag of a part of a country, a key with its digit, or pictures joined to one.
_PICTURE = (
    "[\u203c\u2049\u2100-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
    "\ufe0f?[\U0001f3fb-\U0001f3ff]?"
)
_EMOJI = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e007a]{3,6}\U000e007f|[0-9#*]\ufe0f\u20e3"
    f"|{_PICTURE}(?:\u200d{_PICTURE})*)"
)


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
    """Read one name: 1 to 40 characters as `tidy` leaves them, no control characters.

    Raises BadFile.
    """
    if not isinstance(raw, str):
        raise BadFile("name_not_text", value=raw)
    typed = raw.strip()
    name = tidy(typed)
    if any(category(char) in _CONTROLS for char in typed[:LONGEST_TYPED]):
        raise BadFile("name_unprintable", player=name)
    if not name:
        raise BadFile("name_empty")
    if len(name) > MAX_NAME or len(typed) > LONGEST_TYPED:
        raise BadFile("name_too_long", player=name[:MAX_NAME], limit=MAX_NAME)
    return name


def tidy(text: str) -> str:
    """A text as a name is kept: letters in one piece each, one blank for any, no hidden marks.

    Empty where nothing of it can be seen; cut to what is looked at.
    """
    return _tidy(text[:LONGEST_TYPED])


# A game names a handful of people in each of its entries.
@lru_cache(maxsize=256)
def _tidy(text: str) -> str:
    if not text.isascii():
        parts = _EMOJI.split(text)
        parts[::2] = map(_show, parts[::2])
        text = normalize("NFC", "".join(parts))
    elif not text.isprintable():
        text = _show(text)
    text = " ".join(text.split())
    return text if any(category(char)[0] not in "MZ" for char in text) else ""


def _show(text: str) -> str:
    """Leave out what has no picture; a control character is a blank."""
    plain = _BLIND.sub("", text)
    kinds = zip(plain, map(category, plain), strict=True)
    return "".join(" " if kind in _CONTROLS else char for char, kind in kinds if kind != "Cf")


def ask_about(names: Sequence[str], asked: str, known: Collection[str] = ()) -> None:
    """Ask about names that look like each other, or like one `known` here that is another.

    A form that comes again with these names `asked` has the answer. Raises BadFile.
    """
    alike = look_alikes(names, known)
    if alike and tidy(asked) != join_names(names):
        raise BadFile("look_alike", player=alike[0], by=alike[1])


def join_names(names: Sequence[str]) -> str:
    """The names as a form says that it has asked about them."""
    return " / ".join(filter(None, map(tidy, names)))


def look_alikes(names: Sequence[str], known: Collection[str] = ()) -> tuple[str, str] | None:
    """The first of these names that is new and looks like one before it, or like one `known`.

    They differ in nothing but letter case, blanks, and the forms of a letter or a picture.
    """
    seen: dict[str, str] = {}
    for name in (*known, *names):
        first = seen.setdefault(_look(name), name)
        if first != name and name not in known:
            return first, name
    return None


def _look(name: str) -> str:
    plain = normalize("NFKC", _show(name)).casefold()
    return "".join(normalize("NFKC", plain).split())


def clockwise(players: tuple[Player, ...], after: Player) -> tuple[Player, ...]:
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
    first, *others = name.split()
    short = first if len(first) <= 5 else f"{first[:4]}."
    return f"{short} {others[-1]}" if others else name


def seat_behind(players: tuple[Player, ...], name: Player, after: Player) -> tuple[Player, ...]:
    """The players in seat order once `name` has sat down behind `after`, clockwise."""
    seat = players.index(after) + 1
    return (*players[:seat], name, *players[seat:])


# Reading nests as deeply as what is read, and how much of that a thread bears differs from one
# Python to the next.
DEEPEST = 100

# Anything but brackets and the quotation marks of strings.
_OTHERS = bytes(set(range(256)) - set(b'"[]{}'))
_STRING = re.compile(rb'"[^"]*"?')


def decode(text: bytes) -> object:
    """Read JSON. Raises BadFile when it is not JSON, or nested too deeply."""
    if too_deep(text):
        raise BadFile("not_json")
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("not_json") from None


def too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested too deeply."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    plain = text.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _OTHERS)
    brackets = _STRING.sub(b"", plain)
    return (
        max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0) > DEEPEST
    )

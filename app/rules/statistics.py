"""What statistics tell in words: the moments of a game, its course, and a table's records."""

import msgspec

from app.rules.codes import BestCode, CourseCode
from app.rules.state import Effect


class Moment(msgspec.Struct, frozen=True):
    """The deal of a game that moved the scores of `players` the most: by `points`, up or down.

    `why` is the effect that did most of it to each of them.
    """

    game: int
    deal: int
    players: tuple[str, ...]
    points: int
    why: Effect


class Best(msgspec.Struct, frozen=True):
    """The most of something, and when it was first reached: in a `game`, or 0 for all evening.

    The value counts öre, points, deals, wins or times; of `finest_hand` it is the hand's rank from
    1, of `quickest_win` the deals, negative, as fewer are better.
    """

    value: int
    evening: str = ""
    game: int = 0


class TableRecord(msgspec.Struct, frozen=True):
    """The best at a table, and who did it: the first, then those who did as well later."""

    code: BestCode
    best: Best
    holders: tuple[str, ...]


class Episode(msgspec.Struct, frozen=True):
    """One thing to tell: of whom, the `value` (a sum, points of one deal, or times), and when."""

    code: CourseCode
    players: tuple[str, ...] = ()
    value: int = 0
    step: int = 0

"""Errors as codes with values; the words are put on at the edge."""

from app.rules.codes import ReasonCode


class ChicagoError(Exception):
    """Something a person has to be told: a code and the values its sentence needs."""

    def __init__(self, code: ReasonCode, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values


class BadFile(ChicagoError):
    """The input is malformed, as can be seen without playing.

    `event` is the index (from 0) of the event at fault, None when the fault is elsewhere.
    """

    event: int | None = None


class NotAllowed(ChicagoError):
    """The house rules, or the state of the game, forbid the event.

    `event` is the index (from 0) of the event at fault in a replay, None in live play.
    """

    event: int | None = None


class BadHand(ChicagoError):
    """Cards that cannot be read, or that cannot be a hand."""


class Stale(ChicagoError):
    """Somebody else recorded something first; the sender's picture of the table is old."""

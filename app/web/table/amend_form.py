"""The small forms of mending, a tie and a correction: what was typed, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from app.http.forms import Refusal, attempt
from app.rules.events import Correction, Event, NoBestHand, read_event
from app.rules.hands import Hand
from app.web.table.event_form import read_event_form

FORMS = ("no_best_hand", "correction")
LONGEST_POINTS = 20


class Filled(msgspec.Struct, frozen=True):
    """What is filled in: `form` is the event's name; names are players' names.

    `gap`: into the forms for what is missing, else into those for an entry. `refusal` says what
    is wrong.
    """

    form: str = ""
    hand: str = ""
    tied: tuple[str, ...] = ()
    player: str = ""
    points: str = ""
    gap: bool = False
    seats: tuple[int, ...] = ()
    refusal: Refusal | None = None

    @classmethod
    def of(cls, event: Event) -> Filled:
        """What the forms hold of an entry that was recorded by one of them."""
        match event:
            case NoBestHand(hand=hand, tied=tied) if hand and tied:
                return cls("no_best_hand", hand=hand, tied=tied)
            case Correction(player=player, points=points):
                return cls("correction", player=player, points=f"{points}".replace("-", "−"))
            case _:
                return cls()

    def query(self) -> Mapping[str, object]:
        """The same in an address, where no name is written."""
        return {
            "event": self.form,
            "hand": self.hand,
            "seat": self.seats,
            "points": self.points,
            "gap": "1" if self.gap else "",
        }


def read_filled(players: Sequence[str], form: MultiDict[str, str] | None = None) -> Filled | None:
    """What was filled in, read from a form or from this request's address; None if nothing."""
    sent = request.args if form is None else form
    name = sent.get("event", "")
    if name not in FORMS:
        return None
    key = "player" if name == "correction" else "tied"
    numbers = [seat for seat in sent.getlist("seat") if seat.isascii() and seat.isdigit()]
    known = dict(enumerate(players, start=1))
    chosen = [known[int(n)] for n in numbers if len(n) == 1 and int(n) in known]
    named = sent.getlist(key) if form is not None else chosen
    # Each once, and nobody else, however often a form says them.
    named = [who for who in players if who in named]
    fields = MultiDict([("event", name), *((key, who) for who in named)])
    fields.add("hand", next((hand for hand in Hand if hand == sent.get("hand")), ""))
    fields.add("points", sent.get("points", "")[:LONGEST_POINTS])
    return _judge(fields, players, "gap" in sent and bool(sent["gap"]))


def _judge(fields: MultiDict[str, str], players: Sequence[str], gap: bool) -> Filled:
    """What is filled in, and why it cannot be recorded, if it cannot."""
    outcome = attempt(lambda: read_event(read_event_form(fields), tuple(players)))
    named = fields.getlist("tied") or fields.getlist("player")
    return Filled(
        form=fields["event"],
        hand=fields["hand"],
        tied=tuple(fields.getlist("tied")),
        player=fields.get("player", ""),
        points=fields["points"],
        gap=gap,
        seats=tuple(players.index(name) + 1 for name in named),
        refusal=outcome if isinstance(outcome, Refusal) else None,
    )

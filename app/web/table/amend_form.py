"""The small forms of mending, a tie, a correction, a latecomer: what was typed, what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from app.http.forms import LONGEST_TEXT, Refusal, attempt
from app.rules.events import Correction, Event, Joins, NoBestHand, read_any_event, read_event
from app.rules.hands import Hand
from app.web.table.event_form import read_event_form

# Each with its field that names players.
FORMS: Mapping[str, str] = {"no_best_hand": "tied", "correction": "player", "joins": "after"}
TYPED = ("points", "begins", "name")


class EntryForm(msgspec.Struct, frozen=True):
    """What is filled in: `form` is the event's name; names are players' names.

    `name`, `after` and `begins` are of whoever joins.

    `gap`: into the forms for what is missing, else into those for an entry. `refusal` says what
    is wrong.
    """

    form: str = ""
    hand: str = ""
    tied: tuple[str, ...] = ()
    player: str = ""
    points: str = ""
    name: str = ""
    after: str = ""
    begins: str = ""
    gap: bool = False
    seats: tuple[int, ...] = ()
    refusal: Refusal | None = None

    @classmethod
    def of(cls, event: Event) -> EntryForm:
        """What the forms hold of an entry that was recorded by one of them."""
        match event:
            case NoBestHand(hand=hand, tied=tied) if hand and tied:
                return cls("no_best_hand", hand=hand, tied=tied)
            case Correction(player=player, points=points):
                return cls("correction", player=player, points=_write_points(points))
            case Joins(player=player, after=after, points=points):
                return cls("joins", name=player, after=after, begins=_write_points(points))
            case _:
                return cls()

    def query(self) -> Mapping[str, object]:
        """The same in an address, where no name is written but one that nobody has yet."""
        return {
            "event": self.form,
            "hand": self.hand,
            "seat": self.seats,
            "points": self.points,
            "begins": self.begins,
            "name": self.name,
            "gap": "1" if self.gap else "",
        }


def read_entry_form(
    players: Sequence[str], form: MultiDict[str, str] | None = None
) -> EntryForm | None:
    """What was filled in, read from a form or from this request's address; None if nothing."""
    sent = request.args if form is None else form
    name = sent.get("event", "")
    if name not in FORMS:
        return None
    key = FORMS[name]
    numbers = [seat for seat in sent.getlist("seat") if seat.isascii() and seat.isdigit()]
    known = dict(enumerate(players, start=1))
    chosen = [known[int(n)] for n in numbers if len(n) < 3 and int(n) in known]
    named = sent.getlist(key) if form is not None else chosen
    # Each once, and nobody else, however often a form says them.
    named = [who for who in players if who in named]
    fields = MultiDict([("event", name), *((key, who) for who in named)])
    fields.add("hand", next((hand for hand in Hand if hand == sent.get("hand")), ""))
    for typed in TYPED:
        fields.add(typed, sent.get(typed, "")[:LONGEST_TEXT])
    return _judge(fields, players, "gap" in sent and bool(sent["gap"]))


def _judge(fields: MultiDict[str, str], players: Sequence[str], gap: bool) -> EntryForm:
    """What is filled in, and why it cannot be recorded, if it cannot."""
    outcome = attempt(lambda: _read(fields, players))
    named = [name for key in FORMS.values() for name in fields.getlist(key)]
    return EntryForm(
        form=fields["event"],
        hand=fields["hand"],
        tied=tuple(fields.getlist("tied")),
        player=fields.get("player", ""),
        points=fields["points"],
        name=fields["name"],
        after=fields.get("after", ""),
        begins=fields["begins"],
        gap=gap,
        seats=tuple(players.index(name) + 1 for name in named),
        refusal=outcome if isinstance(outcome, Refusal) else None,
    )


def _read(fields: MultiDict[str, str], players: Sequence[str]) -> Event:
    """Read what is filled in. Whether who joins has another's name, the moment tells."""
    raw = read_event_form(fields)
    return read_any_event(raw) if fields["event"] == "joins" else read_event(raw, tuple(players))


def _write_points(points: int) -> str:
    return f"{points}".replace("-", "\N{MINUS SIGN}")

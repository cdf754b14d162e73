"""The small forms of mending, a tie, a correction, a latecomer: what was typed, what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
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

    def query(self, players: Sequence[str]) -> Mapping[str, object]:
        """The same in an address, where no name is written but one that nobody has yet."""
        named = [*self.tied, self.player, self.after]
        return {
            "event": self.form,
            "hand": self.hand,
            "seat": [number for number, who in enumerate(players, 1) if who in named],
            "points": self.points,
            "begins": self.begins,
            "name": self.name,
            "gap": "1" if self.gap else "",
        }


def read_entry_form(players: Sequence[str], sent: MultiDict[str, str]) -> EntryForm | None:
    """What was filled in, from a form or from an address with numbers for names; else None.

    Names count once, and only the players', however often a form says them.
    """
    form = sent.get("event", "")
    if form not in FORMS:
        return None
    seats, said = sent.getlist("seat"), sent.getlist(FORMS[form])
    named = [who for n, who in enumerate(players, 1) if who in said or str(n) in seats]
    hand = next((hand for hand in Hand if hand == sent.get("hand")), "")
    fields = MultiDict([("event", form), ("hand", hand), *((FORMS[form], who) for who in named)])
    for typed in TYPED:
        fields.add(typed, sent.get(typed, "")[:LONGEST_TEXT])
    outcome = attempt(lambda: _read(fields, players))
    return EntryForm(
        form=form,
        hand=hand,
        tied=tuple(fields.getlist("tied")),
        player=fields.get("player", ""),
        points=fields["points"],
        name=fields["name"],
        after=fields.get("after", ""),
        begins=fields["begins"],
        gap=bool(sent.get("gap")),
        refusal=outcome if isinstance(outcome, Refusal) else None,
    )


def _read(fields: MultiDict[str, str], players: Sequence[str]) -> Event:
    """Read what is filled in. Whether who joins has another's name, the moment tells."""
    raw = read_event_form(fields)
    return read_any_event(raw) if fields["event"] == "joins" else read_event(raw, tuple(players))


def _write_points(points: int) -> str:
    return f"{points}".replace("-", "\N{MINUS SIGN}")

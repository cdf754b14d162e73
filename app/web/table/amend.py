"""Mending the past: one entry opened, the preview of its change, and the mended game kept.

The changes so far are in the address, so that going back goes back over them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import NotFound

from app.http import context
from app.http.forms import (
    LONGEST_TEXT,
    Refusal,
    attempt,
    read_int,
    redirect_to,
    submit,
    tell_at_table,
)
from app.http.limits import expensive
from app.i18n.language import N_
from app.rules.amendment import Amendment, Conflict, Entry, moment_of, neighbours, shift
from app.rules.errors import BadFile
from app.rules.events import (
    BreakOff,
    Correction,
    Event,
    Joins,
    NoBestHand,
    read_any_event,
    read_event,
)
from app.rules.gamefile import MAX_EVENTS
from app.rules.hands import Hand
from app.rules.house import listed_hands
from app.rules.names import short_names
from app.rules.rights import may_join
from app.rules.state import GameState
from app.services import table_view
from app.services.commit import Change, Now, Proposal
from app.services.play import Mend
from app.services.table_view import Changed, TableView
from app.web.table.board import find_doubted
from app.web.table.draft import (
    AmendmentDraft,
    bare,
    compare,
    decode_draft,
    encode_draft,
    find_gap,
    find_shiftable,
    is_saved,
    judge_draft,
    list_changes,
    names_with,
)
from app.web.table.grid import amend_rows, rare_rows, read_event_form
from app.web.table.protocol import MENDED, sheet_address
from app.web.templates import render

# Each with its field that names players.
FORMS: Mapping[str, str] = {"no_best_hand": "tied", "correction": "player", "joins": "after"}
TYPED = ("points", "begins", "name", "asked")


class EntryForm(msgspec.Struct, frozen=True):
    """The form of an entry: `form` is the event's name; names are players' names.

    `name`, `after`, `begins` and `asked` belong to a player who joins.

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
    asked: str = ""
    gap: bool = False
    refusal: Refusal | None = None

    @classmethod
    def of(cls, event: Event) -> EntryForm:
        """The form of an entry that was recorded by one of them."""
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
            "asked": self.asked,
            "gap": "1" if self.gap else "",
        }


def read_entry_form(players: Sequence[str], sent: MultiDict[str, str]) -> EntryForm | None:
    """Read an entry from a form, or from an address with numbers for names; else None.

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
        asked=fields["asked"],
        gap=bool(sent.get("gap")),
        refusal=outcome if isinstance(outcome, Refusal) else None,
    )


def _read(fields: MultiDict[str, str], players: Sequence[str]) -> Event:
    """Read the fields. The engine judges at its moment whether a joining player's name is taken."""
    raw = read_event_form(fields)
    return read_any_event(raw) if fields["event"] == "joins" else read_event(raw, tuple(players))


def _write_points(points: int) -> str:
    return f"{points}".replace("-", "\N{MINUS SIGN}")


# A request line may have some 4 000 characters, the text of a small form included.
LONGEST_ADDRESS = 3_500

bp = Blueprint("amend", __name__, url_prefix="/t/<link>/games/<int:number>")

STALE = N_("Somebody else was first. This is the game now.")
CHANGED = N_("The game has been changed since.")
SAVED = N_("That change is already saved.")


@bp.get("/entries/<int:index>")
@expensive
def entry(link: str, number: int, index: int) -> Response:
    """One entry: its effects and their reasons, and its alternatives."""
    view = context.read_view(number)
    if index >= len(view.game.events):
        raise NotFound
    return _render_entry(view, decode_draft("", view), index)


@bp.get("/mend")
@expensive
def draft(link: str, number: int) -> Response:
    """The draft so far and its result, or one entry of it.

    Where the game is another by now, it redirects to the score sheet with a message.
    """
    view = context.read_view(number)
    code, place = request.args.get("d", ""), _read_place(request.args)
    read = attempt(lambda: decode_draft(code, view))
    if isinstance(read, Refusal) and read.stale:
        message = SAVED if is_saved(code, view) else CHANGED
        return redirect_to(sheet_address(number), context.gettext(message))
    if isinstance(read, Refusal):
        return _render(view, decode_draft("", view), place, read)
    filled = read_entry_form(_names(view, read), request.args)
    return _render(view, read, place, filled.refusal if filled else None, filled)


@bp.post("/mend")
@expensive
def mend(link: str, number: int) -> Response:
    """Change the draft and redirect to its preview, or mend the game by it."""
    code = request.form.get("draft", "")
    if request.form.get("event") == "keep":
        return _keep(number, code)
    view = context.read_view(number)
    edited = attempt(lambda: _edit_code(view, code), STALE)
    if isinstance(edited, Refusal):
        return _back(view, code, edited)
    if request.form.get("do") == "at_once" and _try_to_keep(number, edited):
        return tell_at_table(context.gettext(MENDED))
    return redirect_to(_address(view, edited))


def _edit_code(view: TableView, code: str) -> str:
    """The code of a draft after one more change. Raises Stale, NotAllowed, BadFile."""
    edited = encode_draft(_edit(view, decode_draft(code, view)), view)
    if len(_address(view, edited)) > LONGEST_ADDRESS:
        raise BadFile("too_many_changes")
    return edited


def _try_to_keep(number: int, code: str) -> bool:
    """Mend the game by a draft where nothing stands in the way; else its preview says what."""
    outcome = submit(lambda: MendAsDrafted(number, code), STALE, anyhow=True)
    return not isinstance(outcome, Refusal)


def _back(view: TableView, code: str, refusal: Refusal) -> Response:
    """Redirect back to a form, with its text and its fault."""
    if refusal.stale:
        return redirect_to(sheet_address(view.number), refusal.message)
    # A draft that is too long was never made here, and is left out.
    code = code if len(_address(view, code)) <= LONGEST_ADDRESS else ""
    draft = attempt(lambda: decode_draft(code, view))
    known = _names(view, None if isinstance(draft, Refusal) else draft)
    filled = read_entry_form(known, request.form)
    query = {"at": _read_place(request.form), **(filled.query(known) if filled else {})}
    if filled is None or filled.refusal is None:
        return redirect_to(_address(view, code, query), refusal.message)
    anchor = "latecomer" if filled.form == "joins" else "mistake"
    return redirect_to(_address(view, code, {**query, "_anchor": anchor}))


def _address(view: TableView, code: str, query: Mapping[str, Any] = {}) -> str:
    """The address of a draft."""
    return url_for("amend.draft", number=view.number, d=code, **query)


def _edit(view: TableView, draft: AmendmentDraft) -> AmendmentDraft:
    """The draft after one more change. Raises BadFile."""
    form, name, end = request.form, request.form.get("event"), len(draft.entries)
    amendment = judge_draft(view, draft)
    if name == "leave":
        return draft.remove({conflict.place for conflict in amendment.conflicts})
    place = _read_place(form)
    if place is None or place > end:
        raise BadFile("draft_unreadable")
    if name in ("remove", "cut"):
        return draft.remove([place] if name == "remove" else range(place, end))
    if name == "shift" and place < end:
        return AmendmentDraft(draft.base, shift(view.game.setup, draft.entries, place))
    before = _before(amendment, place)
    new = Entry(read_event(read_event_form(form), before.players), moment_of(before))
    if form.get("do") == "insert" or place == end:
        return draft.insert(place, new)
    return draft.replace(place, new)


def _read_place(sent: MultiDict[str, str]) -> int | None:
    return read_int(sent.get("at", ""), 0, MAX_EVENTS)


def _before(amendment: Amendment, place: int) -> GameState:
    """The state that the entry at a place of a draft comes to. Raises BadFile if it is unknown."""
    if place < amendment.gap:
        return amendment.befores[place]
    if place > amendment.gap:
        raise BadFile("draft_unreadable")
    return amendment.missing or amendment.states[-1]


class MendAsDrafted(Change, frozen=True):
    """A game went as a draft in an address says; events recorded meanwhile stay."""

    number: int
    code: str

    def make(self, now: Now) -> Proposal | None:
        """Mend the game. Raises Stale where the draft is of another game, BadFile, and as Mend."""
        view = table_view.load_view(now.connection, now.table, self.number)
        draft = decode_draft(self.code, view)
        return Mend(self.number, draft.items, draft.moved).make_of(now, view)


def _keep(number: int, code: str) -> Response:
    """Mend the game by the draft; events recorded meanwhile stay."""
    outcome = submit(lambda: MendAsDrafted(number, code), STALE, anyhow=True)
    if isinstance(outcome, Refusal):
        return _back(context.read_view(number), code, outcome)
    newest = outcome.undoable
    # What stood there already is no change.
    deal = newest.deal if isinstance(newest, Changed) and newest.number == number else None
    return redirect_to(sheet_address(number, deal), context.gettext(MENDED))


def _render(
    view: TableView,
    draft: AmendmentDraft,
    place: int | None,
    refusal: Refusal | None,
    filled: EntryForm | None = None,
) -> Response:
    """The page of a draft's entry at a place, or the preview of the whole draft."""
    if place is not None and place < len(draft.entries) and not (filled and filled.gap):
        return _render_entry(view, draft, place, refusal, filled)
    return _render_preview(view, draft, refusal, filled)


def _render_entry(
    view: TableView,
    draft: AmendmentDraft,
    place: int,
    refusal: Refusal | None = None,
    filled: EntryForm | None = None,
) -> Response:
    amendment, entry = judge_draft(view, draft), draft.entries[place]
    event = bare(entry.event)
    held = place in amendment.held
    before = amendment.befores[place] if place < amendment.gap else None
    after = amendment.states[amendment.held.index(place) + 1] if held else None
    conflict = next((m for m in amendment.conflicts if m.place == place), None)
    # Where an entry comes too late, the due step there is another moment's.
    late = conflict is not None and _is_late(amendment, conflict)
    return render(
        "amend/entry.html",
        "",
        refusal,
        **_shared(view, draft, None if late or before is None or before.over else before),
        place=place,
        event=event,
        moment=amendment.moment_at(place),
        conflict=conflict,
        before=before,
        after=after,
        filled=filled or EntryForm.of(entry.event),
        **_doubts(view, draft, place, before),
    )


def _doubts(
    view: TableView, draft: AmendmentDraft, place: int, before: GameState | None
) -> dict[str, object]:
    """Values of what is said of an entry as it is recorded: to who writes, what it may have been.

    `gone`: without it the game stands.
    """
    index, event = draft.entries[place].index, bare(draft.entries[place].event)
    if index is None or draft.entries != draft.base:
        return {"doubted": None}
    about = view.number, index
    doubted = next((each for each in find_doubted() if (each.number, each.index) == about), None)
    if not context.access().writes:
        # Only a server has readers.
        from app.web.table.follow import find_me

        return {"doubted": doubted, "me": find_me(), "index": index}
    if doubted is None or before is None:
        return {"doubted": None}
    gone = judge_draft(view, draft.remove([place])).stands
    return {"doubted": doubted, "neighbours": neighbours(before, event, doubted.who), "gone": gone}


def _is_late(amendment: Amendment, conflict: Conflict) -> bool:
    """Whether an entry no longer fits because its moment was over, or never came."""
    return amendment.moment_at(conflict.place) != moment_of(amendment.befores[conflict.place])


def _render_preview(
    view: TableView, draft: AmendmentDraft, refusal: Refusal | None, filled: EntryForm | None = None
) -> Response:
    amendment = judge_draft(view, draft)
    gap = find_gap(draft, amendment)
    return render(
        "amend/preview.html",
        "",
        refusal,
        **_shared(view, draft, gap.state if gap else None),
        amendment=amendment,
        in_time={m.place for m in amendment.conflicts if not _is_late(amendment, m)},
        shiftable=find_shiftable(view, draft, amendment),
        comparisons=compare(view, draft, amendment),
        gap=gap,
        endings=[BreakOff(settle=True), BreakOff(settle=False)],
        # The newest game may also be gone on with at the table.
        playable=bool(gap and gap.at_end and view.number == view.games and not amendment.conflicts),
        filled=filled or EntryForm(),
    )


def _shared(view: TableView, draft: AmendmentDraft, due: GameState | None) -> dict[str, object]:
    """Values of both pages; `due` is the state that the grid is of."""
    players = due.players if due else view.state.players
    code = encode_draft(draft, view)
    return {
        "view": view,
        "code": code,
        "address": _address(view, code),
        "changes": list_changes(draft),
        "names": list(short_names(players).items()),
        "due": due,
        "rows": amend_rows(due) if due else [],
        "rare": list(rare_rows(due)) if due else [],
        "hands": listed_hands(view.state.rules),
        "joining": due is not None and may_join(due).ok,
    }


def _names(view: TableView, draft: AmendmentDraft | None) -> tuple[str, ...]:
    """All players whom the entries of a game, and of a draft of it, may name."""
    drafted = [entry.event for entry in draft.entries] if draft else []
    return names_with(view.game.setup.players, [*view.game.events, *drafted])

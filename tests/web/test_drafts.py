"""Drafts of mended games: the address holds every change, and no names."""

import json
from unittest.mock import Mock

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules.amendment import Entry, Moment, moment_of, shift
from app.rules.errors import BadFile, NotAllowed, Stale
from app.rules.events import BestHand, Correction, NoBestHand
from app.rules.game import begin
from app.rules.gamefile import Game, read_setup
from app.rules.hands import Hand
from app.rules.state import Step
from app.services import table_view
from app.services.table_view import TableView
from app.store import log
from app.store.database import Database
from app.web.table.draft import (
    AmendmentDraft,
    decode_draft,
    encode_draft,
    is_saved,
    list_changes,
)
from tests.rules.strategies import Draw, Played, games, happenings
from tests.spoiling import ANYTHING, places, put
from tests.web.conftest import Seat
from tests.web.phone import Phone


def sheet_of(played: Played, count: int | None = None) -> TableView:
    """Return a table with a game of so many entries."""
    events = played.events[:count]
    states = played.states[: len(events) + 1]
    return TableView("", 1, 1, 1, "", Game(played.setup, events), states, {}, {})


@st.composite
def edited(draw: Draw) -> tuple[Played, AmendmentDraft]:
    """Draw a game and some edits of it."""
    played = draw(games().filter(lambda each: bool(each.events)))
    draft = decode_draft("", sheet_of(played))
    for _ in range(draw(st.integers(1, 5))):
        if not draft.entries:
            break
        place = draw(st.integers(0, len(draft.entries) - 1))
        state = draw(st.sampled_from([each for each in played.states if not each.over]))
        entry = Entry(draw(happenings(state)), moment_of(state))
        match draw(st.sampled_from(["replace", "insert", "remove"])):
            case "replace":
                draft = draft.replace(place, entry)
            case "insert":
                draft = draft.insert(place, entry)
            case _:
                draft = draft.remove([place])
    return played, draft


@given(edited())
def test_a_draft_survives_its_address(drawn: tuple[Played, AmendmentDraft]) -> None:
    """A draft decodes unchanged; it is saved in a game that begins with the resulting events."""
    played, draft = drawn
    was = sheet_of(played)
    code = encode_draft(draft, was)
    assert decode_draft(code, was) == draft
    events = tuple(entry.event for entry in draft.entries)
    became = replace(was, game=replace(was.game, events=(*events, NoBestHand())))
    assert is_saved(code, became)
    assert is_saved(code, was) == (was.game.events[: len(events)] == events)


@given(games().filter(lambda each: len(each.events) > 1), st.data())
def test_an_address_belongs_to_its_game(played: Played, data: st.DataObject) -> None:
    """Later entries leave the address valid; a changed game is refused."""
    count = data.draw(st.integers(1, len(played.events) - 1))
    now, then = sheet_of(played), sheet_of(played, count)
    code = encode_draft(decode_draft("", then).remove([0]), then)
    assert decode_draft(code, now).entries == decode_draft("", now).base[1:]
    code = encode_draft(decode_draft("", now), now)
    with pytest.raises(Stale):
        decode_draft(code, then)


SETUP = read_setup({"players": ["Anna", "Bo"], "rules": {"preset": "pagat"}})
START = TableView("", 1, 1, 1, "", Game(SETUP, (NoBestHand(),)), [begin(SETUP)] * 2, {}, {})
NEW = Entry(Correction(player="Bo", points=1), Moment(1, Step.HAND_1))


def test_an_address_names_nobody() -> None:
    """The address holds the numbers of the players."""
    assert "Bo" not in encode_draft(decode_draft("", START).insert(0, NEW), START)


def test_what_is_put_back_is_no_change() -> None:
    """An entry replaced by itself, or inserted again in its old place, changes nothing."""
    draft = decode_draft("", START)
    assert draft.replace(0, NEW).replace(0, draft.base[0]) == draft
    assert draft.remove([0]).insert(0, draft.base[0]) == draft
    assert draft.replace(0, NEW).remove([0]) == draft.remove([0])


def test_an_edit_is_told_with_what_was_there() -> None:
    """An entry takes the place of the one due at its moment, and of no other."""
    draft, pair = decode_draft("", START), BestHand(player="Bo", hand=Hand.PAIR)
    best = Entry(pair, NEW.moment)
    told = [(edit.was, edit.now) for edit in list_changes(draft.replace(0, best).insert(0, NEW))]
    assert told == [(NoBestHand(), pair), (None, NEW.event)]
    told = [(edit.was, edit.now) for edit in list_changes(draft.replace(0, NEW))]
    assert told == [(NoBestHand(), None), (None, NEW.event)]


GOOD = encode_draft(decode_draft("", START), START)


@pytest.mark.parametrize(
    "edit",
    [
        [[], [[5_000, 1, "hand_1", {"event": "no_best_hand"}]]],
        [[], [[0, 1, "hand_9", {"event": "no_best_hand"}]]],
        [[], [[0, 1, "hand_1", {"event": "leaves", "player": 9}]]],
        [[], [[-1, 1, "hand_1", {"event": "no_best_hand"}]]],
        [[], [], [""]],
        [["x"], []],
        [[2_001], []],
        [[0] * 2_001, []],
        [[], [], [], [[0, 1, 1]] * 2],
        [[], [], [], [[0, 2_001, 1]]],
        [[], [], [], [[0, 1, 10**9]]],
        [[]],
    ],
)
def test_what_is_no_draft_is_refused(edit: list[object]) -> None:
    """An address that is no draft of this game is refused as unreadable."""
    code = msgspec.json.encode([*msgspec.json.decode(GOOD)[:2], *edit]).decode()
    with pytest.raises(BadFile) as caught:
        decode_draft(code, START)
    assert caught.value.code == "draft_unreadable"


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("digest", ["", "x", "-1", "9" * 5000, "1" + "0" * 30 + "-", "0-x"])
def test_what_is_no_digest_is_refused(digest: str, place: int) -> None:
    """An address with an invalid digest, of the game before or after, is refused as unreadable."""
    code = msgspec.json.decode(GOOD)
    code[place] = digest
    with pytest.raises(BadFile, match="draft_unreadable"):
        decode_draft(msgspec.json.encode(code).decode(), START)


JSON = st.recursive(ANYTHING, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@pytest.fixture
def drafts(db: Database, seat: Seat, phone: Phone, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the codes of drafts of a phone's game, which is never mended."""
    seat(phone, "deal Bo, no hands, Anna trick")
    monkeypatch.setattr(log, "append", Mock(side_effect=NotAllowed("table_full", limit=0)))
    view = table_view.read_view(db, phone.table.removeprefix("/t/"))
    draft = decode_draft("", view)
    new = Entry(BestHand(player="Bo", hand=Hand.PAIR), Moment(1, Step.HAND_1))
    more = draft.insert(0, new)
    moved = AmendmentDraft(draft.base, shift(view.game.setup, more.entries, 0))
    # Behind a gap some entries belong to no moment.
    free = [replace(each, moment=None) for each in draft.entries[4:]]
    gap = AmendmentDraft(draft.base, (draft.entries[0], draft.entries[3], *free))
    return [encode_draft(each, view) for each in (draft.remove([2]), more, moved, gap)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_draft_from_outside_breaks_a_page(
    phone: Phone, drafts: list[str], data: st.DataObject
) -> None:
    """Any JSON, and a spoilt draft, is shown or refused in words, also where it is changed."""
    spoilt = msgspec.json.decode(data.draw(st.sampled_from(drafts)))
    for _ in range(data.draw(st.integers(0, 2))):
        put(spoilt, data.draw(st.sampled_from(places(spoilt))), data.draw(JSON))
    code = json.dumps(data.draw(JSON | st.just(spoilt)))
    address, at = f"{phone.table}/games/1/mend", data.draw(st.sampled_from(["", *"0357", "9" * 9]))
    answer = phone.client.get(address, query_string={"d": code, "at": at})
    assert answer.status_code in (200, 303, 422), code
    for event in ("leave", "remove", "cut", "shift", '{"event":"no_best_hand"}', "keep"):
        form = {"draft": code, "at": at, "event": event}
        assert phone.client.post(address, data=form).status_code in (303, 422), code

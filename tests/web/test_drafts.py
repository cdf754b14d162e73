"""Drafts of mended games: whatever is changed, the address says it, short and without names."""

import base64
import string
import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules.amendment import Entry, Moment, moment_of
from app.rules.errors import BadFile, Stale
from app.rules.events import Correction, NoBestHand
from app.rules.game import begin
from app.rules.gamefile import Game, read_setup
from app.rules.state import Step
from app.services.sheets import Sheet
from app.web.table.draft import Draft, Key, read_key
from app.web.table.draft_code import decode_draft, encode_draft, is_saved, require_short
from tests.rules.strategies import Draw, Played, games, happenings


def sheet_of(played: Played, count: int | None = None) -> Sheet:
    """Return a table with a game, as it was when so many entries were recorded."""
    events = played.events[:count]
    states = played.states[: len(events) + 1]
    return Sheet("", 1, 1, 1, "", Game(played.setup, events), states, None)


@st.composite
def edited(draw: Draw) -> tuple[Played, Draft]:
    """Draw a game and some edits of it."""
    played = draw(games().filter(lambda each: bool(each.events)))
    draft = decode_draft("", sheet_of(played))
    for _ in range(draw(st.integers(1, 5))):
        slots = draft.slots()
        if not slots:
            break
        key = draw(st.sampled_from(slots)).key
        state = draw(st.sampled_from([each for each in played.states if not each.over]))
        entry = Entry(draw(happenings(state)), moment_of(state))
        match draw(st.sampled_from(["put", "insert", "remove"])):
            case "put":
                draft = draft.put_at(key, entry)
            case "insert":
                draft = draft.insert_at(key, entry)
            case _:
                draft = draft.remove([key])
    return played, draft


@given(edited())
def test_a_draft_survives_its_address(drawn: tuple[Played, Draft]) -> None:
    """Read from its address it is the same, and saved where the game begins with what it makes."""
    played, draft = drawn
    code = require_short(encode_draft(draft, sheet_of(played)))
    assert decode_draft(code, sheet_of(played)) == draft
    assert code.isascii()
    assert set(code) <= set(string.ascii_letters + string.digits + "-_")
    was = sheet_of(played)
    events = tuple(slot.entry.event for slot in draft.slots())
    became = replace(was, game=replace(was.game, events=(*events, NoBestHand())))
    assert is_saved(code, became)
    assert is_saved(code, was) == (was.game.events[: len(events)] == events)


@given(games().filter(lambda each: len(each.events) > 1), st.data())
def test_an_address_belongs_to_its_game(played: Played, data: st.DataObject) -> None:
    """What was recorded since does no harm; where what was there is other, it is refused."""
    count = data.draw(st.integers(1, len(played.events) - 1))
    now, then = sheet_of(played), sheet_of(played, count)
    code = encode_draft(decode_draft("", then).remove([Key(0)]), then)
    assert decode_draft(code, now).removed == {0}
    code = encode_draft(decode_draft("", now), now)
    with pytest.raises(Stale):
        decode_draft(code, then)


SETUP = read_setup({"players": ["Anna", "Bo"], "rules": {"preset": "pagat"}})
START = Sheet("", 1, 1, 1, "", Game(SETUP, (NoBestHand(),)), [begin(SETUP)] * 2, None)
NEW = Entry(Correction(player="Bo", points=1), Moment(1, Step.HAND_1))


def test_what_is_put_back_is_no_change() -> None:
    """An entry put in the place of itself, or again where it was taken out, changes nothing."""
    draft = decode_draft("", START)
    assert not draft.put_at(Key(0), NEW).put_at(Key(0), draft.base[0]).changed
    assert not draft.remove([Key(0)]).insert_at(Key(1), draft.base[0]).changed
    assert draft.put_at(Key(0), NEW).remove([Key(0)]) == draft.remove([Key(0)])


def test_entries_put_in_can_be_changed_and_taken_out() -> None:
    """They have a place of their own before the recorded one."""
    draft = decode_draft("", START).insert_at(Key(0), NEW)
    assert [str(slot.key) for slot in draft.slots()] == ["0.0", "0"]
    other = Entry(NoBestHand(), NEW.moment)
    assert draft.put_at(Key(0, 0), other).slots()[0].entry == other
    assert [slot.entry for slot in draft.insert_at(Key(0, 0), other).slots()][:2] == [other, NEW]
    assert not draft.remove([Key(0, 0)]).changed
    assert [read_key(text) for text in ("0.0", "0")] == [Key(0, 0), Key(0)]
    assert [read_key(text) for text in (None, "", "x", "-1", "1.", "9" * 9)] == [None] * 6


def code_of(value: object) -> str:
    """Return what is no draft in the form of one."""
    return base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(value))).decode()


@pytest.mark.parametrize(
    "edit",
    [
        [[[5, 1, 0, {"event": "no_best_hand"}]], [], []],
        [[[0, 1, 99, {"event": "no_best_hand"}]], [], []],
        [[[0, 1, 0, {"event": "leaves", "player": 9}]], [], []],
        [[], [[-1, 1, 0, {"event": "no_best_hand"}]], []],
        [[], []],
    ],
)
def test_what_is_no_draft_is_refused(edit: list[object]) -> None:
    """Whatever somebody writes into an address, it is a draft of this game or unreadable."""
    good = encode_draft(decode_draft("", START), START)
    count, digest = msgspec.json.decode(zlib.decompress(base64.urlsafe_b64decode(good + "==")))[:2]
    with pytest.raises(BadFile) as caught:
        decode_draft(code_of([count, digest, *edit]), START)
    assert caught.value.code == "draft_unreadable"


def test_a_draft_that_unpacks_to_very_much_is_refused() -> None:
    """No more is unpacked than any draft needs."""
    with pytest.raises(BadFile):
        decode_draft(code_of("x" * 10_000_000), START)

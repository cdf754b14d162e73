"""How large a game may be: events, bytes, and the remarks nobody scores."""

import json

import pytest

from app.rules.errors import BadFile
from app.rules.gamefile import MAX_BYTES, MAX_EVENTS, decode_game

NOBODY = {"event": "correction", "player": "Anna", "points": 1}


def game_file(**keys: object) -> bytes:
    """Return a game file."""
    game = {"format": "chicago-game/1", "players": ["Anna", "Bo"], "events": [], **keys}
    return json.dumps(game).encode()


def fault_in(text: bytes) -> BadFile:
    """Return what is wrong with a file."""
    with pytest.raises(BadFile) as fault:
        decode_game(text)
    return fault.value


def test_a_game_has_two_thousand_events_at_most() -> None:
    """One more is a malformed game, whatever they are."""
    assert len(decode_game(game_file(events=[NOBODY] * MAX_EVENTS)).events) == 2000
    fault = fault_in(game_file(events=[NOBODY] * (MAX_EVENTS + 1)))
    assert (fault.code, fault.event) == ("too_many_events", None)


def test_a_game_has_a_megabyte_at_most() -> None:
    """Blanks count as well: it is what is sent that is bounded."""
    text = game_file()
    assert decode_game(text.ljust(MAX_BYTES)).events == ()
    assert fault_in(text.ljust(MAX_BYTES + 1)).code == "game_too_long"


@pytest.mark.parametrize(("key", "limit"), [("note", 200), ("name", 80), ("id", 64)])
def test_a_remark_is_bounded_on_games_and_events(key: str, limit: int) -> None:
    """The longest is accepted; one character more is named, with the event it stands at."""
    longest, longer = "å" * limit, "å" * (limit + 1)
    game = decode_game(game_file(**{key: longest, "events": [{**NOBODY, key: longest}]}))
    assert (game.remarks[key], getattr(game.events[0], key)) == (longest, longest)
    assert fault_in(game_file(**{key: longer})).values == {"key": key, "limit": limit}
    assert fault_in(game_file(events=[NOBODY, {**NOBODY, key: longer}])).event == 1


@pytest.mark.parametrize("key", ["note", "name", "id", "at"])
def test_a_remark_that_is_no_text_is_bounded_too(key: str) -> None:
    """A list or an object is as long as it is written."""
    longest, longer = {"a": "å" * (1000 - 9)}, {"a": ["å" * 1000]}
    game = decode_game(game_file(**{key: longest, "events": [{**NOBODY, key: longest}]}))
    assert (game.remarks[key], getattr(game.events[0], key)) == (longest, longest)
    assert fault_in(game_file(**{key: longer})).values == {"key": key, "limit": 1000}
    assert fault_in(game_file(events=[NOBODY, {**NOBODY, key: longer}])).event == 1


def test_a_time_is_no_long_text() -> None:
    """Whoever writes a novel there is told so."""
    assert decode_game(game_file(at="å" * 1000)).remarks
    assert fault_in(game_file(at="å" * 1001)).code == "remark_too_long"

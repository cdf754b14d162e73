"""Game files: reading, refusals before any play, and writing."""

import base64
import json

import pytest

from app.rules.codes import BadFile
from app.rules.gamefile import MAX_BYTES, MAX_EVENTS, Game, decode_game, write_game
from app.rules.names import DEEPEST, decode, too_deep
from app.rules.presets import PRESETS, read_code
from tests.rules.table import cases
from tests.told import told

HEAD = '"format": "chicago-game/1"'
PLAYERS = '"players": ["Anna", "Bo", "Cilla"]'


def read(*members: str, events: str = "") -> Game:
    """Read a game file with these members."""
    members = (*(members or (HEAD, PLAYERS)), f'"events": [{events}]')
    return decode_game(f"{{{', '.join(members)}}}".encode())


def fault(text: bytes) -> BadFile:
    """Return the error of a bad game file."""
    with pytest.raises(BadFile) as caught:
        decode_game(text)
    return caught.value


def test_what_is_left_out_has_its_default() -> None:
    """The defaults: the last player deals, for 1 kr a point, by huvudregler."""
    setup = read().setup
    assert (setup.dealer, setup.stake_ore) == ("Cilla", 100)
    assert (setup.preset, setup.rules) == ("huvudregler", PRESETS["huvudregler"])


def test_names_are_trimmed_everywhere() -> None:
    """Names are the same with and without spaces around them, in events too."""
    players = '"players": [" Anna", "Bo "], "dealer": " Anna "'
    game = read(HEAD, players, events=r'{"event": "last_trick", "player": "Bo\t"}')
    assert (game.setup.players, game.setup.dealer) == (("Anna", "Bo"), "Anna")
    assert game.events[0].players() == ("Bo",)


@cases("name", ["Ö", " " + "x" * 40 + " ", "👩‍👧", "a'b<"])
@cases("ore", [0, 1_000_000])
def test_any_printable_name_and_whole_ore_will_do(name: str, ore: int) -> None:
    """Names have 1 to 40 characters after trimming, and the stake is up to 1 000 000 öre."""
    setup = read(HEAD, f'"players": ["Anna", "{name}"], "stake_ore": {ore}').setup
    assert (setup.players[1], setup.stake_ore) == (name.strip(), ore)


def test_remarks_are_kept_and_not_looked_at() -> None:
    """The remarks id, name, at and note of the game and its events are written back unchanged."""
    remarks = '"id": 7, "name": null, "at": "2024-05-01", "note": {"a": [1.5]}'
    game = read(HEAD, PLAYERS, remarks, events=f'{{"event": "no_best_hand", {remarks}}}')
    written, expected = write_game(game), json.loads(f"{{{remarks}}}")
    assert {key: written[key] for key in expected} == expected
    assert written["events"] == [{"event": "no_best_hand", **expected}]


def test_a_game_is_written_in_full_and_its_events_in_short() -> None:
    """Dealer, stake and rule set are always written; defaults of an event are left out."""
    best = {"event": "best_hand", "player": "Anna", "hand": "pair"}
    bid, lost = {"event": "chicago", "player": "Anna"}, {"event": "chicago_result", "won": False}
    long = [{**best, "choose": "score"}, {**bid, "blind": False}, {**lost, "with_two": False}]
    assert write_game(read(events=json.dumps(long)[1:-1])) == {
        "format": "chicago-game/1",
        "players": ["Anna", "Bo", "Cilla"],
        "dealer": "Cilla",
        "stake_ore": 100,
        "rules": {"preset": "huvudregler"},
        "events": [best, bid, lost],
    }


def repeat(head: str, times: int, part: str, tail: str) -> bytes:
    """Return a text in which a part stands so many times."""
    return f"{head}{times * part}{tail}".encode("latin-1")


@told
def test_what_is_not_json_is_refused(head: str, times: int, part: str, tail: str) -> None:
    """Broken JSON, too deep JSON, closed or not, and bytes that are not UTF-8 are refused."""
    text = repeat(head, times, part, tail)
    with pytest.raises(BadFile, match="not_json"):
        decode(text)
    with pytest.raises(BadFile, match="not_json"):
        read_code(base64.urlsafe_b64encode(text).decode())


@told
def test_what_stands_side_by_side_is_not_nested(
    head: str, times: int, part: str, tail: str
) -> None:
    """A bracket within a text does not nest either."""
    decode(repeat(head, times, part, tail))


def test_a_text_that_never_ends_is_not_looked_through_again_and_again() -> None:
    """The depth check takes linear time in quotes and backslashes."""
    assert not too_deep(b"[" * DEEPEST + b'"' + b'\\"' * 30_000 + b"[" * 500)


def game(members: str) -> str:
    """Write a small game file with further members."""
    return f'{{{HEAD}, {PLAYERS}, "events": [], {members}}}'


@told
def test_what_is_wrong_with_a_game_is_named(text: str, code: str) -> None:
    """A fault outside the events has its own code, and no index; golden games have the others."""
    bad = fault(text.encode())
    assert (bad.code, bad.event) == (code, None)


@told
def test_what_is_wrong_with_an_event_is_named(event: str, code: str) -> None:
    """A malformed event is found with its index, before any event is played.

    The rules would refuse the event before it: no last trick is due.
    """
    with pytest.raises(BadFile) as caught:
        read(events=f'{{"event": "last_trick", "player": "Bo"}}, {event}')
    assert (caught.value.code, caught.value.event) == (code, 1)


@told
def test_what_only_the_rules_can_refuse_is_no_malformed_event(event: str) -> None:
    """An event that depends on house rules or on the state is read, and judged only in play."""
    assert len(read(events=event).events) == 1


FACT = {"event": "correction", "player": "Anna", "points": 1}


def file(**members: object) -> bytes:
    """Write a game file of two players."""
    game = {"format": "chicago-game/1", "players": ["Anna", "Bo"], "events": [], **members}
    return json.dumps(game).encode()


def test_a_game_has_two_thousand_events_and_a_megabyte_at_most() -> None:
    """Blanks count too: the limit is on the bytes sent."""
    assert len(decode_game(file(events=[FACT] * MAX_EVENTS)).events) == 2000
    assert fault(file(events=[FACT] * (MAX_EVENTS + 1))).code == "too_many_events"
    assert decode_game(file().ljust(MAX_BYTES)).events == ()
    assert fault(file().ljust(MAX_BYTES + 1)).code == "game_too_long"


@cases(
    ("key", "longest", "limit"),
    [
        *[(key, "å" * limit, limit) for key, limit in (("note", 200), ("name", 80), ("id", 64))],
        *[(key, {"a": "å" * 991}, 1000) for key in ("note", "name", "id", "at")],
        ("at", "å" * 1000, 1000),
    ],
    ids=range(8),
)
def test_a_remark_is_bounded_on_games_and_events(
    key: str, longest: str | dict[str, str], limit: int
) -> None:
    """The longest is accepted; one more character is refused, with the index of its event."""
    longer = f"{longest}å" if isinstance(longest, str) else {"a": longest["a"] + "å"}
    game = decode_game(file(**{key: longest, "events": [{**FACT, key: longest}]}))
    assert (game.remarks[key], getattr(game.events[0], key)) == (longest, longest)
    bad = fault(file(**{key: longer}))
    assert (bad.code, bad.values) == ("remark_too_long", {"key": key, "limit": limit})
    assert fault(file(events=[FACT, {**FACT, key: longer}])).event == 1

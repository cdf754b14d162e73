"""Game files: what is read, what is refused before anything is played, what is written."""

import pytest

from app.rules.errors import BadFile
from app.rules.gamefile import read_game, write_game
from app.rules.json_input import decode
from app.rules.presets import PRESETS

Raw = dict[str, object]


def game(**changed: object) -> Raw:
    """Write a small game file with some keys changed."""
    usual: Raw = {"format": "chicago-game/1", "players": ["Anna", "Bo", "Cilla"], "events": []}
    return {**usual, **changed}


def without(key: str) -> Raw:
    """Write a small game file that lacks a key."""
    return {name: value for name, value in game().items() if name != key}


def fault(raw: object) -> BadFile:
    """Return what is wrong with a game file."""
    with pytest.raises(BadFile) as caught:
        read_game(raw)
    return caught.value


def test_what_is_left_out_has_its_default() -> None:
    """Without dealer, stake and rules the last player deals, for 1 kr a point, by huvudregler."""
    read = read_game(game())
    assert read.setup.dealer == "Cilla"
    assert read.setup.stake_ore == 100
    assert (read.setup.preset, read.setup.rules) == ("huvudregler", PRESETS["huvudregler"])
    assert read.events == ()


def test_names_are_trimmed_everywhere() -> None:
    """Names mean the same with and without spaces around them, in events too."""
    event = {"event": "last_trick", "player": "Bo\t"}
    read = read_game(game(players=[" Anna", "Bo "], dealer=" Anna ", events=[event]))
    assert (read.setup.players, read.setup.dealer) == (("Anna", "Bo"), "Anna")
    assert read.events[0].players() == ("Bo",)


@pytest.mark.parametrize("count", [2, 8])
def test_two_to_eight_play(count: int) -> None:
    """Chicago is played by two to eight."""
    assert len(read_game(game(players=[f"P{n}" for n in range(count)])).setup.players) == count


@pytest.mark.parametrize("name", ["Ö", " " + "x" * 40 + " ", "👩‍👧", "a'b\"<"])
def test_any_printable_name_will_do(name: str) -> None:
    """Names have 1 to 40 characters after trimming, of any script."""
    assert read_game(game(players=["Anna", name])).setup.players[1] == name.strip()


@pytest.mark.parametrize("ore", [0, 1, 1_000_000])
def test_the_stake_is_whole_ore(ore: int) -> None:
    """The stake is 0 to 1 000 000 öre a point."""
    assert read_game(game(stake_ore=ore)).setup.stake_ore == ore


def test_remarks_are_kept_and_not_looked_at() -> None:
    """id, name, at and note may be anything, on the game and on its events, and come out again."""
    remarks: Raw = {"id": 7, "name": None, "at": "2024-05-01", "note": {"a": [1.5]}}
    event = {"event": "last_trick", "player": "Bo", **remarks}
    written = write_game(read_game(game(events=[event], **remarks)))
    assert {key: written[key] for key in remarks} == remarks
    assert written["events"] == [event]


def test_a_game_is_written_in_full_and_its_events_in_short() -> None:
    """Dealer, stake and rule set are always written, and of an event what is not the default."""
    events: list[Raw] = [
        {"event": "best_hand", "player": "Anna", "hand": "pair", "choose": "score"},
        {"event": "chicago", "player": "Anna", "blind": False},
        {"event": "chicago_result", "won": False, "with_two": False},
    ]
    assert write_game(read_game(game(events=events))) == {
        "format": "chicago-game/1",
        "players": ["Anna", "Bo", "Cilla"],
        "dealer": "Cilla",
        "stake_ore": 100,
        "rules": {"preset": "huvudregler"},
        "events": [
            {"event": "best_hand", "player": "Anna", "hand": "pair"},
            {"event": "chicago", "player": "Anna"},
            {"event": "chicago_result", "won": False},
        ],
    }


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"{} {}",
        b"{'a': 1}",
        b'{"a": NaN}',
        b'{"a": 1,}',
        b"[" * 100_000,
        b'{"a": "\xff"}',
        b'\xff\xfe{\x00}\x00',
        b'{"a": "\\ud800"}',
    ],
    ids=range(10),
)  # fmt: skip
def test_what_is_not_json_is_refused(text: bytes) -> None:
    """Broken JSON, bottomless JSON, and bytes that are not UTF-8 are no game file."""
    with pytest.raises(BadFile) as caught:
        decode(text)
    assert (caught.value.code, caught.value.event) == ("not_json", None)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ([], "not_an_object"),
        (without("format"), "wrong_format"),
        (game(format="chicago-game/2"), "wrong_format"),
        (game(player=["Anna"]), "unknown_key"),
        (without("players"), "players_not_a_list"),
        (game(players={"Anna": 1, "Bo": 2}), "players_not_a_list"),
        (game(players=["Anna"]), "wrong_number_of_players"),
        (game(players=list("ABCDEFGHI")), "wrong_number_of_players"),
        (game(players=["Anna", " Anna "]), "name_twice"),
        (game(players=["Anna", 2]), "name_not_text"),
        (game(players=["Anna", " \t\n"]), "name_empty"),
        (game(players=["Anna", "x" * 41]), "name_too_long"),
        (game(players=["Anna", "B\no"]), "name_unprintable"),
        (game(dealer="anna"), "unknown_player"),
        (game(dealer=0), "wrong_value"),
        (game(stake_ore=-1), "wrong_stake"),
        (game(stake_ore=1_000_001), "wrong_stake"),
        (game(stake_ore=100.0), "wrong_stake"),
        (game(stake_ore=True), "wrong_stake"),
        (game(rules=None), "not_an_object"),
        (without("events"), "events_not_a_list"),
        (game(events={}), "events_not_a_list"),
    ],
)
def test_what_is_wrong_with_a_game_is_named(raw: object, code: str) -> None:
    """Every fault outside the events has its own code, and no event's index."""
    assert (fault(raw).code, fault(raw).event) == (code, None)


TRICK: Raw = {"event": "last_trick", "player": "Bo"}
BEST: Raw = {"event": "best_hand", "player": "Anna", "hand": "pair"}
LOST: Raw = {"event": "chicago_result", "won": False}
WON: Raw = {"event": "chicago_result", "won": True}


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (None, "not_an_object"),
        ({}, "unknown_event"),
        ({"event": "trick", "player": "Bo"}, "unknown_event"),
        ({"event": ["last_trick"]}, "unknown_event"),
        ({**TRICK, "hand": "pair"}, "unknown_key"),
        ({"event": "last_trick"}, "missing_key"),
        ({"event": "best_hand", "player": "Bo"}, "missing_key"),
        ({"event": "chicago_result"}, "missing_key"),
        ({"event": "correction", "player": "Bo"}, "missing_key"),
        ({"event": "break_off"}, "missing_key"),
        ({"event": "last_trick", "player": "bo"}, "unknown_player"),
        ({"event": "last_trick", "player": 1}, "wrong_value"),
        ({**TRICK, "with_two": 1}, "wrong_value"),
        ({**BEST, "hand": "poker"}, "wrong_value"),
        ({**BEST, "choose": "zeroing"}, "wrong_value"),
        ({**BEST, "victim": "Dan"}, "unknown_player"),
        ({**BEST, "victim": None}, "wrong_value"),
        ({"event": "no_best_hand", "hand": "pair"}, "hand_and_tied_together"),
        ({"event": "no_best_hand", "tied": ["Anna", "Bo"]}, "hand_and_tied_together"),
        ({"event": "no_best_hand", "hand": "pair", "tied": ["Bo"]}, "tied_needs_two"),
        ({"event": "no_best_hand", "hand": "pair", "tied": ["Bo", "Bo "]}, "tied_needs_two"),
        ({"event": "no_best_hand", "hand": "pair", "tied": ["Bo", "Dan"]}, "unknown_player"),
        ({"event": "no_best_hand", "hand": "pair", "tied": "Bo"}, "wrong_value"),
        ({"event": "chicago", "player": "Bo", "blind": 0}, "wrong_value"),
        ({**LOST, "won": "no"}, "wrong_value"),
        ({**LOST, "with_two": True}, "two_on_lost_chicago"),
        ({**WON, "broken_by": "Bo"}, "breaker_of_won_chicago"),
        ({**LOST, "broken_by": "Dan"}, "unknown_player"),
        ({"event": "correction", "player": "Bo", "points": 0}, "correction_of_nothing"),
        ({"event": "correction", "player": "Bo", "points": 1.0}, "wrong_value"),
        ({"event": "correction", "player": "Bo", "points": True}, "wrong_value"),
        ({"event": "break_off", "settle": "yes"}, "wrong_value"),
        ({"event": "leaves", "player": "Dan"}, "unknown_player"),
        ({"event": "false_claim", "player": "Dan"}, "unknown_player"),
        ({"event": "illegal_exchange", "player": "Dan"}, "unknown_player"),
        ({"event": "chicago", "player": "Dan"}, "unknown_player"),
        ({"event": "correction", "player": "Dan", "points": 1}, "unknown_player"),
    ],
)
def test_what_is_wrong_with_an_event_is_named(event: object, code: str) -> None:
    """Every malformed event is found with its index, before any event is played.

    The event before it would be refused by the rules: no last trick is due.
    """
    bad = fault(game(events=[TRICK, event]))
    assert (bad.code, bad.event) == (code, 1)


@pytest.mark.parametrize(
    "event",
    [
        {"event": "no_best_hand", "hand": "pair", "tied": ["Bo", "Anna "]},
        {**WON, "with_two": True},
        {**WON, "with_two": False},
        {**LOST, "with_two": False},
        {**LOST, "broken_by": "Anna"},
        {"event": "correction", "player": "Bo", "points": -1000},
        {"event": "chicago", "player": "Bo", "blind": True},
        {**BEST, "choose": "zero", "victim": "Bo"},
        {**BEST, "victim": "Anna"},
    ],
)
def test_what_only_the_rules_can_refuse_is_no_malformed_event(event: Raw) -> None:
    """What depends on house rules or on the game's state is read, whatever the rules then say."""
    assert len(read_game(game(events=[event])).events) == 1

"""Seats: what is read of a latecomer, and told of one."""

import pytest

from app.rules.errors import BadFile
from app.rules.events import Joins
from app.rules.gamefile import read_game
from app.rules.json_input import decode
from app.rules.protocol import assemble
from app.rules.rights import may_exchange, speaking_order
from app.rules.statistics import seat_statistics
from tests.rules.table import cases, play


def test_a_latecomer_speaks_and_is_stopped_by_the_new_seat() -> None:
    """Before the deal's first hand a correction changes the points of the latecomer's start."""
    assert speaking_order(play("Dan joins Cilla 0").state) == ("Dan", "Anna", "Bo", "Cilla")
    for text, may in (("44, Dan 2", False), ("46, Dan -2", True), ("44, nobody, Dan 2", True)):
        assert may_exchange(play(f"Dan joins Cilla {text}").state, "Dan").ok == may


JOINS = '{"event": "joins", "player": "  Eva ", "after": " Bo", "points": 1000}'
NAMED = '{"event": "correction", "player": "Eva", "points": 1}'
BEHIND = '{"event": "joins", "player": "Fia", "after": "Eva", "points": 0}'


def read(events: str) -> list[object]:
    """Read the events of a game file of Anna and Bo."""
    head = '{"format": "chicago-game/1", "players": ["Anna", "Bo"], "events": ['
    return list(read_game(decode(f"{head}{events}]}}".encode())).events)


@cases(
    ("old", "new"),
    [
        *[("1000", points) for points in ("1001", "-1001", "1.0", "true")],
        *[('" Bo"', after) for after in ('"Cilla"', '"Eva"', "1")],
        *[('"  Eva "', name) for name in ('"  "', f'"{"x" * 41}"', r'"a\u2028b"', "1", '" Bo "')],
        ('"points"', '"seat"'),
        (', "points": 1000', ""),
    ],
)
def test_what_is_no_latecomer(old: str, new: str) -> None:
    """Bad points, names and neighbours, and taken names, are found without play."""
    with pytest.raises(BadFile) as caught:
        read(f'{{"event": "no_best_hand"}}, {JOINS.replace(old, new)}')
    assert caught.value.event == 1


def test_who_joins_may_be_named_from_then_on_and_not_before() -> None:
    """The list of names grows event by event, before any rule judges the event."""
    (first, *_) = read(f"{JOINS}, {NAMED}, {BEHIND}")
    assert first == Joins(player="Eva", after="Bo", points=1000)
    for early in (NAMED, BEHIND):
        with pytest.raises(BadFile, match="unknown_player"):
            read(f"{early}, {JOINS}")


def test_protocol_and_statistics_of_a_latecomer() -> None:
    """A deal has the players seated by its end; points brought along do not count as played."""
    table = play("deal Anna, Dan joins Anna 50, deal Dan, settled", target=70)
    first, second, _ = assemble(table.states, table.events)
    assert (list(first.scores), first.playing) == (["Anna", "Bo", "Cilla"], ("Anna", "Bo", "Cilla"))
    assert (second.playing, second.stopped) == (("Anna", "Dan", "Bo", "Cilla"), ("Dan",))
    (cell,) = second.rows[0].cells
    assert (second.rows[0].code, second.rows[0].by) == ("joins", "Anna")
    assert (cell.player, cell.points, cell.score) == ("Dan", 50, 50)
    anna, dan, *_ = seat_statistics(table.states)
    assert (dan.seat, dan.deals, dan.longest_stop, dan.biggest_swing) == (2, 2, 2, 5)
    assert (anna.deals, dan.won, dan.score) == (3, True, 55)

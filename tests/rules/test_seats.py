"""The seat of a latecomer: who speaks, who is stopped, and what is told of it."""

from app.rules.protocol import assemble
from app.rules.rights import may_exchange, speaking_order
from app.services.figures import seat_statistics
from tests.rules.table import play


def test_a_latecomer_speaks_and_is_stopped_by_the_new_seat() -> None:
    """Before the deal's first hand a correction changes the points of the latecomer's start."""
    assert speaking_order(play("Dan joins Cilla 0").state) == ("Dan", "Anna", "Bo", "Cilla")
    for text, may in (("44, Dan 2", False), ("46, Dan -2", True), ("44, nobody, Dan 2", True)):
        assert may_exchange(play(f"Dan joins Cilla {text}").state, "Dan").ok == may


def test_protocol_and_statistics_of_a_latecomer() -> None:
    """A deal has the players seated by its end; points brought along do not count as played."""
    table = play("deal Anna, Dan joins Anna 50, deal Dan, settled", target=70)
    first, second, _ = assemble(table.states, table.events)
    assert (list(first.scores), first.playing) == (["Anna", "Bo", "Cilla"], ("Anna", "Bo", "Cilla"))
    assert (second.playing, second.stopped) == (("Anna", "Dan", "Bo", "Cilla"), ("Dan",))
    (joins,) = second.lines[0].effects
    assert (joins.code, joins.player, joins.by, joins.points) == ("joins", "Dan", "Anna", 50)
    anna, dan, *_ = seat_statistics(table.states)
    found = [dan[each] for each in ("seat", "deals", "longest_stop", "biggest_swing")]
    assert found == [2, 2, 2, 5]
    assert (anna["deals"], dan["won"], dan["score"]) == (3, True, 55)

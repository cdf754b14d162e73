"""Whether the final hand and the last trick score in a deal with a Chicago."""

import pytest

from tests.rules.table import Table, bid, broken, gets, made, pair, play, to_the_play, trick


def chicago(**rules: object) -> Table:
    """Let Bo, who has 20 points, bid Chicago."""
    return play(gets(Bo=20), *to_the_play(), bid("Bo"), **rules)


def where(table: Table) -> tuple[int, str]:
    """Return the deal and what is recorded next."""
    return table.deal, table.step


@pytest.mark.rule("chicago_hand", "if_won")
def test_the_final_hand_scores_after_a_chicago_made() -> None:
    """With `chicago_hand` if_won the final hand is recorded only where the Chicago was made."""
    table = chicago(chicago_hand="if_won")
    assert where(table.then(made())) == (1, "final_hand")
    assert where(table.then(broken())) == (2, "hand_1")
    assert table.then(made(), pair("Anna")).scores == {"Anna": 1, "Bo": 35, "Cilla": 0}


@pytest.mark.rule("chicago_hand", "never")
def test_the_final_hand_may_never_score_with_a_chicago() -> None:
    """With `chicago_hand` never the deal ends with the Chicago, made or broken."""
    table = chicago(chicago_hand="never")
    assert where(table.then(made())) == (2, "hand_1")
    assert where(table.then(broken())) == (2, "hand_1")


@pytest.mark.rule("chicago_hand", "always")
def test_the_final_hand_may_always_score_with_a_chicago() -> None:
    """With `chicago_hand` always the final hand is recorded, made or broken."""
    table = chicago(chicago_hand="always")
    assert where(table.then(made())) == (1, "final_hand")
    assert where(table.then(broken())) == (1, "final_hand")


@pytest.mark.rule("hand_after_play", False)
def test_there_is_no_final_hand_after_a_chicago_where_there_is_none_at_all() -> None:
    """With `hand_after_play` false no Chicago brings a final hand, whatever `chicago_hand` says."""
    table = chicago(chicago_hand="always", hand_after_play=False)
    assert where(table.then(made())) == (2, "hand_1")
    assert where(table.then(broken())) == (2, "hand_1")


@pytest.mark.rule("chicago_last_trick", "never")
def test_the_last_trick_may_not_score_with_a_chicago() -> None:
    """With `chicago_last_trick` never the Chicago's points are all there is to the play."""
    table = chicago(chicago_last_trick="never")
    assert table.then(made())["Bo"] == 35
    assert where(table.then(broken())) == (2, "hand_1")


@pytest.mark.rule("chicago_last_trick", "if_lost")
def test_the_last_trick_may_score_after_a_chicago_lost() -> None:
    """With `chicago_last_trick` if_lost play goes on after a loss and the last trick scores."""
    table = chicago(chicago_last_trick="if_lost")
    assert table.then(made())["Bo"] == 35
    lost = table.then(broken())
    assert where(lost) == (1, "last_trick")
    assert lost.then(trick("Anna")).scores == {"Anna": 5, "Bo": 5, "Cilla": 0}


@pytest.mark.rule("chicago_last_trick", "if_won")
def test_the_last_trick_may_score_with_a_chicago_made() -> None:
    """With `chicago_last_trick` if_won the declarer gets 15 and 5; a loss ends the play."""
    table = chicago(chicago_last_trick="if_won")
    assert table.then(made())["Bo"] == 40
    assert where(table.then(broken())) == (2, "hand_1")


@pytest.mark.rule("chicago_last_trick", "always")
def test_the_last_trick_may_score_with_every_chicago() -> None:
    """With `chicago_last_trick` always it goes to the declarer who made it, else is recorded."""
    table = chicago(chicago_last_trick="always")
    assert table.then(made())["Bo"] == 40
    assert where(table.then(broken())) == (1, "last_trick")

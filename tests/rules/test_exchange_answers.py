"""Whoever is asked who may exchange gives the same answer, in every game that is written down."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.rules.errors import BadFile
from app.rules.game import fold
from app.rules.gamefile import read_game, write_result
from app.rules.notices import exchange_ahead, exchange_notice, may_exchange_now, notices
from app.rules.rights import is_stopped, may_exchange, must_show
from app.rules.state import BEFORE_PLAY, GameState, Step

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))


def states_of_all() -> Iterator[list[GameState]]:
    """Yield what every golden game comes to, state by state, each with those before it."""
    for path in GOLDEN:
        raw = json.loads(path.read_text(encoding="utf-8"))["game"]
        with suppress(BadFile):
            game = read_game(raw)
            states, _ = fold(game.setup, game.events)
            yield from (states[: end + 1] for end in range(len(states)))


def test_all_answers_about_the_exchange_agree() -> None:
    """The slot on the head, the reader's panel, the rights and the result, for every player."""
    for states in states_of_all():
        state = states[-1]
        answers: Any = write_result(states)["may_exchange"]
        for name in state.players:
            told, now = exchange_notice(state, name), may_exchange_now(state, name)
            may = may_exchange(state, name)
            assert answers[name] == may.ok
            assert now.ok == (may.ok and exchange_ahead(state))
            assert (told is not None) == (exchange_ahead(state) and name in state.playing)
            assert told is None or (told.code == "exchanges") == may.ok == now.ok


def test_nobody_who_is_stopped_is_asked_to_show_or_told_of_a_stop_to_come() -> None:
    """Nothing beside a player contradicts the slot of the exchange."""
    for *_, state in states_of_all():
        for name in state.players:
            codes = {notice.code for notice in notices(state, name)}
            assert not codes & {"exchanges", "stopped", "six_cards"}
            if is_stopped(state, name):
                assert must_show(state, name) == ()
                assert not codes & {"must_show", "stopped_next_deal"}


def test_golden_games_show_every_answer_at_every_exchange() -> None:
    """Between them somebody exchanges, is stopped and gets six cards before every play."""
    seen: set[tuple[str, Step]] = set()
    for *_, state in states_of_all():
        told = [exchange_notice(state, name) for name in state.players]
        seen |= {(notice.code, state.deal.step) for notice in told if notice}
    assert {step for _, step in seen} == {*BEFORE_PLAY, Step.PLAY, Step.CHICAGO_PLAY}
    assert {code for code, _ in seen} == {"exchanges", "stopped", "six_cards"}

"""The board, a player's sheet and a reader's phone agree with the engine on the exchange."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask, render_template

from app.rules.ahead import Needs
from app.rules.codes import BadFile
from app.rules.facts import exchange_ahead, facts, may_exchange_now
from app.rules.game import fold
from app.rules.gamefile import read_game
from app.rules.rights import may_exchange, must_show
from app.rules.state import GameState
from app.web.table import page, readers
from app.web.table.board import Happened, Head, prompts, scoreboard
from app.web.table.page import TOLD, player_dialog
from app.web.table.protocol import head_names
from app.web.table.readers import own_card
from tests.web.pages import Page, words

GOLDEN = Path(__file__).parents[1] / "golden"
WORDS = {"exchanges": "exchanges", "stopped": "no exchange", "six_cards": "6 cards"}


def states() -> Iterator[tuple[str, GameState]]:
    """Yield the states in which cards are exchanged, with the file of their game.

    Of the states with the same facts for all players, the first is yielded.
    """
    seen: set[str] = set()
    for path in sorted(GOLDEN.glob("*.json")):
        with suppress(BadFile):
            game = read_game(json.loads(path.read_text(encoding="utf-8"))["game"])
            for state in fold(game.setup, game.events)[0]:
                told = [(expected(state, name), codes(state, name)) for name in state.players]
                if exchange_ahead(state) and not state.over and str(told) not in seen:
                    seen.add(str(told))
                    yield path.stem, state


def codes(state: GameState, name: str) -> list[str]:
    """Return the codes of a player's facts."""
    return [fact.code for fact in facts(state, name)]


def expected(state: GameState, name: str) -> str | None:
    """Return the engine's decision on a player's exchange, as the code of its word."""
    if name not in state.playing:
        return None
    if may_exchange(state, name).ok:
        return "exchanges"
    return "six_cards" if state.rules.exchange_stop_style == "six_cards" else "stopped"


def of_exchange(found: list[str]) -> list[str]:
    """Return which of some facts are on the exchange; that it is the last is no matter here."""
    return [code for each in found if (code := each.removesuffix("_last")) in WORDS]


def expect_words(state: GameState, head: Head) -> None:
    """Check the head, the sheet and the card of one player against the engine."""
    name, code = head.name, expected(state, head.name)
    on_head = [fact.code for fact in head.facts]
    card = [fact.code for fact in own_card(state, name).facts]
    for said in (on_head, card):
        assert of_exchange([*said]) == [code] * (code is not None)
        assert ("must_show" in said) == bool(must_show(state, name))
        assert code == "exchanges" or "must_show" not in said
    left_out = {"stopped_next_deal"} if "exchanges_last" in card else {*()}
    assert {*on_head} - {*card} <= left_out
    expect_sheet(state, head)


def expect_sheet(state: GameState, head: Head) -> None:
    """Check that a sheet has each fact once: by itself, or as a reason with its numbers."""
    values = player_dialog(state, head.name).values
    assert values["facts"] == [fact for fact in head.facts if fact.code not in TOLD]
    reasons = values["verdicts"]
    assert isinstance(reasons, list)
    assert may_exchange_now(state, head.name) in reasons


def test_all_pages_say_what_the_engine_says(
    app: Flask, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pages agree at every step with an exchange; a stopped player is not asked to show."""
    # What a player needs to win is no word of the exchange, and takes long to find.
    for module in (page, readers):
        monkeypatch.setattr(module, "needs", lambda *_: Needs(0, ()))
    for game, state in states():
        with subtests.test(game), app.test_request_context(headers={"Accept-Language": "en"}):
            expect_all_words(state)


def expect_all_words(state: GameState) -> None:
    """Check the heads and the prompt of one state against the engine."""
    heads, names = scoreboard(state), head_names(state)
    for head in heads:
        expect_words(state, head)
    html = render_template(
        "table/_heads.html", heads=heads, state=state, happened=Happened(0), link="x"
    )
    stopped = [names[name] for name in state.playing if not may_exchange(state, name).ok]
    assert prompts(state).stopped == stopped
    slots = [words(slot).replace("\xad", "") for slot in Page(html).soup.select(".slot i")]
    assert slots == [WORDS[code] for head in heads if (code := expected(state, head.name))]

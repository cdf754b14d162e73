"""Heads, cells and the question's line say what the engine says, and never contradict another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import Tag
from flask import Flask, render_template

from app.i18n.game import head_text
from app.i18n.language import get_language
from app.rules.ahead import play_out
from app.rules.events import BestHand, Chicago, ChicagoResult, Event, LastTrick
from app.rules.facts import EXCHANGE, exchange_ahead, facts
from app.rules.game import apply
from app.rules.house import common_hands
from app.rules.outcome import Outcome, outcome
from app.rules.rights import chicago_step, is_stopped, may_bid, may_exchange
from app.rules.state import GameState, Step
from app.web.table.board import Happened, prompts, scoreboard
from app.web.table.grid import GridCell, GridRow, grid_rows
from tests.rules.table import golden_games
from tests.web.pages import Page, attributes_of, words

ENGLISH = get_language("en")
ZEROED = {"bid_or_zeroed", "make_or_zeroed", "zeroed_after_deal"}
BY_NEXT = {"zeroed_at_target", "bid_before_target", "make_before_target"}
GOLD = {"wins_after_deal", "wins_with_trick", "can_win_now"}


def boards() -> Iterator[tuple[GameState, list[GridRow]]]:
    """Yield the states of the golden games in which a player's column looks as none before."""
    seen: set[object] = set()
    for _, states in golden_games():
        for state in (state for state in states if not state.over):
            rows = grid_rows(state)
            looks = {
                (
                    state.deal.step,
                    tuple(fact.code for fact in facts(state, name)),
                    cells(rows, name),
                )
                for name in state.players
            }
            if not looks <= seen:
                seen |= looks
                yield state, rows


def cells(rows: list[GridRow], name: str) -> tuple[object, ...]:
    """Return what a player's cells look like."""
    return tuple(
        (row.name, cell.open, cell.fate, cell.short is None, cell.turn is None)
        for row in rows
        for cell in row.cells
        if cell.player == name
    )


def test_all_that_a_board_says_is_so(app: Flask) -> None:
    """Every golden game, every step: rights by the rights, results by playing them out."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        for state, rows in boards():
            expect_heads(state)
            expect_line(state)
            for row in rows:
                expect_cells(state, row)
            for name in state.playing:
                expect_rights(state, name)
                expect_ends(state, name)


def expect_heads(state: GameState) -> None:
    """Check that heads have the facts' words, the exchange in a bar of its own."""
    heads = scoreboard(state)
    page = Page(
        render_template("table/_heads.html", heads=heads, state=state, happened=Happened(0))
    )
    for head, shown in zip(heads, page.soup.select(".head"), strict=True):
        assert words(shown.select(".score")[0]) == ENGLISH.number(state.score(head.name))
        assert bool(shown.select_one(".deals")) == (state.deal.dealer == head.name)
        told = [(fact.tone, head_text(fact, language=ENGLISH)) for fact in head.facts]
        bars = [head_text(head.exchange, language=ENGLISH)] if head.exchange else []
        assert [words(bar) for bar in shown.select(".slot i")] == bars
        beside = [(classes(word)[-1], words(word.select("i")[0])) for word in shown.select(".word")]
        said = [(tone or "word", text) for tone, text in told if text and text not in bars]
        assert beside == [(tone, text.replace("\xad", "")) for tone, text in said]


def classes(tag: Tag) -> list[str]:
    """Return the classes of a part of the page."""
    return attributes_of(tag).get("class", "").split()


def expect_line(state: GameState) -> None:
    """Check that the line names those whom the bars stop, or the one who may bid."""
    values = {"heads": [], "happened": Happened(0), "prompts": prompts(state)}
    line = Page(render_template("table/_asks.html", state=state, **values))
    said = words(line.soup.select(".due")[0])
    stopped = [head.short for head in scoreboard(state) if stops(state, head.name)]
    bidders = [name for name in state.playing if may_bid(state, name).ok]
    if "zeroing waits" in said or said == "tie-break":
        return
    match re.match(r"all exchange but (.+)|all but (\d+)", said):
        case re.Match() as found if found[1]:
            assert re.split(r", and |, | and ", found[1]) == stopped
        case re.Match() as found:
            assert int(found[2]) == len(stopped)
        case _ if said == "everyone exchanges":
            assert exchange_ahead(state)
            assert not stopped
        case _ if said == "nobody exchanges":
            assert len(stopped) == len(state.playing)
    if said.startswith("Only"):
        assert len(bidders) == 1


def stops(state: GameState, name: str) -> bool:
    """Whether a head has the bar of one who may not exchange."""
    return bool({"stopped", "six_cards"} & {fact.code for fact in facts(state, name)})


def expect_cells(state: GameState, row: GridRow) -> None:
    """Check the looks of a row's cells by recording each, and playing the rest of the deal out."""
    page = Page(render_template("table/_row.html", row=row, link="x"))
    for cell, shown in zip(row.cells, page.soup.select(".cell"), strict=True):
        result, after = outcome(state, cell.event), set[str]()
        assert ("aria-disabled" in attributes_of(shown)) == (not cell.open)
        assert cell.player is None or cell.open == isinstance(result, Outcome)
        expect_bid(state, cell, words(shown))
        if cell.player and isinstance(result, Outcome) and not isinstance(cell.event, Chicago):
            after = ends(result.after, cell.player)
        assert ("wins" in classes(shown)) == ("wins" in after)
        assert ("zero" in classes(shown)) == ("zeroed" in after and "wins" not in after)


def expect_bid(state: GameState, cell: GridCell, text: str) -> None:
    """Check that a bid's cell is open to whom may bid, and says how many points another lacks."""
    if not isinstance(cell.event, Chicago) or cell.player is None or cell.event.blind:
        return
    verdict = may_bid(state, cell.player)
    assert cell.open == (verdict.ok and chicago_step(state).ok)
    if verdict.code == "chicago_minimum":
        minimum = state.rules.chicago_minimum or 0
        assert text.split() == [f"{minimum - state.score(cell.player)}", "to", "go"]


def ends(state: GameState, name: str) -> set[str]:
    """Return what becomes of a player if nobody takes anything more: wins, zeroed, lacks."""
    course = [state]
    if not state.over and state.deal.begun:
        course = [*play_out(state, name, "nothing", {})]
    codes = {effect.code for each in course for effect in each.effects if effect.player == name}
    found = {"wins"} if name in course[-1].winners else set[str]()
    found |= {"zeroed"} if "requirement_unmet" in codes else set()
    return found | ({"lacks"} if "passed_over" in codes else set())


def expect_rights(state: GameState, name: str) -> None:
    """Check a player's bar, what is to be shown and the bid by the rights."""
    codes = {fact.code for fact in facts(state, name)}
    assert bool(codes & {*EXCHANGE}) == exchange_ahead(state)
    if exchange_ahead(state):
        assert stops(state, name) != may_exchange(state, name).ok
    if is_stopped(state, name):
        assert not codes & {"must_show", "stopped_next_deal"}
    assert not codes & {"may_bid"} or may_bid(state, name).ok
    assert len(codes & {"may_bid", "points_to_bid", "bid_by", "too_high_to_bid"}) <= 1


def expect_ends(state: GameState, name: str) -> None:
    """Check that a head promises and threatens just what the cells of that player do."""
    codes = {fact.code for fact in facts(state, name)}
    assert not codes & GOLD or not codes & (ZEROED | BY_NEXT)
    stands = ends_as_it_stands(state, name)
    by_next = {end for event in next_events(state, name) for end in ends(apply(state, event), name)}
    assert ("wins_after_deal" in codes) == ("wins" in stands)
    assert bool(codes & ZEROED) == ("zeroed" in stands)
    if "zeroed" not in stands:
        assert bool(codes & BY_NEXT) == ("zeroed" in by_next)
    if not stands and "zeroed" not in by_next and "wins_with_trick" not in codes:
        assert ("can_win_now" in codes) == ("wins" in by_next)


def ends_as_it_stands(state: GameState, name: str) -> set[str]:
    """Return what becomes of a player with nothing more in this deal."""
    *_, end = course = [*play_out(state, name, "nothing", {})]
    codes = {effect.code for each in course[1:] for effect in each.effects if effect.player == name}
    found = {"wins"} if name in end.winners else set[str]()
    return found | ({"zeroed"} if "requirement_unmet" in codes else set())


def next_events(state: GameState, name: str) -> Iterator[Event]:
    """Yield what a player may get next: a common hand, the last trick, the end of a Chicago."""
    events: list[Event] = [LastTrick(player=name), ChicagoResult(won=True)]
    events += [ChicagoResult(won=False, broken_by=by) for by in (name, None)]
    events += [BestHand(player=name, hand=hand) for hand in common_hands(state.rules)]
    mine = state.deal.declarer == name
    for event in events:
        if isinstance(event, ChicagoResult) and event.won != mine:
            continue
        if isinstance(event, BestHand) and state.deal.step is Step.PLAY:
            continue
        if isinstance(outcome(state, event), Outcome):
            yield event

"""Board, dialogs and cards say what the engine says, and promise what it then does.

Played out at every step of the golden games in which a player's column looks as none before, and
in games by chance under any house rules.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import get_args

from bs4 import Tag
from flask import Flask, render_template
from hypothesis import given, settings
from hypothesis import strategies as st

from app.i18n.game import head_text
from app.i18n.language import get_language
from app.rules.ahead import play_out
from app.rules.codes import EffectCode
from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    LastTrick,
    NoBestHand,
)
from app.rules.facts import EXCHANGE, exchange_ahead, facts, may_exchange_now
from app.rules.game import apply
from app.rules.hands import COMMON_HANDS, Hand
from app.rules.house import common_hands, listed_hands
from app.rules.outcome import Outcome, announcements, hand_events, outcome
from app.rules.rights import can, chicago_step, is_stopped, may_bid, may_exchange, must_show
from app.rules.state import BEFORE_PLAY, HAND_DUE, GameState, Step
from app.web.board import CALLED_OUT, ENDS, Happened, consequences, prompts, scoreboard
from app.web.grid import GridCell, GridRow, asked_rows, grid_rows, rare_hand_rows
from app.web.protocol import head_names
from app.web.readers import own_card
from app.web.table import TOLD, hand_choices, player_dialog, rare_choices
from tests.rules.strategies import Played, games
from tests.rules.table import Rules, golden_games, play
from tests.told import told
from tests.web.pages import Page, attributes_of, words

ENGLISH = get_language("en")
ZEROED = {"bid_or_zeroed", "make_or_zeroed", "zeroed_after_deal"}
BY_NEXT = {"zeroed_at_target", "bid_before_target", "make_before_target"}
GOLD = {"wins_after_deal", "wins_with_trick", "can_win_now"}
# Effects of every deal, and those that the prompt or the end of the game reports.
ORDINARY = {"struck", "hand", "bid_withdrawn", "breaker", "last_trick"} | {
    "last_trick_with_two",
    "correction",
    "rules",
}
WORTH = re.compile(r"(?P<wins>wins)|(?P<amount>[→+−]?[\d,]+)?(?P<zero> or zero| and zero|zeroes)?")


def boards() -> Iterator[tuple[GameState, set[str]]]:
    """Yield the states of the golden games in which players' columns look as none before."""
    seen: set[object] = set()
    for _, states in golden_games():
        for state in (state for state in states if not state.over):
            rows = grid_rows(state)
            looks = {
                name: (
                    state.deal.step,
                    tuple(fact.code for fact in facts(state, name)),
                    tuple(
                        (row.name, cell.open, cell.fate, cell.short is None, cell.turn is None)
                        for row in rows
                        for cell in row.cells
                        if cell.player == name
                    ),
                )
                for name in state.players
            }
            if new := {name for name, look in looks.items() if look not in seen}:
                seen.update(looks.values())
                yield state, new


def test_all_that_a_board_says_is_so(app: Flask) -> None:
    """Every golden game, every step: rights by the rights, results by playing them out."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        for state, names in boards():
            expect_heads(state)
            expect_line(state)
            expect_rows(state, names)
            for name in names:
                expect_dialog(state, name)
                if name in state.playing:
                    expect_rights(state, name)
                    expect_ends(state, name)
                    for hand in (Hand.FOUR_OF_A_KIND, Hand.ROYAL_FLUSH):
                        expect_choices(state, name, hand)
            for cell in [cell for row in grid_rows(state) for cell in row.cells]:
                expect_bid(state, cell)


@settings(max_examples=30)
@given(played=games(), data=st.data())
def test_a_board_keeps_its_promises(app: Flask, played: Played, data: st.DataObject) -> None:
    """Points, zeroing and winning, for every player, in any state under any house rules."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        for state in (played.states[-1], data.draw(st.sampled_from(played.states))):
            expect_rows(state)
            expect_rare(state)
        for name in state.players:
            expect_choices(state, name, data.draw(st.sampled_from(Hand)))
    for event, (before, after) in zip(played.events, pairwise(played.states), strict=True):
        expect_callouts(Outcome(event, before, after))


@told
def test_what_was_wrong_once_is_right(app: Flask, happened: str, rules: Rules) -> None:
    """The grid agrees with the game in cases where a second calculation of a rule differs."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        expect_rows(play(happened, **rules).state)


def test_what_is_ordinary_is_not_called_out() -> None:
    """Every kind of effect is called out, ends the game, or is ordinary."""
    assert set(get_args(EffectCode)) == CALLED_OUT | ENDS | ORDINARY, "CALLED_OUT, or ORDINARY here"
    assert not CALLED_OUT & ORDINARY


def play_on(before: GameState, event: Event | None, name: str) -> list[GameState]:
    """Return the states from an event to the end of its deal, in which nothing more is taken.

    Without an event, from now on. A Chicago that is played is broken.
    """
    states = [apply(before, event) if event else before]
    while not states[-1].over and states[-1].deal.number == before.deal.number:
        state = states[-1]
        others = [other for other in state.playing if other not in (name, state.deal.declarer)]
        furthest_behind = min((n for n in state.playing if n != name), key=state.score)
        # Of two, the one who does not play it.
        breaker = [*others, name][0] if state.rules.chicago_breaker_bonus else None
        if state.deal.step in HAND_DUE:
            then: Event = NoBestHand()
        elif state.deal.step is Step.CHICAGO_PLAY:
            then = ChicagoResult(won=False, broken_by=breaker)
        else:
            then = LastTrick(player=furthest_behind)
        states.append(apply(state, then))
    return states


def fate_of(states: list[GameState], name: str) -> str | None:
    """Tell whether a player wins on this course, or lacks a Chicago for that, and what it costs."""
    codes = [e.code for state in states for e in state.effects if e.player == name]
    if name in states[-1].winners:
        return "wins"
    if "requirement_unmet" in codes:
        return "zeroed"
    return "lacks" if "passed_over" in codes else None


# The heads, and the line of the question.


def expect_heads(state: GameState) -> None:
    """Check that heads have the facts' words, the exchange in a bar of its own."""
    heads = scoreboard(state)
    page = draw("table/_heads.html", heads=heads, state=state, happened=Happened(0))
    for head, shown in zip(heads, page.soup.select(".head"), strict=True):
        assert words(shown.select(".score")[0]) == ENGLISH.number(state.score(head.name))
        assert bool(shown.select_one(".deals")) == (state.deal.dealer == head.name)
        told = [(fact.tone, head_text(fact, language=ENGLISH)) for fact in head.facts]
        bars = [head_text(head.exchange, language=ENGLISH)] if head.exchange else []
        assert [words(bar) for bar in shown.select(".slot i")] == bars
        beside = [(classes(word)[-1], words(word.select("i")[0])) for word in shown.select(".word")]
        said = [(tone or "word", text) for tone, text in told if text and text not in bars]
        assert beside == [(tone, text.replace("\xad", "")) for tone, text in said]


def draw(template: str, **values: object) -> Page:
    """Return a template as a page."""
    return Page(render_template(template, link="x", **values))


def classes(tag: Tag) -> list[str]:
    """Return the classes of a part of the page."""
    return attributes_of(tag).get("class", "").split()


def expect_line(state: GameState) -> None:
    """Check that the line names those whom the bars stop, or the one who may bid."""
    line = draw(
        "table/_asks.html", state=state, heads=[], happened=Happened(0), prompts=prompts(state)
    )
    said = words(line.soup.select(".due")[0])
    stopped = [head.short for head in scoreboard(state) if stops(state, head.name)]
    bidders = [name for name in state.playing if may_bid(state, name).ok]
    assert prompts(state).stopped == (stopped if exchange_ahead(state) else None)
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


def expect_dialog(state: GameState, name: str) -> None:
    """Check that a dialog has each fact of the head once, and a player's card all but one."""
    found, values = facts(state, name), player_dialog(state, name).values
    assert values["facts"] == [fact for fact in found if fact.code not in TOLD]
    assert may_exchange_now(state, name) in values["verdicts"]  # type: ignore[operator]  # a list
    card = [fact.code for fact in own_card(state, name).facts]
    left_out = {"stopped_next_deal"} if "exchanges_last" in card else set[str]()
    assert {fact.code for fact in found} - {*card} <= left_out


# Rights and ends.


def expect_bid(state: GameState, cell: GridCell) -> None:
    """Check that a bid is open to whom may bid, and tells how many points another lacks."""
    if isinstance(cell.event, Chicago) and cell.player and not cell.event.blind:
        verdict = may_bid(state, cell.player)
        assert cell.open == (verdict.ok and chicago_step(state).ok)
        short = (state.rules.chicago_minimum or 0) - state.score(cell.player)
        assert cell.short == (short if verdict.code == "chicago_minimum" else None)


def expect_rights(state: GameState, name: str) -> None:
    """Check a player's bar, what is to be shown and the bid by the rights."""
    codes = {fact.code for fact in facts(state, name)}
    assert bool(codes & {*EXCHANGE}) == exchange_ahead(state)
    if exchange_ahead(state):
        assert stops(state, name) != may_exchange(state, name).ok
        style = state.rules.exchange_stop_style == "six_cards"
        assert not stops(state, name) or ("six_cards" in codes) == style
        assert ("must_show" in codes) == bool(must_show(state, name))
    if is_stopped(state, name):
        assert not codes & {"must_show", "stopped_next_deal"}
    assert not codes & {"may_bid"} or may_bid(state, name).ok
    assert len(codes & {"may_bid", "points_to_bid", "bid_by", "too_high_to_bid"}) <= 1


def expect_ends(state: GameState, name: str) -> None:
    """Check that a head promises and threatens just what comes."""
    codes = {fact.code for fact in facts(state, name)}
    assert not codes & GOLD or not codes & (ZEROED | BY_NEXT)
    stands = ends([*play_out(state, name, "nothing", {})][1:], name)
    by_next = set[str]()
    for after in [apply(state, event) for event in next_events(state, name)]:
        goes_on = after.deal.begun and not after.over
        by_next |= ends([*play_out(after, name, "nothing", {})] if goes_on else [after], name)
    assert ("wins_after_deal" in codes) == ("wins" in stands)
    assert bool(codes & ZEROED) == ("zeroed" in stands)
    if "zeroed" not in stands:
        assert bool(codes & BY_NEXT) == ("zeroed" in by_next)
    if not stands and "zeroed" not in by_next and "wins_with_trick" not in codes:
        assert ("can_win_now" in codes) == ("wins" in by_next)
    trick = LastTrick(player=name)
    if "wins_with_trick" in codes and can(state, trick):
        assert fate_of(play_on(state, trick, name), name) == "wins"


def ends(course: list[GameState], name: str) -> set[str]:
    """Return what becomes of a player on a course: wins, zeroed."""
    codes = {effect.code for each in course for effect in each.effects if effect.player == name}
    found = {"wins"} if course and name in course[-1].winners else set[str]()
    return found | ({"zeroed"} if "requirement_unmet" in codes else set())


def next_events(state: GameState, name: str) -> Iterator[Event]:
    """Yield what a player may get next: a common hand, the last trick, the end of a Chicago."""
    events: list[Event] = [LastTrick(player=name)]
    if state.deal.declarer == name:
        events.append(ChicagoResult(won=True))
    else:
        events += [ChicagoResult(won=False, broken_by=by) for by in (name, None)]
    if state.deal.step is not Step.PLAY:
        events += [BestHand(player=name, hand=hand) for hand in common_hands(state.rules)]
    return (event for event in events if can(state, event))


# The cells.


def expect_rows(state: GameState, names: Collection[str] | None = None) -> None:
    """Check the cells of the grid and of its dialogs, and the buttons for how a Chicago went.

    They are those of these players, or of all.
    """
    columns = {"", *(state.players if names is None else names)}
    for row in (*grid_rows(state), *asked_rows(state), *rare_hand_rows(state)):
        if state.deal.step is Step.CHICAGO_PLAY and row.wide:
            continue
        page = draw("table/_row.html", row=row)
        worth = "".join(words(amount) for amount in page.soup.select(".fact b"))
        for cell, shown in zip(row.cells, page.soup.select(".cell"), strict=True):
            assert ("aria-disabled" in attributes_of(shown)) == (not cell.open)
            if (cell.player or "") not in columns:
                continue
            if cell.player and cell.open:
                expect_cell(state, row, cell, classes(shown), words(shown), worth)
            elif cell.player:
                assert not can(state, cell.event)
            if cell.open and (cell.player or not cell.ask):
                expect_move(state, cell)
    for cell in [cell for row in grid_rows(state) for cell in row.cells]:
        if (cell.player or "") in columns:
            expect_harmless(state, cell)
    if state.deal.step is Step.CHICAGO_PLAY:
        expect_results(state)


def expect_cell(
    state: GameState, row: GridRow, cell: GridCell, looks: list[str], text: str, worth: str
) -> None:
    """Check an open cell against its promise: what it says, its colour, and what it records."""
    name, event, is_bid = cell.player or "", cell.event, isinstance(cell.event, Chicago)
    states = play_on(state, event, name)
    fate = None if is_bid else fate_of(states, name)
    assert cell.fate == fate
    assert {"wins", "zero"} & {*looks} == {{"wins": "wins", "zeroed": "zero"}.get(fate or "")} - {
        None
    }
    own = own_text(text, worth)
    if cell.ask and isinstance(event, BestHand):
        if fate not in ("wins", "zeroed"):
            expect_asked(own, name, event.hand, "zero" if row.name.endswith("-zero") else "", state)
    elif fate == "zeroed":
        assert own.startswith("→0")
    elif fate == "wins":
        score = "" if "wins" in (worth, text) else own.replace(",", "").split()[0]
        assert score in ("", str(states[0].score(name)))
    elif isinstance(event, Chicago):
        expect_promised(own, event, state)
    elif isinstance(event, ChicagoResult):
        expect_amount(own, name, state, states[0])
    else:
        assert text or not worth.endswith(" or zero"), "Nothing is asked here."
        expect_booked(own, event, name, state)


def expect_harmless(state: GameState, cell: GridCell) -> None:
    """Check that a hand that the grid books at once neither zeroes others nor wins early."""
    if cell.open and not cell.ask and isinstance(cell.event, BestHand):
        after = apply(state, cell.event)
        assert not zeroes_others(after, cell.event.player)
        assert after.ended != "won_by_hand"
        assert not after.over or state.deal.step is Step.FINAL_HAND


def own_text(text: str, worth: str) -> str:
    """Return a cell's own amount, or its row's; that of a bid comes after its turn."""
    own = re.sub(r"…|^bid ?(\d[snrt][tdh])? ?| wins$", "", text)
    if not own or not re.fullmatch(r"[→+−]?[\d,]+", own):
        return own or worth
    match = WORTH.fullmatch(worth)
    zero = match["zero"] if match else ""
    return f"{own}{' and zero' if zero == 'zeroes' else zero or ''}"


def expect_amount(amount: str, name: str, before: GameState, after: GameState) -> None:
    """Check an amount against two scores: a change, or after an arrow the score itself."""
    number = int(amount.lstrip("→").replace(",", "").replace("−", "-"))
    score = after.score(name)
    assert number == (score if amount.startswith("→") else score - before.score(name))


def zeroes_others(after: GameState, name: str) -> bool:
    """Whether a player has zeroed, or announced a zeroing that waits."""
    return any(
        (effect.code == "zeroes" and effect.player == name)
        or (effect.code == "zeroed" and effect.by == name)
        for effect in after.effects
    )


def expect_booked(promise: str, way: Event, name: str, before: GameState) -> GameState:
    """Check the promise of one way of booking against its effect; return the state after it."""
    match, after = WORTH.fullmatch(promise), apply(before, way)
    assert match, promise
    assert bool(match["wins"]) == (name in after.winners)
    if match["amount"]:
        expect_amount(match["amount"], name, before, after)
    elif not match["wins"]:
        assert after.score(name) == before.score(name)
    if isinstance(way, BestHand) and not match["wins"]:
        assert (match["zero"] in (" and zero", "zeroes")) == zeroes_others(after, name)
    return after


def expect_asked(promise: str, name: str, hand: Hand, kind: str, state: GameState) -> None:
    """Check the promise of a cell that asks against every way of booking that may be chosen."""
    ways = [way for way in hand_events(state, name, hand) if can(state, way)]
    ways = [way for way in ways if kind in ("", way.choose)]
    assert ways
    choice = {way.choose for way in ways} == {"score", "zero"}
    assert promise == "wins" or choice == promise.endswith(" or zero")
    for way in ways:
        if way.choose == "score" or not choice:
            expect_booked(promise.removesuffix(" or zero"), way, name, state)
        else:
            assert zeroes_others(apply(state, way), name)


def expect_promised(promise: str, bid: Chicago, state: GameState) -> None:
    """Check the promise of a bid against a Chicago that is bid, then made."""
    said = apply(state, bid)
    while said.deal.step in BEFORE_PLAY:
        said = apply(said, NoBestHand())
    made = apply(said, ChicagoResult(won=True))
    assert (promise == "wins") == (bid.player in made.winners)
    if promise != "wins":
        expect_amount(promise, bid.player, said, made)


def expect_results(state: GameState) -> None:
    """Check the buttons for how a Chicago went: what the declarer gains, and the score then."""
    declarer, rows = state.deal.declarer or "", [row for row in grid_rows(state) if row.wide]
    page = draw("table/_verdict.html", rows=rows, state=state)
    for row, button in zip(rows, page.soup.select(".verdict"), strict=True):
        gain, (before, after) = button.select("span small")[0], button.select("strong")[0].strings
        event = row.cells[0].event
        then = expect_booked(words(gain).removeprefix(declarer).strip(), event, declarer, state)
        scores = [
            int(text.strip(" →").replace(",", "").replace("−", "-")) for text in (before, after)
        ]
        assert scores == [state.score(declarer), then.score(declarer)]


def expect_move(state: GameState, cell: GridCell) -> None:
    """Check that another thing is due whatever a cell records: a phone relies on that."""
    events: list[Event] = [cell.event]
    if cell.player and cell.ask and isinstance(cell.event, BestHand):
        choices = hand_choices(state, cell.player, cell.event.hand)
        events = [choice.event for choice in choices if choice.open] or events
    for event in events:
        result = outcome(state, event)
        assert isinstance(result, Outcome)
        assert result.moves_on()


def expect_rare(state: GameState) -> None:
    """Check that each hand that is not common has its row, and what a player's dialog marks."""
    due: list[Hand] = [hand for hand in listed_hands(state.rules) if hand not in COMMON_HANDS]
    if state.deal.step not in HAND_DUE:
        due = [hand for hand, _ in announcements(state)] if state.deal.step is Step.PLAY else []
    rows = rare_hand_rows(state)
    named = dict.fromkeys(row.name.removesuffix("-zero") for row in rows)
    assert list(named) == [*dict.fromkeys(due)]
    for row in rows:
        assert tuple(cell.player for cell in row.cells) == state.players
        victims = state.rules.zeroing_victims == "one"
        assert victims or not any(cell.ask for cell in row.cells)
    fixed = outcome(state, Correction(player=state.playing[0], points=1))
    assert not isinstance(fixed, Outcome) or not fixed.moves_on()
    for choice in rare_choices(state, state.playing[0]):
        result = outcome(state, choice.event)
        assert choice.moves_on is (isinstance(result, Outcome) and result.moves_on())


def expect_choices(state: GameState, name: str, hand: Hand) -> None:
    """Check that a hand's dialog has every way of booking it, each with the scores after it."""
    names, choices = head_names(state), hand_choices(state, name, hand)
    assert {choice.event for choice in choices if choice.open} == {
        way
        for victim in (None, *state.players)
        for choose in ("score", "zero")
        if can(state, way := BestHand(player=name, hand=hand, choose=choose, victim=victim))
    }
    for choice in choices:
        assert choice.open == (choice.consequences is not None) == can(state, choice.event)
        if choice.consequences is None:
            continue
        after = apply(state, choice.event)
        assert choice.points == after.score(name) - state.score(name)
        told = {change.player: change.after for change in choice.consequences.changes}
        for player in state.players:
            assert after.score(player) == told.get(names[player], state.score(player))
        assert choice.wins == (name in after.winners and choice.event.choose == "score")
        assert (choice.consequences.ends is not None) == after.over


def expect_callouts(result: Outcome) -> None:
    """Check that every changed score is called out with its old and its new value."""
    told, (before, after) = consequences(result), (result.before, result.after)
    changed = [
        (seat.score, after.score(seat.name))
        for seat in before.seats
        if seat.score != after.score(seat.name)
    ]
    assert [(change.before, change.after) for change in told.changes] == changed
    assert told.callouts or not {effect.code for effect in after.effects} & CALLED_OUT
    assert (told.ends is not None) == after.over
    assert not (told.cuts_short and after.over)

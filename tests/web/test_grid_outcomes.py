"""Grid and dialogs predict points, zeroing and winning exactly as they are recorded."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec
import pytest
from bs4 import Tag
from flask import Flask, render_template
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.events import (
    BestHand,
    Chicago,
    ChicagoResult,
    Event,
    NoBestHand,
    read_event,
)
from app.rules.game import apply
from app.rules.hands import Hand
from app.rules.outcome import hand_events
from app.rules.rights import can
from app.rules.state import BEFORE_PLAY, GameState, Step
from app.web.table.grid import GridRow, asked_rows, grid_rows, rare_hand_rows
from tests.rules.strategies import Played, games
from tests.rules.table import play
from tests.web.fates import fate_of, play_on
from tests.web.pages import Page, attributes_of, words

WORTH = re.compile(r"(?P<wins>wins)|(?P<amount>[→+−]?[\d,]+)?(?P<zero> or zero| and zero|zeroes)?")


@dataclass
class CellText:
    """A cell as a person sees it: its text, and the attributes for its event or link."""

    attributes: dict[str, str]
    text: str


@dataclass
class RowText:
    """A row as a person sees it: its worth, if it says one, and its cells."""

    name: str
    worth: str
    cells: list[CellText]


def read_row(row: Tag) -> RowText:
    """Read a row off the page."""
    return RowText(
        name=attributes_of(row).get("id", "").removeprefix("row-"),
        worth="".join(words(amount) for amount in row.select(".fact b")),
        cells=[CellText(attributes_of(cell), words(cell)) for cell in row.select(".cell")],
    )


def draw(app: Flask, template: str, rows: list[GridRow], state: GameState) -> Page:
    """Return rows in English, as a page; a template of one row is drawn for each of them."""
    with app.test_request_context(headers={"Accept-Language": "en"}):
        drawn = [render_template(template, row=r, rows=rows, link="x", state=state) for r in rows]
    return Page("".join(drawn if template.endswith("_row.html") else drawn[:1]))


def grid(app: Flask, state: GameState) -> list[RowText]:
    """Return the grid's rows in English, together with those of its sheets."""
    due = [] if state.deal.step is Step.CHICAGO_PLAY else grid_rows(state)
    rows = [*due, *asked_rows(state), *rare_hand_rows(state)]
    page = draw(app, "table/_row.html", rows, state)
    return [read_row(row) for row in page.soup.select(".row")]


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


def own_text(cell: CellText, row: RowText) -> str:
    """Return a cell's own amount, or its row's; that of a bid comes after its turn."""
    promise, own = row.worth, re.sub(r"…|^bid ?(\d[snrt][tdh])? ?| wins$", "", cell.text)
    if not own or not re.fullmatch(r"[→+−]?[\d,]+", own):
        return own or promise
    match = WORTH.fullmatch(promise)
    zero = match["zero"] if match else ""
    return f"{own}{' and zero' if zero == 'zeroes' else zero or ''}"


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


def expect_cell(cell: CellText, row: RowText, number: int, state: GameState) -> None:
    """Check an open cell against its promise, and a closed one against the refusal."""
    players = state.players
    news = {"wins", "zero"} & set(cell.attributes["class"].split())
    if "href" in cell.attributes:
        if "/hand/" in cell.attributes["href"] and not news:
            hand = Hand(cell.attributes["href"].rpartition("/")[2])
            kind = "zero" if row.name.endswith("-zero") else ""
            expect_asked(own_text(cell, row), players[number], hand, kind, state)
        return
    event = read_event(msgspec.json.decode(cell.attributes["value"]), players)
    assert can(state, event) == ("aria-disabled" not in cell.attributes)
    if not can(state, event) or isinstance(event, NoBestHand):
        return
    if news:
        expect_news(cell, row, event, players[number], state)
    elif isinstance(event, Chicago):
        expect_promised(own_text(cell, row), event, state)
    elif isinstance(event, ChicagoResult):
        assert event.broken_by is not None
        expect_amount(own_text(cell, row), event.broken_by, state, apply(state, event))
    else:
        assert cell.text or not row.worth.endswith(" or zero"), "Nothing is asked here."
        expect_booked(own_text(cell, row), event, players[number], state)


def expect_news(cell: CellText, row: RowText, event: Event, name: str, state: GameState) -> None:
    """Check a cell that wins or zeroes, and the score that it says."""
    states = play_on(state, event, name)
    wins = "wins" in cell.attributes["class"].split()
    assert fate_of(states, name) == ("wins" if wins else "zeroed")
    if not wins:
        assert own_text(cell, row).startswith("→0")
    elif "wins" not in (row.worth, cell.text):
        assert int(own_text(cell, row).replace(",", "").split()[0]) == states[0].score(name)


def expect_results(app: Flask, state: GameState) -> None:
    """Check the buttons for how a Chicago went: what the declarer gains, and the score then."""
    if state.deal.step is not Step.CHICAGO_PLAY:
        return
    declarer, rows = state.deal.declarer or "", grid_rows(state)
    page = draw(app, "table/_verdict.html", rows, state)
    for row, button in zip(rows, page.soup.select(".verdict"), strict=True):
        gain, (before, after) = button.select("span small")[0], button.select("strong")[0].strings
        then = expect_booked(
            words(gain).removeprefix(declarer).strip(), row.cells[0].event, declarer, state
        )
        scores = [
            int(text.strip(" →").replace(",", "").replace("−", "-")) for text in (before, after)
        ]
        assert scores == [state.score(declarer), then.score(declarer)]


def expect_grid(app: Flask, state: GameState) -> None:
    """Check every cell of the grid against its promise."""
    for row in grid(app, state):
        for number, cell in enumerate(row.cells):
            expect_cell(cell, row, number, state)
    expect_results(app, state)


@settings(max_examples=60)
@given(played=games(), data=st.data())
def test_a_cell_does_what_the_grid_says(app: Flask, played: Played, data: st.DataObject) -> None:
    """Points, zeroing and winning agree, for every player, in any state under any house rules."""
    expect_grid(app, played.states[-1])
    expect_grid(app, data.draw(st.sampled_from(played.states)))


@settings(max_examples=40)
@given(played=games())
def test_every_way_of_booking_a_hand_is_offered(played: Played) -> None:
    """Each best hand that may be recorded is among the choices of its player."""
    state = played.states[-1]
    for name in state.playing:
        for hand in Hand:
            offered = {way for way in hand_events(state, name, hand) if can(state, way)}
            victims = (None, *state.players)
            assert offered == {
                way
                for victim in victims
                for way in (
                    BestHand(player=name, hand=hand, victim=victim),
                    BestHand(player=name, hand=hand, choose="zero", victim=victim),
                )
                if can(state, way)
            }


TWOS_BY_THE_TRICK = {
    "chicago_with_two": 0,
    "chicago_last_trick": "always",
    "last_trick_with_two": 10,
    "chicago_minimum": None,
}
EXAMPLES = {
    "a Chicago with a two worth nothing but its trick": play(
        "no hands, Anna chicago", **TWOS_BY_THE_TRICK
    ),
    "no zeroing at the final hand": play(
        "no hands, Bo trick", zeroing={"four_of_a_kind": "choice"}
    ),
    "a hand that wins for some only": play(
        "Anna -10", winning_hands=["royal_flush"], negative_scores=True
    ),
    "a hand that raises for some only": play("Anna 60", raising_hands=["flush"]),
    "a lost Chicago that cannot cost what it should": play(
        "Anna 3, no hands, Anna chicago", chicago_minimum=None
    ),
    "a breaker who gets to the target without a Chicago": play(
        "Anna 20, Bo 50, no hands, Anna chicago",
        chicago_breaker_bonus=8,
        win_needs_chicago="declared",
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_was_wrong_once_is_right(app: Flask, name: str) -> None:
    """The grid agrees with the game in cases where a second calculation of a rule differs."""
    expect_grid(app, EXAMPLES[name].state)

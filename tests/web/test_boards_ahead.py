"""Boards ahead: without a network a phone shows the step that the engine makes of each fact."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings

from app.i18n.game import step_question
from app.i18n.language import get_language
from app.rules.ahead import board_key, look_ahead, name_of, without_scores
from app.rules.game import apply, begin
from app.rules.gamefile import read_setup
from app.rules.presets import PRESETS
from app.rules.rights import can
from app.rules.state import GameState
from app.web.ahead import list_events
from app.web.grid import event_value, grid_rows
from app.web.protocol import at_hand, step_names
from tests.rules.strategies import Played, games
from tests.rules.test_presets import PUBLISHED
from tests.web.conftest import Seat
from tests.web.pages import Page
from tests.web.phone import Phone

SETS: list[Mapping[str, object]] = [
    *({"preset": preset} for preset in PRESETS),
    *PUBLISHED[::4],
    {"preset": "vanlig", "tied_winners": "share"},
    {"preset": "vanlig", "tied_winners": "play_on", "win_when": "every_booking"},
    {"scored_hands": {"1": "everyone", "play": "everyone"}},
]
EVENTS = 50
ENGLISH = get_language("en")
VALUES = re.compile(r"class=\"cell.*?(?:value='(.*?)'|href=\"(.*?)\")", re.DOTALL)


def boards_of(phone: Phone) -> dict[str, Any]:
    """Fetch the boards ahead of a phone's table."""
    answer = phone.client.get(f"{phone.table}/ahead", headers=phone.headers)
    assert answer.mimetype == "application/json"
    return dict(json.loads(answer.text))


def check_drawn(found: Mapping[str, Any], key: str, state: GameState, table: str) -> None:
    """Check that a board ahead is that of a state: question, due steps, cells, and who has told."""
    board, shown = found["boards"][key], grid_rows(state)
    page = Page(board["html"])
    assert page.title == step_question(state, ENGLISH)
    due = [place for place, step in enumerate(page.elements(".strip li")) if "now" in step["class"]]
    names = step_names(state)
    assert due == [names.index(step) for step in at_hand(state)]
    assert board["now"] == due[-1]
    drawn = ["".join(value) for value in VALUES.findall(board["html"])]
    cells = [cell for row in shown for cell in row.cells]
    asked = [f"{table}/{cell.ask}" if cell.ask else event_value(cell.event) for cell in cells]
    # Whether a sheet of bids is there depends on scores; a hand that would win asks first.
    assert [each for each in drawn if "/row/" not in each] == [
        each for each in asked if "/row/" not in each
    ] or any("/hand/" in each for each in asked)
    told = re.findall(r'class="heard"><bdi.*?>(.*?)</bdi>', board["html"])
    assert "verdict" in board["html"] or told == [
        name for name in state.players if name in state.deal.told
    ]


@pytest.mark.parametrize(("number", "rules"), [*enumerate(SETS)])
def test_a_promised_board_is_the_engine_s(
    seat: Seat, phone: Phone, number: int, rules: Mapping[str, object]
) -> None:
    """In games by chance, whose scores are known now and then, as the network comes and goes."""
    chance = random.Random(number)
    players = ["Anna", "Bo", "Cilla", "Dan"][: chance.randint(2, 4)]
    setup = read_setup({"players": players, "dealer": players[-1], "rules": rules})
    seat(phone, players=players, rules=rules)
    found, promised, checked = boards_of(phone), 0, set[str]()
    state, at, room = begin(setup), "", dict[str, int]()
    for _ in range(EVENTS):
        if state.over or state.tie_break:
            state, at = begin(setup), ""
        if not at or not chance.randrange(12):
            at = board_key(state) if board_key(state) in found["boards"] else ""
            room = {name: found["target"] - abs(state.score(name)) for name in players}
        event = chance.choice([event for event in list_events(state) if can(state, event)])
        before, state = state, apply(state, event)
        lead = found["boards"][at]["leads"].get(event_value(event)) if at else None
        at = ""
        if lead is None:
            continue
        place, ends_deal, risky, gains, _mark = lead
        for name, most in zip(players, gains, strict=True):
            room[name] -= most
        if risky and min(room.values()) <= 0:
            continue
        at, promised = place, promised + 1
        assert state.deal.number - before.deal.number == ends_deal
        assert at == board_key(state), event
        if at not in checked:
            check_drawn(found, at, state, phone.table)
            checked.add(at)
    assert promised > EVENTS // 10


def test_a_table_says_which_board_is_its_own(keeper: Phone) -> None:
    """At every step of a deal; scores make no difference."""
    found = boards_of(keeper)["boards"]
    for tap in ("Anna: Pair", "Bo: Flush", "Cilla: Last trick", "Nobody has anything"):
        (table,) = keeper.open(keeper.table).elements("#table")
        assert Page(found[table["data-board"]]["html"]).title == keeper.page.title
        keeper.press(tap)


def test_a_corrected_score_leads_nowhere_but_its_leads_are_not_known_any_more(
    keeper: Phone,
) -> None:
    """Whoever is corrected may have reached the target."""
    found = boards_of(keeper)
    for key, board in found["boards"].items():
        place, ends_deal, risky, gains, _mark = board["leads"]["correction"]
        assert (place, ends_deal, risky) == (key, 0, 0)
        assert min(gains) > found["target"]


@settings(max_examples=20)
@given(played=games())
def test_there_is_a_board_behind_every_promise(played: Played) -> None:
    """So it is in a tie-break too, with somebody out, and in the middle of a Chicago."""
    state = played.states[-1]
    if not state.over:
        found = look_ahead(state, list_events)
        names = {name_of(each.state) for each in found}
        leads = [lead for each in found for lead in each.leads.values() if lead]
        assert {name_of(lead.state) for lead in leads} <= names
        assert name_of(without_scores(state)) in names


def test_a_board_ahead_has_no_figure_of_a_player(seat: Seat, phone: Phone) -> None:
    """Cells say what may be recorded; points are those of the rules."""
    seat(phone, "Anna 20, Bo 51")
    found = boards_of(phone)
    for board in found["boards"].values():
        cells = re.findall(r"<button class=\"cell.*?>(.*?)</button>", board["html"], re.DOTALL)
        assert not re.search(r"→|wins|to go", board["html"])
        if "Chicago" not in Page(board["html"]).title:
            assert not any(re.search("[0-9]", cell) for cell in cells)


def test_a_phone_that_has_them_is_sent_none(keeper: Phone) -> None:
    """They are the same until something else is agreed; scores make no difference."""
    address, headers = f"{keeper.table}/ahead", keeper.headers
    etag = keeper.client.get(address, headers=headers).headers["ETag"]
    keeper.send(
        f"{keeper.table}/events",
        {"seq": keeper.page.seq, "event": "correction", "player": "Bo", "points": "7"},
    )
    assert keeper.client.get(address, headers=headers | {"If-None-Match": etag}).status_code == 304


def test_who_reads_has_none_nor_is_there_any_once_a_game_is_over(
    seat: Seat, reader: Phone, phone: Phone
) -> None:
    """The rematch waits for the network."""
    for each in (reader, seat(phone, "Anna 5, settled")):
        assert boards_of(each)["boards"] == {}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_without_a_chicago_is_known_to_its_end(
    seat: Seat, phone: Phone, preset: str
) -> None:
    """In each known set, by the first event that is a hand or the last trick, and then the next."""
    seat(phone, rules={"preset": preset})
    boards, deals = boards_of(phone)["boards"], 0
    place = next(iter(boards))
    for _ in range(12):
        leads = boards[place]["leads"]
        usual = [value for value in leads if re.search(r'"(best_hand|last_trick)"', value)]
        assert usual, boards[place]["html"]
        place, ends_deal, *_rest = leads[usual[0]]
        deals += ends_deal
    assert deals > 1

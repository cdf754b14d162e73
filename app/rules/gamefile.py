"""Game files in and out, and the result of a game as other programs read it."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from app.rules.codes import BadFile, NotAllowed
from app.rules.events import REMARKS, Event, Joins, read_event, read_remark, write_event
from app.rules.game import replay
from app.rules.names import decode, read_name, read_players, seat_behind
from app.rules.presets import read_rules, write_rules
from app.rules.rights import may_bid, may_exchange, must_show
from app.rules.settlement import payout
from app.rules.state import GameState, Setup

FORMAT = "chicago-game/1"
RESULT = "chicago-result/1"
MAX_STAKE_ORE = 1_000_000
# A real game has 60 to 200 events.
MAX_EVENTS, MAX_BYTES = 2000, 1_000_000
DEFAULT_STAKE_ORE = 100

_KEYS = ("format", "players", "dealer", "stake_ore", "rules", "events")


class Game(msgspec.Struct, frozen=True):
    """A game file's content: the setup, the events, and the remarks nobody scores."""

    setup: Setup
    events: tuple[Event, ...]
    remarks: dict[str, object] = {}

    def states(self) -> list[GameState]:
        """Every state of the game. Raises NotAllowed with the index of the event refused."""
        return replay(self.setup, self.events)


def decode_game(text: bytes) -> Game:
    """Read a game file. Raises BadFile for the first thing that is wrong with it."""
    if len(text) > MAX_BYTES:
        raise BadFile("game_too_long", limit=MAX_BYTES)
    return read_game(decode(text))


def read_game(raw: object) -> Game:
    """Read a game file's object. Raises BadFile for the first thing that is wrong with it."""
    if not isinstance(raw, dict):
        raise BadFile("not_an_object", what="game")
    if raw.get("format") != FORMAT:
        raise BadFile("wrong_format", value=raw.get("format"), expected=FORMAT)
    for key in raw:
        if key not in (*_KEYS, *REMARKS):
            raise BadFile("unknown_key", key=key)
    setup = read_setup(raw)
    events = read_events(raw.get("events"), setup.players)
    return Game(setup, events, {key: read_remark(key, raw[key]) for key in REMARKS if key in raw})


def read_setup(raw: dict[str, object]) -> Setup:
    """Read players, dealer, stake and rules, with their defaults. Raises BadFile."""
    players = read_players(raw.get("players"))
    dealer = raw.get("dealer", players[-1])
    if not isinstance(dealer, str):
        raise BadFile("wrong_value", key="dealer", value=dealer)
    if (dealer := read_name(dealer)) not in players:
        raise BadFile("unknown_player", player=dealer)
    stake = raw.get("stake_ore", DEFAULT_STAKE_ORE)
    if type(stake) is not int or not 0 <= stake <= MAX_STAKE_ORE:
        raise BadFile("wrong_stake", value=stake, limit=MAX_STAKE_ORE)
    preset, rules = read_rules(raw.get("rules", {}))
    return Setup(players, dealer, stake, preset, rules)


def read_events(raw: object, players: tuple[str, ...]) -> tuple[Event, ...]:
    """Read a list of events of a game that `players` began.

    Raises BadFile with the index of the first that is malformed.
    """
    if not isinstance(raw, list):
        raise BadFile("events_not_a_list")
    if len(raw) > MAX_EVENTS:
        raise BadFile("too_many_events", limit=MAX_EVENTS)
    events = list[Event]()
    for index, item in enumerate(raw):
        try:
            event = read_event(item, players)
        except BadFile as fault:
            fault.event = index
            raise
        if isinstance(event, Joins):
            players = seat_behind(players, event.player, event.after)
        events.append(event)
    return tuple(events)


def write_game(game: Game) -> dict[str, object]:
    """Write a game as a game file's object; reading it again gives the same game."""
    setup = game.setup
    return {
        "format": FORMAT,
        **game.remarks,
        "players": list(setup.players),
        "dealer": setup.dealer,
        "stake_ore": setup.stake_ore,
        "rules": write_rules(setup.preset, setup.rules),
        "events": [write_event(event) for event in game.events],
    }


def write_result(states: Sequence[GameState], *, history: bool = True) -> dict[str, Any]:
    """Write where a game stands, from all its states, as `chicago-result/1`.

    By player in seat order; without its `history`, an entry for each event, it is as long at the
    end of a game as at its start. `payout_ore` is null while the game is played.
    """
    state = states[-1]
    result: dict[str, Any] = {
        "format": RESULT,
        "status": state.status,
        "deal": state.deal.number,
        "dealer": state.deal.dealer,
        "step": state.deal.step,
        "scores": state.scores,
        "may_exchange": {s.name: may_exchange(state, s.name).ok for s in state.seats},
        "may_bid_chicago": {s.name: may_bid(state, s.name).ok for s in state.seats},
        "must_show": {s.name: [*hands] for s in state.seats if (hands := must_show(state, s.name))},
        "chicagos": {s.name: {"declared": s.declared, "won": s.won} for s in state.seats},
        "out": list(state.out),
        "tie_break": list(state.tie_break),
        "winners": list(state.winners),
        "payout_ore": payout(state),
    }
    if history:
        result["history"] = [
            {"deal": before.deal.number, "scores": after.scores}
            for before, after in pairwise(states)
        ]
    return result


def write_error(error: BadFile | NotAllowed, message: str) -> dict[str, object]:
    """Write why a game cannot be scored, with one sentence for people."""
    about = {"event": error.event, "code": error.kind, "message": message}
    return {"format": RESULT, "error": about}

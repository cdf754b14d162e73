"""A table's money counted slowly, from nothing but the files of its games."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from app.rules.gamefile import read_game
from app.rules.json_input import decode
from tests.rules.recount import pay, recount
from tests.web.phone import Phone

Amounts = dict[str, int]
TABLES_ZONE, NIGHT_ENDS_AT = ZoneInfo("Europe/Stockholm"), 5


@dataclass
class SlowGame:
    """What the file of one game says: öre by person, and how it ended."""

    evening: date
    stake_ore: int
    scores: Amounts
    winners: set[str]
    ended: str
    amounts: Amounts = field(default_factory=dict)


def count_files(phone: Phone) -> list[SlowGame]:
    """Count every game of a phone's table, oldest first."""
    packed = zipfile.ZipFile(io.BytesIO(phone.client.get(f"{phone.table}/games.zip").data))
    return [count_file(packed.read(name)) for name in packed.namelist()]


def count_file(file: bytes) -> SlowGame:
    """Count one game, which is over."""
    game, raw = read_game(decode(file)), json.loads(file)
    end, last = game.states()[-1], raw["events"][-1]
    begun = datetime.fromisoformat(raw["at"]).astimezone(TABLES_ZONE)
    ended = "played to the end"
    if last["event"] == "break_off":
        ended = "broken off, settled" if last["settle"] else "broken off, nobody pays"
    counted = SlowGame(
        evening=begun.date(),
        stake_ore=raw["stake_ore"],
        scores={seat.name: seat.score for seat in end.seats},
        winners=set(end.winners) if recount(file)[0] else set(),
        ended=ended,
        amounts=dict.fromkeys(end.players, 0),
    )
    assert begun.hour >= NIGHT_ENDS_AT, "No game of these tests goes on into the night."
    for (payer, payee), ore in pay(end).items() if counted.winners else ():
        counted.amounts[payer] -= ore
        counted.amounts[payee] += ore
    return counted


def count_evenings(games: list[SlowGame]) -> dict[date, Amounts]:
    """Add up what each evening with games for money brought those who played for it."""
    evenings: dict[date, Amounts] = {}
    for game in games:
        if game.stake_ore:
            amounts = evenings.setdefault(game.evening, {})
            for name, ore in game.amounts.items():
                amounts[name] = amounts.get(name, 0) + ore
    return dict(sorted(evenings.items()))


def add_along(evenings: dict[date, Amounts]) -> dict[date, Amounts]:
    """Return what everybody had won or lost by the end of each evening they played."""
    total: Counter[str] = Counter()
    running = {}
    for day, amounts in evenings.items():
        for name, ore in amounts.items():
            total[name] += ore
        running[day] = {name: total[name] for name in amounts}
    return running

"""A slow count of a game's figures from its file, by other ways than the application's."""

import json
from typing import Any

from app.rules.gamefile import Game, read_game
from app.rules.hands import Hand
from app.rules.names import decode
from app.rules.protocol import ProtocolDeal, assemble
from app.rules.state import GameState

Figures = dict[str, Any]
BOOKED = ("hand", "hand_raised", "zeroes")


def recount(file: bytes) -> dict[str, Figures]:
    """Return the figures of each player."""
    game, raw = read_game(decode(file)), json.loads(file)
    states = game.states()
    end, last = states[-1], (raw["events"] or [{}])[-1]
    if not end.over or (last["event"] == "break_off" and not last.get("settle")):
        return {}
    deals = [deal for deal in assemble(states, game.events) if deal.lines]
    payments = pay(end)
    people = {}
    for seat, name in enumerate(seat_order(raw)):
        ore = sum(amount for (_, to), amount in payments.items() if to == name)
        ore -= sum(amount for (payer, _), amount in payments.items() if payer == name)
        people[name] = {
            "seat": seat + 1,
            "name": name,
            "won": name in end.winners,
            "ore": ore,
            "score": deals[-1].scores[name],
            **from_events(game, raw["events"], name),
            **from_protocol(deals, name),
        }
    return people


def seat_order(raw: dict[str, Any]) -> list[str]:
    """Read the final seat order from the file."""
    names = list(raw["players"])
    for event in raw["events"]:
        if event["event"] == "joins":
            names.insert(names.index(event["after"]) + 1, event["player"])
    return names


def from_events(game: Game, events: list[dict[str, Any]], name: str) -> Figures:
    """Count the events of the file."""
    tricks = [e["player"] for e in events if e["event"] == "last_trick"].count(name)
    bid: dict[str, Any] = {}
    said = made = 0
    for event in events:
        if event["event"] == "chicago":
            bid = event
            said += event["player"] == name
        if event["event"] == "chicago_result" and event["won"] and bid["player"] == name:
            made += 1
            scores_it = game.setup.rules.chicago_last_trick in ("if_won", "always")
            tricks += scores_it and not bid.get("blind", False)
    return {
        "chicagos_said": said,
        "chicagos_made": made,
        "last_tricks": tricks,
    }


def from_protocol(deals: list[ProtocolDeal], name: str) -> Figures:
    """Count the lines of the protocol, deal by deal."""
    lines = [line for deal in deals for line in deal.lines]
    gave = [line for line in lines if ("zeroed", name) in [(e.code, e.by) for e in line.effects]]
    own = [effect for deal in deals for effect in deal.effects(name)]
    codes, booked = [e.code for e in own], [e.hand for e in own if e.code in BOOKED]
    fallen = codes.count("requirement_unmet")
    swings, before, run, longest = [0], 0, 0, 0
    for deal in deals:
        effects = deal.effects(name)
        agreed = sum(each.points for each in effects if each.code in ("correction", "joins"))
        score = deal.scores.get(name, 0)
        swings.append(abs(score - before - agreed))
        before = score
        run = run + 1 if name in deal.stopped else 0
        longest = max(longest, run)
    return {
        **{hand: booked.count(hand) for hand in Hand},
        "deals": len([deal for deal in deals if name in deal.playing]),
        "zeroings_given": len(gave),
        "zeroings_suffered": fallen + codes.count("zeroed"),
        "falls": fallen,
        "biggest_swing": max(swings),
        "longest_stop": longest,
    }


def pay(end: GameState) -> dict[tuple[str, str], int]:
    """Pay each loser's öre to the winners; the öre of a remainder go one by one to each in turn."""
    paid: dict[tuple[str, str], int] = {}
    turn = 0
    for name in end.players:
        if name in end.winners:
            continue
        score = end.score(name)
        ore = max(0, end.score(end.winners[0]) - score) * end.setup.stake_ore
        if end.rules.negative_pays_double and score < 0:
            ore *= 2
        for winner in end.winners:
            paid[name, winner] = ore // len(end.winners)
        for _ in range(ore % len(end.winners)):
            paid[name, end.winners[turn % len(end.winners)]] += 1
            turn += 1
    return paid

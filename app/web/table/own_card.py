"""A player's own card on their own phone: what concerns them at this moment, and what they owe."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from app.http import context
from app.i18n.own import Fact, FactCode
from app.rules.hands import COMMON_HANDS
from app.rules.needs import Needs, needs
from app.rules.notices import BID_AHEAD, URGENCY, exchange_notice, notices
from app.rules.rights import may_bid, may_exchange
from app.rules.settlement import Transfer
from app.rules.state import GameState, Step
from app.services.ledger import Ledger, read_ledger
from app.web.table.consequences import Names, head_names
from app.web.table.scoreboard import Head, scoreboard

# The danger, and how the game may be won, come before the cards.
BEFORE_CARDS = URGENCY[: URGENCY.index("must_show")]
# These say already that the player may bid, or has bid.
BIDS: frozenset[FactCode] = frozenset(
    {"declarer", "bid_or_zeroed", "bid_before_target", "make_or_zeroed", "make_before_target"}
)
OF_BIDDING: tuple[FactCode, ...] = ("may_bid", "points_to_bid", "bid_already")
# While a Chicago may be bid, or is being played.
BIDDING = (*BID_AHEAD, Step.CHICAGO_PLAY)


class Debt(msgspec.Struct, frozen=True):
    """What is left between a player and `other`: öre to get (+) or to pay (−).

    `between` names the two in addresses.
    """

    other: str
    ore: int
    between: str


class Own(msgspec.Struct, frozen=True):
    """What concerns a player: the facts, the danger first, and what it takes to win.

    `dealer` deals; `needs` are None for who cannot win any more. `debts` are what is left to settle
    once the game is over, None where there is no money. Others are called as over their columns.
    """

    head: Head
    dealer: str
    facts: tuple[Fact, ...]
    needs: Needs | None
    debts: tuple[Debt, ...] | None


def _plays(state: GameState, name: str) -> bool:
    """Whether the game goes on, and a player is in it."""
    return name in state.playing and not state.over


def own_card(state: GameState, name: str) -> Own:
    """What concerns one player at this moment."""
    names = head_names(state)
    return Own(
        head=next(head for head in scoreboard(state) if head.name == name),
        dealer=names[state.deal.dealer],
        facts=tuple(_facts(state, name, names)),
        needs=_common_needs(state, name) if _plays(state, name) else None,
        debts=_debts(name, names) if state.over else None,
    )


def _common_needs(state: GameState, name: str) -> Needs:
    """What it takes to win; a way that takes a rare hand need not be told at every deal."""
    found = needs(state, name)
    ways = (way for way in found.ways if way.hand is None or way.hand in COMMON_HANDS)
    return replace(found, ways=tuple(ways))


def _facts(state: GameState, name: str, names: Names) -> Iterator[Fact]:
    """The danger, then the cards, the bid, and what else is told of the player."""
    told = [Fact(notice.code, notice.values) for notice in notices(state, name)]
    exchange = exchange_notice(state, name)
    yield from (fact for fact in told if fact.code in BEFORE_CARDS)
    if exchange is not None:
        yield Fact(exchange.code, why=may_exchange(state, name))
    if _plays(state, name) and BIDS.isdisjoint(fact.code for fact in told):
        yield from _bid(state, name, names)
    # That there is a stop from the next deal on is the reason there already.
    said = (*BEFORE_CARDS, *OF_BIDDING, *(("stopped_next_deal",) if exchange else ()))
    yield from (fact for fact in told if fact.code not in said)


def _bid(state: GameState, name: str, names: Names) -> Iterator[Fact]:
    """Whether the player may bid, or what is lacking, or who has bid."""
    verdict = may_bid(state, name)
    match verdict.values:
        case _ if state.deal.step not in BIDDING:
            return
        case _ if verdict.ok:
            yield Fact("may_bid")
        case {"by": by}:
            yield Fact("bid_by", {"by": names[str(by)]})
        case {"score": int(score), "minimum": int(minimum)}:
            yield Fact("points_to_bid", {"missing": minimum - score})
        case _:
            yield Fact("bid_already")


def _debts(name: str, names: Names) -> tuple[Debt, ...] | None:
    """What is left between a player and others, of this evening and before."""
    now = read_ledger(context.db(), context.link())
    if not now.has_money:
        return None
    person = now.people.canonical.get(name, name)
    return tuple(
        _debt(each, person, names, now)
        for each in now.transfers
        if person in (each.payer, each.payee)
    )


def _debt(transfer: Transfer, person: str, names: Names, now: Ledger) -> Debt:
    pays = person == transfer.payer
    other = transfer.payee if pays else transfer.payer
    between = f"{now.people.numbers[transfer.payer]}-{now.people.numbers[transfer.payee]}"
    return Debt(names.get(other, other), -transfer.ore if pays else transfer.ore, between)

"""Settlement in whole öre: one game's payout, and several games with the fewest payments."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any, Literal

import msgspec

from app.rules.codes import BadFile
from app.rules.state import GameState

Currency = Literal["SEK", "EUR"]
CURRENCIES: tuple[Currency, ...] = ("SEK", "EUR")
USUAL: Currency = "SEK"


class Amount(msgspec.Struct, frozen=True):
    """So many öre, or cents."""

    ore: int
    currency: Currency


def read_currency(raw: object) -> Currency:
    """The currency that a form or a call names. Raises BadFile."""
    for currency in CURRENCIES:
        if raw == currency:
            return currency
    raise BadFile("wrong_value", key="currency", value=raw)


SETTLEMENT = "chicago-settlement/1"
EXACT_UP_TO = 12


class Debt(msgspec.Struct, frozen=True, rename={"payer": "from", "payee": "to"}):
    """What `payer` is to pay `payee`: `ore` öre."""

    payer: str
    payee: str
    ore: int


class Loss(msgspec.Struct, frozen=True):
    """A player's payment to the winners: `factor` times the points from `score` up to `top`."""

    player: str
    score: int
    top: int
    factor: int
    stake_ore: int

    @property
    def ore(self) -> int:
        """The whole in öre."""
        return self.factor * (self.top - self.score) * self.stake_ore


def losses(state: GameState) -> list[Loss]:
    """The payment of each loser of a game that is over, in seat order (reading 9).

    A player who stands above the winner pays nothing, and a game broken off as void has no losers.
    """
    if not state.winners:
        return []
    top, double = state.score(state.winners[0]), state.rules.negative_pays_double
    return [
        Loss(seat.name, seat.score, top, 1 + (double and seat.score < 0), state.setup.stake_ore)
        for seat in state.seats
        if seat.score < top and seat.name not in state.winners
    ]


def payout(state: GameState) -> dict[str, int] | None:
    """Öre that each player wins (+) or loses (−), in seat order; None while the game is played.

    Each loser pays the difference to the winners, who share it (reading 9). A game broken off
    as void pays nobody.
    """
    if not state.over:
        return None
    paid = share_out({loss.player: loss.ore for loss in losses(state)}, state.winners)
    gains = ({payee: ore, payer: -ore} for (payer, payee), ore in paid.items())
    return add_up([dict.fromkeys(state.players, 0), *gains])


def share_out(lost: Mapping[str, int], winners: Sequence[str]) -> dict[tuple[str, str], int]:
    """Öre that each loser pays each winner; öre that do not divide go round in seat order."""
    paid: dict[tuple[str, str], int] = {}
    turn = cycle(winners)
    for loser, ore in lost.items():
        each, rest = divmod(ore, len(winners))
        paid |= {(loser, winner): each for winner in winners}
        for _ in range(rest):
            paid[loser, next(turn)] += 1
    return paid


def add_up(payouts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sum of several payouts by player name, in öre, in order of first appearance."""
    balance: dict[str, int] = {}
    for game in payouts:
        for name, ore in game.items():
            balance[name] = balance.get(name, 0) + ore
    return balance


def write_settlement(balance: Mapping[str, int]) -> dict[str, Any]:
    """Write a balance in öre, and the payments that settle it, as `chicago-settlement/1`."""
    return {
        "format": SETTLEMENT,
        "balance_ore": dict(balance),
        "transfers": find_debts(balance),
    }


def find_debts(balance: Mapping[str, int]) -> list[Debt]:
    """Payments that settle a balance summing to zero, as few as possible.

    The fewest there are for up to twelve people who owe or are owed; beyond that at most one
    less than their number.
    """
    open_ = {name: ore for name, ore in balance.items() if ore}
    groups = _zero_groups(open_) if len(open_) <= EXACT_UP_TO else [list(open_)]
    return [payment for group in groups for payment in _settle_group(open_, group)]


def _zero_groups(balance: Mapping[str, int]) -> list[list[str]]:
    """Divide people into as many groups as possible that each sum to zero.

    Every group of k people needs k − 1 payments, so the most groups mean the fewest payments.
    `best[s]` is the most groups that can be closed along some order of adding the people in s.
    """
    names = list(balance)
    size = 1 << len(names)
    total, best, last = [0] * size, [0] * size, [0] * size
    for s in range(1, size):
        low = (s & -s).bit_length() - 1
        total[s] = total[s & (s - 1)] + balance[names[low]]
        best[s], last[s] = max((best[s ^ (1 << i)], i) for i in range(len(names)) if s & (1 << i))
        best[s] += total[s] == 0
    return _walk_back(names, total, last)


def _walk_back(names: list[str], total: list[int], last: list[int]) -> list[list[str]]:
    groups: list[list[str]] = []
    s = len(total) - 1
    while s:
        if total[s] == 0:
            groups.append([])
        groups[-1].append(names[last[s]])
        s ^= 1 << last[s]
    return [sorted(group, key=names.index) for group in reversed(groups)]


def _settle_group(balance: Mapping[str, int], group: list[str]) -> list[Debt]:
    """Settle one group with one payment fewer than its people.

    The largest debt meets the largest claim until nothing is left.
    """
    rest = {name: balance[name] for name in group}
    payments = []
    while any(rest.values()):
        payer, payee = min(rest, key=rest.__getitem__), max(rest, key=rest.__getitem__)
        ore = min(-rest[payer], rest[payee])
        payments.append(Debt(payer, payee, ore))
        rest[payer] += ore
        rest[payee] -= ore
    return payments


PaymentWay = Literal["swish", "cash", "other", "rounding", "written_off"]

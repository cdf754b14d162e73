"""No öre appears or vanishes, in any order of games, payments, take-backs, mends and merges."""

import tempfile
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import settings as run
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.rules.errors import NotAllowed
from app.rules.events import Correction
from app.rules.settlement import Money, Payment, add_up, outstanding, payout, payout_difference
from app.services import figures, ledger, people, play, settings, table_view, tables
from app.services.fold import fold
from app.services.ledger import Ledger, Method, MoneyWay
from app.store.log import ChangeRow, counting
from tests.services.keeper import paid, sit_down

FEW_PEOPLE = ["Anna", "Bo", "Bosse", "Cilla", "Dan"]
STAKES = [0, 25, 100, 333]

seats = st.lists(st.sampled_from(FEW_PEOPLE), min_size=2, max_size=4, unique=True)
points = st.integers(-20, 40).filter(bool)
ways = st.sampled_from(["swish", "cash", "other", "written_off", "rounded"])


class LiveLedger(RuleBasedStateMachine):
    """A table with random games, payments, mends and merges."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.keeper = sit_down(Path(self.folder.name) / "chicago.db", ["Anna", "Bo"])
        self.keeper.record("settled")

    def teardown(self) -> None:
        """Close the database, and remove its folder."""
        self.keeper.db.close()
        self.folder.cleanup()

    @property
    def now(self) -> Ledger:
        """The ledger on disk."""
        return ledger.read_ledger(self.keeper.db, self.keeper.link)

    @rule(players=seats, stake=st.sampled_from(STAKES), won=points)
    def play(self, players: list[str], stake: int, won: int) -> None:
        """Play a game with these players, at this stake, unless two of them are one person."""
        names = self.now.people.canonical
        if len({names.get(player, player) for player in players}) < len(players):
            with pytest.raises(NotAllowed):
                self.keeper.next_game(players=players, stake_ore=stake)
            return
        self.keeper.next_game(players=players, stake_ore=stake)
        self.keeper.record(f"{players[0]} {won}, settled")

    @precondition(lambda self: self.now.transfers)
    @rule(data=st.data(), way=ways)
    def pay(self, data: st.DataObject, way: Method) -> None:
        """Pay one of the suggested payments, or a part of it."""
        owed = data.draw(st.sampled_from(self.now.transfers))
        ore = data.draw(st.integers(1, owed.ore))
        before = self.payments()
        self.keeper.commit(ledger.Pay((owed.payer, owed.payee), way, ore))
        assert self.payments()[: len(before)] == before

    @rule(data=st.data(), way=st.sampled_from(get_args(MoneyWay)), ore=st.integers(1, 30_000))
    def pay_in_advance(self, data: st.DataObject, way: MoneyWay, ore: int) -> None:
        """Pay somebody in advance: the amount is exact to the öre, and no other balance changes."""
        before, made = self.now, self.payments()
        payer, payee = data.draw(st.permutations(before.people.persons))[:2]
        self.keeper.commit(ledger.PayInAdvance((payer, payee), way, ore))
        assert self.payments() == [*made, Payment(payer, payee, ore, way)]
        paid = add_up([before.outstanding, {payer: ore}, {payee: -ore}])
        assert without_nought(self.now.outstanding) == without_nought(paid)

    @precondition(lambda self: self.now.transfers)
    @rule(way=ways)
    def pay_all(self, way: Method) -> None:
        """Pay everything: nothing is left to pay, and no difference is left."""
        self.keeper.commit(ledger.PayAll(way))
        assert self.now.transfers == []
        assert self.now.adjustments == {}

    @precondition(lambda self: self.payments())
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        """Take a settlement back: its payments are owed again."""
        counting = [each for each in self.now.settlements if not each.undone]
        settlement, before = data.draw(st.sampled_from(counting)), self.now.outstanding
        self.keeper.commit(ledger.Unpay(settlement.seq))
        after, back = self.now.outstanding, dict.fromkeys(before, 0)
        for payment in settlement.payments:
            if payment.payer != payment.payee:
                back[payment.payer] -= payment.ore
                back[payment.payee] += payment.ore
        assert without_nought(after) == without_nought(add_up([before, back]))

    @rule(data=st.data(), won=points)
    def mend(self, data: st.DataObject, won: int) -> None:
        """Mend an old game; the payments stay as they were made."""
        db, before = self.keeper.db, self.payments()
        number = data.draw(st.integers(1, len(self.now.lines)))
        game = table_view.read_view(db, self.keeper.link, number).game
        corrected = Correction(player=game.setup.players[0], points=won)
        self.keeper.commit(play.Mend(number, [corrected, game.events[-1]]))
        assert self.payments() == before

    @rule()
    def merge(self) -> None:
        """Merge Bosse into Bo, unless they have played each other."""
        try:
            self.keeper.commit(settings.Merge("Bosse", "Bo"))
        except (NotAllowed, tables.NotFound):
            return

    @rule()
    def split(self) -> None:
        """Split Bosse from Bo."""
        try:
            self.keeper.commit(settings.Split("Bosse"))
        except NotAllowed:
            return

    @precondition(lambda self: len(self.now.lines) > 1)
    @rule()
    def undo_for_good(self) -> None:
        """Undo the last change of any kind, and go on from there."""
        self.keeper.undo()
        if not self.keeper.view.state.over:
            self.keeper.record("settled")

    def payments(self) -> list[Payment]:
        """Return the payments that count."""
        return paid(self.now)

    @invariant()
    def every_sum_is_nought(self) -> None:
        """Each game and the open balances sum to zero; the suggested payments settle them."""
        now = self.now
        assert [sum((line.payout or {}).values()) for line in now.lines] == [0] * len(now.lines)
        left = now.outstanding
        assert sum(left.values()) == 0
        for owed in now.transfers:
            left[owed.payer] += owed.ore
            left[owed.payee] -= owed.ore
        assert not any(left.values())

    @invariant()
    def what_was_mended_is_told(self) -> None:
        """The reported differences match a fold of the whole table at each settlement."""
        now, settled = self.now, dict[int, Money]()
        left = [each for each in now.settlements if not each.undone]
        payouts = {line.number: line.payout or {} for line in now.lines}
        while left:
            then = self.payouts_at(left[-1].seq)
            settled |= {n: payout for n, payout in then.items() if payout is not None}
            past = [payment for each in left for payment in each.payments]
            if not any(outstanding((then.get(n) or {} for n in payouts), past).values()):
                break
            left.pop()
        was = [(number, settled[number]) for number in sorted(payouts) if number in settled]
        owed = [(number, payout_difference(then, payouts[number])) for number, then in was]
        told = [*now.adjustments.items()]
        assert told == [(number, transfers) for number, transfers in owed if transfers]

    def payouts_at(self, seq: int) -> dict[int, Money | None]:
        """Return the payout of every game by person, at a version."""
        connection = self.keeper.db.connection
        sql = """SELECT seq, kind, game, body, at, undone, entries FROM changes
            WHERE seq <= ? ORDER BY seq"""
        rows = counting([ChangeRow(*row) for row in connection.execute(sql, [seq]).fetchall()])
        _, persons = people.resolve(connection, self.keeper.table_id)
        payouts = {
            n: payout(figures.play(game).states()[-1]) for n, game in fold(rows).games.items()
        }
        return {
            n: None if paid is None else add_up({persons[int(p)]: ore} for p, ore in paid.items())
            for n, paid in payouts.items()
        }


def without_nought(money: dict[str, int]) -> dict[str, int]:
    """Return the money without balances of zero."""
    return {name: ore for name, ore in money.items() if ore}


TestLiveLedger = LiveLedger.TestCase
TestLiveLedger.settings = run(max_examples=8, stateful_step_count=15)

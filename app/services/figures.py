"""Figures of ended games, a row for each seat; swings and the course of a game.

A game broken off as void counts for nothing (reading 13), so it has none.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from app.rules.codes import CourseCode, EffectCode
from app.rules.gamefile import Game
from app.rules.hands import Hand
from app.rules.protocol import ZEROINGS, Episode, Swing
from app.rules.rights import is_stopped
from app.rules.settlement import payout
from app.rules.state import Effect, GameState
from app.services import bounds, table_view
from app.services.table_view import GameLog, fold, resolve_number
from app.store import clock, log, schema
from app.store.clock import evening_of
from app.store.database import Connection, Database
from app.store.schema import MAXIMA, SUMS, VOID

# Changes of a score that are no part of the play.
OUTSIDE_PLAY: tuple[EffectCode, ...] = ("correction", "joins")
# What a best hand did that was booked: each has one of these.
HANDS: tuple[EffectCode, ...] = ("hand", "hand_raised", "zeroes")
# So many swings are told of a game or an evening.
MOST_SWINGS = 3
# The states before and after each event, which belongs to the deal it was recorded in.
PlayedDeal = list[tuple[GameState, GameState]]


def has_statistics(state: GameState) -> bool:
    """Whether a game counts in the statistics: it is over, and not void."""
    return state.over and state.ended != "broken_off_void"


def seat_statistics(states: Sequence[GameState]) -> list[dict[str, Any]]:
    """The figures of each player in seat order, of a game neither played still nor void.

    `seat` from 1, `ore` won (+) or lost (−), `score` the last, in points. Best hands are counted by
    kind. `deals` and `longest_stop` (in a row) are numbers of deals, `biggest_swing` the points
    that a score went up or down by in one deal. Chicagos count though a house rule has taken them
    away later (reading 19). Zeroings are those of hands, and suffered are the `falls` too, at the
    target for want of a Chicago.
    """
    end = states[-1]
    if not has_statistics(end):
        return []
    paid = payout(end) or {}
    deals, effects = _split(states), [effect for state in states for effect in state.effects]
    return [
        {
            "seat": number,
            "name": name,
            "won": name in end.winners,
            "ore": paid[name],
            "score": end.score(name),
            "deals": sum(name in _beginning(deal).playing for deal in deals),
            **_count_hands(own := [each for each in effects if each.player == name]),
            "chicagos_said": _count_effects(own, "bid", "blind_bid"),
            "chicagos_made": _count_effects(
                own, "chicago_won", "chicago_won_with_two", "blind_won", "blind_won_with_two"
            ),
            # One that meets several is one.
            "zeroings_given": sum(
                any(each.code == "zeroed" and each.by == name for each in state.effects)
                for state in states
            ),
            "zeroings_suffered": _count_effects(own, "zeroed", "requirement_unmet"),
            # Phones of every release read the column by this name.
            "falls": _count_effects(own, "requirement_unmet"),
            "last_tricks": _count_effects(own, "last_trick", "last_trick_with_two"),
            # By corrections of any size that were taken back it may be more than a column bears.
            "biggest_swing": min(max(abs(_swing(name, deal)) for deal in deals), bounds.MAX_POINTS),
            "longest_stop": _longest_stop(name, deals),
        }
        for number, name in enumerate(end.players, start=1)
    ]


def _split(states: Sequence[GameState]) -> list[PlayedDeal]:
    by_deal = groupby(pairwise(states), lambda transition: transition[0].deal.number)
    return [list(deal) for _, deal in by_deal]


def _count_hands(effects: Iterable[Effect]) -> dict[str, int]:
    """Count best hands by kind, whether they scored or zeroed; equal ones too."""
    best = [effect.hand for effect in effects if effect.code in HANDS]
    return {hand: best.count(hand) for hand in Hand}


def _count_effects(effects: Iterable[Effect], *codes: EffectCode) -> int:
    return sum(effect.code in codes for effect in effects)


def _swing(name: str, deal: PlayedDeal) -> int:
    """The change of a score in one deal, in points, corrections aside."""
    return sum(effect.points for effect in _find_changes(name, deal))


def _find_changes(name: str, deal: PlayedDeal) -> list[Effect]:
    """What changed a player's score in one deal, corrections aside."""
    return [
        effect
        for _, after in deal
        for effect in after.effects
        if effect.player == name and effect.points and effect.code not in OUTSIDE_PLAY
    ]


def find_swings(game: int, states: Sequence[GameState]) -> list[Swing]:
    """The largest swings of a game, of each deal one, the largest first.

    Whose it was, and why: several players where the same did as much to them. None where the game
    is still played or was void.
    """
    deals = _split(states) if has_statistics(states[-1]) else []
    return pick_largest(filter(None, (_find_swing(game, deal) for deal in deals)))


def _find_swing(game: int, deal: PlayedDeal) -> Swing | None:
    """The largest swing of one deal, None where nobody's score has moved."""
    swings = {name: _swing(name, deal) for name in deal[-1][1].players}
    most = max(swings.values(), key=abs)
    if not most:
        return None
    # A zeroing takes what the deal has given: the reason goes the way of the swing.
    whys = {
        name: max(_find_changes(name, deal), key=lambda effect: effect.points * most)
        for name, swing in swings.items()
        if swing == most
    }
    why, *_ = whys.values()
    same = (name for name, each in whys.items() if _cause(each) == _cause(why))
    return Swing(game, deal[0][0].deal.number, tuple(same), most, why)


def _cause(effect: Effect) -> tuple[object, ...]:
    return effect.code, effect.hand, effect.by


def pick_largest(swings: Iterable[Swing]) -> list[Swing]:
    """The largest swings, the largest first."""
    return nlargest(MOST_SWINGS, swings, key=lambda swing: abs(swing.points))


def _longest_stop(name: str, deals: Sequence[PlayedDeal]) -> int:
    """The most deals in a row that a player began under the exchange stop (reading 5)."""
    states = (_beginning(deal) for deal in deals)
    runs = groupby(name in state.playing and is_stopped(state, name) for state in states)
    return max((len(list(run)) for stopped, run in runs if stopped), default=0)


def _beginning(deal: PlayedDeal) -> GameState:
    """The state at a deal's begin: with who had joined, and what was corrected (20 and 21)."""
    *_, beginning = (before for before, _ in deal if not before.deal.begun)
    return beginning


# A lead that changed less often is told by who had it before; in fewer deals none is the best.
WORTH_TELLING = 3
SumByName = Mapping[str, int]


def score_curve(states: Sequence[GameState]) -> list[dict[str, int]]:
    """Everybody's score at the beginning, at the end of each deal, and as it stands.

    Whoever joined has what they joined with at the end of the deal before (reading 20).
    """
    scores = [state.scores for state in _ends(states)]
    for before, after in pairwise(states):
        for effect in after.effects:
            if effect.code == "joins" and effect.player:
                scores[before.deal.number - 1][effect.player] = after.score(effect.player)
    return scores


def add_along(changes: Iterable[SumByName]) -> list[dict[str, int]]:
    """Everybody's sum at the beginning and after each of some changes.

    Whoever comes later has 0 at the step before.
    """
    steps: list[dict[str, int]] = [{}]
    for change in changes:
        steps[-1] = dict.fromkeys(change, 0) | steps[-1]
        steps.append({name: each + change.get(name, 0) for name, each in steps[-1].items()})
    return steps


def describe_game(states: Sequence[GameState]) -> list[Episode]:
    """The course of a game so far: its leader or winner, the one before, and the turning point."""
    end, race = states[-1], [_sums(state) for state in _ends(states)]
    lead = describe_lead(race, end.winners, is_void=end.over and not end.winners)
    # Within a deal somebody else may have been ahead alone.
    tops = [_find_top(_sums(state)) for state in states]
    if lead and any(len(top) == 1 and top != lead[0].players for top in tops):
        lead = [episode for episode in lead if episode.code != "led_throughout"]
    return [*lead, *_find_turns(states)]


def _sums(state: GameState) -> SumByName:
    return {name: state.score(name) for name in state.playing}


def _ends(states: Sequence[GameState]) -> list[GameState]:
    """The first state, and the last of each deal."""
    ends = [states[0]]
    for before, after in pairwise(states):
        ends[before.deal.number :] = [after]
    return ends


def describe_lead(
    race: Sequence[SumByName], winners: tuple[str, ...] = (), *, is_void: bool = False
) -> list[Episode]:
    """Tell who is ahead or has won, who led alone before them, and how often the lead changed.

    `race` has at each step the sums of those who could win then. Where it `is_void` it is over, and
    nobody has won.
    """
    last = len(race) - 1
    if not last:
        return []
    tops = [_find_top(sums) for sums in race]
    ahead = winners or tops[-1]
    code: CourseCode = "leads" if len(ahead) == 1 else "level"
    if winners or is_void:
        code = "won" if winners else "was_ahead"
    alone = [(step, top[0]) for step, top in enumerate(tops) if len(top) == 1]
    before = [Episode("led_until", (name,), 0, step) for step, name in alone if ahead != (name,)]
    changes = sum(one != other for (_, one), (_, other) in pairwise(alone))
    episodes = [Episode(code, ahead, race[-1][ahead[0]], last), *before[-1:]]
    if len(alone) >= WORTH_TELLING and not before:
        episodes.append(Episode("led_throughout"))
    if changes >= WORTH_TELLING:
        episodes.append(Episode("lead_changes", (), changes))
    return episodes


def _find_top(sums: SumByName) -> tuple[str, ...]:
    """The players with the highest score."""
    most = max(sums.values(), default=0)
    return tuple(name for name, each in sums.items() if each == most)


def _find_turns(states: Sequence[GameState]) -> list[Episode]:
    """The most that a score rose by in one deal, and who had points and lost them all, last."""
    gains: Counter[tuple[int, str]] = Counter()
    zeroed: dict[int, dict[str, None]] = {}
    for before, after in pairwise(states):
        deal = before.deal.number
        for effect in after.effects:
            if effect.player and effect.code not in OUTSIDE_PLAY:
                gains[deal, effect.player] += effect.points
            if effect.player and effect.points and effect.code in ZEROINGS:
                zeroed.setdefault(deal, {})[effect.player] = None
    turns = [
        Episode("best_deal", (name,), points, deal)
        for (deal, name), points in gains.most_common(1)
        if points > 0 and states[-1].deal.number > WORTH_TELLING
    ]
    victims = [Episode("zeroed", tuple(names), 0, deal) for deal, names in zeroed.items()]
    return [*turns, *victims[-1:]]


Figures = dict[str, dict[str, object]]


def count_figures(begun_at: str, game: Game, states: Sequence[GameState]) -> Figures:
    """Work out the figures of a game, by player in seat order; all are 0 of one that was void.

    There are none while it is played. Raises NotAllowed for more points than the database adds up.
    """
    end = states[-1]
    if not end.over:
        return {}
    bounds.check_points(end)
    of_game = {
        # So that it sorts.
        "begun_at": clock.write_time(clock.local(begun_at)),
        "evening": evening_of(begun_at).isoformat(),
        "stake_ore": end.setup.stake_ore,
        "target": end.rules.target,
        "broken_off": {"broken_off_settled": 1, "broken_off_void": VOID}.get(end.ended or "", 0),
    }
    if not has_statistics(end):
        nothing = dict.fromkeys(("score", "deals", "falls", *SUMS, *MAXIMA), 0)
        return {
            seat.name: of_game | nothing | {"seat": number, "score": seat.score}
            for number, seat in enumerate(end.seats, start=1)
        }
    return {seat.pop("name"): of_game | seat for seat in seat_statistics(states)}


def write_figures(
    number: int, seats: Figures, numbers: Mapping[str, int]
) -> list[dict[str, object]]:
    """The rows of a game's figures."""
    return [{"game": number, "person": numbers[name], **seat} for name, seat in seats.items()]


def add_figures(connection: Connection, table_id: int, rows: Sequence[dict[str, object]]) -> None:
    """Add rows of figures to a table."""
    if rows:
        values = map(itemgetter(*rows[0]), rows)
        marks = ", ?" * len(rows[0])
        sql = f"INSERT INTO seats (table_id, {', '.join(rows[0])}) VALUES (?{marks})"  # noqa: S608
        connection.conn.executemany(sql, ((table_id, *each) for each in values))


def recount_game(connection: Connection, table_id: int, number: int) -> None:
    """Work the figures of a game out anew from the log; there may be no such game any more."""
    connection.table("seats").delete_where("table_id = ? AND game = ?", [table_id, number])
    if (game := fold(log.read_game(connection, table_id, number)).games.get(number)) is not None:
        played = play_numbered(game)
        seats = count_figures(game.begun_at, played, played.states())
        numbers = {name: int(name) for name in seats}
        add_figures(connection, table_id, write_figures(number, seats, numbers))


def recount_all(db: Database) -> int:
    """Work the figures of all games of all tables out anew; count the games."""
    sql = f"""SELECT table_id, game FROM changes WHERE undone IS NULL AND {schema.STARTS}
        UNION SELECT table_id, game FROM seats"""  # noqa: S608
    games = db.connection.execute(sql).fetchall()
    for game in games:
        # A server has its turn in between.
        with db.transaction() as connection:
            recount_game(connection, *game)
        clock.give_way()
    db.connection.ledgers.clear()
    return len(games)


def play_numbered(game: GameLog) -> Game:
    """Replay a game whose players go by their numbers, so that no two of them share a name."""
    seats = {resolve_number(game.called, number): str(number) for number in game.seated}
    numbers = {*game.seated, *game.called, *game.called.values()}
    names = {number: seats.get(resolve_number(game.called, number), "") for number in numbers}
    return table_view.play(game, names)

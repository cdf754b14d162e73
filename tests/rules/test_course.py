"""The course of a game or an evening: everybody's score deal by deal, and what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

from app.rules.course import Episode, add_along, lay_out, tell_game, tell_lead
from app.rules.errors import BadFile, NotAllowed
from app.rules.gamefile import Game, read_game
from app.rules.protocol import assemble

Raw = dict[str, object]

GOLDEN = Path(__file__).parents[1] / "golden"
NOBODY: Raw = {"event": "no_best_hand"}


def golden() -> list[Game]:
    """Return every golden game that can be read."""
    games = []
    for path in sorted(GOLDEN.glob("*.json")):
        try:
            game = read_game(json.loads(path.read_text(encoding="utf-8"))["game"])
            game.states()
        except (BadFile, NotAllowed):
            continue
        games.append(game)
    return games


def hand(player: str, kind: str) -> Raw:
    """Return the event that somebody had the best hand."""
    return {"event": "best_hand", "player": player, "hand": kind}


def deal(first: Raw, taker: str, last: Raw = NOBODY) -> list[Raw]:
    """Return a deal: the first hand, nobody's second, the last trick, and the final hand."""
    return [first, NOBODY, {"event": "last_trick", "player": taker}, last]


def told(*events: Raw, rules: Raw | None = None) -> list[Episode]:
    """Tell a game of three in which this happened."""
    raw: Raw = {"format": "chicago-game/1", "players": ["Anna", "Bo", "Cilla"]}
    raw |= {"rules": rules or {"preset": "huvudregler"}, "events": list(events)}
    return tell_game(read_game(raw).states())


def test_scores_are_those_of_the_score_sheet() -> None:
    """In every golden game, deal by deal; who joined has theirs a step before."""
    games = golden()
    assert len(games) > 50
    for game in games:
        states = game.states()
        sheets = [each for each in assemble(states, game.events) if each.rows]
        steps = lay_out(states)
        assert len(steps) == len(sheets) + 1
        for step, sheet in zip(steps[1:], sheets, strict=True):
            joined = step.keys() - sheet.scores.keys()
            assert {n: s for n, s in step.items() if n not in joined} == sheet.scores


def test_who_is_ahead_is_the_highest_of_those_who_play() -> None:
    """In every golden game, by a slow recount; a winner is told of whatever the scores are."""
    for game in golden():
        states = game.states()
        end, episodes = states[-1], tell_game(states)
        if not episodes:
            continue
        most = max(end.score(name) for name in end.playing)
        best = tuple(name for name in end.playing if end.score(name) == most)
        assert episodes[0].players == (end.winners or best)
        assert (episodes[0].code == "won") == bool(end.winners)
        assert episodes[0].step == len(lay_out(states)) - 1


def test_before_anything_happened_there_is_nothing_to_tell() -> None:
    """No deal, no sentence."""
    assert told() == []


def test_a_lead_that_changed_names_who_had_it() -> None:
    """Bo until deal 2, then Anna; the most in one deal is told with its deal."""
    episodes = told(
        *deal(hand("Bo", "straight"), "Bo"),
        *deal(hand("Anna", "pair"), "Anna"),
        *deal(hand("Anna", "flush"), "Anna"),
    )
    assert episodes == [
        Episode("leads", ("Anna",), 16, 3),
        Episode("led_until", ("Bo",), 0, 2),
        Episode("best_deal", ("Anna",), 10, 3),
    ]


def test_during_a_deal_what_was_booked_counts() -> None:
    """It is the last step, which is not over."""
    episodes = told(*deal(hand("Bo", "pair"), "Bo"), hand("Anna", "flush"))
    assert episodes[0] == Episode("leads", ("Bo",), 6, 2)


def test_those_who_have_most_are_level() -> None:
    """Three who have nothing, or two."""
    assert told(NOBODY) == [Episode("level", ("Anna", "Bo", "Cilla"), 0, 1)]
    assert told(hand("Anna", "pair"), hand("Bo", "pair")) == [
        Episode("level", ("Anna", "Bo"), 1, 1)
    ]


def test_a_lead_never_lost_and_one_lost_often() -> None:
    """Nobody else has led; or the lead changed hands so many times."""
    ahead = told(*deal(hand("Bo", "pair"), "Bo"), *deal(NOBODY, "Bo"), *deal(NOBODY, "Anna"))
    assert Episode("led_throughout") in ahead
    turns = [("Anna", "pair"), ("Bo", "three_of_a_kind"), ("Anna", "flush"), ("Bo", "full_house")]
    often = told(*(each for name, kind in turns for each in deal(hand(name, kind), name)))
    assert Episode("lead_changes", (), 3) in often


def test_whoever_was_zeroed_last_is_told() -> None:
    """With the deal; who had nothing was not zeroed."""
    course = told(
        *deal(hand("Bo", "straight"), "Bo"),
        *deal(hand("Cilla", "pair"), "Bo"),
        {**hand("Anna", "four_of_a_kind"), "choose": "zero"},
    )
    assert course[-1] == Episode("zeroed", ("Bo", "Cilla"), 0, 3)
    nothing = told({**hand("Anna", "four_of_a_kind"), "choose": "zero"})
    assert "zeroed" not in [episode.code for episode in nothing]


def test_a_correction_is_no_deal_to_boast_of() -> None:
    """What was agreed on was not played."""
    agreed: Raw = {"event": "correction", "player": "Cilla", "points": 40}
    deals = [each for _ in range(3) for each in deal(NOBODY, "Anna")]
    (best,) = [c for c in told(agreed, *deals) if c.code == "best_deal"]
    assert best == Episode("best_deal", ("Anna",), 5, 1)


def test_sums_go_on_from_game_to_game() -> None:
    """Who comes later begins with nothing a game before."""
    steps = add_along([{"Anna": 3, "Bo": -3}, {"Bo": 5, "Cilla": -5}, {"Anna": 1, "Cilla": -1}])
    assert steps == [
        {"Anna": 0, "Bo": 0},
        {"Anna": 3, "Bo": -3, "Cilla": 0},
        {"Anna": 3, "Bo": 2, "Cilla": -5},
        {"Anna": 4, "Bo": 2, "Cilla": -6},
    ]
    ahead = Episode("leads", ("Anna",), 4, 3)
    assert tell_lead(steps) == [ahead, Episode("led_throughout")]

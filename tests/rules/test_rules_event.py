"""The event `rules`: other house rules hold from the deal before which it is recorded."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.i18n.house_rules import rules_changed_text, rules_from_text
from app.i18n.language import get_language
from app.rules.codes import BadFile
from app.rules.events import Event, Rules, read_any_event, write_event
from app.rules.game import apply, replay
from app.rules.gamefile import Game, read_game, write_game
from app.rules.house import OPTIONS
from app.rules.presets import PRESETS, read_rules
from app.rules.protocol import assemble
from app.rules.rights import is_stopped, why_not
from app.rules.state import Effect, GameState, RuleChange, first_step
from tests.rules.strategies import Played, games, json, rules_event, values_of_field
from tests.rules.table import facts, play
from tests.rules.test_rule_values import ALLOWED
from tests.told import told

PLAYED = ("best_hand", "no_best_hand", "chicago", "chicago_result", "last_trick")


def tag(event: Event) -> str:
    """Return the kind of an event as a file names it."""
    return str(event.__struct_config__.tag)


def has_begun(played: Played, index: int) -> bool:
    """Whether the deal in progress after `index` events has a hand, a bid or a trick."""
    number = played.states[index].deal.number
    return any(
        before.deal.number == number and tag(event) in PLAYED
        for before, event in zip(played.states[:index], played.events, strict=False)
    )


def is_as_before(before: GameState, after: GameState, rules: Rules) -> None:
    """Compare the states around a change of rules: nothing but the rules and the step differs."""
    setup = replace(before.setup, preset=rules.preset, rules=rules.rules)
    deal = replace(before.deal, step=first_step(setup))
    assert replace(after, effects=()) == replace(before, setup=setup, deal=deal, effects=())


@pytest.mark.parametrize("field", OPTIONS)
@settings(max_examples=5)
@given(data=st.data())
def test_any_rule_changes_between_deals_and_only_there(field: str, data: st.DataObject) -> None:
    """Every rule, changed to any value at every step: accepted before the deal begins, to the end.

    The file replays to the same states; scores, Chicagos and standings of before stay. Of the
    places where it is accepted the last has the longest file.
    """
    played = data.draw(games())
    value = data.draw(st.sampled_from(ALLOWED[field]) | values_of_field(field))
    event = rules_event({"preset": data.draw(st.sampled_from([*PRESETS])), field: value})
    accepted = dict[int, GameState]()
    for index, state in enumerate(played.states):
        refusal = why_not(state, event)
        if state.over or has_begun(played, index):
            assert refusal
            assert refusal.code == ("game_over" if state.over else "rules_too_late")
            continue
        assert refusal is None
        accepted[index] = apply(state, event)
        is_as_before(state, accepted[index], event)
    # A game begins between deals.
    index = max(accepted)
    game = Game(played.setup, (*played.events[:index], event))
    assert read_game(json(write_game(game))) == game
    assert replay(game.setup, game.events) == [*played.states[: index + 1], accepted[index]]


@given(games(), st.data())
def test_the_last_of_two_holds(played: Played, data: st.DataObject) -> None:
    """Recorded again before the same deal, the second set is the one that holds."""
    sets = st.sampled_from([rules_event({"preset": preset}) for preset in PRESETS])
    one, two = data.draw(sets), data.draw(sets)
    for state in played.states:
        if why_not(state, one) is None:
            once, twice = apply(state, two), apply(apply(state, one), two)
            assert replace(once, effects=()) == replace(twice, effects=())


@told
def test_the_new_limit_looks_at_the_standing_before_the_deal(
    rules: dict[str, object], stopped: str
) -> None:
    """Who began the deal at the new exchange stop is stopped, and nobody else."""
    table = play(
        "Anna 46, Bo 35, Cilla 30, no hands, Bo trick, nobody", players="Anna Bo Cilla Dan"
    )
    state = apply(table.state, rules_event({"preset": "pagat", **rules}))
    assert " ".join(n for n in state.players if is_stopped(state, n)) == stopped
    (hand,) = facts("Dan full_house")
    later = apply(state, hand)
    assert [is_stopped(later, n) for n in state.players] == [
        is_stopped(state, n) for n in state.players
    ]


@told
def test_a_set_that_cannot_be_read_is_malformed(raw: dict[str, object]) -> None:
    """A fault of the rules is one of the event, as in a game's own rules."""
    with pytest.raises(BadFile):
        read_any_event(raw)


def test_it_is_written_as_the_differences_from_a_set() -> None:
    """A file has the published set and what differs, whatever was written."""
    event = read_any_event(
        {"event": "rules", "note": "Bo", "rules": {"exchange_stop": 45, "target": 42}}
    )
    rules = {"preset": "huvudregler", "target": 42}
    assert write_event(event) == {"event": "rules", "note": "Bo", "rules": rules}


def test_the_protocol_has_a_row_at_the_deal_it_holds_from() -> None:
    """The row belongs to no player, and says which rules are others."""
    table = play("no hands, Bo trick, nobody")
    event = rules_event({"preset": "pagat", "target": 42})
    states = (*table.states, apply(table.state, event))
    (line,) = assemble(states, (*table.events, event))[-1].lines
    change = RuleChange(2, PRESETS["pagat"], event.rules)
    assert line.effects == (Effect("rules", change=change),)


@told
def test_a_change_in_words(rules: dict[str, object], line: str, row: str) -> None:
    """A number is what it is now; anything else is as the list of differences has it."""
    before, (_, after) = PRESETS["pagat"], read_rules({"preset": "pagat", **rules})
    swedish = get_language("sv")
    assert rules_changed_text(before, after, swedish) == line
    assert rules_from_text(RuleChange(9, before, after), swedish) == row

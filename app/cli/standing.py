"""Around the protocol in a terminal: who plays what, how it stands, who won and who pays whom."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from app.cli.protocol import deal_lines, fit
from app.cli.terminal import bold, faint, paint, plain, short_names, shorten, table, width, wrap
from app.i18n.game import effect_text, hand_name, step_question
from app.i18n.language import N_, Language
from app.rules.codes import VerdictCode
from app.rules.currency import USUAL
from app.rules.gamefile import Game
from app.rules.presets import write_rules
from app.rules.protocol import assemble
from app.rules.rights import Verdict, can_win, may_bid, may_exchange, must_show
from app.rules.settlement import payout, transfers
from app.rules.state import GameState

INDENT = "  "
SHORT_NAME_ROOM, LONG_NAME_ROOM = 12, 40

REFUSALS: Mapping[VerdictCode, str] = {
    "exchange_stop": N_("no, stop at %(limit)s"),
    "chicago_minimum": N_("no, from %(minimum)s"),
    "chicago_once": N_("no, once is all"),
    "chicago_already_bid": N_("no, %(by)s has"),
    "win_needs_chicago_declared": N_("no, Chicago first"),
    "win_needs_chicago_won": N_("no, Chicago first"),
    "win_needs_trick_later": N_("no, trick later"),
    "player_out": N_("out"),
    "player_frozen": N_("sits out"),
}


Question = Callable[[GameState, str], Verdict]


def game_lines(
    game: Game, states: Sequence[GameState], language: Language, page: int
) -> Iterator[str]:
    """A whole game for people: what is played, the protocol, and the standing or the result."""
    sheets = assemble(states, game.events)
    layout = fit(sheets, states[-1].players, language, page)
    yield from _heading(game, layout.names, language, page)
    yield from deal_lines(sheets, layout, language)
    yield ""
    yield from (_result if states[-1].over else _standing)(states[-1], language, page)


def _heading(game: Game, heads: Mapping[str, str], language: Language, page: int) -> Iterator[str]:
    """What is played by whom; names that the protocol has to cut are explained."""
    _ = language.gettext
    # Extraction does not look into f-strings.
    players, rules, stake = _("Players"), _("Rules"), _("Stake")
    name = game.remarks.get("name")
    yield bold(shorten(plain(name), page) if isinstance(name, str) and name else "Chicago")
    if all(name == head for name, head in heads.items()):
        yield from wrap(f"{players}: {language.listing(heads)}", page, INDENT)
    else:
        yield f"{players}:"
        room = page - len(INDENT) - max(map(width, heads.values())) - 2
        rows = [(head, shorten(name, room)) for name, head in heads.items()]
        yield from (INDENT + line for line in table(rows, "ll"))
    yield from wrap(f"{rules}: {_rules(game, language)}", page, INDENT)
    amount = _("%(amount)s a point", amount=language.money(game.setup.stake_ore, USUAL))
    yield f"{stake}: {amount}"


def _rules(game: Game, language: Language) -> str:
    """The rule set's name, and the fields that differ as a game file writes them."""
    preset, rules = game.setup.preset, game.setup.rules
    differs = {k: v for k, v in write_rules(preset, rules).items() if k != "preset"}
    if not differs:
        return preset
    changes = ", ".join(f"{field}: {_value(value)}" for field, value in differs.items())
    return language.gettext("%(preset)s, with %(changes)s", preset=preset, changes=changes)


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _standing(state: GameState, language: Language, page: int) -> Iterator[str]:
    """Whose deal it is and what is due, and what each player may do."""
    deal, _ = state.deal, language.gettext
    whose = _("Deal %(deal)s · %(player)s deals", deal=deal.number, player=deal.dealer)
    yield from (bold(line) for line in wrap(whose, page, INDENT))
    yield paint(step_question(state, language), "cyan")
    for text in _circumstances(state, language):
        yield from wrap(text, page, INDENT)
    yield ""
    yield from _rights(state, language, page)


def _circumstances(state: GameState, language: Language) -> Iterator[str]:
    _, deal = language.gettext, state.deal
    if state.tie_break:
        yield _("Tie-break between %(players)s.", players=language.listing(state.tie_break))
    if deal.waiting is not None:
        yield _("The zeroing by %(player)s waits.", player=deal.waiting.holder)
    if deal.declarer is not None and deal.blind:
        yield _("%(player)s plays Chicago blind.", player=deal.declarer)
    elif deal.declarer is not None:
        yield _("%(player)s plays Chicago.", player=deal.declarer)
    for name in state.playing:
        if due := must_show(state, name):
            hands = language.listing(hand_name(hand, language) for hand in due)
            yield _("%(player)s shows %(hands)s before breaking it up.", player=name, hands=hands)


def _rights(state: GameState, language: Language, page: int) -> Iterator[str]:
    """A table of what each player may do; names get the room that the answers leave."""
    players, questions = state.players, _questions(state, language)
    names = short_names(players, SHORT_NAME_ROOM)
    rows = [[language.gettext("Points"), *questions]]
    for name in players:
        answers = [_answer(ask(state, name), names, language) for ask in questions.values()]
        rows.append([language.number(state.score(name)), *answers])
    right_part = table(rows, "r" + "l" * len(questions))
    room = page - max(map(width, right_part)) - 2
    heads = short_names(players, max(SHORT_NAME_ROOM, min(LONG_NAME_ROOM, room)))
    head, *lines = table(list(zip(["", *heads.values()], right_part, strict=True)), "ll")
    yield faint(head)
    yield from lines


def _questions(state: GameState, language: Language) -> dict[str, Question]:
    """What is worth asking for every player; winning only where more than points is needed."""
    _, rules = language.gettext, state.rules
    questions: dict[str, Question] = {_("Exchange"): may_exchange, "Chicago": may_bid}
    needs_more = rules.win_needs_chicago != "no" or rules.finish == "trick_later_deal"
    if needs_more and not state.tie_break:
        questions[_("Win at %(target)s", target=rules.target)] = can_win
    return questions


def _answer(verdict: Verdict, names: Mapping[str, str], language: Language) -> str:
    if verdict.ok:
        return language.gettext("yes")
    values = {**verdict.values, "by": names.get(str(verdict.values.get("by")))}
    return language.gettext(REFUSALS[verdict.code]) % values


def _result(state: GameState, language: Language, page: int) -> Iterator[str]:
    """Who won and why, what it cost, and who pays whom."""
    for effect in state.effects:
        if effect.code == state.ended:
            lines = wrap(effect_text(effect, language), page, INDENT)
            yield from (bold(paint(line, "green")) for line in lines)
    amounts = payout(state) or {}
    names = short_names(state.players, LONG_NAME_ROOM)
    rows = [
        [names[name], language.points(state.score(name)), language.signed_money(ore, USUAL)]
        for name, ore in amounts.items()
    ]
    yield ""
    yield from table(rows, "lrr")
    yield ""
    yield from payment_lines(amounts, names, language, page)


def payment_lines(
    balance: Mapping[str, int], names: Mapping[str, str], language: Language, page: int
) -> Iterator[str]:
    """Who pays whom, a sentence each, for a balance in öre that sums to zero."""
    _ = language.gettext
    moves = transfers(balance)
    if not moves:
        yield _("Nobody owes anybody anything.")
    for move in moves:
        payer, payee, amount = names[move.payer], names[move.payee], language.money(move.ore, USUAL)
        text = _("%(payer)s pays %(payee)s %(amount)s", payer=payer, payee=payee, amount=amount)
        yield from wrap(text, page, INDENT)


def settlement_lines(
    balance: Mapping[str, int], games: int, language: Language, page: int
) -> Iterator[str]:
    """The evening: what everybody wins or loses in all, and the payments that settle it."""
    yield bold(language.ngettext("After %(num)s game", "After %(num)s games", games))
    names = short_names(list(balance), LONG_NAME_ROOM)
    rows = [[names[name], language.signed_money(ore, USUAL)] for name, ore in balance.items()]
    if rows:
        yield from table(rows, "lr")
    yield ""
    yield from payment_lines(balance, names, language, page)

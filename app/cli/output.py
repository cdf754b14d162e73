"""Output of the commands: language, lines, JSON, complaints, and a game's protocol."""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_args

import click

from app.i18n.effects import effect_text
from app.i18n.game import event_text, head_text, step_question
from app.i18n.language import CODES, Language, from_environment, get_language
from app.rules.codes import EndCode
from app.rules.events import BestHand, NoBestHand
from app.rules.facts import facts
from app.rules.gamefile import Game
from app.rules.presets import write_rules
from app.rules.protocol import Line, ProtocolDeal, assemble
from app.rules.settlement import USUAL, find_debts, payout
from app.rules.state import BEFORE_PLAY, GameState

ENGLISH = get_language("en")
FAILED, MISUSED = 1, 2
# Control characters, halves of surrogate pairs, and separators of lines and paragraphs.
_STEERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")

# Help is in the language of the environment.
gettext = from_environment(os.environ).gettext
_F = TypeVar("_F", bound=Callable[..., Any])


def add_common_options(command: _F) -> _F:
    """Add the options of every command that reads games or hands."""
    as_json = click.option(
        "--json", "as_json", is_flag=True, help=gettext("Print JSON, for programs.")
    )
    lang = click.option(
        "--lang",
        type=click.Choice(CODES),
        help=gettext("The language; by default the one that LANG names, or else Swedish."),
    )
    return as_json(lang(command))


def start_command(lang: str | None = None) -> Language:
    """The language to print in, and UTF-8 in every locale."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return get_language(lang) if lang else from_environment(os.environ)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for people."""
    click.echo("\n".join(map(_plain, lines)))


def print_json(data: object) -> None:
    """Print one line of JSON; as bytes, because nothing may be taken out or encoded otherwise."""
    click.echo(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def complain(text: str) -> None:
    """Print a sentence on standard error."""
    click.echo(_plain(text), err=True)


def _plain(text: str) -> str:
    """Replace characters that would steer the terminal."""
    return _STEERS.sub("\N{REPLACEMENT CHARACTER}", text)


def game_lines(game: Game, states: Sequence[GameState], language: Language) -> Iterator[str]:
    """A whole game for people: the setup, the protocol, and the standing or the result."""
    yield from _heading(game, language)
    for deal in assemble(states, game.events):
        yield from _deal_lines(deal, states, language)
    yield ""
    yield from (_result if states[-1].over else _standing)(states[-1], language)


def settlement_lines(balance: Mapping[str, int], games: int, language: Language) -> Iterator[str]:
    """The evening: everybody's balance, and the payments that settle it."""
    yield language.ngettext("After %(num)s game", "After %(num)s games", games)
    for name, ore in balance.items():
        yield f"{name} · {language.signed_money(ore, USUAL)}"
    yield ""
    yield from _payment_lines(balance, language)


def _heading(game: Game, language: Language) -> Iterator[str]:
    """The name of the game, who plays, under which rules and for how much."""
    _, setup = language.gettext, game.setup
    # Extraction does not look into f-strings.
    players, rules, stake = _("Players"), _("Rules"), _("Stake")
    name = game.remarks.get("name")
    yield name if isinstance(name, str) and name else "Chicago"
    yield f"{players}: {language.listing(setup.players)}"
    yield f"{rules}: {_rules(game, language)}"
    amount = _("%(amount)s a point", amount=language.money(setup.stake_ore, USUAL))
    yield f"{stake}: {amount}"


def _rules(game: Game, language: Language) -> str:
    """The rule set's name, and the fields that differ as a game file writes them."""
    preset, rules = game.setup.preset, game.setup.rules
    differs = {k: v for k, v in write_rules(preset, rules).items() if k != "preset"}
    if not differs:
        return preset
    changes = json.dumps(differs)[1:-1]
    return language.gettext("%(preset)s, with %(changes)s", preset=preset, changes=changes)


def _deal_lines(
    deal: ProtocolDeal, states: Sequence[GameState], language: Language
) -> Iterator[str]:
    """A line for each fact and note of a deal, and the scores; none where nothing is recorded."""
    _ = language.gettext
    lines = [text for line in deal.lines for text in _fact(line, states[line.index], language)]
    if not lines:
        return
    yield ""
    yield _("Deal %(deal)s · %(player)s deals", deal=deal.number, player=deal.dealer)
    if deal.tie_break:
        yield "  " + _("Tie-break between %(players)s.", players=language.listing(deal.playing))
    if deal.stopped:
        yield _line([_("Exchange stop"), *deal.stopped])
    yield from lines
    scores = (f"{name} {language.number(score)}" for name, score in deal.scores.items())
    yield _line([_("Score"), *scores])


def _line(parts: Sequence[str]) -> str:
    return "  " + " · ".join(parts)


def _fact(line: Line, before: GameState, language: Language) -> Iterator[str]:
    """What an event set off, but for the end, which is told below; and its note."""
    event, step = line.event, before.deal.step
    numbered = isinstance(event, (BestHand, NoBestHand)) and step in BEFORE_PLAY
    texts = [effect_text(e, language) for e in line.effects if e.code not in get_args(EndCode)]
    if isinstance(event, NoBestHand) and not texts:
        nobody = event_text(event, language, before)
        texts = [nobody[0].upper() + nobody[1:]]
    for text in texts:
        yield f"  {step[-1]}. {text}" if numbered else f"  {text}"
    if isinstance(event.note, str):
        yield f"  – {event.note}"


def _standing(state: GameState, language: Language) -> Iterator[str]:
    """The deal, the step that is due, and the rights of each player now."""
    deal, _ = state.deal, language.gettext
    yield _("Deal %(deal)s · %(player)s deals", deal=deal.number, player=deal.dealer)
    yield step_question(state, language)
    if deal.waiting is not None:
        yield _("The zeroing by %(player)s is pending.", player=deal.waiting.holder)
    for name in state.players:
        words = filter(None, (head_text(fact, language=language) for fact in facts(state, name)))
        yield _line([name, language.points(state.score(name)), *words])


def _result(state: GameState, language: Language) -> Iterator[str]:
    """The winners and the reason, each player's payout, and the payments."""
    for effect in state.effects:
        if effect.code == state.ended:
            yield effect_text(effect, language)
    amounts = payout(state) or {}
    for name, ore in amounts.items():
        points, money = language.points(state.score(name)), language.signed_money(ore, USUAL)
        yield _line([name, points, money])
    yield ""
    yield from _payment_lines(amounts, language)


def _payment_lines(balance: Mapping[str, int], language: Language) -> Iterator[str]:
    """The payments, a sentence each, for a balance in öre that sums to zero."""
    _ = language.gettext
    moves = find_debts(balance)
    if not moves:
        yield _("Nobody owes anybody anything.")
    for move in moves:
        amount = language.money(move.ore, USUAL)
        who = {"payer": move.payer, "payee": move.payee}
        yield _("%(payer)s pays %(payee)s %(amount)s", **who, amount=amount)

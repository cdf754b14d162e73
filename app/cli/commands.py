"""The commands `flask score`, `flask settle`, `flask compare` and `flask years`."""

from __future__ import annotations

import copy
import inspect
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

import click
from flask import Flask
from flask.cli import with_appcontext

from app.cli import help_texts
from app.cli.comparison import (
    COMPARE,
    comparison_lines,
    deal_hands,
    fault,
    how_to_compare,
    write_comparison,
)
from app.cli.sources import STANDARD_INPUT, Played, Source, Unreadable, play, read_sources
from app.cli.standing import game_lines, settlement_lines
from app.cli.terminal import coloured, colours_wanted, faint, page_width, plain
from app.http.context import pool
from app.i18n.errors import error_text
from app.i18n.game import event_text
from app.i18n.language import CODES, Language, from_environment, get_language
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.rules.gamefile import write_error, write_result
from app.rules.hands import Ties, compare_hands
from app.rules.presets import PRESETS
from app.rules.settlement import SETTLEMENT, add_up, payout, write_settlement
from app.services import statistics

ENGLISH = get_language("en")
FAILED, MISUSED = 1, 2
_F = TypeVar("_F", bound=Callable[..., Any])


def register(app: Flask) -> None:
    """Add the commands to the application, with their help in the environment's language."""
    spoken = from_environment(os.environ)
    for command in (score, settle, compare, years):
        app.cli.add_command(_in_language(command, spoken))


def _in_language(command: click.Command, spoken: Language) -> click.Command:
    """The command with its help translated."""
    translated = copy.copy(command)
    text = command.help or ""
    translated.help = _laid_out(spoken.gettext(text))
    translated.params = [copy.copy(param) for param in command.params]
    for param in translated.params:
        if isinstance(param, click.Option) and param.help:
            param.help = spoken.gettext(param.help)
    return translated


def _laid_out(text: str) -> str:
    """A help text with click's mark on the paragraphs that keep their lines: the indented ones."""
    parts = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(f"\b\n{part}" if "\n  " in part else part for part in parts)


def _shared(command: _F) -> _F:
    """The options that every command has."""
    as_json = click.option("--json", "as_json", is_flag=True, help=help_texts.JSON_HELP)
    lang = click.option("--lang", type=click.Choice(CODES), help=help_texts.LANG_HELP)
    return as_json(lang(command))


@click.command(help=help_texts.SCORE_HELP)
@_shared
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def score(ctx: click.Context, files: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Score games, each printed as soon as it is done."""
    speak = _start(ctx, lang)
    several = len(files) > 1 or STANDARD_INPUT in files
    status = 0
    for source in read_sources(files):
        if isinstance(source, Unreadable):
            status = _complain_unreadable(source, speak)
            continue
        played = play(source.data)
        if as_json:
            _print_json(_result(played))
        else:
            _print_protocol(source, played, several, speak)
        status = max(status, FAILED if played.error else 0)
    ctx.exit(status)


def _result(played: Played) -> dict[str, object]:
    if played.error is not None:
        return write_error(played.error, error_text(played.error, ENGLISH))
    return write_result(played.states)


def _print_protocol(source: Source, played: Played, several: bool, speak: Language) -> None:
    """The protocol of a game; of one that is refused somewhere, as far as it goes."""
    if several:
        click.echo(faint(f"═══ {plain(source.label(speak))} ═══"))
    so_far = played.before_error()
    if so_far.game is not None:
        _print_lines(game_lines(so_far.game, so_far.states, speak, page_width()))
    if several:
        click.echo()
    if played.error is not None:
        _complain(_fault(source, played, played.error, speak))


def _fault(source: Source, played: Played, error: BadFile | NotAllowed, speak: Language) -> str:
    """Where a game is wrong, and how."""
    where, said = source.label(speak), error_text(error, speak)
    if error.event is None:
        return f"{where}: {said}"
    # People count from one.
    number = speak.gettext("event number %(number)s", number=error.event + 1)
    if played.game is not None:
        number += f" ({event_text(played.game.events[error.event], speak)})"
    return f"{where}: {number}: {said}"


@click.command(help=help_texts.SETTLE_HELP)
@_shared
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def settle(ctx: click.Context, files: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Add up the payouts of games that are over; stops at the first that is not."""
    speak = _start(ctx, lang)
    payouts: list[dict[str, int]] = []
    for source in read_sources(files):
        if isinstance(source, Unreadable):
            ctx.exit(_complain_unreadable(source, speak))
        played = play(source.data)
        won = payout(played.states[-1]) if played.states else None
        if won is None:
            _refuse_to_settle(source, played, len(payouts), speak, as_json=as_json)
            ctx.exit(FAILED)
        payouts.append(won)
    balance = add_up(payouts)
    if as_json:
        _print_json(write_settlement(balance))
    else:
        _print_lines(settlement_lines(balance, len(payouts), speak, page_width()))


def _refuse_to_settle(
    source: Source, played: Played, game: int, speak: Language, *, as_json: bool
) -> None:
    """Say which game cannot be settled, `game` from 0, and why."""
    error = played.error or NotAllowed("still_playing")
    if as_json:
        code = "bad_file" if isinstance(error, BadFile) else "not_allowed"
        message = _fault(source, played, error, ENGLISH)
        about = {"game": game, "code": code, "message": message}
        _print_json({"format": SETTLEMENT, "error": about})
    else:
        _complain(_fault(source, played, error, speak))


def _lower(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    return value and value.lower()


@click.command(help=help_texts.COMPARE_HELP)
@_shared
@click.option("--rules", "preset", metavar="|".join(PRESETS), help=help_texts.RULES_HELP)
@click.option("--ties", metavar="|".join(get_args(Ties)), help=help_texts.TIES_HELP)
@click.option("--suit-order", metavar="hsdc", callback=_lower, help=help_texts.SUIT_ORDER_HELP)
@click.option("--flush-suits/--no-flush-suits", default=None, help=help_texts.FLUSH_SUITS_HELP)
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@click.pass_context
def compare(
    ctx: click.Context, /, hands: tuple[str, ...], as_json: bool, lang: str | None, **rules: object
) -> None:
    """Name each hand and the best."""
    speak = _start(ctx, lang)
    try:
        dealt = deal_hands(hands)
        result = compare_hands(dealt, how_to_compare(**rules))
    except ChicagoError as error:
        _refuse_to_compare(error, speak, as_json=as_json)
        ctx.exit(MISUSED)
    if as_json:
        _print_json(write_comparison(result))
    else:
        _print_lines(comparison_lines(dealt, result, speak))


def _refuse_to_compare(error: ChicagoError, speak: Language, *, as_json: bool) -> None:
    if as_json:
        about = {"code": error.code, "message": fault(error, ENGLISH)}
        _print_json({"format": COMPARE, "error": about})
    _complain(fault(error, speak))


@click.command("years", help=help_texts.YEARS_HELP)
@click.pass_context
@with_appcontext
def years(ctx: click.Context) -> None:
    """Work the figures of all games out anew."""
    speak = _start(ctx, None)
    games = statistics.recount(pool())
    click.echo(speak.ngettext("Worked out %(num)s game.", "Worked out %(num)s games.", games))


def _start(ctx: click.Context, lang: str | None) -> Language:
    """Choose language and colours, and write UTF-8 whatever the locale says."""
    ctx.color = colours_wanted()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return get_language(lang) if lang else from_environment(os.environ)


def _print_json(written: dict[str, object]) -> None:
    """One line of JSON; as bytes, because nothing may be taken out or encoded otherwise."""
    click.echo(json.dumps(written, ensure_ascii=False).encode("utf-8", "replace"))


def _print_lines(lines: Iterable[str]) -> None:
    click.echo("\n".join(lines))


def _complain(said: str) -> None:
    click.echo(coloured(plain(said), "red"), err=True)


def _complain_unreadable(source: Unreadable, speak: Language) -> int:
    """Say that a file cannot be read; the exit status for it."""
    values = {"file": click.format_filename(source.path), "why": source.why}
    _complain(speak.gettext("%(file)s cannot be read: %(why)s.", **values))
    return MISUSED

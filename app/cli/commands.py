"""The commands `flask score`, `settle` and `compare`, and those of the database."""

from __future__ import annotations

import copy
import inspect
import json
import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

import click
from flask import Flask

from app.cli import help_texts
from app.cli.comparison import (
    COMPARE,
    comparison_lines,
    describe_fault,
    read_comparison_rules,
    read_hands,
    write_comparison,
)
from app.cli.database_commands import backup, restore, years
from app.cli.output import complain, start_command
from app.cli.sources import STANDARD_INPUT, Replay, Source, UnreadableFile, play, read_sources
from app.cli.standing import game_lines, settlement_lines
from app.cli.terminal import faint, page_width, plain
from app.i18n.errors import error_text
from app.i18n.game import event_text
from app.i18n.language import CODES, Language, from_environment, get_language
from app.rules.errors import BadFile, ChicagoError, NotAllowed
from app.rules.gamefile import write_error, write_result
from app.rules.hands import Ties, compare_hands
from app.rules.presets import PRESETS
from app.rules.settlement import SETTLEMENT, add_up, payout, write_settlement

ENGLISH = get_language("en")
FAILED, MISUSED = 1, 2
_F = TypeVar("_F", bound=Callable[..., Any])


def register(app: Flask) -> None:
    """Add the commands to the application, with their help in the environment's language."""
    language = from_environment(os.environ)
    for command in (score, settle, compare, years, backup, restore):
        app.cli.add_command(_translate(command, language))


def _translate(command: click.Command, language: Language) -> click.Command:
    """The command with its help translated."""
    translation = copy.copy(command)
    text = command.help or ""
    translation.help = _keep_layout(language.gettext(text))
    translation.params = [copy.copy(param) for param in command.params]
    for param in translation.params:
        if isinstance(param, click.Option) and param.help:
            param.help = language.gettext(param.help)
    return translation


def _keep_layout(text: str) -> str:
    """A help text with click's mark on the paragraphs that keep their lines: the indented ones."""
    parts = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(f"\b\n{part}" if "\n  " in part else part for part in parts)


def _add_common_options(command: _F) -> _F:
    """The options that every command has."""
    as_json = click.option("--json", "as_json", is_flag=True, help=help_texts.JSON_HELP)
    lang = click.option("--lang", type=click.Choice(CODES), help=help_texts.LANG_HELP)
    return as_json(lang(command))


@click.command(help=help_texts.SCORE_HELP)
@_add_common_options
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def score(ctx: click.Context, files: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Score games, each printed as soon as it is done."""
    language = start_command(ctx, lang)
    several = len(files) > 1 or STANDARD_INPUT in files
    status = 0
    for source in read_sources(files):
        if isinstance(source, UnreadableFile):
            status = _complain_unreadable(source, language)
            continue
        replay = play(source.data)
        if as_json:
            _print_json(_result(replay))
        else:
            _print_protocol(source, replay, several, language)
        status = max(status, FAILED if replay.error else 0)
    ctx.exit(status)


def _result(replay: Replay) -> dict[str, object]:
    if replay.error is not None:
        return write_error(replay.error, error_text(replay.error, ENGLISH))
    return write_result(replay.states)


def _print_protocol(source: Source, replay: Replay, several: bool, language: Language) -> None:
    """The protocol of a game; of one that is refused somewhere, as far as it goes."""
    if several:
        click.echo(faint(f"═══ {plain(source.label(language))} ═══"))
    if replay.game is not None:
        _print_lines(game_lines(replay.game, replay.states, language, page_width()))
    if several:
        click.echo()
    if replay.error is not None:
        complain(_describe_fault(source, replay, replay.error, language))


def _describe_fault(
    source: Source, replay: Replay, error: BadFile | NotAllowed, language: Language
) -> str:
    """Where a game is wrong, and how."""
    where, text = source.label(language), error_text(error, language)
    if error.event is None:
        return f"{where}: {text}"
    # People count from one.
    number = language.gettext("event number %(number)s", number=error.event + 1)
    if replay.game is not None:
        number += f" ({event_text(replay.game.events[error.event], language)})"
    return f"{where}: {number}: {text}"


@click.command(help=help_texts.SETTLE_HELP)
@_add_common_options
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def settle(ctx: click.Context, files: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Add up the payouts of games that are over; stops at the first that is not."""
    language = start_command(ctx, lang)
    payouts: list[dict[str, int]] = []
    for source in read_sources(files):
        if isinstance(source, UnreadableFile):
            ctx.exit(_complain_unreadable(source, language))
        replay = play(source.data)
        amounts = None if replay.error else payout(replay.states[-1])
        if amounts is None:
            _refuse_to_settle(source, replay, len(payouts), language, as_json=as_json)
            ctx.exit(FAILED)
        payouts.append(amounts)
    balance = add_up(payouts)
    if as_json:
        _print_json(write_settlement(balance))
    else:
        _print_lines(settlement_lines(balance, len(payouts), language, page_width()))


def _refuse_to_settle(
    source: Source, replay: Replay, game: int, language: Language, *, as_json: bool
) -> None:
    """Say which game cannot be settled, `game` from 0, and why."""
    error = replay.error or NotAllowed("still_playing")
    if as_json:
        code = "bad_file" if isinstance(error, BadFile) else "not_allowed"
        message = _describe_fault(source, replay, error, ENGLISH)
        about = {"game": game, "code": code, "message": message}
        _print_json({"format": SETTLEMENT, "error": about})
    else:
        complain(_describe_fault(source, replay, error, language))


def _lower(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    return value and value.lower()


@click.command(help=help_texts.COMPARE_HELP)
@_add_common_options
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
    language = start_command(ctx, lang)
    try:
        cards = read_hands(hands)
        result = compare_hands(cards, read_comparison_rules(**rules))
    except ChicagoError as error:
        _refuse_to_compare(error, language, as_json=as_json)
        ctx.exit(MISUSED)
    if as_json:
        _print_json(write_comparison(result))
    else:
        _print_lines(comparison_lines(cards, result, language))


def _refuse_to_compare(error: ChicagoError, language: Language, *, as_json: bool) -> None:
    if as_json:
        about = {"code": error.code, "message": describe_fault(error, ENGLISH)}
        _print_json({"format": COMPARE, "error": about})
    complain(describe_fault(error, language))


def _print_json(data: dict[str, object]) -> None:
    """One line of JSON; as bytes, because nothing may be taken out or encoded otherwise."""
    click.echo(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))


def _print_lines(lines: Iterable[str]) -> None:
    click.echo("\n".join(lines))


def _complain_unreadable(source: UnreadableFile, language: Language) -> int:
    """Say that a file cannot be read; the exit status for it."""
    values = {"file": click.format_filename(source.path), "why": source.why}
    complain(language.gettext("%(file)s cannot be read: %(why)s.", **values))
    return MISUSED

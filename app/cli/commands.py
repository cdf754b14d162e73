"""The commands: games from files and from standard input, and those of the database."""

import errno
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import get_args

import click
import msgspec
from flask import Flask, current_app
from flask.cli import with_appcontext

from app.cli.output import (
    ENGLISH,
    FAILED,
    MISUSED,
    add_common_options,
    complain,
    game_lines,
    print_json,
    print_lines,
    settlement_lines,
    start_command,
)
from app.cli.output import gettext as _
from app.http.application import PACKAGE, ROOT, VERSION
from app.http.context import db
from app.i18n.cards import combination_text, verdict_text, write_card
from app.i18n.errors import describe, error_text
from app.i18n.game import event_text
from app.i18n.language import Language
from app.rules.codes import BadFile, BadHand, ChicagoError, NotAllowed
from app.rules.game import fold
from app.rules.gamefile import Game, decode_game, write_error, write_result
from app.rules.hands import Card, Comparison, ComparisonRules, Ties, compare_hands, parse_cards
from app.rules.names import read_name
from app.rules.presets import PRESETS, read_rules
from app.rules.settlement import SETTLEMENT, add_up, payout, write_settlement
from app.rules.state import GameState
from app.services import erasure, figures
from app.store.backup import back_up, put_back, require_file
from app.store.files import DatabaseUnavailable, ServerLock

COMPARE = "chicago-compare/1"
# gunicorn looks for modules in the folder it is run in first, where another `app` may be.
SERVE = (
    f"import sys; sys.path.append({str(PACKAGE.parent)!r}); import app;"
    " from gunicorn.app.wsgiapp import run; run(prog='chicago')"
)
Hands = Mapping[str, tuple[Card, ...]]


@click.command(
    help=_("""\
Name poker hands and find the single best one.

HAND is a name, a colon and five cards, as in "Anna: Ah Ad 9c 7s 2d". A card is its rank (2-10, \
T, J or Kn, Q or D, K, A or E) and its suit (s, h, d, c); case and spaces do not matter.

Exit status: 0 if they were compared, 2 for wrong usage or cards that cannot be a hand.
""")
)
@add_common_options
@click.option(
    "--rules",
    "preset",
    metavar="|".join(PRESETS),
    help=_("The rule set whose tie rule applies; by default huvudregler."),
)
@click.option(
    "--ties", metavar="|".join(get_args(Ties)), help=_("How equal combinations are decided.")
)
@click.option(
    "--suit-order", metavar="hsdc", help=_("The four suit letters, best first, such as hsdc.")
)
@click.option(
    "--flush-suits/--no-flush-suits",
    default=None,
    help=_("Whether straight and royal flushes of equal rank are decided by suit."),
)
@click.option(
    "--suit-first", is_flag=True, help=_("Whether the suit counts before the rank, in flushes too.")
)
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    hands: tuple[str, ...],
    as_json: bool,
    lang: str | None,
    suit_first: bool,
    **rules: object,
) -> None:
    """Name each hand and the best."""
    language = start_command(lang)
    if suit_first:
        rules["flush_suits"] = "suit_first"
    try:
        cards, house = read_hands(hands), read_comparison_rules(**rules)
        result = compare_hands(cards, house)
    except ChicagoError as error:
        if as_json:
            about = {"code": error.code, "message": _fault(error, ENGLISH)}
            print_json({"format": COMPARE, "error": about})
        complain(_fault(error, language))
        ctx.exit(MISUSED)
    if as_json:
        named = {name: hand and str(hand) for name, hand in result.named.items()}
        print_json({"format": COMPARE, "hands": named, "best": result.best})
    else:
        print_lines(comparison_lines(cards, result, house.ties, language))


def read_comparison_rules(**rules: object) -> ComparisonRules:
    """The tie rule of a rule set (`preset`), or the one that an option names (not None).

    Raises BadFile for an unknown rule set and for a value a rule cannot have.
    """
    given = {rule: value for rule, value in rules.items() if value is not None}
    if "suit_order" in given:
        given["suit_order"] = str(given["suit_order"]).lower()
    _preset, house = read_rules(given)
    return ComparisonRules(house.ties, house.suit_order, house.flush_suits)


def read_hands(texts: Iterable[str]) -> dict[str, tuple[Card, ...]]:
    """Read hands written as `Anna: Ah Ad 9c 7s 2d`.

    Raises BadFile for a name that is missing, bad or given twice, and BadHand, with the `player`
    it is about, for the cards.
    """
    hands: dict[str, tuple[Card, ...]] = {}
    for text in texts:
        before, colon, cards = text.partition(":")
        if not colon or not before.strip():
            raise BadFile("hand_without_name", value=text)
        name = read_name(before)
        if name in hands:
            raise BadFile("name_twice", player=name)
        try:
            hands[name] = parse_cards(cards)
        except BadHand as error:
            error.values["player"] = name
            raise
    return hands


def _fault(error: ChicagoError, language: Language) -> str:
    """The fault in one sentence, after the name of the player whose hand it is."""
    text = error_text(error, language)
    return f"{error.values['player']}: {text}" if isinstance(error, BadHand) else text


def comparison_lines(
    hands: Hands, result: Comparison, ties: Ties, language: Language
) -> Iterator[str]:
    """Every hand and its name, and the winner with the deciding cards."""
    for name, cards in hands.items():
        written = " ".join(write_card(card, language) for card in cards)
        yield f"{name} · {written} · {combination_text(result.named[name], language)}"
    yield ""
    yield verdict_text(result, ties, language=language)


STANDARD_INPUT = "-"


class Replay(msgspec.Struct, frozen=True):
    """A game replayed as far as it holds, and the error that stopped it, if any.

    `line` is that of standard input, from 1. `game` is None where it could not be read; then there
    are no states.
    """

    file: str
    line: int | None = None
    game: Game | None = None
    states: Sequence[GameState] = ()
    error: BadFile | NotAllowed | OSError | None = None


FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")


@click.command(
    help=_("""\
Score games of Chicago and print their score sheets.

FILE holds one game, as described in docs/FORMAT.md; - is standard input, with one game per line.

Exit status: 0 if every game was scored, 1 if one could not be, 2 for wrong usage or a file that \
cannot be read.
""")
)
@add_common_options
@FILES
@click.pass_context
def score(ctx: click.Context, files: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Score games, each printed as soon as it is done."""
    language = start_command(lang)
    several = len(files) > 1 or STANDARD_INPUT in files
    status = 0
    for replay in _replays(files):
        match replay.error:
            case OSError():
                complain(_describe_fault(replay, replay.error, language))
                status = MISUSED
                continue
            case BadFile() | NotAllowed() as error if as_json:
                print_json(write_error(error, error_text(error, ENGLISH)))
            case _ if as_json:
                print_json(write_result(replay.states))
            case _:
                _print_protocol(replay, several, language)
        status = max(status, FAILED if replay.error else 0)
    ctx.exit(status)


def _print_protocol(replay: Replay, several: bool, language: Language) -> None:
    """The protocol of a game; of one that is refused somewhere, as far as it goes."""
    lines = [f"═══ {_label(replay, language)} ═══"] if several else []
    if replay.game is not None:
        lines += game_lines(replay.game, replay.states, language)
    if lines:
        print_lines([*lines, *([""] if several else [])])
    if replay.error is not None:
        complain(_describe_fault(replay, replay.error, language))


@click.command(
    help=_("""\
Add up the games of an evening and say who pays whom.

Takes the same files as score. Every game must be over: finished, or broken off.

Exit status: 0 if they were settled, 1 if a game could not be scored or is still being played, 2 \
for wrong usage or a file that cannot be read.
""")
)
@add_common_options
@FILES
@click.pass_context
def settle(ctx: click.Context, files: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Add up the payouts of games that are over; stops at the first that is not."""
    language = start_command(lang)
    payouts: list[dict[str, int]] = []
    for replay in _replays(files):
        amounts = None if replay.error else payout(replay.states[-1])
        if amounts is None:
            error = replay.error or NotAllowed("still_playing")
            if as_json and not isinstance(error, OSError):
                message = _describe_fault(replay, error, ENGLISH)
                about = {"game": len(payouts), "code": error.kind, "message": message}
                print_json({"format": SETTLEMENT, "error": about})
            else:
                complain(_describe_fault(replay, error, language))
            ctx.exit(MISUSED if isinstance(error, OSError) else FAILED)
        payouts.append(amounts)
    balance = add_up(payouts)
    if as_json:
        print_json(msgspec.to_builtins(write_settlement(balance)))
    else:
        print_lines(settlement_lines(balance, len(payouts), language))


def _replays(paths: Iterable[str]) -> Iterator[Replay]:
    """Every game in some files, in order; `-` is standard input, a game on each line."""
    for path in paths:
        name = click.format_filename(path)
        try:
            if path != STANDARD_INPUT:
                yield _play(name, None, Path(path).read_bytes())
            elif sys.stdin is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            else:
                for number, line in enumerate(sys.stdin.buffer, start=1):
                    if line.strip():
                        yield _play(path, number, line)
        except OSError as error:
            yield Replay(name, error=error)


def _play(file: str, line: int | None, data: bytes) -> Replay:
    """Read a game and play it; a fault is in the answer, nothing is raised."""
    try:
        game = decode_game(data)
    except BadFile as error:
        return Replay(file, line, error=error)
    return Replay(file, line, game, *fold(game.setup, game.events))


def _label(replay: Replay, language: Language) -> str:
    """The file or the line that a game is from."""
    if replay.line is None:
        return replay.file
    return language.gettext("standard input, line %(line)s", line=replay.line)


def _describe_fault(
    replay: Replay, error: BadFile | NotAllowed | OSError, language: Language
) -> str:
    """The sentence that says where a game is wrong, and how."""
    if isinstance(error, OSError):
        values = {"file": replay.file, "why": error.strerror}
        return language.gettext("%(file)s cannot be read: %(why)s.", **values)
    where, text = _label(replay, language), error_text(error, language)
    if error.event is None:
        return f"{where}: {text}"
    # People count from one.
    number = language.gettext("event number %(number)s", number=error.event + 1)
    if replay.game is not None:
        number += f" ({event_text(replay.game.events[error.event], language)})"
    return f"{where}: {number}: {text}"


FILE = click.argument("file", metavar="FILE", type=click.Path(path_type=Path))


@click.command(
    help=_("""\
Recalculate what the page of the years shows.

Everything is counted again from the recorded games; nothing else changes, however often it is \
done.
""")
)
@click.pass_context
@with_appcontext
def years(ctx: click.Context) -> None:
    """Work the figures of all games out anew."""
    with _fail_in_words(ctx) as language:
        require_file(_database())
        games = figures.recount_all(db())
        text = language.ngettext("Recalculated %(num)s game.", "Recalculated %(num)s games.", games)
        print_lines([text])


@click.command(
    help=_("""\
Copy the database to FILE while people play.

The copy is checked before it is put in place. An existing FILE is replaced only if it is such a \
copy.

Exit status: 0 if it was copied, 1 if no copy was made and FILE is unchanged.
""")
)
@FILE
@click.pass_context
@with_appcontext
def backup(ctx: click.Context, file: Path) -> None:
    """Copy the database to a file, and say so once it is whole and on disk."""
    with _fail_in_words(ctx) as language:
        back_up(_database(), file)
        name = click.format_filename(file)
        print_lines([language.gettext("%(file)s is a sound copy of the database.", file=name)])


@click.command(
    help=_("""\
Restore the database from a copy that backup has made.

Stop the server first. Anything recorded after the copy was made is lost.

Exit status: 0 if it was restored, 1 if not, and the database is unchanged.
""")
)
@FILE
@click.pass_context
@with_appcontext
def restore(ctx: click.Context, file: Path) -> None:
    """Put a backup in the place of the database."""
    with _fail_in_words(ctx) as language:
        put_back(_database(), file)
        name = click.format_filename(file)
        print_lines([language.gettext("The database has been restored from %(file)s.", file=name)])


@click.command(
    help=_("""\
Rewrite the database, so that nothing that was forgotten is left in its files.

Stop the server first; its next start does the same.

Exit status: 0 if nothing is left, 1 if something may be.
""")
)
@click.pass_context
@with_appcontext
def vacuum(ctx: click.Context) -> None:
    """Clear erased content from the files of the database."""
    with _fail_in_words(ctx) as language:
        require_file(_database())
        with closing(ServerLock(_database())):
            if not erasure.clear_files(db()):
                complain(
                    language.gettext("Some of it may be left: the database is still being read.")
                )
                ctx.exit(FAILED)
        print_lines([language.gettext("Nothing that was forgotten is left in the files.")])


def _database() -> Path:
    return Path(current_app.config["DATABASE"])


@contextmanager
def _fail_in_words(ctx: click.Context) -> Iterator[Language]:
    """End with status 1 and a sentence where the database cannot be used.

    A command that is to end first clears away what it has begun.
    """
    language = start_command()
    for number in (signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, lambda *_: sys.exit(FAILED))
    try:
        yield language
    except DatabaseUnavailable as error:
        complain(describe(error, _database(), language))
        ctx.exit(FAILED)


@click.group(help=_("Keeps the score of the card game Chicago."))
@click.version_option(VERSION, prog_name="chicago", message="%(prog)s %(version)s")
def chicago() -> None:
    """Offer the commands of `flask --app app`, and the server."""


@chicago.command(
    help=_("""\
Serve the score keeper, and print its address and a QR code for the phones in the house.

The database is the file that CHICAGO_DB names, or by default one kept with your own settings.
""")
)
@click.option("--host", help=_("The address to listen on; by default HOST, or else all of them."))
@click.option("--port", help=_("The port; by default PORT, or else 8000."))
def run(host: str | None, port: str | None) -> None:
    """Become gunicorn, with our settings."""
    os.environ |= {name: value for name, value in (("HOST", host), ("PORT", port)) if value}
    settings = ["--config", str(ROOT / "gunicorn.conf.py"), "app:create_app()"]
    os.execv(sys.executable, [sys.executable, "-P", "-c", SERVE, *settings])  # noqa: S606


COMMANDS = (score, settle, compare, years, backup, restore, vacuum)


for _command in COMMANDS:
    chicago.add_command(_command)


def register(app: Flask) -> None:
    """Add the commands to the application."""
    for command in COMMANDS:
        app.cli.add_command(command)

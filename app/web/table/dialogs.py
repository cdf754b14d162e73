"""The sheets that slide up: score or zero, who tied, one player's rights, and all that is rare."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from flask import Blueprint, render_template, request
from werkzeug.exceptions import NotFound

from app.http import context
from app.i18n.errors import error_text
from app.i18n.game import hand_label, hand_name
from app.i18n.language import N_, Language
from app.i18n.rule_summary import features, preset_label
from app.rules.checks import can, zeroes
from app.rules.events import BestHand, BreakOff, Event, FalseClaim, IllegalExchange, Leaves
from app.rules.hands import Hand
from app.rules.house import listed_hands, points_of, zeroing_of
from app.rules.needs import Play, Way, needs
from app.rules.rights import can_win, may_bid, may_exchange, must_show
from app.rules.state import GameState
from app.services import tables
from app.services.tables import Sheet
from app.web.table.event_form import event_value

PLAYS: Mapping[Play, str] = {
    "nothing": "",
    "trick": N_("the last trick"),
    "trick_with_two": N_("the last trick with a two"),
    "chicago": N_("a Chicago made"),
    "blind": N_("a blind Chicago made"),
    "blind_with_two": N_("a blind Chicago made with a two"),
}

bp = Blueprint("dialogs", __name__, url_prefix="/t/<link>")


class Answer(msgspec.Struct, frozen=True):
    """One answer: its words, the event it records, and whether it may be given now."""

    label: str
    event: str
    open: bool


@bp.get("/hand/<int:number>/<name>")
def hand(link: str, number: int, name: str) -> str:
    """Score or zero, and whom."""
    sheet = tables.sheet(context.pool(), link)
    if name not in list(Hand):
        raise NotFound
    player, shown = _player(sheet, number), Hand(name)
    choices = _hand_choices(sheet.state, player, shown, context.language())
    return _show(
        link,
        sheet,
        "hand",
        player=player,
        hand=hand_name(shown, context.language()),
        choices=choices,
    )


@bp.get("/tie")
def tie(link: str) -> str:
    """Which hand tied, and between whom."""
    sheet = tables.sheet(context.pool(), link)
    language = context.language()
    hands = [(str(h), hand_label(h, language)) for h in listed_hands(sheet.state.rules)]
    return _show(link, sheet, "tie", hands=hands)


@bp.get("/player/<int:number>")
def player(link: str, number: int) -> str:
    """What one player may do and why, and what else can be recorded for that player."""
    sheet = tables.sheet(context.pool(), link)
    name, language = _player(sheet, number), context.language()
    return _show(
        link,
        sheet,
        "player",
        player=name,
        verdicts=verdicts(sheet.state, name, language),
        choices=_rare_choices(sheet.state, name, language),
        needed=ways(sheet.state, name, language),
    )


@bp.get("/more")
def more(link: str) -> str:
    """Everything that is seldom needed."""
    sheet, language = tables.sheet(context.pool(), link), context.language()
    setup, _ = sheet.game.setup, language.gettext
    choices = [
        _choice(sheet.state, _("Break off: settle as it stands"), BreakOff(settle=True)),
        _choice(sheet.state, _("Break off: nobody pays"), BreakOff(settle=False)),
    ]
    return _show(
        link,
        sheet,
        "more",
        preset=preset_label(setup.preset, language),
        features=features(setup.rules, language),
        choices=choices,
    )


def verdicts(state: GameState, name: str, language: Language) -> list[tuple[bool, str]]:
    """May this player exchange, bid and win, and what must be shown: yes or no with the reason."""
    _ = language.gettext
    judged = [may_exchange(state, name), may_bid(state, name), can_win(state, name)]
    said = list(dict.fromkeys((v.ok, error_text(v, language)) for v in judged))
    shown = [hand_name(hand, language) for hand in must_show(state, name)]
    if shown:
        text = _("%(player)s shows %(hands)s before breaking it up.")
        said.append((True, text % {"player": name, "hands": language.listing(shown)}))
    return said


def ways(state: GameState, name: str, language: Language) -> tuple[str, list[str]]:
    """What would let a player win in this deal: a heading, and the ways there are."""
    _, needed = language.gettext, needs(state, name)
    if state.over or name not in state.playing:
        return "", []
    if needed.ways:
        return _("Wins in this deal with"), [_way(way, language) for way in needed.ways]
    missing = language.points(needed.missing)
    if needed.missing:
        return _("Cannot win in this deal: %(missing)s missing.", missing=missing), []
    return _("Cannot win in this deal."), []


def _way(way: Way, language: Language) -> str:
    """One way of winning: the play, and the least hand it takes."""
    play = language.gettext(PLAYS[way.play]) if PLAYS[way.play] else ""
    hand = ""
    if way.hand is not None:
        least = hand_name(way.hand, language)
        hand = language.gettext("at least %(hand)s", hand=least)
    return " + ".join(part for part in (play, hand) if part) or language.gettext("nothing more")


def _show(link: str, sheet: Sheet, ask: str, **values: object) -> str:
    """A sheet within the page, or as a page of its own where there is no script."""
    return render_template(
        f"dialogs/{'_' if 'HX-Request' in request.headers else ''}{ask}.html",
        link=link,
        sheet=sheet,
        state=sheet.state,
        writes=tables.may_write(context.pool(), link, context.pen()),
        **values,
    )


def _player(sheet: Sheet, number: int) -> str:
    players = sheet.game.setup.players
    if not 1 <= number <= len(players):
        raise NotFound
    return players[number - 1]


def _choice(state: GameState, label: str, event: Event) -> Answer:
    return Answer(label, event_value(event), can(state, event))


def _hand_choices(state: GameState, name: str, hand: Hand, language: Language) -> list[Answer]:
    """Every way of booking this hand for this player."""
    _, points = language.gettext, language.points(points_of(state.rules, hand))
    choices = []
    for choose in ("score", "zero"):
        if choose == "zero" and zeroing_of(state.rules, hand) != "choice":
            continue
        event = BestHand(player=name, hand=hand, choose=choose)
        for victim in _victims(state, event):
            label = _zero_label(event, victim, points, language)
            choices.append(_choice(state, label, msgspec.structs.replace(event, victim=victim)))
    return choices


def _victims(state: GameState, event: BestHand) -> list[str | None]:
    if state.rules.zeroing_victims == "others" or not zeroes(state.rules, event):
        return [None]
    return [name for name in state.playing if name != event.player]


def _zero_label(event: BestHand, victim: str | None, points: str, language: Language) -> str:
    _ = language.gettext
    if event.choose == "score":
        return (
            _("%(points)s, and zero %(victim)s", points=points, victim=victim) if victim else points
        )
    return _("Zero %(victim)s", victim=victim) if victim else _("Zero all the others")


def _rare_choices(state: GameState, name: str, language: Language) -> list[Answer]:
    _, rules = language.gettext, state.rules
    choices = [_choice(state, _("Leaves the game"), Leaves(player=name))]
    if rules.false_claim_loses:
        choices.append(_choice(state, _("Claimed falsely: out"), FalseClaim(player=name)))
    if rules.illegal_exchange == "zeroed":
        label = _("Exchanged in spite of the stop: zero")
        choices.append(_choice(state, label, IllegalExchange(player=name)))
    return choices

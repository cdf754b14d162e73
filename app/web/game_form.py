"""The form that seats a game; a page of rules carries it along while they are changed."""

import secrets
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import Meta
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from app.http import context, cookies
from app.http.forms import (
    LONGEST_FIELD,
    LONGEST_TEXT,
    Refusal,
    read_field,
)
from app.i18n.house_rules import differences, preset_label, preset_source
from app.i18n.language import format_amount, isolate, read_money, usual_currency
from app.rules.codes import BadFile
from app.rules.gamefile import DEFAULT_STAKE_ORE, MAX_STAKE_ORE
from app.rules.house import OPTIONS, HouseRules
from app.rules.names import (
    LONGEST_TYPED,
    MAX_PLAYERS,
    MIN_PLAYERS,
    ask_about,
    decode,
    join_names,
    read_players,
)
from app.rules.presets import (
    DEFAULT_PRESET,
    PRESETS,
    read_code,
    write_code,
    write_rules,
)
from app.rules.settlement import USUAL, Amount, Currency, read_currency
from app.services import phones
from app.services.access import hash_secret
from app.services.table_view import TableView
from app.web.rule_form import (
    fill_form,
    form_values,
    questions,
    read_form,
)
from app.web.templates import render

DRAWN, OWN, SAVED = "draw", "own", "saved"
# The button of a script that sends what was typed before.
RESTORED = "restored"
MOST_DIFFERENCES = 6
# So many of those kept on the phone stand in the open.
MOST_KEPT = 5
# The stake that is suggested for a point: one krona, or ten cents.
USUAL_STAKES: Mapping[Currency, int] = {"SEK": DEFAULT_STAKE_ORE, "EUR": 10}
# So much of a form another page carries: more than any that can be played.
LONGEST_PACKED = 2 * LONGEST_FIELD


# More than may play, so that it is said when there are too many.
MOST_SEATS = 2 * MAX_PLAYERS
Seats = Annotated[list[Annotated[str, Meta(max_length=LONGEST_TYPED)]], Meta(max_length=MOST_SEATS)]


class GameForm(msgspec.Struct):
    """The form as filled in so far; `dealer` is a seat from 0, or drawn by lot.

    `was` are the names that are changed, by seat, where a game is being played, and `dealt` is who
    dealt when the form was opened.

    `preset` names a published rule set, one kept on the phone (`saved:7`), or `own`: then `own`
    holds the rules as a link carries them. `stake` is in `currency`.
    """

    players: Seats
    preset: str
    stake: str
    dealer: str = DRAWN
    name: str = ""
    own: str = ""
    currency: str = USUAL
    was: Seats = []
    dealt: str = ""


class KnownRules(msgspec.Struct, frozen=True):
    """Rules to start from, by their key in a form: published, kept on the phone, or a table's."""

    key: str
    label: str
    preset: str
    rules: HouseRules

    @property
    def points(self) -> list[str]:
        """Whose the published set is, and some of what differs from it."""
        language = context.language()
        differ = differences(PRESETS[self.preset], self.rules, language)
        more = ["…"] if differ[MOST_DIFFERENCES:] else []
        return [preset_source(self.preset, language), *differ[:MOST_DIFFERENCES], *more]


def published_rules(preset: str) -> KnownRules:
    """A published set."""
    return KnownRules(preset, preset_label(preset, context.language()), preset, PRESETS[preset])


def kept_rules() -> list[KnownRules]:
    """The sets kept on this phone."""
    return [
        KnownRules(f"{SAVED}:{each.id}", each.name, each.preset, each.rules)
        for each in phones.list_rule_sets(context.db(), cookies.pen())
    ]


def find_rules(key: str) -> KnownRules | None:
    """A set that is published or kept on this phone; None where there is none."""
    if key in PRESETS:
        return published_rules(key)
    return next((each for each in kept_rules() if each.key == key), None)


def empty_form(last: TableView | None) -> GameForm:
    """An empty table, with the rules, the stake and the currency of the last one."""
    if last is None:
        currency = usual_currency(context.language())
        stake = format_amount(USUAL_STAKES[currency])
        return GameForm([], DEFAULT_PRESET, stake, currency=currency)
    setup = last.state.setup
    form = GameForm([], setup.preset, format_amount(setup.stake_ore), currency=last.currency)
    choose_rules(form, setup.preset, setup.preset, setup.rules)
    return form


def form_of(view: TableView, dealer: str) -> GameForm:
    """A game's people in their seats, `dealer` dealing, with its rules, stake and currency."""
    form = empty_form(view)
    form.players = list(view.state.players)
    form.dealer = str(form.players.index(dealer))
    return form


def pack(form: GameForm) -> str:
    """The form as a hidden field of another page carries it, but for its rules."""
    return msgspec.json.encode(replace(form, preset=DEFAULT_PRESET, own="")).decode()


def unpack(packed: str) -> GameForm | None:
    """The form that such a field carries, None where it holds none."""
    with suppress(BadFile, msgspec.ValidationError):
        return msgspec.convert(decode(packed.encode("utf-8", "replace")), GameForm)
    return None


def choose_rules(form: GameForm, key: str, preset: str, rules: HouseRules) -> None:
    """Let the form have these rules: the set of this key as it is, or with differences from it."""
    form.preset, form.own = key, ""
    if (preset, rules) != rules_of(form):
        form.preset, form.own = OWN, write_code(preset, rules)


def take_answers(form: GameForm, fields: MultiDict[str, str]) -> None:
    """Change the rules by what was answered otherwise than it stood. Raises BadFile."""
    if "shown" not in fields:
        return
    stood = fill_form(read_code(fields["shown"][:LONGEST_FIELD])[1])
    preset, rules = rules_of(form)
    otherwise = {name: texts for name, texts in fields.lists() if texts != stood.get(name, texts)}
    answered, faults = read_form(fill_form(rules) | otherwise, rules)
    for fault in faults.values():
        raise fault
    if answered != rules:
        choose_rules(form, preset, preset, answered)


def rules_of(form: GameForm) -> tuple[str, HouseRules]:
    """The rules that are chosen, and the published set they started from. Raises BadFile."""
    if form.preset == OWN:
        return read_code(form.own)
    known = find_rules(form.preset)
    if known is None:
        raise BadFile("unknown_preset", value=form.preset)
    return known.preset, known.rules


def _list_known(form: GameForm) -> list[KnownRules]:
    """All rules one may choose: changed for this table, kept on the phone, and published.

    Of those kept some come first; the others come last, where a long list is folded.
    """
    own, kept = list[KnownRules](), kept_rules()
    with suppress(BadFile):
        own = [KnownRules(OWN, context.gettext("Our own rules"), *read_code(form.own))]
    return [*own, *kept[:MOST_KEPT], *map(published_rules, PRESETS), *kept[MOST_KEPT:]]


FRAGMENT = "setup/_form.html"
# A stake that is typed, none of those offered.
OTHER = "other"
MAX_SUGGESTIONS = 24


def read_game_form(fields: MultiDict[str, str], currency: Currency = USUAL) -> GameForm:
    """Read a form as far as a form of ours can hold it: it is shown again.

    A stake that is offered names its currency (`1 SEK`); without any it is this one.
    """
    offered, stake, unit = fields.get("point", OTHER), fields.get("stake", ""), ""
    if offered != OTHER:
        stake, _, unit = offered.partition(" ")
    players, was = (
        [name[:LONGEST_TYPED] for name in fields.getlist(each)[:MOST_SEATS]]
        for each in ("player", "seated")
    )
    return GameForm(
        players,
        fields.get("preset", DEFAULT_PRESET)[:LONGEST_TEXT],
        stake[:LONGEST_FIELD],
        fields.get("dealer", DRAWN)[:LONGEST_TEXT],
        fields.get("name", "")[:LONGEST_TEXT],
        fields.get("own", "")[:LONGEST_FIELD],
        (unit or fields.get("currency", currency))[:LONGEST_TEXT],
        was,
        fields.get("dealt", "")[:LONGEST_TYPED],
    )


def setup_of(form: GameForm, known: Collection[str] = ()) -> dict[str, object]:
    """The form as a game file writes it; `known` are names at the table. Raises BadFile."""
    return {
        **seats_of(form, known),
        "stake_ore": read_field("stake", lambda: _stake(form)),
        "rules": write_rules(*rules_of(form)),
    }


def seats_of(
    form: GameForm, known: Collection[str], *, moves_on: bool = False
) -> dict[str, object]:
    """Who sits, and who deals first, as a game file writes it; or the deal moves on.

    Raises BadFile.
    """
    players = read_field("player", lambda: _names(form, known))
    if moves_on:
        return {"players": players}
    dealer = secrets.choice(players) if is_drawn(form) else form.players[int(form.dealer)]
    return {"players": players, "dealer": dealer}


def is_drawn(form: GameForm) -> bool:
    """Whether the first dealer is drawn by lot, as nobody seated was chosen."""
    seat = _seat(form.dealer, form.players)
    return seat is None or not form.players[seat].strip()


def tell_lot(form: GameForm, view: TableView) -> str:
    """The message on whom the lot fell; empty where nobody was drawn."""
    dealer = view.game.setup.dealer
    lot = context.gettext("%(player)s was drawn to deal first.", player=isolate(dealer))
    return lot if is_drawn(form) else ""


def _names(form: GameForm, known: Collection[str]) -> tuple[str, ...]:
    """Read the players. Raises BadFile; for names that look alike only once."""
    typed = [name for name in form.players if name.strip()]
    if len(typed) < MIN_PLAYERS:
        raise BadFile("too_few_names")
    players = read_players(typed)
    ask_about(players, request.form.get("asked", ""), known)
    return players


def _stake(form: GameForm) -> int:
    """Read the stake in öre, or cents, a point.

    Raises BadFile when it cannot be read, or is out of bounds.
    """
    currency = read_currency(form.currency)
    stake = read_money(form.stake, currency, context.language())
    if stake is None:
        if currency == "EUR":
            raise BadFile("stake_unreadable_in_euros", typed=form.stake)
        raise BadFile("stake_unreadable", typed=form.stake)
    if not 0 <= stake <= MAX_STAKE_ORE:
        most = Amount(MAX_STAKE_ORE, currency)
        raise BadFile("stake_out_of_range", ore=most, typed=form.stake)
    return stake


def rearrange(form: GameForm, do: str) -> GameForm:
    """The form after a button: somebody away, somebody one seat up, or a name filled in."""
    action, _, which = do.partition(":")
    if action == "name":
        # The first empty seat is theirs.
        if "" in form.players and which not in form.players:
            form.players[form.players.index("")] = which
    elif (seat := _seat(which, form.players)) is not None:
        _move(form, action, seat)
    return form


def _seat(text: str, players: list[str]) -> int | None:
    """The seat that a button or the dealer's mark names, None when there is no such seat."""
    seats = [str(seat) for seat in range(len(players))]
    return seats.index(text) if text in seats else None


def _move(form: GameForm, action: str, seat: int) -> None:
    """Take somebody away, or change places with the one before; the dealer's mark goes along."""
    order, dealer = list(range(len(form.players))), _seat(form.dealer, form.players)
    if action == "remove":
        order.remove(seat)
    elif action == "up" and seat > 0:
        order[seat - 1], order[seat] = order[seat], order[seat - 1]
    form.players = [form.players[old] for old in order]
    form.was = [form.was[old] for old in order if old < len(form.was)]
    form.dealer = str(order.index(dealer)) if dealer in order else DRAWN


def suggest(names: Iterable[str], form: GameForm) -> list[str]:
    """Names to fill in with a tap: each once, but for those who have a seat already."""
    return [name for name in dict.fromkeys(names) if name not in form.players][:MAX_SUGGESTIONS]


def render_game_form(
    page: str,
    form: GameForm,
    refusal: Refusal | None,
    view: TableView | None = None,
    **values: object,
) -> Response:
    """The page that seats a game, or the form on it that htmx swaps.

    An address may choose its rules, by the fields in which the form has them.
    """
    if "preset" in request.args and request.form.get("do", RESTORED) == RESTORED:
        chosen = read_game_form(request.args)
        form.preset, form.own = chosen.preset, chosen.own
    form.players += [""] * (MAX_PLAYERS - len(form.players))
    form.was += [""] * (len(form.players) - len(form.was))
    preset, rules = rules_or_usual(form)
    # An answer that cannot be read stays as it was written.
    unread = {refusal.field.partition(".")[0]} & {*OPTIONS} if refusal else ()
    return render(
        page,
        FRAGMENT,
        refusal,
        form=form,
        view=view,
        # A fingerprint of what the form begins with: an unfinished one of before does not fit.
        origin=hash_secret(repr((view.number, view.state.setup, view.state.players)))[:16]
        if view
        else "",
        rules=rules,
        choices=_list_known(form),
        shown=write_code(preset, rules),
        leading=questions(PRESETS[preset], rules),
        values=form_values(rules, request.form.to_dict(flat=False), unread),
        asked=join_names(form.players) if refusal and refusal.field == "player" else "",
        **_stakes(form),
        **values,
    )


def rules_or_usual(form: GameForm) -> tuple[str, HouseRules]:
    """As `rules_of`; the usual ones where they cannot be read."""
    try:
        return rules_of(form)
    except BadFile:
        return DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]


def _stakes(form: GameForm) -> dict[str, object]:
    """The stake that is offered, and which one is chosen: that, nothing, or another."""
    currency: Currency = "EUR" if form.currency == "EUR" else USUAL
    usual, ore = USUAL_STAKES[currency], None
    with suppress(BadFile):  # It is told at its field.
        ore = read_money(form.stake, currency, context.language())
    offered = f"{format_amount(usual)} {currency}"
    point = "0" if ore == 0 else offered if ore == usual else OTHER
    return {"point": point, "offered": offered, "offered_ore": usual, "offered_in": currency}

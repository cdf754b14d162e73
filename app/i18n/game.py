"""Names of the game's things, events and effects in words; records, and the course of a game."""

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import attrgetter

from msgspec.structs import asdict

from app.i18n.cards import hand_name
from app.i18n.effects import EFFECTS
from app.i18n.house_rules import rules_from_text
from app.i18n.language import N_, Language
from app.rules.codes import BestCode, CourseCode, EffectCode, RowCode
from app.rules.events import (
    BestHand,
    BreakOff,
    Chicago,
    ChicagoResult,
    Correction,
    Event,
    FalseClaim,
    IllegalExchange,
    Joins,
    LastTrick,
    Leaves,
    NoBestHand,
    Rules,
)
from app.rules.facts import exchange_ahead
from app.rules.hands import Hand
from app.rules.house import HouseRules, points_of
from app.rules.names import short_names
from app.rules.outcome import Value
from app.rules.protocol import Episode, Moment, TableRecord
from app.rules.rights import is_stopped
from app.rules.settlement import Currency, losses
from app.rules.state import Effect, GameState, Step, exchanges, scorers

# By whether a score went up: of one player, and of several.
SWINGS = {
    True: (
        N_("%(players)s took %(points)s %(when)s"),
        N_("%(players)s took %(points)s each %(when)s"),
    ),
    False: (
        N_("%(players)s lost %(points)s %(when)s"),
        N_("%(players)s lost %(points)s each %(when)s"),
    ),
}

# Of the winners, beneath their names, where what they did last says it; and where not.
WON_WITH, WON = N_("won with %(how)s in deal %(deal)s"), N_("won in deal %(deal)s: %(how)s")
NOUNS: Collection[EffectCode] = ("hand", "last_trick", "last_trick_with_two")
ENDINGS: Mapping[EffectCode, str] = {
    "won_shared": N_("share the win: tied at the top"),
    "won_tie_break": N_("won the tie-break"),
    "won_last_left": N_("won: nobody else is left"),
    "broken_off_settled": N_("ahead when the game was broken off"),
}

BEST_HAND, LAST_TRICK = N_("Who has the best hand?"), N_("Who took the last trick?")
EVERYBODYS = N_("What does each player have?")
QUESTIONS: Mapping[Step, str] = {
    Step.HAND_0: N_("Best hand as dealt?"),
    Step.HAND_1: BEST_HAND,
    Step.HAND_2: BEST_HAND,
    Step.HAND_3: BEST_HAND,
    Step.PLAY: LAST_TRICK,
    Step.CHICAGO_PLAY: N_("%(player)s plays Chicago"),
    Step.LAST_TRICK: LAST_TRICK,
    Step.FINAL_HAND: BEST_HAND,
    Step.OVER: N_("The game is over"),
}
BLIND = N_("%(player)s plays Chicago blind")
# By how many exchanges the table has.
LAST_EXCHANGE = (
    N_("Exchange, then play"),
    N_("Exchange 2, then play"),
    N_("Exchange 3, then play"),
)


def row_label(code: RowCode, hand: Hand | None, by: str | None, language: Language) -> str:
    """The label of a line of the protocol: `Par`, `Sista stick`."""
    match code:
        case "nobody":
            return language.gettext("Nobody")
        case "nobody_else":
            return language.gettext("Nobody else")
        case "tied":
            template = N_("Tied: %(hand)s")
        case _:
            template = EFFECTS[code].row
    name = hand_name(hand, language) if hand else ""
    label = language.gettext(template) % {"hand": name, "by": by or ""}
    return label[0].upper() + label[1:]


def cell_word(code: RowCode, language: Language) -> str:
    """The word for a player in a line that changes no score: `ropar`; or nothing."""
    match code:
        case "nobody" | "nobody_else":
            return ""
        case "tied":
            return language.gettext("tied")
        case _:
            word = EFFECTS[code].cell
            return language.gettext(word) if word else ""


def step_question(state: GameState, language: Language) -> str:
    """The question of the step; the last exchange comes before the play in one breath."""
    if state.deal.step is Step.PLAY and exchange_ahead(state):
        return language.gettext(LAST_EXCHANGE[exchanges(state.setup) - 1])
    if scorers(state) == "everyone":
        return language.gettext(EVERYBODYS)
    blind = state.deal.blind and state.deal.step is Step.CHICAGO_PLAY
    message = BLIND if blind else QUESTIONS[state.deal.step]
    declarer = short_names(state.players).get(state.deal.declarer or "", "")
    return language.gettext(message) % {"player": language.name(declarer)}


def effect_text(effect: Effect, language: Language) -> str:
    """One thing an event set off, in words."""
    return language.gettext(EFFECTS[effect.code].sentence) % {
        "player": language.names([effect.player] if effect.player else effect.players),
        "by": language.name(effect.by or ""),
        "points": language.signed(effect.points),
        "hand": hand_name(effect.hand, language) if effect.hand else "",
        "players": language.names(effect.players),
        "reached": "" if effect.reached is None else language.points(effect.reached),
        "target": effect.reached,
        "rules": rules_from_text(effect.change, language) if effect.change else "",
    }


def ending_text(state: GameState, language: Language) -> str:
    """How the winners of a game that is over have won: `won with the last trick in deal 9`."""
    end, deal = state.effects[-1], state.deal.number
    if end.code in ENDINGS:
        return language.gettext(ENDINGS[end.code])
    own = (each for each in state.effects if each.player in state.winners and each.points >= 0)
    for effect in own:
        if reason := EFFECTS[effect.code].reason:
            how = language.gettext(reason) % {
                "hand": hand_name(effect.hand, language) if effect.hand else "",
                "by": language.name(effect.by or ""),
            }
            told = WON_WITH if effect.code in NOUNS else WON
            return language.gettext(told, how=how, deal=deal)
    return language.gettext("won at the end of deal %(deal)s", deal=deal)


def swing_text(
    moment: Moment, name: Callable[[str], str], language: Language, *, of_evening: bool
) -> str:
    """A moment for friends: `Bo lost 48 points in deal 7: Anna zeroed with four of a kind`."""
    when = N_("in game %(game)s, deal %(deal)s") if of_evening else N_("in deal %(deal)s")
    one, each = SWINGS[moment.points > 0]
    told = language.gettext(each if moment.players[1:] else one) % {
        "players": language.listing(map(name, moment.players)),
        "points": language.points(abs(moment.points)),
        "when": language.gettext(when) % {"game": moment.game, "deal": moment.deal},
    }
    why = moment.why
    reason = language.gettext(EFFECTS[why.code].reason) % {
        "hand": hand_name(why.hand, language) if why.hand else "",
        "by": name(why.by) if why.by else "",
    }
    return f"{told}: {reason}"


def event_text(event: Event, language: Language, before: GameState | None = None) -> str:
    """An event in a few words: `Anna par`; `before` is the state it came to, if known."""
    _ = language.gettext
    match event:
        case BestHand(choose="zero", victim=str(victim)):
            named = _player_and_hand(event, language)
            named["victim"] = language.name(victim)
            return _("%(player)s zeroes %(victim)s: %(hand)s", **named)
        case BestHand(choose="zero"):
            return _("%(player)s zeroes: %(hand)s", **_player_and_hand(event, language))
        case BestHand():
            return _("%(player)s %(hand)s", **_player_and_hand(event, language))
        case NoBestHand(hand=Hand() as hand):
            names = language.names(event.players())
            return _("tie: %(players)s, %(hand)s", players=names, hand=hand_name(hand, language))
        case NoBestHand():
            return _nobody_text(before, language)
        case Chicago(blind=True):
            return _("%(player)s bids Chicago blind", player=language.name(event.player))
        case Chicago():
            return _("%(player)s bids Chicago", player=language.name(event.player))
        case ChicagoResult():
            return _chicago_result_text(event, language)
        case LastTrick(with_two=True):
            return _("%(player)s last trick with a two", player=language.name(event.player))
        case LastTrick():
            return _("%(player)s last trick", player=language.name(event.player))
        case Correction():
            player, change = language.name(event.player), language.signed(event.points)
            return _("correction %(player)s %(points)s", player=player, points=change)
        case _:
            return _rare_event_text(event, language)


def edited_text(event: Event, language: Language, before: GameState | None = None) -> str:
    """An event beside the one that it is instead of: as `event_text`, with a latecomer's seat."""
    if not isinstance(event, Joins):
        return event_text(event, language, before)
    return language.gettext(
        "%(player)s joins and sits down after %(by)s: %(points)s",
        player=language.name(event.player),
        by=language.name(event.after),
        points=language.signed(event.points),
    )


def _player_and_hand(event: BestHand, language: Language) -> dict[str, object]:
    return {"player": language.name(event.player), "hand": hand_name(event.hand, language)}


def _nobody_text(before: GameState | None, language: Language) -> str:
    """That no hand scores; where everybody's own does, that of the rest."""
    if before is None:
        return language.gettext("Nobody").lower()
    if scorers(before) != "everyone":
        return language.gettext("nobody has the best hand")
    if before.deal.told:
        return language.gettext("nobody else has a hand")
    return language.gettext("Nobody has anything").lower()


def _chicago_result_text(event: ChicagoResult, language: Language) -> str:
    _ = language.gettext
    if event.won:
        return _("Chicago made with a two") if event.with_two else _("Chicago made")
    if event.broken_by is not None:
        return _("Chicago broken by %(player)s", player=language.name(event.broken_by))
    return _("Chicago broken")


def _rare_event_text(event: Event, language: Language) -> str:
    _ = language.gettext
    match event:
        case IllegalExchange():
            return _("%(player)s exchanged illegally", player=language.name(event.player))
        case FalseClaim():
            return _("%(player)s made a false claim", player=language.name(event.player))
        case Leaves():
            return _("%(player)s leaves", player=language.name(event.player))
        case Joins():
            player, change = language.name(event.player), language.signed(event.points)
            return _("%(player)s joins with %(points)s", player=player, points=change)
        case Rules():
            return _("new house rules")
        case BreakOff(settle=True):
            return _("broken off, settled")
        case _:
            return _("broken off, nobody pays")


def explain_effects(before: GameState, after: GameState, language: Language) -> list[str]:
    """The effects of an event, each followed by the rule it comes from."""
    lines = []
    for effect in after.effects:
        lines.append(
            f"{effect_text(effect, language)}. {_effect_why(after.rules, effect, language)}"
        )
        if effect.clamped:
            lines.append(language.gettext("The score never goes below 0 at this table."))
    return lines + _explain_stops(before, after, language)


def _effect_why(rules: HouseRules, effect: Effect, language: Language) -> str:
    """The rule that something an event set off comes from.

    Its words may name every house rule, the parts of `blind_chicago` as `blind_points` and so on.
    """
    blind = asdict(rules.blind_chicago) if rules.blind_chicago else {}
    values = asdict(rules) | {f"blind_{part}": value for part, value in blind.items()}
    if rules.chicago_penalty == "all":
        values["chicago_penalty"] = language.gettext("all points")
    if effect.hand:
        values["hand"] = hand_name(effect.hand, language)
        values["worth"] = language.points(points_of(rules, effect.hand))
    text = language.gettext(EFFECTS[effect.code].why) % values
    return text[0].upper() + text[1:]


def _explain_stops(before: GameState, after: GameState, language: Language) -> list[str]:
    """The players who are newly stopped, or may exchange again."""
    _, limit, lines = language.gettext, after.rules.exchange_stop, []
    for name in after.playing if not after.over else ():
        score = language.points(after.score(name))
        values = {"player": language.name(name), "score": score, "limit": limit}
        was, now = name in before.players and is_stopped(before, name), is_stopped(after, name)
        if now and not was:
            lines.append(_("%(player)s has %(score)s: exchange stop at %(limit)s.", **values))
        if was and not now:
            lines.append(_("%(player)s has %(score)s and may exchange again.", **values))
    return lines


def explain_payout(state: GameState, currency: Currency, language: Language) -> list[str]:
    """The arithmetic of each payment of a finished game."""
    stake, lines = language.money(state.setup.stake_ore, currency), []
    for loss in losses(state):
        if loss.ore:
            top, score = language.number(loss.top), language.number(loss.score)
            points = f"{'2 × ' if loss.factor == 2 else ''}({top} − {score})"
            ore = language.money(loss.ore, currency)
            lines.append(f"{language.name(loss.player)}: {points} × {stake} = {ore}")
    if max(state.scores.values()) > state.score(state.winners[0]):
        lines.append(language.gettext("Whoever has more than the winner pays nothing."))
    return lines


def value_text(value: Value, signed: bool = False, *, language: Language) -> str:
    """A value in a word or two: `4`, `+15`, `8 or zero`; the score of one player who wins."""
    _, points = language.gettext, _points_text(value, language)
    if value.wins:
        return points if value.wins_with is not None else _("wins")
    if value.or_zero:
        return _("%(points)s or zero", points=points)
    if not value.zeroes:
        return _points_text(value, language, signed)
    if not value.points and value.score is None and value.final_score is None:
        return _("zeroes")
    return _("%(points)s and zero", points=points)


_KIND = attrgetter("wins", "or_zero", "zeroes")


def own_value_text(value: Value | None, common: Value, signed: bool, language: Language) -> str:
    """A player's value where it differs from the row's; empty where it does not."""
    if value is None:
        return ""
    if _KIND(value) == _KIND(common):
        return _points_text(value, language, signed)
    return value_text(value, signed, language=language)


def _points_text(value: Value, language: Language, signed: bool = False) -> str:
    """The points added, the score that wins, or after an arrow the one that results."""
    if value.wins_with is not None:
        return language.number(value.wins_with)
    leads_to = value.score if value.final_score is None else value.final_score
    if leads_to is not None:
        return f"→{language.number(leads_to)}"
    return language.signed(value.points) if signed else language.number(value.points)


_PLACES = (N_("1st"), N_("2nd"), N_("3rd"), N_("4th"), N_("5th"), N_("6th"), N_("7th"), N_("8th"))


def place_text(place: int, language: Language) -> str:
    """A place in the order in which players are asked, from 1: `2nd`."""
    return language.gettext(_PLACES[place - 1])


BESTS: Mapping[BestCode, str] = {
    "highest_win": N_("Highest win in a game"),
    "win_of_evening": N_("Highest win in an evening"),
    "wins_in_a_row": N_("Most wins in a row"),
    "highest_score": N_("Highest score"),
    "quickest_win": N_("Quickest win"),
    "biggest_swing": N_("Biggest swing in a deal"),
    "longest_stop": N_("Longest under the exchange stop"),
    "zeroings_of_evening": N_("Most zeroings in an evening"),
    "chicagos_of_evening": N_("Most Chicagos made in an evening"),
    "finest_hand": N_("Finest hand"),
}


def best_text(record: TableRecord, currency: Currency, language: Language) -> str:
    """The value of a table's record: `120 kr`, `7 deals`."""
    value = abs(record.best.value)
    match record.code:
        case "highest_win" | "win_of_evening":
            return language.money(value, currency)
        case "highest_score" | "biggest_swing":
            return language.points(value)
        case "quickest_win" | "longest_stop":
            return language.ngettext("%(num)s deal", "%(num)s deals", value)
        case "finest_hand":
            return hand_name([*Hand][value - 1], language)
        case _:
            return language.number(value)


# The first four begin the sentence; a name is never declined.
EPISODES: Mapping[CourseCode, str] = {
    "leads": N_("%(players)s leads with %(sum)s %(after)s"),
    "level": N_("%(players)s are level at the top with %(sum)s %(after)s"),
    "won": N_("%(players)s won with %(sum)s %(after)s"),
    "was_ahead": N_("%(players)s stood highest with %(sum)s %(after)s"),
    "led_until": N_("%(players)s led until %(step)s"),
    "led_throughout": N_("nobody else has led"),
    "lead_changes": N_("the lead changed hands %(times)s times"),
    "best_deal": N_("most in one deal: %(players)s, %(points)s in %(step)s"),
    "zeroed": N_("zeroed in %(step)s: %(players)s"),
}


def course_text(
    episodes: Iterable[Episode],
    after: str,
    sum_text: Callable[[int], str],
    step_text: Callable[[int], str],
    language: Language,
) -> str:
    """Tell a course: `Anna leads with 41 after 9 deals; Bo led until deal 6`."""
    parts = [
        language.gettext(EPISODES[episode.code])
        % {
            "players": language.names(episode.players),
            "sum": sum_text(episode.value),
            "points": language.points(episode.value),
            "times": language.number(episode.value),
            "step": step_text(episode.step),
            "after": after,
        }
        for episode in episodes
    ]
    return f"{'; '.join(parts)}." if parts else language.gettext("Nothing recorded yet.")

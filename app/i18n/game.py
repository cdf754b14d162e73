"""Words of a game: questions, events, values, facts, marks; records, and the course of a game."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple

from app.i18n.cards import hand_name
from app.i18n.effects import EFFECTS, effect_text
from app.i18n.errors import error_text
from app.i18n.language import N_, Language, Translated
from app.rules.codes import BestCode, CourseCode, MarkCode
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
from app.rules.facts import Fact, FactCode, exchange_ahead
from app.rules.hands import Hand
from app.rules.names import short_names
from app.rules.outcome import Value
from app.rules.protocol import Episode, Mark, TableRecord
from app.rules.settlement import Currency, losses
from app.rules.state import Effect, GameState, Step, exchanges, scorers

BEST_HAND, LAST_TRICK = N_("Who has the best hand?"), N_("Who took the last trick?")
EVERYBODYS = N_("What does each player have?")
QUESTIONS: Translated[Step, str] = {
    Step.HAND_0: "Best hand as dealt?",
    Step.HAND_1: BEST_HAND,
    Step.HAND_2: BEST_HAND,
    Step.HAND_3: BEST_HAND,
    Step.PLAY: LAST_TRICK,
    Step.CHICAGO_PLAY: "%(player)s plays Chicago",
    Step.LAST_TRICK: LAST_TRICK,
    Step.FINAL_HAND: BEST_HAND,
    Step.OVER: "The game is over",
}
BLIND = N_("%(player)s plays Chicago blind")
# By how many exchanges the table has.
LAST_EXCHANGE = (
    N_("Exchange, then play"),
    N_("Exchange 2, then play"),
    N_("Exchange 3, then play"),
)


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


EVENTS: Translated[type[Event], str] = {
    BestHand: "%(player)s %(hand)s",
    NoBestHand: "tie: %(players)s, %(hand)s",
    Chicago: "%(player)s bids Chicago",
    ChicagoResult: "Chicago broken",
    LastTrick: "%(player)s last trick",
    Correction: "correction %(player)s %(points)s",
    IllegalExchange: "%(player)s exchanged illegally",
    FalseClaim: "%(player)s made a false claim",
    Leaves: "%(player)s leaves",
    Joins: "%(player)s joins with %(points)s",
    Rules: "new house rules",
    BreakOff: "broken off, nobody pays",
}


def event_text(event: Event, language: Language, before: GameState | None = None) -> str:
    """An event in a few words: `Anna par`; `before` is the state it came to, if known."""
    match event:
        case NoBestHand(hand=None):
            return _nobody_text(before, language)
        case BestHand(choose="zero", victim=None):
            message = N_("%(player)s zeroes: %(hand)s")
        case BestHand(choose="zero"):
            message = N_("%(player)s zeroes %(victim)s: %(hand)s")
        case Chicago(blind=True):
            message = N_("%(player)s bids Chicago blind")
        case ChicagoResult(won=True):
            message = N_("Chicago made with a two") if event.with_two else N_("Chicago made")
        case ChicagoResult(broken_by=str()):
            message = N_("Chicago broken by %(player)s")
        case LastTrick(with_two=True):
            message = N_("%(player)s last trick with a two")
        case BreakOff(settle=True):
            message = N_("broken off, settled")
        case _:
            message = EVENTS[type(event)]
    return language.gettext(message) % _event_values(event, language)


def edited_text(event: Event, language: Language, before: GameState | None = None) -> str:
    """An event beside the one that it is instead of: as `event_text`, with a latecomer's seat."""
    if not isinstance(event, Joins):
        return event_text(event, language, before)
    return language.gettext(EFFECTS["joins"].sentence) % _event_values(event, language)


def _event_values(event: Event, language: Language) -> dict[str, str]:
    def name(*keys: str) -> str:
        return language.name(next(filter(None, (getattr(event, key, None) for key in keys)), ""))

    hand = getattr(event, "hand", None)
    return {
        "player": name("player", "broken_by"),
        "victim": name("victim"),
        "by": name("after"),
        "players": language.names(event.players()),
        "hand": hand_name(hand, language) if hand else "",
        "points": language.signed(getattr(event, "points", 0)),
    }


def _nobody_text(before: GameState | None, language: Language) -> str:
    """That no hand scores; where everybody's own does, that of the rest."""
    if before is None:
        return language.gettext("Nobody").lower()
    if scorers(before) != "everyone":
        return language.gettext("nobody has the best hand")
    if before.deal.told:
        return language.gettext("nobody else has a hand")
    return language.gettext("Nobody has anything").lower()


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


BESTS: Translated[BestCode, str] = {
    "highest_win": "Highest win in a game",
    "win_of_evening": "Highest win in an evening",
    "wins_in_a_row": "Most wins in a row",
    "highest_score": "Highest score",
    "quickest_win": "Quickest win",
    "biggest_swing": "Biggest swing in a deal",
    "longest_stop": "Longest under the exchange stop",
    "zeroings_of_evening": "Most zeroings in an evening",
    "chicagos_of_evening": "Most Chicagos made in an evening",
    "finest_hand": "Finest hand",
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
EPISODES: Translated[CourseCode, str] = {
    "leads": "%(players)s leads with %(sum)s %(after)s",
    "level": "%(players)s are level at the top with %(sum)s %(after)s",
    "won": "%(players)s won with %(sum)s %(after)s",
    "was_ahead": "%(players)s stood highest with %(sum)s %(after)s",
    "led_until": "%(players)s led until %(step)s",
    "led_throughout": "nobody else has led",
    "lead_changes": "the lead changed hands %(times)s times",
    "best_deal": "most in one deal: %(players)s, %(points)s in %(step)s",
    "zeroed": "zeroed in %(step)s: %(players)s",
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


class FactWords(NamedTuple):
    """A fact on a head, read at a glance, and told to the player, with the reason below it.

    On the head it is empty where a mark says it already; `narrow` is for a head of six beside it,
    `sheet` for the player's sheet, where there is room to say all of it.
    """

    head: str
    own: str
    why: str = ""
    narrow: str = ""
    sheet: str = ""


FACTS: Translated[FactCode, FactWords] = {
    "out": FactWords("out", "You are out of the game"),
    "sits_out": FactWords("sits out", "You sit out the tie-break"),
    "declarer": FactWords("plays Chicago", "You play Chicago", narrow="plays"),
    "zeroing_waits": FactWords(
        "→ 0 soon", "%(by)s is about to zero you", "when the tricks have been played"
    ),
    "bid_or_zeroed": FactWords(
        "bid, or 0",
        "Bid Chicago",
        "or you are zeroed after the deal",
        sheet="is zeroed after the deal without a Chicago",
    ),
    "make_or_zeroed": FactWords(
        "make it, or 0",
        "Make a Chicago",
        "or you are zeroed after the deal",
        sheet="is zeroed after the deal without a Chicago",
    ),
    "zeroed_after_deal": FactWords(
        "→ 0 after the deal",
        "You are zeroed after the deal",
        "you have no Chicago",
        sheet="is zeroed after the deal without a Chicago",
    ),
    "zeroed_at_target": FactWords(
        "%(target)s → 0",
        "You are zeroed at %(target)s",
        "you have no Chicago",
        sheet="is zeroed at %(target)s without a Chicago",
    ),
    "bid_before_target": FactWords(
        "%(target)s → 0",
        "Bid Chicago before %(target)s",
        "or you are zeroed: %(missing)s to go",
        sheet="is zeroed at %(target)s without a Chicago",
    ),
    "make_before_target": FactWords(
        "%(target)s → 0",
        "Make a Chicago before %(target)s",
        "or you are zeroed: %(missing)s to go",
        sheet="is zeroed at %(target)s without a Chicago",
    ),
    "wins_after_deal": FactWords("wins after the deal", "You win after the deal"),
    "wins_with_trick": FactWords("the last trick wins", "The last trick wins for you"),
    "can_win_now": FactWords("can win", "You can win in this deal", narrow="win?"),
    "exchanges": FactWords("exchanges", "You may exchange", narrow="exch"),
    "exchanges_last": FactWords(
        "exchanges",
        "You may exchange",
        "for the last time in this deal: exchange stop at %(limit)s",
        "exch",
    ),
    "stopped": FactWords(
        "no exchange",
        "You may not exchange",
        "You have %(score)s, exchange stop at %(limit)s",
        "stop",
    ),
    "six_cards": FactWords(
        "6 cards",
        "You have six cards",
        "You have %(score)s, exchange stop at %(limit)s",
        "six",
    ),
    "deals": FactWords("", "You deal"),
    "begins": FactWords("", "You begin"),
    "must_show": FactWords("shows %(hand)s", "", narrow="shows"),
    "may_bid": FactWords("may bid", "You may bid Chicago"),
    "chicago_needed": FactWords("needs a Chicago", "You win only with a Chicago"),
    "stopped_next_deal": FactWords(
        "stop: deal %(deal)s",
        "No exchange from deal %(deal)s",
        "You have %(score)s, exchange stop at %(limit)s",
        sheet="No exchange from deal %(deal)s",
    ),
    "points_to_bid": FactWords(
        "%(missing)s more to bid", "You need %(missing)s more to bid Chicago"
    ),
    "too_high_to_bid": FactWords("too high to bid", "You have too many points to bid Chicago"),
    "bid_already": FactWords("", "You have bid Chicago already"),
    "bid_by": FactWords("", "%(by)s has bid Chicago"),
    "requirement_met": FactWords("", "You have bid your Chicago"),
    "requirement_made": FactWords("has made Chicago", "You have made a Chicago"),
}
# A hand to be shown, told to its holder (reading 16).
SHOW: Translated[Hand, str] = {
    Hand.PAIR: "Show the pair if you break it up",
    Hand.TWO_PAIRS: "Show the two pairs if you break them up",
    Hand.THREE_OF_A_KIND: "Show the three of a kind if you break it up",
    Hand.STRAIGHT: "Show the straight if you break it up",
    Hand.FLUSH: "Show the flush if you break it up",
    Hand.FULL_HOUSE: "Show the full house if you break it up",
    Hand.FOUR_OF_A_KIND: "Show the four of a kind if you break it up",
    Hand.STRAIGHT_FLUSH: "Show the straight flush if you break it up",
    Hand.ROYAL_FLUSH: "Show the royal flush if you break it up",
    Hand.ROYAL_FLUSH_HEARTS: "Show the royal flush if you break it up",
}


def head_text(fact: Fact, narrow: bool = False, *, language: Language) -> str:
    """A fact on a head: `may bid`, `52 → 0`; empty where a mark says it already."""
    words = FACTS[fact.code]
    message = words.narrow if narrow else words.head
    values = {name: _value(value, language) for name, value in fact.values.items()}
    return language.gettext(message) % values if message else ""


def sheet_text(fact: Fact, language: Language) -> str:
    """A fact on the player's sheet: `is zeroed at 52 without a Chicago`."""
    return _tell(FACTS[fact.code].sheet, fact, language) or head_text(fact, language=language)


def own_text(fact: Fact, language: Language) -> str:
    """A fact as its player is told: `You may not exchange`."""
    hand = fact.values.get("hand")
    return _tell(SHOW[hand] if isinstance(hand, Hand) else FACTS[fact.code].own, fact, language)


def why_text(fact: Fact, language: Language) -> str:
    """The reason: `You have 47 points, exchange stop at 45`; empty where there is none to tell."""
    return _tell(FACTS[fact.code].why, fact, language)


def _tell(message: str, fact: Fact, language: Language) -> str:
    """A message, if any, with the values in words, where there is room for them: `6 points`."""
    values = {
        name: language.points(value)
        if isinstance(value, int) and name in ("score", "missing")
        else _value(value, language)
        for name, value in fact.values.items()
    }
    return language.gettext(message) % values if message else ""


def _value(value: object, language: Language) -> str:
    if isinstance(value, Hand):
        return hand_name(value, language)
    return language.name(value) if isinstance(value, str) else str(value)


class MarkWords(NamedTuple):
    """A mark's sign, the same in every language, and its name as a message to translate.

    Signs that are alike are told apart by a line around them, or through them.
    """

    sign: str
    label: str


MARKS: Mapping[MarkCode, MarkWords] = {
    "stop_begins": MarkWords("■", N_("Exchange stop begins")),
    "stopped": MarkWords("□", N_("Exchange stop")),
    "zeroes": MarkWords("✗", N_("Zeroes others")),
    "zeroed": MarkWords("→0", N_("Zeroed")),
    "requirement_unmet": MarkWords("C?", N_("Target without Chicago")),
    "bid": MarkWords("C", N_("Chicago bid")),
    "chicago_won": MarkWords("C", N_("Chicago made")),
    "chicago_lost": MarkWords("C", N_("Chicago broken")),
    "blind_bid": MarkWords("B", N_("Blind Chicago bid")),
    "blind_won": MarkWords("B", N_("Blind Chicago made")),
    "blind_lost": MarkWords("B", N_("Blind Chicago broken")),
    "tie_break": MarkWords("=", N_("Tie-break")),
    "joins": MarkWords("↓", N_("Joins the game")),
    "out": MarkWords("↑", N_("Leaves the game")),
}


def mark_why_text(mark: Mark, language: Language) -> str:
    """Why a mark stands where it does, with the numbers."""
    if isinstance(mark.why, Effect):
        return effect_text(mark.why, language)
    return error_text(mark.why, language)

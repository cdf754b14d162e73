"""The sentence for every code of the core: faults, refusals and their reasons."""

import msgspec

from app.i18n.cards import hand_name
from app.i18n.language import N_, Language, Translated
from app.rules.codes import ChicagoError, ReasonCode
from app.rules.edit import LeftOut, Moment
from app.rules.hands import CARDS_IN_A_HAND, Hand
from app.rules.names import LONGEST_TYPED, tidy
from app.rules.rights import Verdict
from app.rules.settlement import Amount
from app.rules.state import Step
from app.store.files import DatabaseRefused, DatabaseUnavailable, RefusedDatabase

SENTENCES: Translated[ReasonCode, str] = {
    # Faults of input.
    "not_json": "This is not JSON.",
    "not_an_object": "%(what)s must be an object.",
    "wrong_format": "The format must be %(expected)s, not %(value)s.",
    "unknown_key": "Unknown key: %(key)s.",
    "missing_key": "The key %(key)s is missing.",
    "wrong_value": "%(key)s cannot be %(value)s.",
    "unknown_event": "Unknown event: %(value)s.",
    "unknown_player": "%(player)s is not one of the players.",
    "players_not_a_list": "The players must be a list of names.",
    "events_not_a_list": "The events must be a list.",
    "wrong_number_of_players": "Chicago is played by two to eight, not by %(count)s.",
    "name_twice": "%(player)s is listed twice; every player needs a name of their own.",
    "name_taken": "%(player)s is already in this game; whoever joins needs another name.",
    "name_not_text": "A name must be text, not %(value)s.",
    "name_empty": "A name is empty.",
    "name_too_long": "The name %(player)s… is too long: at most %(limit)s characters.",
    "name_unprintable": "The name %(player)s contains characters that cannot be shown.",
    "wrong_stake": "The stake must be 0 to %(limit)s öre per point, not %(value)s.",
    "unknown_preset": "Unknown rule set: %(value)s.",
    "unknown_rule": "Unknown house rule: %(field)s.",
    "wrong_rule_value": "The house rule %(field)s cannot be %(value)s.",
    "too_many_rule_sets": "A phone keeps at most %(limit)s rule sets; forget one first.",
    "old_words_beside": "The rules give both %(field)s and the older field that it replaced.",
    "repeated_rule_value": "The house rule %(field)s lists something twice: %(value)s.",
    "hand_and_tied_together": "A tie needs both the hand and the players who tied.",
    "tied_needs_two": "A tie needs at least two different players.",
    "two_on_lost_chicago": "A lost Chicago has no last trick with a two.",
    "breaker_of_won_chicago": "Nobody broke a Chicago that was made.",
    "correction_of_nothing": "A correction of 0 points changes nothing.",
    "points_unreadable": (
        "Write the points as a whole number from −%(limit)s to %(limit)s, not %(typed)s."
    ),
    "edit_unreadable": "What you changed no longer fits this game; start over.",
    "too_many_edits": ("That is too many changes at once: keep the first %(limit)s of them first."),
    "too_few_names": "Write at least two names.",
    "look_alike": (
        "Are %(player)s and %(by)s two different people? Change one of the names, or tap again."
    ),
    "rule_unreadable": "Write a whole number from %(low)s to %(high)s.",
    "stake_unreadable": "Write the stake in kronor, such as 1 or 0,50, not %(typed)s.",
    "stake_unreadable_in_euros": (
        "Write the stake in euros, such as 0,10 or 10 cents, not %(typed)s."
    ),
    "stake_out_of_range": "The stake must be from 0 to %(ore)s per point, not %(typed)s.",
    "too_many_files": "The archive holds %(count)s files; that is too many at once.",
    "too_many_events": "A game has at most %(limit)s events.",
    "remark_too_long": "%(key)s is too long: at most %(limit)s characters.",
    "game_too_long": "That is too long to be a game: at most %(limit)s bytes.",
    "archive_too_long": ("The archive holds more than %(limit)s bytes; that is too much at once."),
    "file_unreadable": "%(file)s is damaged, or packed in a way that cannot be read here.",
    "no_games": "Choose a file with games first.",
    "cookies_refused": (
        "This browser keeps no cookies from here, and without one it could not write at its table."
        " Allow them in its settings, or open this page in another browser, and try again."
    ),
    "not_ours": "This is no game from Chicago, but seems to be %(what)s.",
    "amount_unreadable": "Write the amount in kronor, such as 12 or 7,50, not %(typed)s.",
    "amount_unreadable_in_euros": ("Write the amount in euros, such as 12 or 7,50, not %(typed)s."),
    "two_amounts": "Do you mean %(ore)s or %(part)s? Write it like that.",
    "swish_number_unreadable": "A Swish number is ten digits, such as 070-123 45 67.",
    "unreadable_card": "%(card)s is not a card.",
    "not_five_cards": "A hand is five cards, not %(count)s: %(cards)s.",
    "dealt_twice": "%(card)s is dealt twice.",
    "hand_without_name": "There is no name in %(value)s; write a hand as Anna: Ah Ad 9c 7s 2d.",
    # Why something is not allowed.
    "game_over": "The game is over.",
    "player_out": "%(player)s is out of the game.",
    "player_frozen": "%(player)s sits out the tie-break.",
    "no_hand_due": "No best hand is due now.",
    "told_already": "%(player)s’s hand has already been recorded.",
    "declarers_hand": "The declarer’s hand does not score here: %(player)s plays the Chicago.",
    "no_trick_due": "The last trick is not due now.",
    "no_chicago_played": "No Chicago is being played.",
    "announced_already": "A hand has already been laid down before the play.",
    "not_announced": (
        "Before the play only a hand that wins or zeroes is laid down, not %(hand)s."
    ),
    "hand_does_not_zero": "Nobody zeroes with %(hand)s at this table.",
    "always_zeroes": "%(hand)s always scores and zeroes; there is nothing to choose.",
    "zeroing_after_scoring": (
        "%(player)s has scored four of a kind in this deal and may no longer zero."
    ),
    "zero_before_play": "Zeroing with %(hand)s must be announced before the play.",
    "victim_needed": "%(player)s must say whom to zero.",
    "no_victim_to_name": "Nobody is singled out to be zeroed with %(hand)s.",
    "victim_is_holder": "%(player)s cannot zero themselves.",
    "chicago_already_bid": "%(by)s has already bid Chicago in this deal.",
    "chicago_once": "%(player)s may not bid Chicago: once per game is all.",
    "chicago_minimum": "%(player)s may not bid Chicago: %(score)s, %(minimum)s needed.",
    "chicago_maximum": (
        "%(player)s may not bid Chicago: %(score)s, fewer than %(maximum)s needed."
    ),
    "chicago_before_play": "Chicago is bid after the last exchange.",
    "chicago_too_late": "It is too late to bid Chicago in this deal.",
    "no_blind_chicago": "Blind Chicago is not played at this table.",
    "blind_too_late": "It is too late in this deal for a blind Chicago.",
    "blind_too_early": "Blind Chicago is bid after the last exchange, before any hand.",
    "breaker_needed": "Say who broke the Chicago: it gives %(points)s.",
    "breaker_is_declarer": "%(player)s cannot break their own Chicago.",
    "exchanges_over": "This deal’s exchanges are over.",
    "exchange_stop": "%(player)s may not exchange: %(score)s, exchange stop at %(limit)s.",
    "illegal_exchange_refused": "At this table an illegal exchange is simply taken back.",
    "not_stopped": "%(player)s may exchange: the exchange stop does not apply at %(score)s.",
    "false_claim_not_played": "A false claim has no consequences at this table.",
    "declarer_stays": "%(player)s is playing a Chicago and must finish it first.",
    "joins_too_late": "This deal has begun: somebody can join when it is over.",
    "no_joining_tie_break": "Nobody can join a tie-break: it is between the tied players.",
    "rules_too_late": "This deal has begun: other rules apply from the next one.",
    "no_seat_left": "Eight already sit at this table, and there is no room for more.",
    "win_needs_chicago_declared": (
        "%(player)s must have bid Chicago to win at %(target)s, and has %(score)s."
    ),
    "win_needs_chicago_won": (
        "%(player)s must have won a Chicago to win at %(target)s, and has %(score)s."
    ),
    "win_needs_trick_later": (
        "%(player)s must begin a deal at %(target)s or more and then take the last trick, and has"
        " %(score)s."
    ),
    # Why an entry no longer fits into an edited game.
    "game_was_over": "The game was over in deal %(deal)s.",
    "deal_was_over": "Deal %(deal)s was already over.",
    "no_chicago_bid": "No Chicago was bid in deal %(deal)s.",
    "no_chicago_lost": "No Chicago was lost in deal %(deal)s.",
    "chicago_was_bid": "%(by)s had bid Chicago in deal %(deal)s.",
    "hand_not_told": "No hand scores after that exchange in deal %(deal)s.",
    "recorded_already": "That moment of deal %(deal)s already has its entry.",
    "entry_missing": "An entry is missing before this one in deal %(deal)s.",
    "files_busy": "Somebody else reads or packs files just now. Try again in a moment.",
    "import_still_playing": "One of the games is not over, and others have followed it.",
    "no_conflict": "There is nothing left to decide at this table.",
    "not_fetched": "What is on the server has to be fetched first, once there is a network.",
    "not_a_table": "This phone’s copy of the table cannot be read.",
    "no_pen": "Only whoever holds the pen may write at this table.",
    "no_such_table": "There is no such table.",
    "no_such_game": "There is no such game at this table.",
    "no_such_event": "There is no such entry in this game.",
    "newest_game_stays": "The newest game is undone or broken off instead.",
    "key_reused": "This idempotency key has already come with another request.",
    "key_too_old": "The table that this key opened cannot be returned again; use a new key.",
    "table_full": (
        "This table is full: it holds %(limit)s entries; start a new table for the next evening."
    ),
    "points_too_large": "A table keeps scores of at most %(limit)s points.",
    "game_full": (
        "This game is full: its log holds %(limit)s entries, including those taken back; break it"
        " off and start the next."
    ),
    "too_many_games": (
        "This table is full: it holds %(limit)s games; start a new table for the next evening."
    ),
    "too_many_people": (
        "This table is full: %(limit)s names have played here; start a new table for others."
    ),
    "too_many_payments": (
        "This table is full: it holds %(limit)s payments; start a new table for the next evening."
    ),
    "too_many_pens": ("%(limit)s phones already write at this table; take their pens back first."),
    "stale": "Somebody else got there first: the table has changed since.",
    "still_playing": "The game is still being played.",
    "nothing_to_undo": "There is nothing to undo.",
    "nothing_to_redo": "There is nothing to redo.",
    "no_such_person": "There is nobody of that name at this table.",
    "same_person_already": "%(player)s and %(by)s are already the same person.",
    "played_each_other": (
        "%(player)s and %(by)s both played in game %(number)s, so they are two people."
    ),
    "not_merged": "%(player)s stands for nobody else.",
    "nothing_owed": "%(player)s does not owe %(by)s anything now.",
    "pays_too_much": "%(player)s owes %(by)s %(ore)s and no more.",
    "pays_oneself": "%(player)s cannot pay themselves.",
    "advance_too_large": "At most %(ore)s can be recorded at once.",
    "swish_in_kronor": "Swish pays kronor only, and this table counts in euros.",
    "currency_settled": "The ledger already has amounts in another currency: open a new table.",
    "all_settled": "Nobody owes anything.",
    "no_such_payment": "That payment has already been taken back.",
    "one_person_twice": "%(player)s and %(by)s are the same person; only one of them plays.",
    "cannot_deal": "%(player)s cannot be the dealer now, whoever dealt first.",
    # Why something is allowed.
    "no_exchange_stop": "%(player)s may exchange; there is no exchange stop here.",
    "below_exchange_stop": "%(player)s may exchange: %(score)s, exchange stop at %(limit)s.",
    "exchange_stop_next_deal": (
        "%(player)s may exchange in this deal, but not in the next:"
        " %(score)s, exchange stop at %(limit)s."
    ),
    "may_bid": "%(player)s may bid Chicago.",
    "may_bid_from": "%(player)s may bid Chicago: %(score)s, %(minimum)s needed.",
    "chicago_time": "Chicago may be bid now.",
    "may_join": "Somebody may join now.",
    "wins_at_target": "%(player)s wins at %(target)s and has %(score)s.",
    "wins_with_trick": (
        "%(player)s wins at %(target)s by taking the last trick or a Chicago, and has %(score)s."
    ),
    "wins_by_most": "%(player)s wins the tie-break by being ahead, and has %(score)s.",
}

# Where fewer than all five may be exchanged at once.
FEWER_CARDS: Translated[ReasonCode, str] = {
    "no_exchange_stop": (
        "%(player)s may exchange at most %(cards)s; there is no exchange stop here."
    ),
    "below_exchange_stop": (
        "%(player)s may exchange at most %(cards)s: %(score)s, exchange stop at %(limit)s."
    ),
    "exchange_stop_next_deal": (
        "%(player)s may exchange at most %(cards)s in this deal, and none in the next: %(score)s,"
        " exchange stop at %(limit)s."
    ),
}

WHATS: Translated[str, str] = {
    "game": "the game",
    "rules": "the house rules",
    "event": "an event",
    "nothing": "an empty file",
    "database": "a whole database, to be put back where it came from",
    "picture": "a picture",
    "pdf": "a PDF",
    "spreadsheet": "a spreadsheet",
    "document": "a document",
    "web_page": "a web page",
    "archive": "an archive without any game",
    "packed": "an archive of a kind that cannot be read here; a zip can",
    "other": "another program’s file",
}
_LONGEST = 60


def error_text(reason: ChicagoError | Verdict, language: Language) -> str:
    """One sentence, in the person's words, for a refusal or a verdict."""
    values = {key: _value_text(key, value, language) for key, value in reason.values.items()}
    fewer = reason.values.get("cards") in range(CARDS_IN_A_HAND)
    sentences = FEWER_CARDS if fewer and reason.code in FEWER_CARDS else SENTENCES
    template = language.gettext(sentences[reason.code])
    text = template % values
    # Players, keys and cards never get a capital.
    return text[0].upper() + text[1:] if template.startswith(("%(hand)s", "%(what)s")) else text


def _value_text(key: str, value: object, language: Language) -> str:
    if isinstance(value, Hand):
        return hand_name(value, language)
    if key in ("score", "points") and isinstance(value, int):
        return language.points(value)
    if isinstance(value, Amount):
        return language.money(value.ore, value.currency)
    if key == "typed":
        return language.quote(_cut(str(value)))
    if key == "cards" and isinstance(value, int):
        return language.ngettext("%(num)s card", "%(num)s cards", value)
    if key == "what" and value in WHATS:
        return language.gettext(WHATS[str(value)])
    if key in ("player", "by"):
        return language.name(_cut(str(value)) or "–")
    if key in ("key", "field", "card", "cards", "expected", "what", "file"):
        return _cut(str(value)) or "–"
    try:
        return _cut(msgspec.json.encode(value).decode())
    except (RecursionError, TypeError, UnicodeEncodeError):
        return "…"


def _cut(text: str) -> str:
    """The text on one line, cut to a length that fits a sentence."""
    plain = tidy(text[:LONGEST_TYPED])
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "…"


STEP_NAMES: Translated[Step, str] = {
    Step.HAND_0: "as dealt",
    Step.HAND_1: "first exchange",
    Step.HAND_2: "second exchange",
    Step.HAND_3: "third exchange",
    Step.PLAY: "the play",
    Step.CHICAGO_PLAY: "the Chicago",
    Step.LAST_TRICK: "after the Chicago",
    Step.FINAL_HAND: "after the play",
    Step.OVER: "the game is over",
}
COULD_NOT_BID = N_("%(player)s could not bid in deal %(deal)s: %(score)s, %(minimum)s needed.")


def moment_text(moment: Moment, language: Language) -> str:
    """A moment of a game: `Giv 4 · andra köpet`."""
    step = language.gettext(STEP_NAMES[moment.step])
    return language.gettext("Deal %(deal)s · %(step)s", deal=moment.deal, step=step)


def left_text(left: LeftOut, language: Language) -> str:
    """Why an entry no longer fits, in one sentence."""
    reason = left.reason
    if reason.code != "chicago_minimum":
        return error_text(reason, language)
    score = language.points(int(str(reason.values["score"])))
    player = language.name(str(reason.values["player"]))
    values = {**reason.values, "player": player, "score": score, "deal": left.moment.deal}
    return language.gettext(COULD_NOT_BID) % values


_UNUSABLE = N_("%(file)s cannot be used: %(why)s.")
UNAVAILABLE: Translated[RefusedDatabase, str] = {
    "newer": (
        "%(file)s was made by a newer version of the score keeper: update this one,"
        " or name another database in CHICAGO_DB."
    ),
    "older": (
        "%(file)s was made by an older version of the score keeper: export each table’s games"
        " with that version, name another database in CHICAGO_DB here, and import them."
    ),
    "foreign": "%(file)s is not a database of the score keeper.",
    "in_use": "%(file)s is being served by another score keeper: stop that one first.",
    "unusable": _UNUSABLE,
    "damaged": "%(file)s is damaged: %(why)s.",
    "not_copied": "%(file)s could not be copied: %(why)s.",
    "own_file": "%(file)s belongs to the database itself: name another file.",
    "not_a_copy": "%(file)s is not a copy of a database: name another file.",
    "not_a_file": "%(file)s is not a file.",
    "no_folder": "There is no folder %(file)s: create it, or mount its disk.",
    "linked": "%(file)s has a second name, a hard link: remove one of the two first.",
    "missing": "There is no database %(file)s.",
}


def describe(error: DatabaseUnavailable, file: object, language: Language) -> str:
    """Why a database cannot be used, with `file` its name where the error does not tell."""
    if isinstance(error, DatabaseRefused):
        return language.gettext(UNAVAILABLE[error.code], file=error.file, why=error.why)
    return language.gettext(_UNUSABLE, file=file, why=str(error))

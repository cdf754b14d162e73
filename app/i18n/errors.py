"""The sentence for every code of the core: faults, refusals and their reasons."""

from collections.abc import Mapping

import msgspec

from app.i18n.cards import hand_name
from app.i18n.language import N_, Language
from app.rules.codes import ChicagoError, ReasonCode
from app.rules.edit import LeftOut, Moment
from app.rules.hands import CARDS_IN_A_HAND, Hand
from app.rules.names import LONGEST_TYPED, tidy
from app.rules.rights import Verdict
from app.rules.settlement import Amount
from app.rules.state import Step
from app.store.files import DatabaseRefused, DatabaseUnavailable, RefusedDatabase

SENTENCES: Mapping[ReasonCode, str] = {
    # Faults of input.
    "not_json": N_("This is not JSON."),
    "not_an_object": N_("%(what)s must be an object."),
    "wrong_format": N_("The format must be %(expected)s, not %(value)s."),
    "unknown_key": N_("Unknown key: %(key)s."),
    "missing_key": N_("The key %(key)s is missing."),
    "wrong_value": N_("%(key)s cannot be %(value)s."),
    "unknown_event": N_("Unknown event: %(value)s."),
    "unknown_player": N_("%(player)s is not one of the players."),
    "players_not_a_list": N_("The players must be a list of names."),
    "events_not_a_list": N_("The events must be a list."),
    "wrong_number_of_players": N_("Chicago is played by two to eight, not by %(count)s."),
    "name_twice": N_("%(player)s is listed twice; every player needs a name of their own."),
    "name_taken": N_("%(player)s is already in this game; whoever joins needs another name."),
    "name_not_text": N_("A name must be text, not %(value)s."),
    "name_empty": N_("A name is empty."),
    "name_too_long": N_("The name %(player)s… is too long: at most %(limit)s characters."),
    "name_unprintable": N_("The name %(player)s contains characters that cannot be shown."),
    "wrong_stake": N_("The stake must be 0 to %(limit)s öre per point, not %(value)s."),
    "unknown_preset": N_("Unknown rule set: %(value)s."),
    "unknown_rule": N_("Unknown house rule: %(field)s."),
    "wrong_rule_value": N_("The house rule %(field)s cannot be %(value)s."),
    "too_many_rule_sets": N_("A phone keeps at most %(limit)s rule sets; forget one first."),
    "old_words_beside": N_("The rules give both %(field)s and the older field that it replaced."),
    "repeated_rule_value": N_("The house rule %(field)s lists something twice: %(value)s."),
    "hand_and_tied_together": N_("A tie needs both the hand and the players who tied."),
    "tied_needs_two": N_("A tie needs at least two different players."),
    "two_on_lost_chicago": N_("A lost Chicago has no last trick with a two."),
    "breaker_of_won_chicago": N_("Nobody broke a Chicago that was made."),
    "correction_of_nothing": N_("A correction of 0 points changes nothing."),
    "points_unreadable": N_("Write the points as a whole number such as 5 or −5, not %(typed)s."),
    "too_many_points": N_("Write a whole number of at most %(points)s, not %(typed)s."),
    "joining_points": N_(
        "Write a starting score from −%(limit)s to %(limit)s, as a whole number, not %(typed)s."
    ),
    "edit_unreadable": N_("What you changed no longer fits this game; start over."),
    "too_many_edits": N_(
        "That is too many changes at once: keep the first %(limit)s of them first."
    ),
    "too_few_names": N_("Write at least two names."),
    "look_alike": N_(
        "Are %(player)s and %(by)s two different people? Change one of the names, or tap again."
    ),
    "rule_unreadable": N_("Write a whole number from %(low)s to %(high)s."),
    "stake_unreadable": N_("Write the stake in kronor, such as 1 or 0,50, not %(typed)s."),
    "stake_unreadable_in_euros": N_(
        "Write the stake in euros, such as 0,10 or 10 cents, not %(typed)s."
    ),
    "stake_out_of_range": N_("The stake must be from 0 to %(ore)s per point, not %(typed)s."),
    "too_many_files": N_("The archive holds %(count)s files; that is too many at once."),
    "too_many_events": N_("A game has at most %(limit)s events."),
    "remark_too_long": N_("%(key)s is too long: at most %(limit)s characters."),
    "game_too_long": N_("That is too long to be a game: at most %(limit)s bytes."),
    "archive_too_long": N_(
        "The archive holds more than %(limit)s bytes; that is too much at once."
    ),
    "file_unreadable": N_("%(file)s is damaged, or packed in a way that cannot be read here."),
    "no_games": N_("Choose a file with games first."),
    "cookies_refused": N_(
        "This browser keeps no cookies from here, and without one it could not write at its table."
        " Allow them in its settings, or open this page in another browser, and try again."
    ),
    "not_ours": N_("This is no game from Chicago, but seems to be %(what)s."),
    "amount_unreadable": N_("Write the amount in kronor, such as 12 or 7,50, not %(typed)s."),
    "amount_unreadable_in_euros": N_(
        "Write the amount in euros, such as 12 or 7,50, not %(typed)s."
    ),
    "two_amounts": N_("Do you mean %(ore)s or %(part)s? Write it like that."),
    "swish_number_unreadable": N_("A Swish number is ten digits, such as 070-123 45 67."),
    "unreadable_card": N_("%(card)s is not a card."),
    "not_five_cards": N_("A hand is five cards, not %(count)s: %(cards)s."),
    "dealt_twice": N_("%(card)s is dealt twice."),
    "hand_without_name": N_("There is no name in %(value)s; write a hand as Anna: Ah Ad 9c 7s 2d."),
    # Why something is not allowed.
    "game_over": N_("The game is over."),
    "player_out": N_("%(player)s is out of the game."),
    "player_frozen": N_("%(player)s sits out the tie-break."),
    "no_hand_due": N_("No best hand is due now."),
    "told_already": N_("%(player)s’s hand has already been recorded."),
    "declarers_hand": N_("The declarer’s hand does not score here: %(player)s plays the Chicago."),
    "no_trick_due": N_("The last trick is not due now."),
    "no_chicago_played": N_("No Chicago is being played."),
    "announced_already": N_("A hand has already been laid down before the play."),
    "not_announced": N_(
        "Before the play only a hand that wins or zeroes is laid down, not %(hand)s."
    ),
    "hand_does_not_zero": N_("Nobody zeroes with %(hand)s at this table."),
    "always_zeroes": N_("%(hand)s always scores and zeroes; there is nothing to choose."),
    "zeroing_after_scoring": N_(
        "%(player)s has scored four of a kind in this deal and may no longer zero."
    ),
    "zero_before_play": N_("Zeroing with %(hand)s must be announced before the play."),
    "victim_needed": N_("%(player)s must say whom to zero."),
    "no_victim_to_name": N_("Nobody is singled out to be zeroed with %(hand)s."),
    "victim_is_holder": N_("%(player)s cannot zero themselves."),
    "chicago_already_bid": N_("%(by)s has already bid Chicago in this deal."),
    "chicago_once": N_("%(player)s may not bid Chicago: once per game is all."),
    "chicago_minimum": N_("%(player)s may not bid Chicago: %(score)s, %(minimum)s needed."),
    "chicago_maximum": N_(
        "%(player)s may not bid Chicago: %(score)s, fewer than %(maximum)s needed."
    ),
    "chicago_before_play": N_("Chicago is bid after the last exchange."),
    "chicago_too_late": N_("It is too late to bid Chicago in this deal."),
    "no_blind_chicago": N_("Blind Chicago is not played at this table."),
    "blind_too_late": N_("It is too late in this deal for a blind Chicago."),
    "blind_too_early": N_("Blind Chicago is bid after the last exchange, before any hand."),
    "breaker_needed": N_("Say who broke the Chicago: it gives %(points)s."),
    "breaker_is_declarer": N_("%(player)s cannot break their own Chicago."),
    "exchanges_over": N_("This deal’s exchanges are over."),
    "exchange_stop": N_("%(player)s may not exchange: %(score)s, exchange stop at %(limit)s."),
    "illegal_exchange_refused": N_("At this table an illegal exchange is simply taken back."),
    "not_stopped": N_("%(player)s may exchange: the exchange stop does not apply at %(score)s."),
    "false_claim_not_played": N_("A false claim has no consequences at this table."),
    "declarer_stays": N_("%(player)s is playing a Chicago and must finish it first."),
    "joins_too_late": N_("This deal has begun: somebody can join when it is over."),
    "no_joining_tie_break": N_("Nobody can join a tie-break: it is between the tied players."),
    "rules_too_late": N_("This deal has begun: other rules apply from the next one."),
    "no_seat_left": N_("Eight already sit at this table, and there is no room for more."),
    "win_needs_chicago_declared": N_(
        "%(player)s must have bid Chicago to win at %(target)s, and has %(score)s."
    ),
    "win_needs_chicago_won": N_(
        "%(player)s must have won a Chicago to win at %(target)s, and has %(score)s."
    ),
    "win_needs_trick_later": N_(
        "%(player)s must begin a deal at %(target)s or more and then take the last trick, and has"
        " %(score)s."
    ),
    # Why an entry no longer fits into an edited game.
    "game_was_over": N_("The game was over in deal %(deal)s."),
    "deal_was_over": N_("Deal %(deal)s was already over."),
    "no_chicago_bid": N_("No Chicago was bid in deal %(deal)s."),
    "no_chicago_lost": N_("No Chicago was lost in deal %(deal)s."),
    "chicago_was_bid": N_("%(by)s had bid Chicago in deal %(deal)s."),
    "hand_not_told": N_("No hand scores after that exchange in deal %(deal)s."),
    "recorded_already": N_("That moment of deal %(deal)s already has its entry."),
    "entry_missing": N_("An entry is missing before this one in deal %(deal)s."),
    "files_busy": N_("Somebody else reads or packs files just now. Try again in a moment."),
    "import_still_playing": N_("One of the games is not over, and others have followed it."),
    "no_conflict": N_("There is nothing left to decide at this table."),
    "not_fetched": N_("What is on the server has to be fetched first, once there is a network."),
    "not_a_table": N_("This phone’s copy of the table cannot be read."),
    "no_pen": N_("Only whoever holds the pen may write at this table."),
    "no_such_table": N_("There is no such table."),
    "no_such_game": N_("There is no such game at this table."),
    "no_such_event": N_("There is no such entry in this game."),
    "newest_game_stays": N_("The newest game is undone or broken off instead."),
    "key_reused": N_("This idempotency key has already come with another request."),
    "key_too_old": N_("The table that this key opened cannot be returned again; use a new key."),
    "table_full": N_(
        "This table is full: it holds %(limit)s entries; start a new table for the next evening."
    ),
    "points_too_large": N_("A table keeps scores of at most %(limit)s points."),
    "game_full": N_(
        "This game is full: its log holds %(limit)s entries, including those taken back; break it"
        " off and start the next."
    ),
    "too_many_games": N_(
        "This table is full: it holds %(limit)s games; start a new table for the next evening."
    ),
    "too_many_people": N_(
        "This table is full: %(limit)s names have played here; start a new table for others."
    ),
    "too_many_payments": N_(
        "This table is full: it holds %(limit)s payments; start a new table for the next evening."
    ),
    "too_many_pens": N_(
        "%(limit)s phones already write at this table; take their pens back first."
    ),
    "stale": N_("Somebody else got there first: the table has changed since."),
    "still_playing": N_("The game is still being played."),
    "nothing_to_undo": N_("There is nothing to undo."),
    "nothing_to_redo": N_("There is nothing to redo."),
    "no_such_person": N_("There is nobody of that name at this table."),
    "same_person_already": N_("%(player)s and %(by)s are already the same person."),
    "played_each_other": N_(
        "%(player)s and %(by)s both played in game %(number)s, so they are two people."
    ),
    "not_merged": N_("%(player)s stands for nobody else."),
    "nothing_owed": N_("%(player)s does not owe %(by)s anything now."),
    "pays_too_much": N_("%(player)s owes %(by)s %(ore)s and no more."),
    "pays_oneself": N_("%(player)s cannot pay themselves."),
    "advance_too_large": N_("At most %(ore)s can be recorded at once."),
    "swish_in_kronor": N_("Swish pays kronor only, and this table counts in euros."),
    "currency_settled": N_("The ledger already has amounts in another currency: open a new table."),
    "all_settled": N_("Nobody owes anything."),
    "no_such_payment": N_("That payment has already been taken back."),
    "one_person_twice": N_("%(player)s and %(by)s are the same person; only one of them plays."),
    "cannot_deal": N_("%(player)s cannot be the dealer now, whoever dealt first."),
    # Why something is allowed.
    "no_exchange_stop": N_("%(player)s may exchange; there is no exchange stop here."),
    "below_exchange_stop": N_("%(player)s may exchange: %(score)s, exchange stop at %(limit)s."),
    "exchange_stop_next_deal": N_(
        "%(player)s may exchange in this deal, but not in the next:"
        " %(score)s, exchange stop at %(limit)s."
    ),
    "may_bid": N_("%(player)s may bid Chicago."),
    "may_bid_from": N_("%(player)s may bid Chicago: %(score)s, %(minimum)s needed."),
    "chicago_time": N_("Chicago may be bid now."),
    "may_join": N_("Somebody may join now."),
    "wins_at_target": N_("%(player)s wins at %(target)s and has %(score)s."),
    "wins_with_trick": N_(
        "%(player)s wins at %(target)s by taking the last trick or a Chicago, and has %(score)s."
    ),
    "wins_by_most": N_("%(player)s wins the tie-break by being ahead, and has %(score)s."),
}

# Where fewer than all five may be exchanged at once.
FEWER_CARDS: Mapping[ReasonCode, str] = {
    "no_exchange_stop": N_(
        "%(player)s may exchange at most %(cards)s; there is no exchange stop here."
    ),
    "below_exchange_stop": N_(
        "%(player)s may exchange at most %(cards)s: %(score)s, exchange stop at %(limit)s."
    ),
    "exchange_stop_next_deal": N_(
        "%(player)s may exchange at most %(cards)s in this deal, and none in the next: %(score)s,"
        " exchange stop at %(limit)s."
    ),
}

WHATS: Mapping[str, str] = {
    "game": N_("the game"),
    "rules": N_("the house rules"),
    "event": N_("an event"),
    "nothing": N_("an empty file"),
    "database": N_("a whole database, to be put back where it came from"),
    "picture": N_("a picture"),
    "pdf": N_("a PDF"),
    "spreadsheet": N_("a spreadsheet"),
    "document": N_("a document"),
    "web_page": N_("a web page"),
    "archive": N_("an archive without any game"),
    "packed": N_("an archive of a kind that cannot be read here; a zip can"),
    "other": N_("another program’s file"),
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
        return language.money(value.hundredths, value.currency)
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


STEP_NAMES: Mapping[Step, str] = {
    Step.HAND_0: N_("as dealt"),
    Step.HAND_1: N_("first exchange"),
    Step.HAND_2: N_("second exchange"),
    Step.HAND_3: N_("third exchange"),
    Step.PLAY: N_("the play"),
    Step.CHICAGO_PLAY: N_("the Chicago"),
    Step.LAST_TRICK: N_("after the Chicago"),
    Step.FINAL_HAND: N_("after the play"),
    Step.OVER: N_("the game is over"),
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
UNAVAILABLE: Mapping[RefusedDatabase, str] = {
    "newer": N_(
        "%(file)s was made by a newer version of the score keeper: update this one,"
        " or name another database in CHICAGO_DB."
    ),
    "older": N_(
        "%(file)s was made by an older version of the score keeper: export each table’s games"
        " with that version, name another database in CHICAGO_DB here, and import them."
    ),
    "foreign": N_("%(file)s is not a database of the score keeper."),
    "in_use": N_("%(file)s is being served by another score keeper: stop that one first."),
    "unusable": _UNUSABLE,
    "damaged": N_("%(file)s is damaged: %(why)s."),
    "not_copied": N_("%(file)s could not be copied: %(why)s."),
    "own_file": N_("%(file)s belongs to the database itself: name another file."),
    "not_a_copy": N_("%(file)s is not a copy of a database: name another file."),
    "not_a_file": N_("%(file)s is not a file."),
    "no_folder": N_("There is no folder %(file)s: create it, or mount its disk."),
    "linked": N_("%(file)s has a second name, a hard link: remove one of the two first."),
    "missing": N_("There is no database %(file)s."),
}


def describe(error: DatabaseUnavailable, file: object, language: Language) -> str:
    """Why a database cannot be used, with `file` its name where the error does not tell."""
    if isinstance(error, DatabaseRefused):
        return language.gettext(UNAVAILABLE[error.code], file=error.file, why=error.why)
    return language.gettext(_UNUSABLE, file=file, why=str(error))

"""What `--help` teaches, one message a command."""

from __future__ import annotations

from app.i18n.language import N_

SCORE_HELP = N_("""\
Score games of Chicago and print their protocols.

FILE holds one game: who sat where, the house rules, and what happened, in order. A file - is
standard input with a game on each line.

Examples:
  flask --app app score evening.json
  flask --app app score --json games/*.json
  flask --app app score --json - < games.jsonl

A game file, in short:
  {"format": "chicago-game/1",
   "players": ["Anna", "Bo", "Cilla"],
   "rules": {"preset": "pagat", "exchange_stop": 42},
   "events": [
     {"event": "best_hand", "player": "Anna", "hand": "pair"},
     {"event": "no_best_hand"},
     {"event": "last_trick", "player": "Bo"},
     {"event": "no_best_hand", "hand": "pair", "tied": ["Anna", "Cilla"]}]}

Players sit clockwise and the last one deals first, unless "dealer" names another. "stake_ore" is
what a point costs, in öre; left out, 100. "rules" is a rule set and what differs from it; left
out, huvudregler.

Events: best_hand, no_best_hand, chicago, chicago_result, last_trick,
  illegal_exchange, false_claim, leaves, joins, correction, break_off
Rule sets: huvudregler, vanlig, pagat, kortspelsregler, gamerules, wikipedia

Exit status:
  0  every game was scored
  1  a game could not be scored
  2  wrong use, or a file that cannot be read
""")

SETTLE_HELP = N_("""\
Add up the games of an evening and say who pays whom.

Takes the same files as score does. Every game must be over: finished, or broken off. The payments
are as few as they can be.

Examples:
  flask --app app settle first.json second.json
  flask --app app settle --json - < evening.jsonl

Exit status:
  0  settled
  1  a game could not be scored, or is still being played
  2  wrong use, or a file that cannot be read
""")

COMPARE_HELP = N_("""\
Name poker hands and find the single best one.

HAND is a name, a colon and five cards. A card is its rank (2-10, T, J or Kn, Q or D, K, A or E)
and its suit (s, h, d, c); case and spaces are free.

Examples:
  flask --app app compare "Anna: Ah Ad 9c 7s 2d" "Bo: Kh Kd 9d 7c 2s"
  flask --app app compare --ties suits "Anna: Ah Ad 9c 7s 2d" "Bo: As Ac 9d 7c 2s"
  flask --app app compare --rules pagat --json "Anna: 10h Knh Dh Kh Eh"

Exit status:
  0  compared
  2  wrong use, or cards that cannot be a hand
""")

JSON_HELP = N_("Print JSON, for programs.")
LANG_HELP = N_("The language; left out, the one that LANG names, otherwise Swedish.")
RULES_HELP = N_("The rule set whose tie rule holds; left out, huvudregler.")
TIES_HELP = N_("How equal combinations are decided.")
SUIT_ORDER_HELP = N_("The four suit letters, best first, such as hsdc.")
FLUSH_SUITS_HELP = N_("Whether straight and royal flushes of equal height are decided by suit.")

BACKUP_HELP = N_("""\
Copy the database to FILE, while people play.

The copy is checked before it is put in place. A FILE that is there already is replaced only by a
copy that is whole. Keep the file secret-key with it: it lies beside the database.

Exit status:
  0  copied
  1  no copy was made, and FILE is as it was
""")

RESTORE_HELP = N_("""\
Put a copy that backup has made in the place of the database.

The server has to be stopped first. What was recorded after the copy was made is gone.

Exit status:
  0  put back
  1  nothing was put back, and the database is as it was
""")

YEARS_HELP = N_("""\
Work out anew what the page of the years shows.

Everything is counted again from the recorded games; nothing else changes, however often it is done.
""")

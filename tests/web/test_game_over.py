import msgspec

from app.i18n.language import get_language
from app.rules.settlement import payout, transfers
from app.rules.state import GameState
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone
from tests.web.test_game_file import download_game, without_times

PLAYED: tuple[dict[str, object], ...] = (
    {"event": "best_hand", "player": "Bo", "hand": "full_house"},
    {"event": "best_hand", "player": "Cilla", "hand": "flush"},
    {"event": "last_trick", "player": "Bo"},
    {"event": "best_hand", "player": "Anna", "hand": "royal_flush"},
)


def final(phone: Phone) -> GameState:
    """Return how the game being kept ended."""
    return download_game(phone).states()[-1]


def test_the_end_says_who_won_and_why(either: Phone, seat: Seat) -> None:
    """The winner, the reason and the scores, highest first."""
    seat(either, *PLAYED[:-1])
    either.follow("Anna: Royal flush")
    either.press("Anna wins the game with 52 points")
    text = either.page.text
    assert "Anna wins at once with royal flush" in text
    assert text.index("52 points") < text.index("0 points")


def test_the_end_says_what_everybody_wins_or_loses(seat: Seat, phone: Phone) -> None:
    """The payout of every player and who pays whom, as the rules settle it."""
    seat(phone, *PLAYED, stake_ore=50)
    page, english = phone.page, get_language("en")
    paid = payout(final(phone))
    assert paid
    for name, ore in paid.items():
        assert name in page.text
        assert english.signed_money(ore, "SEK").replace("\N{NO-BREAK SPACE}", " ") in page.text
    for transfer in transfers(paid):
        assert f"{transfer.payer} → {transfer.payee}" in page.text


def test_a_broken_off_game_is_settled_or_not(seat: Seat, phone: Phone) -> None:
    """Settled, those behind pay; void, nobody owes anything."""
    seat(phone, *PLAYED[:2], {"event": "break_off", "settle": True})
    assert "Bo ahead" in phone.page.text
    assert "Dan → Bo" in phone.page.text
    seat(phone, *PLAYED[:2], {"event": "break_off", "settle": False})
    assert "Nobody owes anything." in phone.page.text


def test_a_rematch_takes_one_tap(either: Phone, seat: Seat) -> None:
    """Same seats, stake and rules, no points, and the deal has moved on."""
    seat(either, *PLAYED, rules={"preset": "vanlig"}, stake_ore=25, dealer="Bo")
    before = download_game(either).setup
    either.home()
    either.press("Rematch")
    assert "Deal 1 · Cilla deals" in either.page.text
    after = download_game(either)
    assert (after.setup.players, after.setup.rules) == (before.players, before.rules)
    assert after.setup.stake_ore == 25
    assert after.events == ()


def test_a_rematch_is_refused_while_a_game_is_played(either: Phone, seat: Seat) -> None:
    """A rematch that was not offered says why it is not."""
    seat(either)
    either.send(f"{either.table}/games", {"seq": "1"})
    assert either.answer.status_code == 422
    assert either.page.announcement == "The game is still being played."


def test_games_before_a_rematch_stay_readable(
    seat: Seat, phone: Phone, new_phone: NewPhone
) -> None:
    """Their protocols and files are linked, for readers too."""
    seat(phone, *PLAYED)
    first = download_game(phone)
    phone.home()
    phone.press("Rematch")
    reader = new_phone()
    reader.open(f"{phone.table}/protocol")
    reader.follow("Game 1")
    assert "Anna wins at once with royal flush" in reader.page.text
    reader.open(reader.page.link("Keep the game as a file").href)
    assert without_times(msgspec.json.decode(reader.answer.data))["events"] == list(PLAYED)
    assert first.states()[-1].over

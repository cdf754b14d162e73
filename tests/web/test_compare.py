"""Hands compared: entered by taps or typed, told in a sentence, booked in one tap."""

from __future__ import annotations

import msgspec
import pytest

from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import NOBODY, without_times
from tests.web.pages import Button, Page
from tests.web.phone import HTMX, Phone

Pairs = list[tuple[str, str]]

KICKERS = {"ties": "kickers", "flush_suits": False}
KINGS = "Kd Kh 9s 7c 2d"
MORE_KINGS = "Kc Ks 9h 6c 3d"
EQUAL_KINGS = "Kc Ks 9h 7d 2c"
SEVENS = "7h 7s 3s 4s 5h"
NOTHING = "Ah Js 8c 6d 3h"
LESS = "Qh Jc 9d 5c 4s"
EQUAL = "equal card for card, and the suit does not decide here: nobody scores."
FOURS = "4c 4d 4h 4s 8s"
KING_OF_HEARTS = {"ties": "suits", "suit_order": "hsdc"}
CLUBS = {"ties": "kickers", "flush_suits": True, "suit_order": "cdhs"}
NOBODY_SCORES = "Anna and Bo have pair, and here that scores for nobody, whatever the other cards."


def ask(phone: Phone, *pairs: tuple[str, str], **typed: str) -> Page:
    """Return what the page answers to a form with these fields, and hands `s1`, `s2` … typed."""
    headers = phone.headers | (HTMX if phone.htmx else {})
    address, sent = f"{phone.table}/compare", [*hands(typed), *pairs]
    phone.answer = phone.client.get(address, query_string=sent, headers=headers)
    answered = phone.answer.text
    # What scripts get lands in the form that is there already.
    phone.page = Page(f'<form action="{address}">{answered}</form>' if phone.htmx else answered)
    return phone.page


def hands(entries: dict[str, str]) -> Pairs:
    """Return the fields of hands that are there already, by seat."""
    return [
        pair
        for who, cards in entries.items()
        for pair in (("who", who.removeprefix("s")), ("cards", cards))
    ]


def tap(phone: Phone, turn: str, cards: str, *more: tuple[str, str], **entries: str) -> Page:
    """Return what is answered when these cards are ticked for the hand in seat `turn`."""
    ticked = [("card", card) for card in cards.split()]
    return ask(phone, *hands(entries), ("turn", turn), *ticked, *more)


def held(page: Page) -> dict[str, str]:
    """Return the cards of every hand on the page, by seat, as its form carries them."""
    seats, inputs = page.elements("input[name=who]"), page.elements("input[name=cards]")
    return {
        f"s{seat['value']}": cards.get("value", "")
        for seat, cards in zip(seats, inputs, strict=True)
    }


def turn_of(page: Page) -> list[str]:
    """Return the seat whose hand is being filled, nothing while hands are typed."""
    return [turn["value"] for turn in page.elements("input[name=turn]")]


def booking(page: Page) -> Button:
    """Return the button that writes the outcome down."""
    (button,) = [button for button in page.buttons if button.label.startswith("Write")]
    return button


def book(phone: Phone) -> Page:
    """Press that button: it belongs to the form that records."""
    button = booking(phone.page)
    assert button.attributes["form"] == "book"
    address = f"{phone.table}/events"
    assert phone.htmx or phone.page.form(address).method == "post"
    data = [("seq", phone.page.seq), (button.name, button.value)]
    return phone.send(address, data, plain=True)


def recorded(phone: Phone) -> list[dict[str, object]]:
    """Return the events of the table's game, without the times they were recorded at."""
    answer = phone.client.get(f"{phone.table}/games/1.json", headers=phone.headers)
    events: list[dict[str, object]] = without_times(msgspec.json.decode(answer.data))["events"]
    return events


@pytest.fixture
def table(either: Phone, seat: Seat) -> Phone:
    """Return the phone of a keeper, with and without scripts."""
    return seat(either)


def test_it_starts_with_two_hands_of_those_who_play(phone: Phone, seat: Seat) -> None:
    """Others who play can be added; who has left has no hand."""
    page = ask(seat(phone, {"event": "leaves", "player": "Bo"}))
    assert held(page) == {"s1": "", "s3": ""}
    assert turn_of(page) == ["1"]
    assert [button.label for button in page.buttons if button.label[0] == "+"] == ["+ Dan"]


def test_there_is_a_cell_for_every_card(phone: Phone, seat: Seat) -> None:
    """All 52 cards are there once, the table's best suit first, aces first."""
    page = ask(seat(phone, rules={"suit_order": "dchs"}))
    codes = [tick["value"] for tick in page.elements("input[name=card]")]
    assert len(set(codes)) == 52
    assert [*codes[:2], codes[-1]] == ["Ad", "Kd", "2s"]


# The hands that are there, the seat being filled, the cards ticked and what else is tapped; then
# the hands, and the seat being filled.
TAPS: dict[str, tuple[dict[str, str], str, str, Pairs, dict[str, str], str]] = {
    "a card": ({"s1": "Kh", "s2": ""}, "1", "Kh 2d", [], {"s1": "Kh 2d", "s2": ""}, "1"),
    "a card taken back": ({"s1": "Kh 2d", "s2": ""}, "1", "2d", [], {"s1": "2d", "s2": ""}, "1"),
    "a fifth card": ({"s1": "", "s2": ""}, "1", KINGS, [], {"s1": KINGS, "s2": ""}, "2"),
    "another hand": (
        {"s1": "", "s2": ""},
        *("1", "Kh", [("fill", "4")]),
        {"s1": "Kh", "s2": "", "s4": ""},
        "4",
    ),
    "cards put back": (
        {"s1": "", "s2": "", "s3": "Kh"},
        *("1", "", [("drop", "3")]),
        {"s1": "", "s2": "", "s3": ""},
        "3",
    ),
    "a hand put away": (
        {"s1": "", "s2": "", "s3": ""},
        *("3", "", [("drop", "3")]),
        {"s1": "", "s2": ""},
        "1",
    ),
    "the last two stay": (
        {"s1": "", "s2": ""},
        *("1", "", [("drop", "2")]),
        {"s1": "", "s2": ""},
        "2",
    ),
}


@pytest.mark.parametrize("name", TAPS)
def test_hands_are_filled_by_taps(table: Phone, name: str) -> None:
    """Ticked cards are those of the hand being filled; five bring the next that lacks cards."""
    before, turn, cards, more, after, filled = TAPS[name]
    page = tap(table, turn, cards, *more, **before)
    assert held(page) == after
    # Where the cards a phone shows are the right ones still, scripts get no others.
    kept = table.htmx and name.startswith("a card")
    assert turn_of(page) == ([] if kept else [filled])
    others = " ".join(cards for seat, cards in after.items() if seat != f"s{filled}").split()
    dimmed = page.elements("input[name=card][aria-disabled]")
    assert kept or {tick["value"] for tick in dimmed} == set(others)


@pytest.mark.parametrize(
    ("turn", "cards", "after", "told"),
    [
        ("2", MORE_KINGS, {"s1": KINGS, "s2": MORE_KINGS}, "Anna wins: the seven decides."),
        ("2", "3d Kh", {"s1": KINGS, "s2": "3d"}, "Anna has the king of hearts already."),
        (
            *("1", f"{KINGS} 3s", {"s1": KINGS, "s2": "3d"}),
            "Anna has five cards; tap one of them to take it back first.",
        ),
    ],
)
def test_the_last_card_tells_who_wins_and_one_too_many_is_refused(
    table: Phone, turn: str, cards: str, after: dict[str, str], told: str
) -> None:
    """A card of another hand stays there, and a full hand keeps those it has."""
    page = tap(table, turn, cards, s1=KINGS, s2="3d")
    assert page.announcement == told
    assert table.answer.status_code == (200 if "wins" in told else 422)
    assert held(page) == after


@pytest.mark.parametrize(("third", "told"), [("", "Anna wins: the seven decides."), ("Ah", "")])
def test_an_empty_hand_takes_no_part_and_a_half_filled_one_is_waited_for(
    table: Phone, third: str, told: str
) -> None:
    """Whoever got no cards is left out; while a hand lacks cards nobody wins."""
    assert tap(table, "3", third, s1=KINGS, s2=MORE_KINGS, s3="").announcement == told


def test_hands_are_typed_as_players_write(table: Phone) -> None:
    """Letters or symbols, with spaces or without, make the same hand."""
    page = ask(table, s1="K♦ kh9s 7♣ 2♦", s2="kn♠ D♥ E♦ 10c 9h")
    assert held(page) == {"s1": KINGS, "s2": "Ad Qh Js 10c 9h"}
    assert page.announcement == "Anna wins: nobody else has a combination."


@pytest.mark.parametrize(
    ("typing", "reason"),
    [
        ("Kd Kh 9s 7c", "Bo: A hand is five cards, not 4: Kd Kh 9s 7c."),
        ("Ac Kh 9s 7c 2d", "Bo: Ac is dealt twice."),
    ],
)
def test_what_cannot_be_a_hand_stays_in_its_field(table: Phone, typing: str, reason: str) -> None:
    """One sentence says whose hand is wrong and how; what was typed is still there."""
    typed = {"s1": "Ac As 4d 4h 8s", "s2": typing}
    page = ask(table, **typed)
    assert table.answer.status_code == 422
    assert reason in page.text
    assert (held(page), turn_of(page)) == (typed, [])


def test_cards_are_written_in_the_language_of_the_phone(seat: Seat, new_phone: NewPhone) -> None:
    """In Swedish the court cards have Swedish letters, and can be read back."""
    swede = seat(new_phone(language="sv"))
    page = tap(swede, "1", "Ac Ks Qh Jd", ("mode", "type"), s1="", s2="")
    assert held(page)["s1"] == "E♣ K♠ D♥ Kn♦"
    assert held(ask(swede, ("mode", "tap"), **held(page)))["s1"] == "Ac Ks Qh Jd"


@pytest.mark.parametrize(
    "nonsense",
    [
        [("turn", "9")],
        [("who", "0"), ("cards", "Kh")],
        [("who", "²"), ("cards", "\0")],
        [("who", "1"), ("cards", "Kh"), ("turn", "1"), ("card", "x" * 3000)],
        [("who", "1"), ("cards", "Kh Kh Kh"), ("turn", "2"), ("drop", "7"), ("mode", "fly")],
    ],
)
def test_nonsense_is_answered(keeper: Phone, nonsense: Pairs) -> None:
    """Whatever an address asks, the page comes back."""
    page = ask(keeper, *nonsense)
    assert keeper.answer.status_code in (200, 422)
    assert held(page)


@pytest.mark.parametrize(
    ("rules", "anna", "bo", "told"),
    [
        (KICKERS, KINGS, "Qc Qs Ah 7d 2c", "Anna wins: the king decides."),
        (KICKERS, KINGS, "3c 3s 2h 2s 4c", "Bo wins: two pairs beats pair."),
        (KICKERS, KINGS, NOTHING, "Anna wins: nobody else has a combination."),
        (KICKERS, LESS, NOTHING, "Nobody has a combination: nobody scores."),
        (KICKERS, KINGS, EQUAL_KINGS, f"Anna and Bo are {EQUAL}"),
        ({"ties": "same_type"}, KINGS, SEVENS, NOBODY_SCORES),
        (KING_OF_HEARTS, KINGS, EQUAL_KINGS, "Anna wins: the suit decides, king of hearts."),
        (
            *(CLUBS, "10h 9h 8h 7h 6h", "10c 9c 8c 7c 6c"),
            "Bo wins: the suit decides, 10 of clubs.",
        ),
    ],
)
def test_one_sentence_tells_who_wins_and_why(
    seat: Seat, phone: Phone, rules: dict[str, object], anna: str, bo: str, told: str
) -> None:
    """The sentence names the winner and the card that decides, or why nobody scores here."""
    assert ask(seat(phone, rules=rules), s1=anna, s2=bo).announcement == told


def test_every_hand_is_named_and_the_card_that_decides_is_marked(phone: Phone, seat: Seat) -> None:
    """Of all the cards drawn, only the one that decides stands out."""
    seat(phone, rules=KICKERS)
    page = ask(phone, s1=KINGS, s2="Kc Ks 9h 6d 2c", s3=LESS)
    assert page.elements("span.decides") == [{"class": "card c decides"}]
    assert [name in page.text for name in ("Pair", "no combination")] == [True] * 2


PAIR_TIED = {"event": "no_best_hand", "hand": "pair", "tied": ["Anna", "Dan"]}


@pytest.mark.parametrize(
    ("typed", "label", "event"),
    [
        (
            {"s1": NOTHING, "s2": KINGS},
            "Write: Bo pair",
            {"event": "best_hand", "player": "Bo", "hand": "pair"},
        ),
        ({"s1": KINGS, "s2": NOTHING, "s4": SEVENS}, "Write", PAIR_TIED),
        ({"s1": NOTHING, "s2": LESS}, "Write", NOBODY),
    ],
)
def test_the_outcome_is_booked_in_one_tap(
    either: Phone, seat: Seat, typed: dict[str, str], label: str, event: dict[str, object]
) -> None:
    """The winner's hand as the best that is due; equal ones with who must show them; nobody."""
    ask(seat(either, rules={"ties": "same_type"}), **typed)
    assert booking(either.page).label.startswith(label)
    book(either)
    assert either.answer.status_code == 303
    assert recorded(either) == [event]


def test_a_hand_that_asks_leads_to_its_question(keeper: Phone) -> None:
    """Score or zero, and whom: that is answered on the sheet made for it."""
    page = ask(keeper, s1=KINGS, s3=FOURS)
    assert page.announcement == "Cilla wins: four of a kind beats pair."
    view = keeper.open(page.link("Write: Cilla four of a kind …").href)
    assert "Cilla: four of a kind" in view.text
    keeper.press("Zero all the others")
    assert recorded(keeper)[0]["choose"] == "zero"


def test_nothing_is_offered_to_book_by_a_reader_or_while_no_hand_is_due(
    phone: Phone, seat: Seat, reader: Phone
) -> None:
    """Hands can be compared, and that is all."""
    for asking in (reader, seat(phone, NOBODY, NOBODY)):
        page = ask(asking, s1=KINGS, s2=SEVENS)
        assert page.announcement == "Anna wins: the king decides."
        assert "Write: Anna pair" not in page.text

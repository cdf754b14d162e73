"""The payer's own phone: a number for this payment, and that it is paid, which a tap confirms."""

from __future__ import annotations

import pytest

from tests.api.calling import Stream
from tests.web.conftest import NewPhone, Seat
from tests.web.pages import words
from tests.web.phone import Phone

NUMBER, WRITTEN = "070-123 45 67", "0701234567"
SAID = "Bo has paid Anna 5 kr?"


@pytest.fixture
def owed(seat: Seat, phone: Phone) -> Phone:
    """Return the keeper's phone at the end of a game after which Bo owes Anna 5 kr."""
    return seat(phone, "Anna 5, settled", players=["Anna", "Bo"], stake_ore=100)


def be(owed: Phone, new_phone: NewPhone, name: str) -> Phone:
    """Return another phone, which has said to be somebody."""
    other = new_phone()
    other.open(owed.table)
    other.open(other.page.link(f"I am {name}").href)
    return other


@pytest.fixture
def bo(owed: Phone, new_phone: NewPhone) -> Phone:
    """Return Bo's phone, on the page of what Bo owes."""
    other = be(owed, new_phone, "Bo")
    other.open(f"{owed.table}/evening/pay/2-1")
    return other


def told(keeper: Phone, page: str = "") -> str:
    """Return what the keeper is asked, on a page of the table."""
    text = " ".join(map(words, keeper.open(f"{keeper.table}{page}").soup.select(".notes, .came")))
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_typed_number_gives_a_code_and_is_not_kept(bo: Phone, owed: Phone) -> None:
    """The page with the code goes on to the payment; asked for again it has no number."""
    bo.fill(number=NUMBER)
    page = bo.press("Show a code")
    assert WRITTEN in page.html
    assert page.elements(".code svg")
    assert page.has("I have paid")
    for phone in (bo, owed):
        assert WRITTEN not in phone.open(f"{owed.table}/evening/pay/2-1").html


def test_a_number_that_is_none_is_typed_again(bo: Phone) -> None:
    """It stays in its field, beside the reason."""
    bo.fill(number="12")
    page = bo.press("Show a code")
    assert bo.answer.status_code == 422
    assert page.elements("input[name=number][value='12'][aria-invalid=true]")


def test_who_is_to_be_paid_saves_their_number(owed: Phone, bo: Phone, new_phone: NewPhone) -> None:
    """Then the payer has the code at once."""
    anna = be(owed, new_phone, "Anna")
    anna.open(anna.page.link("Your Swish number").href)
    anna.fill(number=NUMBER)
    anna.press("Save my number")
    assert WRITTEN in anna.page.html
    assert not anna.page.has("I have paid")
    assert WRITTEN in bo.open(f"{bo.table}/evening/pay/2-1").html


def test_the_keeper_is_asked_once_and_confirms_with_a_tap(owed: Phone, bo: Phone) -> None:
    """At the table, in its open page, and on the evening; the debt is paid by Swish then."""
    stream = Stream(owed.client, f"{owed.table}/evening/live")
    assert b"/came" not in stream.next()
    page = bo.press("I have paid")
    assert "You have said that you have paid 5" in page.text
    assert not page.has("I have paid")
    assert b"/came" in stream.next()
    stream.close()
    assert [told(owed, page).startswith(SAID) for page in ("/evening", "")] == [True, True]
    owed.press("Yes")
    assert [told(owed, page) for page in ("", "/evening")] == ["", ""]
    assert "Swish" in owed.page.text
    assert "nothing to pay" in bo.open(f"{bo.table}/evening/pay/2-1").text


@pytest.mark.parametrize("page", ["", "/evening"])
@pytest.mark.parametrize("htmx", [False, True])
def test_the_keeper_says_that_it_has_not_come(
    owed: Phone, bo: Phone, page: str, htmx: bool
) -> None:
    """Nothing is paid, and the payer may say it again."""
    bo.press("I have paid")
    assert told(owed, page)
    owed.htmx = htmx
    owed.press("No")
    assert told(owed, page) == ""
    assert bo.open(f"{bo.table}/evening/pay/2-1").has("I have paid")


def test_on_the_evening_a_tap_confirms_too(owed: Phone, bo: Phone) -> None:
    """The answer is the evening."""
    bo.press("I have paid")
    owed.open(f"{owed.table}/evening")
    owed.htmx = True
    assert "Nobody owes anything." in owed.press("Yes").text


def test_what_was_paid_meanwhile_is_paid_once(owed: Phone, bo: Phone) -> None:
    """A tap on a page from before records nothing more."""
    bo.press("I have paid")
    button = owed.home().button("Yes")
    owed.open(f"{owed.table}/evening/pay/2-1")
    owed.press("Paid in cash")
    owed.submit(button)
    assert owed.answer.status_code == 409
    assert owed.open(f"{owed.table}/evening").html.count('class="record') == 1


def test_only_the_payers_phone_says_so(owed: Phone, bo: Phone, new_phone: NewPhone) -> None:
    """Whoever reads sees how to pay; Anna's phone offers no payment, and nobody's pen is used."""
    watching = new_phone()
    for phone in (be(owed, new_phone, "Anna"), watching):
        page = phone.open(f"{owed.table}/evening/pay/2-1")
        assert not page.has("I have paid")
        assert phone.send(f"{owed.table}/evening/pay/2-1/said", {}).title
        assert phone.answer.status_code == 404
    assert watching.send(f"{owed.table}/evening/pay/2-1/own", {"number": NUMBER}).title
    assert watching.answer.status_code == 404
    answer = bo.client.post(f"{bo.table}/evening/pay/2-1/came", headers=bo.headers)
    assert answer.status_code == 401
    assert told(owed) == ""

"""Money given before it was owed, noted from the evening's page."""

import pytest

from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import won
from tests.web.pages import Page
from tests.web.phone import Phone

NOTED = {"payer": "2", "payee": "1", "amount": "100", "way": "cash"}


def to_note(seat: Seat, phone: Phone) -> Page:
    """Return the form, reached from an evening at which Bo has lost 5 kr to Anna."""
    seat(phone, *won("Anna", 5), players=["Anna", "Bo"])
    phone.open(f"{phone.table}/evening")
    return phone.follow("Somebody has paid in advance")


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("payer", "", "There is nobody of that name at this table."),
        ("payee", "2", "Bo pays somebody else, not Bo."),
        ("amount", "0", "Write the amount in kronor, such as 12 or 7,50, not “0”."),
        ("amount", "5 €", "Write the amount in kronor, such as 12 or 7,50, not “5 €”."),
        ("amount", "1000000,01", "At most 1,000,000 kr can be noted at once."),
    ],
)
def test_what_cannot_be_noted_is_refused_at_its_field(
    seat: Seat, phone: Phone, field: str, typed: str, said: str
) -> None:
    """In words, with everything else still filled in, and nothing is paid."""
    seq = to_note(seat, phone).seq
    phone.send(f"{phone.table}/evening/advance", {"seq": seq, **NOTED, field: typed})
    assert phone.answer.status_code == 422
    (fault,) = phone.page.elements(f"#{field}-fault")
    assert said in phone.page.text.replace("\N{NO-BREAK SPACE}", " ")
    assert fault["role"] == "alert"
    form = phone.page.form(f"{phone.table}/evening/advance")
    assert {name: form.values(name) for name in NOTED if name != field} == {
        name: [value] for name, value in NOTED.items() if name != field
    }
    assert "in cash" not in phone.open(f"{phone.table}/evening").text


def test_whoever_reads_sees_no_form(seat: Seat, phone: Phone, new_phone: NewPhone) -> None:
    """And may not send one."""
    to_note(seat, phone)
    reader = new_phone()
    assert not reader.open(f"{phone.table}/evening/advance").has("Note it")
    reader.send(f"{phone.table}/evening/advance", {"seq": "1", **NOTED})
    assert reader.answer.status_code == 401


def test_a_debt_is_not_let_go_in_advance(seat: Seat, phone: Phone) -> None:
    """Money goes in a way that moves money; rounding is for what is owed."""
    seq = to_note(seat, phone).seq
    for way in ("written_off", "rounded", "rounding", ""):
        phone.send(f"{phone.table}/evening/advance", {"seq": seq, **NOTED, "way": way})
        assert phone.answer.status_code == 422


def test_noted_twice_by_one_form_it_is_paid_once(seat: Seat, phone: Phone) -> None:
    """The second tap of an impatient thumb changes nothing."""
    to_note(seat, phone)
    phone.fill(**NOTED)
    button = phone.page.button("Note it")
    pages = [phone.submit(button), phone.submit(button)]
    assert [page.text.count("100 kr in cash") for page in pages] == [1, 1]

"""Bad input: a clear sentence, the typed text kept, nothing recorded, no error."""

from __future__ import annotations

import pytest

from tests.web.conftest import Seat
from tests.web.phone import HTMX, Phone

USUAL: dict[str, object] = {
    "player": ["Anna", "Bo", "Cilla"],
    "preset": "vanlig",
    "stake": "0,50",
    "dealer": "1",
    "name": "Torpet",
}
TOO_LONG = "A" * 41
CONTROL = "An\0na"

NEW_TABLES: dict[str, tuple[dict[str, object], str]] = {
    "nobody": ({"player": ["", " ", ""]}, "Write at least two names."),
    "nine players": (
        {"player": [f"Player {n}" for n in range(9)]},
        "Chicago is played by two to eight, not by 9.",
    ),
    "a name twice after trimming": (
        {"player": ["Anna", "Bo", " Bo "]},
        "Bo is listed twice; every player needs a name of their own.",
    ),
    "a name too long": ({"player": ["Anna", TOO_LONG]}, "is too long: at most 40 characters."),
    "a control character": (
        {"player": ["Bo", CONTROL]},
        "contains characters that cannot be shown.",
    ),
    "an endless number": ({"stake": "1e999999"}, "such as 1 or 0,50, not “1e999999”."),
    "a long number": ({"stake": "9" * 5000}, "such as 1 or 0,50, not"),
    "an unknown rule set": ({"preset": "poker"}, 'Unknown rule set: "poker".'),
    "a table's name that cannot be shown": ({"name": "a\0"}, "cannot be shown."),
}


@pytest.mark.parametrize("name", NEW_TABLES)
def test_a_table_that_cannot_be_is_refused_kindly(phone: Phone, name: str) -> None:
    """Status 422, one sentence that names the fault, and the form with its typed values."""
    changes, sentence = NEW_TABLES[name]
    fields = {**USUAL, **changes}
    page = phone.send("/", fields)
    assert phone.answer.status_code == 422
    assert sentence in page.announcement
    assert page.announcement.isprintable()
    form = page.form("/")
    typed = fields["player"]
    assert isinstance(typed, list)
    assert form.values("player")[: len(typed)] == typed
    for field in ("stake", "name"):
        assert form.values(field) == [fields[field]]
    for toggle in ("dealer", "preset"):
        offered = [field.value for field in form.fields if field.name == toggle]
        assert form.values(toggle) == [fields[toggle]] or fields[toggle] not in offered


@pytest.mark.parametrize("dealer", ["", "²", "3", "9" * 5000])
def test_a_dealer_who_has_no_seat_is_drawn(phone: Phone, dealer: str) -> None:
    """Without the number of a named seat the dealer is drawn by lot."""
    phone.send("/", {**USUAL, "dealer": dealer})
    assert phone.answer.status_code == 303
    assert any(f"{name} deals" in phone.page.text for name in ("Anna", "Bo", "Cilla"))


BUTTONS = ["", "x", "up:", "up:0", "up:²", "up:-1", "up:99", "up:" + "9" * 5000, "remove:x"]
BUTTONS += ["same:", "add:5", "same:" + "\n".join("abcdefghij"), "name:\0"]


@pytest.mark.parametrize("do", BUTTONS, ids=lambda do: repr(do[:9]))
def test_a_button_that_there_is_none_of_keeps_what_was_typed(phone: Phone, do: str) -> None:
    """An unknown button causes no error, and the stake stays."""
    page = phone.send("/", {**USUAL, "dealer": "²", "do": do})
    assert phone.answer.status_code == 200
    assert page.form("/").values("stake") == ["0,50"]


@pytest.mark.parametrize(
    ("points", "read"), [("+5", "+5"), (" 05", "+5"), ("-5", "−5"), ("\N{MINUS SIGN} 5", "−5")]
)
def test_a_correction_is_read_as_people_write_it(
    seat: Seat, phone: Phone, points: str, read: str
) -> None:
    """A plus, spaces, a leading zero and either minus sign are accepted."""
    seat(phone, rules={"preset": "wikipedia"})
    phone.follow("Bo")
    phone.fill(points=points)
    phone.press("Save")
    assert f"correction Bo {read}" in phone.page.to("/undo").label


EVENTS = {
    "[" * 5000: "This is not JSON.",
    "\ud800": "This is not JSON.",
    "[]": "An event must be an object.",
    '{"event":"sneeze"}': 'Unknown event: "sneeze".',
    '{"event":"correction","player":"Bo","points":%s}' % ("9" * 5000): "This is not JSON.",
}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: repr(event[:40]))
def test_an_event_that_no_button_carries_is_refused(either: Phone, seat: Seat, event: str) -> None:
    """Status 422 with one sentence and the table around it; nothing is recorded."""
    seat(either)
    sent = event.encode("utf-8", "surrogatepass")
    either.send(f"{either.table}/events", {"seq": "1", "event": sent})
    assert either.answer.status_code == 422
    assert either.page.announcement == EVENTS[event]
    assert either.page.seq == "1"


def test_a_form_without_its_fields_is_refused(keeper: Phone) -> None:
    """An empty form is refused at every address that records."""
    for part, status in (("/events", 422), ("/undo", 409), ("/redo", 409), ("/games", 409)):
        data = {"seq": "1"} if part == "/events" else {}
        keeper.send(keeper.table + part, data)
        assert keeper.answer.status_code == status
        assert keeper.page.announcement


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_giant_form_is_refused(phone: Phone, headers: dict[str, str]) -> None:
    """A body of more than 64 KiB is answered in words."""
    answer = phone.client.post("/", data={"player": "x" * 70_000}, headers=phone.headers | headers)
    assert answer.status_code == 413
    assert "too much at once" in answer.text


def test_a_body_that_is_no_form_is_refused(keeper: Phone) -> None:
    """JSON, text and broken uploads record nothing and cause no server error."""
    for kind in ("application/json", "multipart/form-data", "multipart/form-data; boundary=x"):
        for part in ("/events", "/undo", "/redo", "/games"):
            answer = keeper.client.post(
                keeper.table + part,
                data=b'--x\r\nContent-Disposition: form-data; name="seq"\r\n\r\n1',
                content_type=kind,
                headers=keeper.headers,
            )
            assert answer.status_code in (400, 409, 413, 422)
    assert keeper.home().seq == "1"


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example/", "/\\evil.example", "//["]
)
def test_the_language_switch_leads_nowhere_else(phone: Phone, back: str) -> None:
    """The redirect leads to a page of this app, for any requested address."""
    data = {"language": "\0", "back": back}
    answer = phone.client.post("/language", data=data, headers=phone.headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")

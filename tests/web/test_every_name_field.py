"""Every field that takes a name reads it alike."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import msgspec
import pytest
from werkzeug.datastructures import MultiDict

from app.http.application import Application
from app.rules.gamefile import write_game
from app.rules.names import tidy
from app.services.table_view import read_view
from app.store.database import Database
from tests.told import read_tables
from tests.web.conftest import NewPhone, Seat, serve
from tests.web.pages import TOGGLES, Button, Form, Page
from tests.web.phone import Phone

PLAYERS = ["Ada", "Bo", "Cy"]
CORRECTED = {"event": "correction", "player": "Bo", "points": 1}
# Each with what is read of it; `tests/rules/test_names.py` has all that a name may be typed like.
TAKEN = {
    "\u2068A\u030asa\u00a0Ek\u2069": "\u00c5sa Ek",
    "Zo\u00eb \U0001f469\u200d\U0001f9b0": "Zo\u00eb \U0001f469\u200d\U0001f9b0",
}
UNSEEN = "\u200b\u3164"
QUESTION = "two different people?"
LIKE_ADA = "a DA\u200b"
STORED = """SELECT body FROM changes UNION ALL SELECT name FROM people
    UNION ALL SELECT name FROM tables UNION ALL SELECT name FROM rule_sets"""
# Text fields of forms, each with its page, the form's address, its button, and whether the game of
# the table is over. `test_every_page` finds them on the pages.
FIELDS = read_tables(__file__)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    """Return an application of these tests alone."""
    served = serve(tmp_path_factory.mktemp("fields") / "chicago.db")
    yield served
    served.close()


@pytest.fixture(scope="module")
def db(app: Application) -> Database:
    """Return its database."""
    return app.database


def send(phone: Phone, db: Database, address: str, name: str, label: str, typed: str) -> Page:
    """Return the page that a form leads to with this name."""
    page = phone.open(address.replace("TABLE", phone.table))
    form = next(f for f in page.forms if f.named(name) and f.method == "post")
    _fill(form, name, typed)
    button = find_button(page, form, label)
    data = MultiDict[str, object](button.data)
    for each in form.fields:
        if each.kind == "file":
            game = write_game(read_view(db, phone.table[3:]).game)
            data[each.name] = BytesIO(msgspec.json.encode(game)), "game.json"
    return phone.send(button.action or address, data)


def find_button(page: Page, form: Form, label: str) -> Button:
    """Return the button of a form that takes the name."""
    return next(b for b in page.buttons if b.form is form and b.label == label)


def shown(page: Page) -> str:
    """Return what a page shows, its titles too."""
    titles = [each["title"] for each in page.elements("[title]")]
    return " ".join([page.text, str(page.soup.title), *titles])


def _fill(form: Form, name: str, typed: str) -> None:
    """Fill a form in, the field with a text beside Ada and Bo, and all else that it asks for."""
    if form.named("player"):
        # For a new table others than those who have one already, which would be asked about.
        third = "Yngve" if form.action == "/" else PLAYERS[2]
        form.fill_each("player", [*PLAYERS[:2], typed if name == "player" else third])
    if name != "player":
        form.fill(name, typed)
    for field in form.fields:
        group = [each for each in form.named(field.name) if each.kind in TOGGLES]
        if field.kind == "radio" and not any(each.checked for each in group):
            field.checked = True
        if field.name == "begins":
            field.value = "0"


@pytest.mark.parametrize(("address", "action", "name", "label", "over"), FIELDS)
def test_a_field_keeps_the_same_letters_and_asks_about_a_name_like_another(
    seat: Seat,
    new_phone: NewPhone,
    db: Database,
    address: str,
    action: str,
    name: str,
    label: str,
    *,
    over: bool,
) -> None:
    """Whatever a name was typed like, it is kept and shown as it is read, and never without it.

    Of a name like another who plays the form asks, and then accepts it as it is.
    """
    pages = list[Page]()
    for typed in (*TAKEN, UNSEEN, LIKE_ADA):
        phone = seat(new_phone(), CORRECTED, *["settled"] * over, players=PLAYERS)
        pages.append(send(phone, db, address, name, label, typed))
    for page, kept in zip(pages, TAKEN.values(), strict=False):
        assert kept in shown(page)
    asked, of_player = pages[-1], name == "player" or action.endswith("/events")
    assert (QUESTION in asked.text) is of_player
    if of_player:
        again = next(form for form in asked.forms if form.named("asked"))
        page = phone.submit(find_button(asked, again, label))
        assert tidy(LIKE_ADA) in shown(page)
        assert QUESTION not in page.text
    stored = "\n".join(text for (text,) in db.connection.execute(STORED).fetchall())
    assert all(tidy(line) == line for line in stored.splitlines())
    assert not {*"\u030a\u2068\u2069\u200b\u3164\u00a0"} & {*stored}

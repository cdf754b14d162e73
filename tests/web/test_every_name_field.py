"""Every field that takes a name reads it alike."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

import msgspec
import pytest

from app.http.application import Application
from app.rules.gamefile import write_game
from app.rules.names import tidy
from app.services.table_view import read_view
from app.store.database import Database
from tests.web.conftest import NewPhone, Seat, serve
from tests.web.pages import TOGGLES, Button, Form, Page

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


class Field(NamedTuple):
    """A text field of a form, on a page of a table that plays or is `over`, and its button.

    It names somebody who plays, or else a table or a rule set.
    """

    address: str
    action: str
    name: str
    button: str
    over: bool = False

    @property
    def of_player(self) -> bool:
        """Whether a player is named."""
        return self.name == "player" or self.action.endswith("/events")


# `test_every_page` finds them on the pages.
FIELDS = (
    Field("/rules", "/rules", "name", "Keep"),
    Field("/files", "/files", "name", "Read the file in"),
    Field("/tables", "/t/*/name", "name", "Rename"),
    Field("TABLE/rules/change", "/t/*/rules/change", "name", "Keep", over=True),
    Field("/", "/", "name", "Start the game"),
    Field("/", "/", "player", "Start the game"),
    Field("/", "/t/*/games", "player", "New evening", over=True),
    Field("TABLE/edit", "/t/*/edit", "player", "Preview"),
    Field("TABLE/next", "/t/*/next", "player", "Start the game", over=True),
    Field("TABLE/latecomer", "/t/*/events", "name", "Sit down"),
)


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


class Doors:
    """The fields that take a name, each filled in at a table of its own."""

    def __init__(self, seat: Seat, new_phone: NewPhone, db: Database) -> None:
        self.seat, self.new_phone, self.db = seat, new_phone, db

    def _sit(self, *, over: bool) -> None:
        self.phone = self.new_phone()
        self.seat(self.phone, CORRECTED, *(["settled"] if over else []), players=PLAYERS)

    def send(self, field: Field, typed: str) -> Page:
        """Return the page that a form leads to with this name."""
        self._sit(over=field.over)
        page = self.phone.open(field.address.replace("TABLE", self.phone.table))
        form = next(f for f in page.forms if f.named(field.name) and f.method == "post")
        _fill(form, field.name, typed)
        button = find_button(page, form, field)
        files = [each.name for each in form.fields if each.kind == "file"]
        return self.phone.send(button.action or field.address, self._with(button.data, files))

    def _with(self, data: list[tuple[str, str]], files: list[str]) -> object:
        if not files:
            return data
        game = write_game(read_view(self.db, self.phone.table[3:]).game)
        return dict(data) | {files[0]: (BytesIO(msgspec.json.encode(game)), "game.json")}

    def stored(self) -> str:
        """Return all that is kept of names."""
        sql = """SELECT body FROM changes UNION ALL SELECT name FROM people
            UNION ALL SELECT name FROM tables UNION ALL SELECT name FROM rule_sets"""
        return "\n".join(text for (text,) in self.db.connection.execute(sql).fetchall())


def find_button(page: Page, form: Form, field: Field) -> Button:
    """Return the button of a form that takes the name."""
    return next(b for b in page.buttons if b.form is form and b.label == field.button)


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


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field.action} {field.name}")
def test_a_field_keeps_the_same_letters_and_asks_about_a_name_like_another(
    seat: Seat, new_phone: NewPhone, db: Database, field: Field
) -> None:
    """Whatever a name was typed like, it is kept and shown as it is read, and never without it.

    Of a name like another the form asks, and then accepts it as it is.
    """
    doors = Doors(seat, new_phone, db)
    for typed, kept in TAKEN.items():
        assert kept in shown(doors.send(field, typed))
    doors.send(field, UNSEEN)
    stored = doors.stored()
    assert all(tidy(line) == line for line in stored.splitlines())
    assert not {*"\u030a\u2068\u2069\u200b\u3164\u00a0"} & {*stored}
    asked = doors.send(field, LIKE_ADA)
    assert (QUESTION in asked.text) is field.of_player
    if field.of_player:
        again = next(form for form in asked.forms if form.named("asked"))
        page = doors.phone.submit(find_button(asked, again, field))
        assert tidy(LIKE_ADA) in shown(page)
        assert QUESTION not in page.text

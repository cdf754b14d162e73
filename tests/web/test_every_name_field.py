"""Every field that takes a name reads it alike; the fields are those that the pages have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import NamedTuple

import msgspec
import pytest
from flask import Flask

from app.rules.gamefile import write_game
from app.rules.names import tidy
from app.services.table_view import read_view
from app.store.database import Database
from tests.web.conftest import NewPhone, Seat, serve
from tests.web.pages import TOGGLES, Button, Form, Page
from tests.web.walk import Walk, kind

PLAYERS = ["Ada", "Bo", "Cy"]
CORRECTED = {"event": "correction", "player": "Bo", "points": 1}
BELOW = ("", "/recovery", "/forget", "/files", "/rules/change", "/latecomer", "/comings", "/next")
APART = ("/", "/files", "/rules", "/tables")
# Each with what is read of it; `tests/rules/test_names.py` has all that a name may be typed like.
TAKEN = {
    "\u2068A\u030asa\u00a0Ek\u2069": "\u00c5sa Ek",
    "Zo\u00eb \U0001f469\u200d\U0001f9b0": "Zo\u00eb \U0001f469\u200d\U0001f9b0",
}
UNSEEN = "\u200b\u3164"
QUESTION = "two different people?"
LIKE_ADA = "a DA\u200b"


class Field(NamedTuple):
    """A text field of a form, on a page of a table that plays or has ended."""

    address: str
    action: str
    name: str
    over: bool


class Look(Walk):
    """A walk that presses nothing."""

    def _press(self, page: str, button: Button) -> None:
        pass


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Return an application of these tests alone."""
    served = serve(tmp_path_factory.mktemp("fields") / "chicago.db")
    yield served
    served.close()


@pytest.fixture(scope="module")
def db(app: Flask) -> Iterator[Database]:
    """Return its database."""
    opened = Database(app.config["DATABASE"])
    yield opened
    opened.close()


class Doors:
    """The fields that take a name, each filled in at a table of its own."""

    def __init__(self, seat: Seat, new_phone: NewPhone, db: Database) -> None:
        self.seat, self.new_phone, self.db = seat, new_phone, db
        found = [*self._find(over=False), *self._find(over=True)]
        self.fields = [*{(each.action, each.name): each for each in reversed(found)}.values()]

    def _find(self, *, over: bool) -> Iterator[Field]:
        """Yield each text field for which a phone shows letters as they are written."""
        self._sit(over=over)
        table, walk = self.phone.table, Look(self.phone.client)
        for start in (*(table + below for below in BELOW), *APART):
            walk.follow_all(start)
        for at, page in walk.pages.items():
            address = at.removeprefix("GET ")
            for form in page.forms:
                for tag in form.tag("input"):
                    if not {"type", "inputmode", "readonly"} & {*tag.attrs}:
                        action, name = kind(form.action or address), str(tag["name"])
                        yield Field(address.replace(table, "TABLE"), action, name, over)

    def _sit(self, *, over: bool) -> None:
        self.phone = self.new_phone()
        self.seat(self.phone, CORRECTED, *(["settled"] if over else []), players=PLAYERS)

    def send(self, field: Field, typed: str, label: str = "") -> Page:
        """Return the page that a form leads to with this name, by its button that takes names."""
        label = label or self.find_button(field)
        form, buttons = self._form(field)
        _fill(form, field.name, typed)
        button = next(each for each in buttons if each.label == label)
        files = [each.name for each in form.fields if each.kind == "file"]
        return self.phone.send(button.action or field.address, self._with(button.data, files))

    @cache  # noqa: B019  # as long as the test
    def find_button(self, field: Field) -> str:
        """Return the label of the last of its form's buttons that takes a name."""
        labels = [each.label for each in reversed(self._form(field)[1])]
        return next(each for each in labels if "Zelda" in shown(self.send(field, "Zelda", each)))

    def _with(self, data: list[tuple[str, str]], files: list[str]) -> object:
        if not files:
            return data
        game = write_game(read_view(self.db, self.phone.table[3:]).game)
        return dict(data) | {files[0]: (BytesIO(msgspec.json.encode(game)), "game.json")}

    def _form(self, field: Field) -> tuple[Form, list[Button]]:
        self._sit(over=field.over)
        page = self.phone.open(field.address.replace("TABLE", self.phone.table))
        form = next(f for f in page.forms if f.named(field.name) and f.method == "post")
        return form, [each for each in page.buttons if each.form is form]

    def stored(self) -> str:
        """Return all that is kept of names."""
        sql = """SELECT body FROM changes UNION ALL SELECT name FROM people
            UNION ALL SELECT name FROM tables UNION ALL SELECT name FROM rule_sets"""
        return "\n".join(text for (text,) in self.db.connection.execute(sql).fetchall())

    @property
    def of_players(self) -> list[Field]:
        """The fields that name somebody who plays, and no table or rule set."""
        return [field for field in self.fields if not self._names_a_thing(field)]

    def _names_a_thing(self, field: Field) -> bool:
        things = "SELECT name FROM tables UNION ALL SELECT name FROM rule_sets"
        sql = f"SELECT COUNT(*) FROM ({things}) WHERE name = 'Thing'"
        before = self.db.connection.find_number(sql)
        self.send(field, "Thing")
        return self.db.connection.find_number(sql) > before


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


@pytest.fixture
def doors(seat: Seat, new_phone: NewPhone, db: Database) -> Doors:
    """Return the fields that the pages have."""
    return Doors(seat, new_phone, db)


def test_every_field_keeps_the_same_letters_and_asks_about_a_name_like_another(
    doors: Doors,
) -> None:
    """Whatever a name was typed like, it is kept and shown as it is read, and never without it."""
    assert len(doors.fields) > 6
    for field in doors.fields:
        for typed, kept in TAKEN.items():
            assert kept in shown(doors.send(field, typed)), (field, kept)
        doors.send(field, UNSEEN)
    stored = doors.stored()
    assert all(tidy(line) == line for line in stored.splitlines())
    assert not {*"\u030a\u2068\u2069\u200b\u3164\u00a0"} & {*stored}
    expect_question_at_each(doors)


def expect_question_at_each(doors: Doors) -> None:
    """Check that of a name like another the form asks, and then accepts it as it is."""
    assert len(doors.of_players) > 3
    for field in doors.of_players:
        asked = doors.send(field, LIKE_ADA)
        assert QUESTION in asked.text, field
        again = next(form for form in asked.forms if form.named("asked"))
        buttons = [each for each in asked.buttons if each.form is again]
        label = doors.find_button(field)
        page = doors.phone.submit(next(each for each in buttons if each.label == label))
        assert tidy(LIKE_ADA) in shown(page), field
        assert QUESTION not in page.text, field

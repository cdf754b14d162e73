"""Stories in data: what is tapped on which page, and what is seen then.

A story of `stories/*.json` may begin at `tables`, each with members of a game's file and what
`happened`, or with `games` that are over; `either` is told of a phone without scripts and of one
with them. Each step is what is done and what is seen then. At the end the newest game's file has
the members of `game`, and its result those of `state`.

Done is: `GET address`, or `LIVE address` for what a stream begins with; a form or a program's call,
`{"post": address, …}`, with a file as in `tests/services/upload.json`; the `next` game; `play
facts`; `phone name`, for another one; or a tap: on a label, a button with `=value`, into a field
with `name=text`. Seen are a status, a text, `not` a text, `!` what is announced, `>` where it
leads, `#` an element, values of fields, or the texts of a selector's elements. In an address `~` is
the first table, `@` the one that the phone is at, `$` a link to send.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from app.store.database import Database
from tests.api.calling import Stream
from tests.rules.table import write_facts
from tests.services.keeper import game_from
from tests.services.test_upload import make
from tests.web.conftest import NewPhone, Seat
from tests.web.evenings import open_games
from tests.web.pages import Page, words
from tests.web.phone import Phone

# The field of a link that is used once.
LINK = "input.share:is([value*='/pen/'], [value*='/recovery/'])"
GIVEN = re.compile("/(?:pen|recovery)/")
STORIES = Path(__file__).parent / "stories"


def read_stories() -> Iterator[object]:
    """Yield each story under its name."""
    for path in sorted(STORIES.glob("*.json")):
        for name, story in json.loads(path.read_text(encoding="utf-8")).items():
            for htmx in (False, True)[: 1 + ("either" in story)]:
                yield pytest.param(story, htmx, id=f"{path.stem}: {name}{' (htmx)' * htmx}")


class Stage:
    """The phones of a story, and the table that they are at."""

    def __init__(self, new_phone: NewPhone, *, htmx: bool, language: str) -> None:
        self._phones = defaultdict[str, Phone](new_phone)
        self.phone, self.table = new_phone(htmx=htmx, language=language), ""
        self.phone.doubts = True
        self.link = ""
        self._phones["first"] = self.phone

    def do(self, done: str | dict[str, Any]) -> None:
        """Carry one step out."""
        if isinstance(done, dict) and "next" in done:
            self.phone.client.post(f"/api/tables/{self.phone.table[3:]}/games", json=done["next"])
        elif isinstance(done, dict):
            self._send(self._address(done["post"]), done)
        elif done.startswith("GET "):
            self.phone.open(self._address(done[4:]))
        elif done.startswith("LIVE "):
            stream = Stream(self.phone.client, self._address(done[5:]))
            self.phone.page = Page(stream.next().decode())
            stream.close()
        elif done.startswith("play "):
            for event in write_facts(done[5:]):
                self.phone.client.post(f"/api/tables/{self.phone.table[3:]}/events", json=event)
        elif done.startswith("phone "):
            self.phone = self._phones[done[6:]]
        else:
            self._tap(done)
        self.table = self.table or self.phone.table
        # Few pages have one, and many are parsed for nothing else.
        page = self.phone.page
        for field in page.elements(LINK) if GIVEN.search(page.html) else ():
            self.link = "/" + field["value"].split("/", 3)[3]

    def _send(self, address: str, told: dict[str, Any]) -> None:
        fields = {name: value for name, value in told.items() if name != "post"}
        if fields.get("table") == "~":
            fields["table"] = self.table[3:]
        if "file" in fields:
            name, content = fields["file"]
            fields["file"] = BytesIO(make(content)), name
        if address.startswith("/t/") and "seq" not in fields:
            fields["seq"] = self.read("")["seq"]
        if address.startswith("/api/"):
            self.phone.answer = self.phone.client.post(address, json=fields)
        else:
            self.phone.send(address, fields)

    def _tap(self, what: str) -> None:
        page, (name, _, value) = self.phone.page, what.partition("=")
        if page.has(what):
            labels = [button.label for button in page.buttons]
            _ = self.phone.press(what) if what in labels else self.phone.follow(what)
        elif name:
            form = next(form for form in page.forms if form.named(name))
            form.fill_each(name, value.split("|")) if "|" in value else form.fill(name, value)
        else:
            self.phone.submit(next(each for each in page.buttons if value in each.value))

    def see(self, seen: int | str | list[str] | dict[str, Any]) -> None:
        """Look for one thing on the phone's screen."""
        page, answer = self.phone.page, self.phone.answer
        if isinstance(seen, int):
            assert answer.status_code == seen
        elif isinstance(seen, dict):
            for name, values in seen.items():
                assert values in list_values(page, name)
        elif isinstance(seen, list):
            assert " | ".join(map(words, page.soup.select(seen[0]))) == seen[1]
        elif seen.startswith("> "):
            assert answer.headers["Location"] == self._address(seen[2:])
        elif "# " in seen[:6]:
            assert bool(page.elements(seen.partition("# ")[2])) is not seen.startswith("not ")
        else:
            told = seen.removeprefix("! ").removeprefix("not ")
            text = page.announcement if seen.startswith("! ") else page.text
            is_there = told in " ".join(text.split()) or page.has(told)
            assert is_there is not seen.startswith("not "), text

    def read(self, part: str) -> dict[str, Any]:
        """Return what programs are told of the table, or of a game of it."""
        address = f"/api/tables/{self.phone.table[3:]}{part}"
        told: dict[str, Any] = self.phone.client.get(address).get_json()
        return told

    def _address(self, text: str) -> str:
        places = {"~": self.table, "@": self.phone.table, "$": self.link}
        return re.sub("[~@$]", lambda sign: places[sign[0]], text)


def list_values(page: Page, name: str) -> list[str | list[str]]:
    """Return the values of a field by form, without the empty last ones of several."""
    found = list[str | list[str]]()
    for form in page.forms:
        if form.named(name):
            values = form.values(name)
            while values[1:] and not values[-1]:
                values.pop()
            found.append(values if values[1:] else "".join(values))
    return found


@pytest.mark.parametrize(("story", "htmx"), [*read_stories()])
def test_a_story_goes_as_it_is_told(
    new_phone: NewPhone, seat: Seat, db: Database, story: dict[str, Any], htmx: bool
) -> None:
    """Step by step, to the game that it ends with."""
    stage = Stage(new_phone, htmx=htmx, language=story.get("language", "en"))
    for table in story.get("tables", []):
        setup = {name: value for name, value in table.items() if name != "happened"}
        if games := setup.pop("games", None):
            open_games(db, stage.phone, [game_from(*each[:3], **each[3]) for each in games])
        else:
            seat(stage.phone, *table.get("happened", []), **setup)
        stage.table = stage.table or stage.phone.table
    for done, *told in story["steps"]:
        stage.do(done)
        for seen in told:
            stage.see(seen)
    if "game" in story:
        game = stage.read(f"/games/{story.get('number') or stage.read('')['games']}")
        game["events"] = [
            {key: event[key] for key in event if key != "at"} for event in game["events"]
        ]
        happened = write_facts(*story["game"].get("events", game["events"]))
        expect_members(game, {**story["game"], "events": happened})
    expect_members(stage.read("")["result"] if "state" in story else {}, story.get("state", {}))


def expect_members(told: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Expect some members of an object."""
    assert {name: told.get(name) for name in wanted} == wanted

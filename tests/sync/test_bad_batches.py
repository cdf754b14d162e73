"""Whatever comes to the calls from outside: refused in words, with nothing changed, never a 500."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.services import quotas, rule_sets, tables
from app.sync import bodies
from tests.services.keeper import NOBODY, best_hand, correction
from tests.sync.conftest import NewPhone
from tests.sync.evenings import copy_of
from tests.sync.phones import Phone

PLAYERS = ["Anna", "Bo", "Cilla"]
LATE = 10**6
# What is spoilt is the same in every example.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
Spoil = Callable[[dict[str, Any]], object]


@pytest.fixture
def batch(phone: Phone) -> dict[str, Any]:
    """Return what a phone hands over of a table with a whole game, paid for, and another begun."""
    link = phone.open_table(PLAYERS)
    for event in (best_hand("Anna"), NOBODY, correction("Bo", 4)):
        phone.tap(link, event)
    phone.send(link, "/undo")
    phone.tap(link, {"event": "break_off", "settle": True})
    phone.send(link, "/evening/all", {"way": "cash"})
    phone.send(link, "/games")
    (batch,) = phone.outbox()
    return batch


@pytest.fixture
def whole(phone: Phone, batch: dict[str, Any]) -> dict[str, Any]:
    """Return the same as a table of its own, which is handed over with all that it has."""
    link = batch["link"]
    with phone.worker():
        from app.http import context  # noqa: PLC0415
        from app.services import outbox  # noqa: PLC0415 - of the phone's

        with context.db().transaction() as connection:
            outbox.add_opening(connection, tables.find_table(connection, link), link)
    (batch,) = phone.outbox()
    return batch


def change(batch: dict[str, Any]) -> dict[str, Any]:
    """Return the first change of a batch."""
    first: dict[str, Any] = batch["changes"][0]
    return first


SPOILT: dict[str, Spoil] = {
    "a link that can be guessed": lambda b: b.update(link="abc"),
    "a link with a slash": lambda b: b.update(link="../../" + "a" * 22),
    "a link with a line's end": lambda b: b.update(link="a" * 22 + "\n"),
    "no pen": lambda b: b.pop("pen"),
    "no phone": lambda b: b.update(phone=""),
    "no changes": lambda b: b.pop("changes"),
    "an opening that is none": lambda b: b.update(opening={"games": []}),
    "a negative version": lambda b: change(b).update(seq=-1),
    "a huge version": lambda b: change(b).update(seq=2**70),
    "fields that are none": lambda b: change(b).update(fields=[["event"]]),
    "too many changes": lambda b: b.update(changes=[change(b)] * 501),
}
REFUSED: dict[str, Spoil] = {
    "another table": lambda b: change(b).update(path="/../other/events"),
    "the start page": lambda b: change(b).update(path="/../.."),
    "a pen for somebody": lambda b: change(b).update(path="/pen"),
    "forgetting": lambda b: change(b).update(
        path="/forget", fields=[["what", "table"], ["sure", "1"], ["seq", "1"]]
    ),
    "a page": lambda b: change(b).update(path="/protocol"),
    "an address elsewhere": lambda b: change(b).update(path="//example.com/events"),
    "a game that is not": lambda b: change(b).update(path="/games/99/mend"),
    "a form that changes nothing": lambda b: change(b).update(path="/next", fields=[["do", "add"]]),
    "an event that is none": lambda b: change(b).update(fields=[["event", "{}"], ["seq", "1"]]),
    "an event that is not allowed": lambda b: change(b).update(
        fields=[["event", json.dumps({"event": "chicago_result", "won": True})], ["seq", "1"]]
    ),
    "a field that is too long": lambda b: change(b).update(fields=[["event", "x" * 90_000]]),
}


@pytest.mark.parametrize("what", SPOILT)
def test_what_cannot_be_read_is_refused(phone: Phone, batch: dict[str, Any], what: str) -> None:
    """As a request that nobody sends who is ours."""
    link = batch["link"]
    SPOILT[what](batch)
    assert phone.there.post("/offline/tables", json=batch).status_code == 400
    with pytest.raises(tables.NotFound):
        phone.server_sheet(link)


@pytest.mark.parametrize("what", REFUSED)
def test_what_may_not_be_carried_out_is_refused_with_the_reason(
    phone: Phone, batch: dict[str, Any], what: str
) -> None:
    """Nothing of the batch is taken over, the opening neither; the phone learns which and why."""
    REFUSED[what](batch)
    answer = phone.deliver(batch)
    told = json.loads(answer.text)
    assert (answer.status_code, told["index"]) == (422, 0)
    assert told["message"].strip()
    with pytest.raises(tables.NotFound):
        phone.server_sheet(batch["link"])
    phone.acknowledge(batch["link"], answer)
    assert phone.status()["conflicts"] == [batch["link"]]


def test_a_table_that_is_somebody_elses_is_not_opened_again(
    phone: Phone, batch: dict[str, Any], new_phone: NewPhone
) -> None:
    """Nor written at: knowing its link is reading."""
    other = new_phone()
    assert other.deliver(batch).status_code == 200
    before = copy_of(phone, batch["link"], there=True)
    answer = phone.deliver({**batch, "pen": "p" * 43, "phone": "q" * 22})
    assert answer.status_code == 401
    assert copy_of(phone, batch["link"], there=True) == before


def test_a_table_that_nobody_has_opened_is_not_found(phone: Phone, batch: dict[str, Any]) -> None:
    """Its changes are for nothing without an opening."""
    del batch["opening"]
    assert phone.deliver(batch).status_code == 404


@pytest.mark.parametrize("body", [b"", b"[]", b"nothing", b"{}", b"[" * 10_000, b"\xff"])
@pytest.mark.parametrize("path", ["/offline/tables", "/offline/replicas"])
def test_a_body_that_is_none_is_refused(phone: Phone, path: str, body: bytes) -> None:
    """As JSON, for the worker."""
    answer = phone.there.post(path, data=body, content_type="application/json")
    assert answer.status_code == (200 if (path, body) == ("/offline/replicas", b"{}") else 400)
    assert answer.mimetype == "application/json"


def test_another_sites_page_hands_nothing_over(phone: Phone, batch: dict[str, Any]) -> None:
    """The cookie of whoever looks at it is none of its business."""
    headers = {"Sec-Fetch-Site": "cross-site"}
    for path in ("/offline/tables", "/offline/replicas"):
        assert phone.there.post(path, json=batch, headers=headers).status_code == 403


def test_a_table_comes_with_all_that_it_has(phone: Phone, whole: dict[str, Any]) -> None:
    """Also where it was played somewhere else for years, it is the same table in the end."""
    assert phone.deliver(whole).status_code == 200
    link = whole["link"]
    assert copy_of(phone, link, there=True) == copy_of(phone, link, there=False)


@pytest.mark.parametrize("merged", [(1, None), (2, 1), (None, 7), (0, None)])
def test_people_who_are_each_other_are_refused(
    phone: Phone, whole: dict[str, Any], merged: tuple[int | None, int | None]
) -> None:
    """Nobody is found by names that lead in a circle, or nowhere."""
    people = whole["opening"]["people"]
    for person, same_as in zip(people, merged, strict=False):
        person[1] = same_as
    assert phone.deliver(whole).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        '{"event":"correction","player":1,"points":0}',
        '{"event":"correction","player":1,"points":1,"more":1}',
        '{"event":"correction","player":9,"points":1}',
        '{"event":"bet","player":1}',
    ],
)
def test_an_event_that_nobody_could_record_is_refused(
    phone: Phone, whole: dict[str, Any], body: str
) -> None:
    """Of a table that comes with its log each event is checked as if somebody recorded it."""
    whole["opening"]["games"][0]["events"][0][1] = body
    assert phone.deliver(whole).status_code == 422


def test_what_was_undone_and_replaced_counts_as_entries(
    phone: Phone, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that holds too much of it is refused, though its log is short."""
    monkeypatch.setattr(quotas, "MAX_ENTRIES", 1000)
    game = whole["opening"]["games"][0]
    game["spans"] = [[1, None, 1, 2]] * 600
    game["amendments"] = [[1, 1, None, "final", None, [1, 2]]] * 200
    answer = phone.deliver(whole)
    assert (answer.status_code, json.loads(answer.text)["index"]) == (422, -1)


def test_a_span_of_nothing_is_refused(phone: Phone, whole: dict[str, Any]) -> None:
    """What was undone has a place from 1."""
    whole["opening"]["games"][0]["spans"] = [[0, None, 1, 2]]
    assert phone.deliver(whole).status_code == 422


def test_an_amendment_was_not_made_in_the_future(phone: Phone, whole: dict[str, Any]) -> None:
    """It counts as made now, as an event does."""
    late = "9998-12-31T12:00:00.000+00:00"
    whole["opening"]["games"][0]["amendments"] = [[1, 1, late, "final", None, []]]
    assert phone.deliver(whole).status_code == 200
    copied = copy_of(phone, whole["link"], there=True)
    assert late not in json.dumps(copied, default=str)


MUCH: dict[str, dict[str, object]] = {
    "rule sets": {"rule_sets": dict.fromkeys(map(str, range(2 * rule_sets.MOST + 1)))},
    "rules": {"rule_sets": {"Klubbens": " " * 20_001}},
    "tables": {"put_away": dict.fromkeys(map(str, range(1001)), True)},
    "a link": {"put_away": {"a" * 101: True}},
}


@pytest.mark.parametrize("what", MUCH)
def test_a_phone_tells_of_no_more_than_a_phone_keeps(phone: Phone, what: str) -> None:
    """More is refused before anything of it is kept."""
    answer = phone.there.post("/offline/replicas", json={"phone": MUCH[what]})
    assert answer.status_code == 400


def test_what_a_phone_asks_with_is_not_large(phone: Phone) -> None:
    """It is refused unread: only a table is large."""
    body = b"{" + b" " * 1_000_000 + b"}"
    assert phone.there.post("/offline/replicas", data=body).status_code == 413


def test_a_table_of_more_values_than_any_log_has_is_refused_unread(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value takes much more memory than it is sent in."""
    monkeypatch.setattr(bodies, "MOST_COMMAS", 20)
    statuses = [
        phone.there.post("/offline/tables", json=[0] * number).status_code for number in (21, 22)
    ]
    assert statuses == [400, 413]


class Watched(io.BytesIO):
    """A body that notes whether anybody has the turn of large ones while it comes."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.taken = list[bool]()

    def read(self, size: int | None = -1) -> bytes:
        """Read on."""
        self.taken.append(bodies._turn.locked())  # noqa: SLF001  # what is watched
        return super().read(size)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as in BytesIO
        """Read on."""
        self.taken.append(bodies._turn.locked())  # noqa: SLF001  # what is watched
        return super().readinto(buffer)


def test_a_large_body_takes_its_turn_once_it_has_come(phone: Phone) -> None:
    """However slowly it comes, nobody else who hands over waits for it."""
    content = b"{}" + b" " * 1_000_000
    body = Watched(content)
    answer = phone.there.post(
        "/offline/tables", input_stream=body, headers={"Content-Length": str(len(content))}
    )
    assert answer.status_code == 400
    assert set(body.taken) == {False}


def test_an_event_that_no_amendment_put_in_is_refused(phone: Phone, whole: dict[str, Any]) -> None:
    """Else it would count now, and not at an earlier version."""
    whole["opening"]["games"][0]["events"][0][5] = 0
    assert phone.deliver(whole).status_code == 422


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    """Return the way to everything in a piece of JSON."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    below = [place for key, inner in items for place in places(inner, (*path, key))]
    return [path, *below] if path else below


def put(value: Any, path: tuple[Any, ...], new: object) -> None:  # noqa: ANN401 - JSON
    """Put something in a place of a piece of JSON."""
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 6),
    st.sampled_from([2**31, 2**63, 2**64, -(2**70), LATE]),
    st.text(max_size=5),
    st.sampled_from(["undone", "effective", "dropped", "final", "0001-01-01T00:00:00+14:00"]),
    st.sampled_from(["9999-12-31T23:59:59-14:00", "{}", "null", '{"event":"no_best_hand"}']),
    st.just([]),
    st.just({}),
)


@settings(max_examples=8, suppress_health_check=SHARED)
@given(data=st.data())
def test_no_table_from_outside_breaks_a_page(
    phone: Phone, whole: dict[str, Any], data: st.DataObject
) -> None:
    """Whatever is wrong in it, it is refused, or every page of it can be shown and gone on with."""
    spoilt = copy.deepcopy(whole)
    spoilt["link"] = tables.new_link()
    for _ in range(data.draw(st.integers(1, 2))):
        ways = places(spoilt["opening"])
        put(spoilt["opening"], data.draw(st.sampled_from(ways)), data.draw(ANYTHING))
    answer = phone.deliver(spoilt)
    assert answer.status_code in (200, 400, 422), answer.text
    if answer.status_code == 200:
        look_at_everything(phone, spoilt["link"])


def look_at_everything(phone: Phone, link: str) -> None:
    """Look at every page of a table, and press undo and redo."""
    pages = ["", "/protocol", "/evening", "/people", "/years", "/more", "/files", "/forget"]
    pages += ["/games.zip", "/ledger.csv", "/games.csv", "/evenings.csv", "/money"]
    pages += [f"/games/{number}{page}" for number in (1, 2) for page in ("", ".json", "/log")]
    for page in pages:
        assert phone.there.get(f"/t/{link}{page}").status_code in (200, 303, 404), page
    for path in ["/undo"] * 4 + ["/redo"] * 5:
        form = {"seq": str(phone.server_sheet(link).seq)}
        assert phone.there.post(f"/t/{link}{path}", data=form).status_code in (303, 422)
        phone.there.get(f"/t/{link}/evening")

"""Hostile batches are refused in words, with nothing changed, never a 500."""

import copy
import json
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from app.http.bodies import PUSH
from app.services import access, bounds, phones
from app.store.log import ChangeKind
from tests.offline.conftest import NewPhone
from tests.offline.phones import Phone, copy_of, pool_of
from tests.offline.stories import Story
from tests.spoiling import ANYTHING, places, put
from tests.told import read_tables

SPOILT = read_tables(__file__)
FORBIDDEN = SPOILT["rows that no form makes"]
# Every example spoils a copy of the same batch.
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def batch(phone: Phone) -> dict[str, Any]:
    """Return the batch of a table with a finished, paid game and another one begun."""
    told = ["here Anna pair, nobody, Bo 4", "here /undo", "here settled"]
    Story(phone).tell(["open", *told, "here /evening/all?way=cash", "here /games"])
    (batch,) = phone.outbox()
    return batch


def tell_reason(answer: TestResponse) -> tuple[int, bool]:
    """Return the status of a refusal, and whether it has a reason."""
    return answer.status_code, bool(json.loads(answer.text)["message"].strip())


def test_a_spoilt_batch_is_refused(phone: Phone, batch: dict[str, Any]) -> None:
    """One that our worker never sends, with 400.

    Of what may not be carried out the rows before are accepted, and the reason is told.
    """
    for what, (status, path, value) in SPOILT["batches"].items():
        link = access.new_link()
        spoilt = json.loads(json.dumps(batch).replace(batch["link"], link))
        put(spoilt, path, json.dumps(value) if path[-1] == "body" else value)
        answer = phone.there.post(f"/offline/tables/{link}", json=spoilt)
        if answer.status_code == 200:
            assert json.loads(answer.text)["seqs"] == {"1": 1}, what
            answer = phone.deliver({**spoilt, "base": 1, "rows": spoilt["rows"][1:]})
            assert phone.server_sheet(link).seq == 1, what
        else:
            with pytest.raises(access.NotFound):
                phone.server_sheet(link)
        assert answer.status_code == status, what
        assert status != 422 or tell_reason(answer) == (422, True), what


def test_no_row_does_what_no_form_does(phone: Phone) -> None:
    """It is refused, and a conflict where it would be another game or step.

    Nor do people get other numbers than by forms, nor does an imported game name the table.
    """
    told = ["here Anna 7, settled", "here /evening/all?way=cash", "here /name?name=Stugan"]
    link = Story(phone).tell(["open", *told, "here /undo"]).link
    (batch,) = phone.outbox()
    phone.acknowledge(link, phone.deliver(batch))
    before, seq = copy_of(phone.server, link), phone.server_sheet(link).seq

    def send(kind: str, game: int, body: object, **more: object) -> TestResponse:
        text = json.dumps(body).replace("KNOWN", access.derive_game_id(link, 1, 1))
        row = {"seq": seq + 1, "kind": kind, "game": game, "body": text, "key": "a" * 43 + "="}
        rows = [{**row, "at": "2026-01-05T19:00:00Z"}]
        return phone.deliver({**batch, "base": seq, "rows": rows, **more})

    for status, kind, game, body in FORBIDDEN:
        assert send(kind, game, body).status_code == status, (kind, body)
    assert {kind for _, kind, *_ in FORBIDDEN} == {*get_args(ChangeKind)}
    named = {**FORBIDDEN[0][3], "name": "Annas bord"}
    more = [*batch["people"], [bounds.MAX_NAMES, "Eva", None]]
    assert send("import", 2, named, people=more).status_code == 422
    assert copy_of(phone.server, link) == before
    assert "Annas bord" not in send("import", 2, named).text
    assert phone.server_sheet(link).number == 2


@pytest.mark.parametrize("pushes", SPOILT["pushes"].values(), ids=SPOILT["pushes"])
def test_what_was_pushed_is_pushed_as_it_was_or_refused(
    phone: Phone, batch: dict[str, Any], pushes: list[Any]
) -> None:
    """Each push is the batch, or some of its rows, with other values; refused it changes nothing.

    Acknowledged, another body would be lost: the phone has the reason, and a conflict to decide.
    """
    assert phone.deliver(batch).status_code == 200
    before = copy_of(phone.server, batch["link"])
    for status, rows, *others in pushes:
        sent = copy.deepcopy({**batch, "rows": [batch["rows"][row] for row in rows]})
        for path, value in others:
            put(sent, path, json.dumps(value) if path[-1] == "body" else value)
        answer = phone.deliver(sent)
        assert (answer.status_code, copy_of(phone.server, batch["link"])) == (status, before)
        if status == 422:
            assert tell_reason(answer)[1]
            phone.acknowledge(batch["link"], answer)
            assert phone.status()["conflicts"] == [batch["link"]]


def test_a_form_that_the_server_has_is_known_by_what_it_says(
    phone: Phone, batch: dict[str, Any]
) -> None:
    """With the key of the same form the browser sent, but another body, a row is refused."""
    link = batch["link"]
    phone.acknowledge(link, phone.deliver(batch))
    form = phone.form(link, "Anna pair")
    assert phone.there.post(f"/t/{link}/events", data=form).status_code == 303
    assert phone.here.post(f"/t/{link}/events", data=form).status_code == 303
    (later,) = phone.outbox()
    later["rows"][0]["body"] = '{"event":"correction","player":3,"points":5}'
    assert phone.deliver(later).status_code == 422


def test_another_pen_or_nothing_before_is_no_way_in(
    phone: Phone, batch: dict[str, Any], new_phone: NewPhone
) -> None:
    """The link alone reads; changes without an opening are answered with 404."""
    link, rows = batch["link"], batch["rows"]
    assert phone.deliver({**batch, "rows": rows[1:]}).status_code == 404
    assert phone.deliver({**batch, "rows": rows[:2]}).status_code == 200
    before = copy_of(phone.server, link)
    assert new_phone().deliver({**batch, "pen": "p" * 43}).status_code == 401
    assert copy_of(phone.server, link) == before


def test_a_body_that_is_none_is_refused(phone: Phone) -> None:
    """The refusal is JSON, for the worker."""
    for path in (f"tables/{'a' * 22}", "replicas"):
        for body in ("", "[]", "nothing", "{}", "[" * 10_000, b"\xff"):
            answer = post_json(phone, path, body)
            assert answer.status_code == (200 if (path, body) == ("replicas", "{}") else 400)
            assert answer.mimetype == "application/json"


def test_a_phone_tells_of_no_more_than_a_phone_keeps(phone: Phone, batch: dict[str, Any]) -> None:
    """More state or rows than a phone keeps or sends is refused before any of it is stored."""
    much = (
        dict.fromkeys(map(str, range(201))),
        {"rules A": " " * 20_001},
        {f"away {'a' * 110}": ""},
    )
    for state in much:
        assert phone.there.post("/offline/replicas", json={"state": state}).status_code == 400
    assert phone.deliver({**batch, "rows": batch["rows"][1:2] * 501}).status_code == 400
    body = b"{" + b" " * PUSH + b"}"
    assert phone.there.post("/offline/replicas", data=body).status_code == 413


def test_of_who_writes_nowhere_nothing_is_kept(phone: Phone, batch: dict[str, Any]) -> None:
    """Pens that are made up fill no disk; a phone's rule sets are kept once it has a table here."""
    state = {f"rules {number}": '{"preset":"pagat"}' for number in range(60)}
    asked = {"have": {batch["link"]: 0, access.new_link(): 0}, "state": state}

    def kept() -> int:
        assert phone.there.post("/offline/replicas", json=asked).status_code == 200
        return pool_of(phone.server).connection.table("rule_sets").count

    before = kept()
    phone.there.set_cookie("chicago-pen", "made-up" + "x" * 36)
    assert kept() == before
    assert phone.deliver(batch).status_code == 200
    assert kept() == before + phones.MOST_RULE_SETS


def spoil(data: st.DataObject, value: Any, values: st.SearchStrategy[Any]) -> Any:  # noqa: ANN401 - JSON
    """Return a piece of JSON with anything in one or two places, also in the bodies of rows."""
    spoilt = copy.deepcopy(value)
    rows = spoilt["rows"] if isinstance(spoilt, dict) and "rows" in spoilt else []
    for row in rows:
        row["body"] = json.loads(row["body"])
    for _ in range(data.draw(st.integers(1, 2))):
        put(spoilt, data.draw(st.sampled_from(places(spoilt))), data.draw(values))
    for row in rows:
        if isinstance(row, dict) and not isinstance(row.get("body"), str):
            row["body"] = json.dumps(row.get("body"))
    return spoilt


JSON = st.recursive(
    st.one_of(ANYTHING, st.floats(allow_nan=False), st.text(), st.integers(-(10**400), 10**400)),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
)
TEXTS = st.one_of(JSON.map(json.dumps), st.text(), st.integers(1, 2000).map(lambda n: "[" * n))


@settings(max_examples=20, suppress_health_check=SHARED)
@given(data=st.data())
def test_nothing_that_a_phone_may_send_fails(
    phone: Phone, batch: dict[str, Any], data: st.DataObject
) -> None:
    """A push, a pull and any JSON, spoilt anywhere, is answered or refused: the server raises.

    Of a table that is opened so every page can be shown, with undo and redo.
    """
    old, new = batch["link"], access.new_link()
    state = {"language": "fi", f"away {old}": "", "rules A": '{"preset":"pagat"}'}
    asked = {"have": {old: 3, access.new_link(): 0}, "state": state}
    real = data.draw(st.sampled_from([batch, asked, None]))
    body = spoil(data, real, ANYTHING | JSON | TEXTS) if real else data.draw(JSON)
    # A table of its own, which the server may have already.
    if is_known := data.draw(st.booleans()):
        post_json(phone, f"tables/{new}", json.dumps(batch).replace(old, new))
    for path in (f"tables/{new}", "replicas"):
        answer = post_json(phone, path, json.dumps(body).replace(old, new))
        assert answer.status_code in (200, 400, 401, 404, 409, 413, 422), answer.text
        if answer.status_code == 200 and path != "replicas" and not is_known:
            look_at_everything(phone, new)


def post_json(phone: Phone, path: str, text: str | bytes) -> TestResponse:
    """Send a body to the server."""
    return phone.there.post(f"/offline/{path}", data=text, content_type="application/json")


def look_at_everything(phone: Phone, link: str) -> None:
    """Request every page of a table, and press undo and redo."""
    for page in SPOILT["pages"]:
        assert phone.there.get(f"/t/{link}{page}").status_code in (200, 303, 404), page
    for path in ["/undo"] * 4 + ["/redo"] * 5:
        form = {"seq": str(phone.server_sheet(link).seq)}
        assert phone.there.post(f"/t/{link}{path}", data=form).status_code in (303, 422)
        phone.there.get(f"/t/{link}/evening")

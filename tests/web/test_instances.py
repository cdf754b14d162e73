"""Tables divided among several servers by their link: a phone notices nothing of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from threading import Event, Semaphore
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from app import create_app
from app.http import instance_calls
from app.http.instance_calls import Peers, authorization
from app.http.instances import InstanceUnavailable
from app.http.phone_cookie import MOST_TABLES
from app.rules.gamefile import read_setup
from app.services import rule_sets, sheets, tables
from app.services.rule_sets import RuleSet
from tests.sync.phones import Phone as OfflinePhone
from tests.sync.phones import pool_of
from tests.web.conftest import PLAYERS
from tests.web.instances import NAMES, Instances, serve_instances
from tests.web.phone import Phone
from tests.web.ruling import press, to_the_form

FORM = {"player": PLAYERS, "stake": "1", "dealer": "0"}
POINT = json.dumps({"event": "correction", "player": "Anna", "points": 1})
OVER = json.dumps({"event": "break_off", "settle": True})
GAME = {"format": "chicago-game/1", "players": ["Eva", "Fia"], "events": []}
RULE_SETS, PEN = "/instances/rule_sets.list_rule_sets", '{"pen": "x"}'
MISSING = "Some of your tables are missing here"
LINK = re.compile(r"/t/([a-c])\.[\w-]{22}", re.ASCII)


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instances]:
    """Return three servers that know each other, with a proxy in front."""
    with serve_instances(tmp_path_factory.mktemp("instances")) as several:
        yield several


def open_everywhere(instances: Instances, phone: Phone) -> list[str]:
    """Let a phone open a table at each instance; return their addresses."""
    opened = []
    for instances.home in NAMES:
        phone.send("/", {**FORM, "name": f"At {instances.home}"})
        opened.append(phone.table)
    return opened


def listed(phone: Phone) -> set[str]:
    """Return the tables that a phone lists."""
    return {link.href for link in phone.open("/tables").links if link.href.startswith("/t/")}


def test_a_new_table_is_where_its_link_says(instances: Instances) -> None:
    """However it is opened: by a page, by a program, from a file, and as one before."""
    phone = instances.turn_on()
    [first, *_] = open_everywhere(instances, phone)
    instances.home = "b"
    called = phone.client.post("/api/tables", json={"players": PLAYERS}, headers=phone.headers)
    phone.send("/again", {"table": first.removeprefix("/t/")})
    again = phone.table
    file = {"file": (BytesIO(json.dumps(GAME).encode()), "game.json"), "name": "From a file"}
    brought = phone.client.post("/files", data=file, headers=phone.headers)
    found = [called.get_json()["url"], again, brought.headers["Location"]]
    assert [LINK.fullmatch(address)[1] for address in found] == ["b"] * 3  # type: ignore[index]  # else it fails
    assert called.headers["Location"] == f"/api{found[0].replace('/t/', '/tables/')}"
    assert phone.client.get(called.headers["Location"]).status_code == 200


def test_a_link_without_a_name_leads_to_the_first_instance(instances: Instances) -> None:
    """So do the links of before, wherever the phone's other pages come from."""
    phone = instances.turn_on()
    instances.home = "c"
    setup = read_setup({"players": PLAYERS})
    link = tables.open_table(pool_of(instances.apps["a"]), setup, "Of before", tables.new_pen())
    assert "Of before" in phone.open(f"/t/{link}").text
    assert listed(phone) == {f"/t/{link}"}


def test_a_phone_has_all_its_tables_in_one_list(instances: Instances) -> None:
    """Each goes on from the start, is put away, and adds to the figures."""
    phone = instances.turn_on()
    opened = open_everywhere(instances, phone)
    for table in opened:
        phone.client.post(f"{table}/events", data={"seq": "1", "event": POINT})
        phone.client.post(f"{table}/events", data={"seq": "2", "event": OVER})
    instances.home = "b"
    assert listed(phone) == set(opened)
    assert all(f"At {name}" in phone.open("/").text for name in NAMES)
    assert all(f"At {name}" in phone.open("/mine").text for name in NAMES)
    phone.send("/tables", {"table": opened[2].removeprefix("/t/"), "do": "away"})
    instances.home = "a"
    assert "Tables put away" in phone.open("/tables").text


def test_tables_that_the_cookie_has_no_room_for_are_kept_where_they_are(
    instances: Instances,
) -> None:
    """What is pushed out by tables of another instance is not lost, be they ever so many."""
    phone = instances.turn_on()
    opened = open_everywhere(instances, phone)
    pool, setup = pool_of(instances.apps["c"]), read_setup({"players": PLAYERS})
    for _ in range(MOST_TABLES):
        link = tables.open_table(pool, setup, "", tables.new_pen(), tables.new_link("c"))
        opened.append(f"/t/{link}")
        phone.client.get(opened[-1])
    assert listed(phone) == set(opened)


def test_rules_kept_on_a_phone_are_offered_at_every_table(instances: Instances) -> None:
    """They are kept from one instance, chosen at a second, and forgotten from a third."""
    phone = instances.turn_on()
    [*_, table] = open_everywhere(instances, phone)
    instances.home = "b"
    to_the_form(phone).fill(exchange_stop="47", name="Grandma's")
    press(phone, "keep")
    assert phone.page.announcement == "Kept on this phone: Grandma's."
    phone.client.post(f"{table}/events", data={"seq": "1", "event": OVER})
    assert "Grandma's" in phone.open(f"{table}/rules/change").text
    instances.home = "c"
    assert "Grandma's" in phone.open("/").text
    to_the_form(phone)
    [kept] = {b.value for b in phone.page.buttons if b.value.startswith("forget:")}
    press(phone, kept)
    assert "Grandma's" not in phone.open("/").text


def test_one_transfer_brings_the_tables_of_all_instances(instances: Instances) -> None:
    """With their pens and the rules, once, wherever it is made and taken."""
    phone, other = instances.turn_on(), instances.turn_on()
    opened = open_everywhere(instances, phone)
    instances.home = "b"
    to_the_form(phone).fill(exchange_stop="47", name="Grandma's")
    press(phone, "keep")
    phone.send("/transfer", {})
    [address] = [field["value"] for field in phone.page.elements("input.share[readonly]")]
    path = "/" + address.split("/", 3)[3]
    instances.home = "c"
    assert "3 tables, all with the pen" in other.open(path).text
    other.send(path, {})
    assert "On this phone now: 3 tables, all with the pen." in other.page.announcement
    assert listed(other) == set(opened)
    assert "Grandma's" in other.open("/").text
    assert "works once" in instances.turn_on().open(path).text


def test_a_phone_without_a_network_follows_all_instances(
    instances: Instances, tmp_path: Path
) -> None:
    """What it did at tables of two of them, and one that it opened itself, gets there."""
    browser = instances.turn_on()
    opened = open_everywhere(instances, browser)
    instances.home = "c"
    phone = OfflinePhone(instances.apps["c"], tmp_path)
    phone.there = browser.client
    phone.refresh()
    for table in opened[:2]:
        phone.tap(table.removeprefix("/t/"), json.loads(POINT))
    new = phone.open_table(PLAYERS)
    instances.home = "b"
    assert phone.hand_over() == [200] * 3
    phone.refresh()
    assert phone.status()["waiting"] == 0
    assert new.startswith("c.")
    assert listed(browser) == {*opened, f"/t/{new}"}
    sheet = sheets.read_sheet(pool_of(instances.apps["b"]), opened[1].removeprefix("/t/"))
    assert len(sheet.game.events) == 1


def test_where_an_instance_is_out_of_order_the_others_tables_are_there(tmp_path: Path) -> None:
    """The list says that some are missing, and what would be done in part is not done."""
    with serve_instances(tmp_path) as instances:
        phone = instances.turn_on()
        opened = open_everywhere(instances, phone)
        instances.stop("b")
        instances.home = "a"
        assert listed(phone) == {opened[0], opened[2]}
        assert MISSING in phone.page.text
        assert MISSING in phone.open("/").text
        assert phone.client.post("/transfer", headers=phone.headers).status_code == 503
        assert "At c" in phone.open(opened[2]).text


def ask_b(instances: Instances, told: str, call: str = RULE_SETS, body: str = PEN) -> int:
    """Call an instance with an Authorization header; return the status of its answer."""
    headers = {"Authorization": told, "Content-Type": "application/json"}
    answer = instances.apps["b"].test_client().post(call, data=body, headers=headers)
    return answer.status_code


def test_nobody_but_an_instance_calls_another(instances: Instances) -> None:
    """Who does not know the key that they share finds nothing, nor who overheard another's call."""
    key = "k" * 32
    assert ask_b(instances, authorization(key, "b")) == 200
    for told in ("", "Bearer " + "0" * 64, "Bearer ö", key, authorization(key, "c")):
        assert ask_b(instances, told) == 404


def test_an_instance_does_only_what_it_knows_for_another(instances: Instances) -> None:
    """One of another release may ask for more, or send what is not known here."""
    told = authorization("k" * 32, "b")
    assert ask_b(instances, told, "/instances/tables.open_table") == 404
    for body in ("", "[]", "{}", '{"pen": 1}', '{"pen": "x", "more": 1}', '{"pool": 1}'):
        assert ask_b(instances, told, body=body) == 400


def test_what_is_no_answer_of_an_instance_is_none(tmp_path: Path) -> None:
    """As where something else answers at its address."""

    def greet(_environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/html")])
        return [b"<p>Hello"]

    with serve_instances(tmp_path) as instances:
        phone = instances.turn_on()
        opened = open_everywhere(instances, phone)
        instances.answer_for["b"], instances.home = greet, "a"
        assert listed(phone) == {opened[0], opened[2]}
        assert MISSING in phone.page.text


def test_of_all_who_ask_one_waits_for_an_instance_that_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are told at once that it does not answer, and when it does, all get theirs."""
    asked, go_on = Semaphore(0), Event()

    def hang(_environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
        asked.release()
        go_on.wait(60)
        start("200 OK", [])
        return [b"[]"]

    with serve_instances(tmp_path) as instances, ThreadPoolExecutor(1) as pool:
        instances.answer_for["b"] = hang
        peers = Peers(instances.apps["a"].config["INSTANCES"], "k" * 32)

        def ask() -> list[RuleSet]:
            return peers.ask("b", rule_sets.list_rule_sets, ("x",), {})

        monkeypatch.setattr(instance_calls, "REST_SECONDS", 0)
        monkeypatch.setattr(instance_calls, "PATIENCE_SECONDS", 0.05)
        with pytest.raises(InstanceUnavailable):
            ask()
        monkeypatch.setattr(instance_calls, "PATIENCE_SECONDS", 60)
        assert asked.acquire(timeout=60)
        waiting = pool.submit(ask)
        assert asked.acquire(timeout=60)
        with pytest.raises(InstanceUnavailable):
            ask()
        go_on.set()
        assert waiting.result() == ask() == []


def test_tables_begun_on_a_phone_wait_for_their_instance(
    instances: Instances, tmp_path: Path
) -> None:
    """One that is led elsewhere is to come again; of one that is gone, the first has them."""
    instances.home = "c"
    phone = OfflinePhone(instances.apps["c"], tmp_path)
    phone.there = instances.turn_on().client
    phone.refresh()
    link = phone.open_table(PLAYERS)
    [batch] = phone.outbox()
    elsewhere = instances.apps["b"].test_client()
    assert elsewhere.post(f"/offline/tables/{link}", json=batch).status_code == 503
    assert phone.there.post(f"/offline/tables/a{link[1:]}", json=batch).status_code == 400
    gone = {**batch, "link": f"gone{link[1:]}"}
    assert phone.deliver(gone).status_code == 200
    assert phone.there.get(f"/t/{gone['link']}").status_code == 200
    sheets.read_sheet(pool_of(instances.apps["a"]), gone["link"])
    assert phone.hand_over() == [200]


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"CHICAGO_INSTANCE": "Ett bord"}, "small letters and digits"),
        ({"CHICAGO_INSTANCE": "a", "CHICAGO_INSTANCES": "a"}, "name and address"),
        ({"CHICAGO_INSTANCES": "a=http://h:1 a=http://h:2"}, "address once"),
        ({"CHICAGO_INSTANCES": "a=http://h:1/path"}, "name and address"),
        ({"CHICAGO_INSTANCES": "a=http://h:1", "SECRET_KEY": "k"}, "does not have this one"),
        ({"CHICAGO_INSTANCE": "a", "CHICAGO_INSTANCES": "a=http://h:1"}, "without SECRET_KEY"),
    ],
)
def test_instances_that_cannot_be_told_end_the_start(
    environ: dict[str, str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, which names the variable."""
    monkeypatch.delenv("SECRET_KEY", raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match=rf"CHICAGO_INSTANCE.*{told}"):
        create_app()

"""The work of an offline tap and of its push, on both sides together."""

import sys

from tests.offline.phones import Phone
from tests.web.test_work_of_a_tap import Work

MOST_FUNCTIONS, MOST_MODULES = 200, 43


def test_an_offline_tap_and_its_push_are_little_work(phone: Phone) -> None:
    """The tap is recorded on the phone, pushed, repeated by the server, and acknowledged."""
    link = phone.open_table()
    phone.tap(link, "nobody")
    assert set(phone.push()) == {200}
    form = phone.form(link, "Anna pair")
    work = Work(begun=True)
    sys.setprofile(work.call)
    try:
        assert phone.here.post(f"/t/{link}/events", data=form).status_code == 303
        phone.here.get("/offline/status")
        (batch,) = phone.outbox()
        phone.acknowledge(link, phone.deliver(batch))
    finally:
        sys.setprofile(None)
    assert phone.status()["waiting"] == 0
    assert len(work.functions) <= MOST_FUNCTIONS, "\n".join(work.functions)
    assert len(work.modules) <= MOST_MODULES, sorted(work.modules)

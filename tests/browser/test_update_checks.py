"""A browser that looks for another worker asks the server once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import counting
from tests.browser.bundle import install_offline
from tests.browser.conftest import NewPhone
from tests.browser.serving import Server

UPDATE = "navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => 1)"


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Return the file of what the server was asked for."""
    return tmp_path / "asked.txt"


@pytest.fixture
def server(tmp_path: Path, asked: Path) -> Iterator[Server]:
    """Serve the score keeper, which writes down what it is asked for."""
    factory = "tests.browser.counting:create_app()"
    served = Server(tmp_path, factory, **{counting.ASKED: str(asked)})
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize("kit", [False, True])
def test_one_request_looks_for_another_worker(new_phone: NewPhone, asked: Path, kit: bool) -> None:
    """What the worker imports never changes at its address, and is not asked for again."""
    phone = new_phone()
    if kit:
        install_offline(phone)
    phone.goto("/rules")
    phone.wait_for_function("() => navigator.serviceWorker.controller")
    # One that the navigation began may be under way.
    assert phone.evaluate(UPDATE)
    before = asked.read_text().splitlines()
    assert phone.evaluate(UPDATE)
    assert asked.read_text().splitlines()[len(before) :] == ["/worker.js"]

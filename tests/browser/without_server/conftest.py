"""What these tests share: a phone that has taken the kit along, and a server of its own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SharedPhone
from tests.browser.kit import UNREACHABLE, page_with_server, take_along_once
from tests.browser.serving import Server


@pytest.fixture
def tolerated(tolerated: list[str]) -> list[str]:
    """Return the usual patterns, and that there is no server."""
    return [*tolerated, UNREACHABLE]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve for the tests of this file, which may stop it, kill it and start it again."""
    served = Server(tmp_path_factory.mktemp("server"))
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def with_kit(shared_phone: SharedPhone) -> SharedPhone:
    """Return a phone that has taken the kit along."""
    take_along_once(shared_phone)
    return shared_phone


@pytest.fixture
def taken(with_kit: SharedPhone, server: Server, tolerated: list[str]) -> Iterator[Page]:
    """Return a page of that phone, which holds nothing yet, while there is a server."""
    with page_with_server(with_kit, server, tolerated) as page:
        yield page

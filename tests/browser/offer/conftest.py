"""What these tests share: a server with a small kit, and a phone that has taken it along."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SharedPhone
from tests.browser.serving import Server
from tests.browser.taking_along import page_with_kit, serve_kit, take_along


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the score keeper with a small kit."""
    with serve_kit(tmp_path_factory.mktemp("kit")) as served:
        yield served


@pytest.fixture(scope="module")
def with_kit(shared_phone: SharedPhone) -> SharedPhone:
    """Return a phone that has taken the score keeper along."""
    page = shared_phone.context.new_page()
    take_along(page)
    page.close()
    return shared_phone


@pytest.fixture
def taken(with_kit: SharedPhone, tolerated: list[str]) -> Iterator[Page]:
    """Return the start page of that phone."""
    with page_with_kit(with_kit, tolerated) as page:
        yield page

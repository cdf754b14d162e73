"""What these tests share: a browser whose network is gone."""

import pytest

from tests.browser.conftest import AWAY


@pytest.fixture
def tolerated() -> list[str]:
    """Return the messages of a browser whose network is gone: that is what is tested."""
    return [*AWAY, "Failed to fetch", "server error 503", "htmx:error: timeout"]

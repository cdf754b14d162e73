"""The two markers by which a test says which house rule or which reading it holds."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    for line in (
        "rule(field, *values): the test holds this house rule, with these of its values",
        "reading(*numbers): the test holds these numbered readings of the rules",
    ):
        config.addinivalue_line("markers", line)

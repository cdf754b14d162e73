"""Long work in a request."""

from collections.abc import Iterator
from contextlib import contextmanager

from app.services.throttle import Throttle


@contextmanager
def throttle() -> Iterator[Throttle]:
    """Yield a throttle."""
    yield Throttle()

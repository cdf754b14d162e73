"""JSON that is nested beyond anything that has sense is not read at all."""

import base64

import pytest

from app.rules.errors import BadFile
from app.rules.json_input import DEEPEST, decode, too_deep
from app.rules.presets import read_code


@pytest.mark.parametrize(
    "text",
    [b"[" * (DEEPEST + 1), b'{"a":' * 10_000, b"[{" * 30_000, b'"\\\\"' + b"[" * 500 + b'"'],
)
def test_nested_too_deeply(text: bytes) -> None:
    """Lists and objects count, closed or not."""
    assert too_deep(text)
    with pytest.raises(BadFile):
        decode(text)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * DEEPEST + b"]" * DEEPEST,
        b"[" + b"[]," * 10_000 + b"[]]",
        b'"' + b"[" * 500 + b'"',
        b'"\\"' + b"[" * 500 + b'"',
    ],
)
def test_not_nested_too_deeply(text: bytes) -> None:
    """What stands side by side is not nested, and a bracket in a text is none."""
    assert not too_deep(text)
    decode(text)


def test_a_text_that_never_ends_is_not_looked_through_again_and_again() -> None:
    """Quotes and backslashes without end are told as fast as anything else."""
    assert not too_deep(b"[" * DEEPEST + b'"' + b'\\"' * 30_000 + b"[" * 500)


def test_rules_in_a_link_are_no_deeper() -> None:
    """A link's rules are read under the same limit."""
    with pytest.raises(BadFile):
        read_code(base64.urlsafe_b64encode(b"[" * 3000).decode())

"""A table's page is asked for by its version (ETag): who has one has exactly that page."""

from __future__ import annotations

import pytest

from tests.web.phone import HTMX, Phone

SWEDISH = {"Accept-Language": "sv"}
KINDS: tuple[dict[str, str], ...] = ({}, HTMX, SWEDISH, HTMX | SWEDISH)
VARIES = {"cookie", "accept-language", "hx-request"}


def etag(phone: Phone, kind: dict[str, str]) -> str:
    """Return the version of the page that a phone is shown."""
    answer = phone.client.get(phone.table, headers=phone.headers | kind)
    return answer.headers["ETag"]


def test_each_kind_of_page_has_a_version_of_its_own(keeper: Phone, reader: Phone) -> None:
    """Writing or reading, whole or in part, Swedish or English: eight pages, eight versions."""
    versions = [etag(phone, kind) for phone in (keeper, reader) for kind in KINDS]
    assert len(set(versions)) == len(versions)


@pytest.mark.parametrize("kind", KINDS)
def test_no_version_of_another_page_is_as_good(
    keeper: Phone, reader: Phone, kind: dict[str, str]
) -> None:
    """Nobody who reads is left with the page of who writes, nor the other way round."""
    pages = [(phone, each, etag(phone, each)) for phone in (keeper, reader) for each in KINDS]
    for phone in (keeper, reader):
        for who, other, known in pages:
            headers = phone.headers | kind | {"If-None-Match": known}
            answer = phone.client.get(phone.table, headers=headers)
            assert answer.status_code == (304 if (who, other) == (phone, kind) else 200)
            assert {name.lower() for name in answer.vary} >= VARIES

"""Headers of every answer, and protection of writes against other sites."""

from __future__ import annotations

import re

from flask import Flask

from tests.api.calling import every_address
from tests.told import told
from tests.web.phone import Phone

CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}
EVENT = '{"event":"no_best_hand"}'


@told
def test_another_site_writes_nothing_here(
    app: Flask, keeper: Phone, headers: dict[str, str]
) -> None:
    """What another site's page sends is refused, with or without a cookie.

    At every address that which browsers say of another site, and the rest at some.
    """
    writes = [
        (address, method)
        for rule, address in every_address(app)
        for method in sorted((rule.methods or set()) - {"GET", "HEAD", "OPTIONS"})
    ]
    for address, method in writes if headers == CROSS_SITE else writes[::9]:
        answer = keeper.client.open(address, method=method, headers=headers)
        assert answer.status_code == 403, address


@told
def test_our_own_pages_write(keeper: Phone, headers: dict[str, str]) -> None:
    """The app's forms are accepted, from browsers with and without headers about their origin."""
    data = {"seq": "1", "event": EVENT}
    answer = keeper.client.post(f"{keeper.table}/events", data=data, headers=headers)
    assert answer.status_code == 303


def test_a_link_from_another_site_is_followed(keeper: Phone) -> None:
    """Requests to read are allowed from any site: messengers send the link."""
    assert keeper.client.get(keeper.table, headers=CROSS_SITE).status_code == 200


@told
def test_every_page_is_guarded(keeper: Phone, part: str) -> None:
    """Nothing is framed, sniffed, indexed, cached or leaked to another site.

    The content security policy allows this app alone, and no page needs more.
    """
    page = keeper.open(part.replace("TABLE", keeper.table))
    headers = keeper.answer.headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] in ("same-origin", "no-referrer")
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "noindex" in headers["X-Robots-Tag"]
    assert headers["Cache-Control"] == "no-store"
    varies = {name.lower() for name in keeper.answer.vary}
    assert {"cookie", "hx-request", "accept-language"} <= varies
    policy = {
        directive.split()[0]: directive.split()[1:]
        for directive in headers["Content-Security-Policy"].split(";")
    }
    assert policy["default-src"] == ["'none'"]
    assert policy["base-uri"] == policy["frame-ancestors"] == ["'none'"]
    for sources in policy.values():
        assert set(sources) <= {"'none'", "'self'", "data:"}
    assert "data:" not in policy["script-src"]
    assert not page.elements("style, script:not([src]), [style]")
    for attributes in page.elements("*"):
        assert not [name for name in attributes if name.startswith(("on", "hx-on"))]
        for name in ("src", "href", "action", "formaction"):
            assert re.match("#|/(?!/)", attributes.get(name, "/")), attributes

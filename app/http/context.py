"""The request context: the database, the language, the client, and the page's table."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from flask import Flask, current_app, g, request, session
from msgspec.structs import replace
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from app.http import cookies
from app.http.application import Application
from app.i18n.language import CODES, DEFAULT, Language, get_language
from app.rules.settlement import USUAL, Currency
from app.services import ledger, people, table_view
from app.services.access import Access, Write, find_access
from app.services.ledger import Ledger
from app.services.table_view import TableView
from app.store.database import Database

if TYPE_CHECKING:
    from app.http.address import Address, Obstacle

OF_TABLES = ("/t/", "/api/tables/")
# What is read of the languages that a browser names, more than any names.
LONGEST_LANGUAGES = 200
# As much is read of a browser's name.
LONGEST_AGENT = 500


def register(app: Flask) -> None:
    """Let templates know the table of their page, and addresses be that table's."""
    app.url_value_preprocessor(_take_link)
    app.context_processor(_template_values)
    app.url_defaults(_add_link)


def _take_link(_: str | None, values: dict[str, object] | None) -> None:
    """Views take no link: the table is that of the request."""
    g.link = (values or {}).pop("link", None)


def _add_link(endpoint: str, values: dict[str, object]) -> None:
    """An address of a table that names none is one of this page's table."""
    if has_table() and current_app.url_map.is_endpoint_expecting(endpoint, "link"):
        values.setdefault("link", link())


def db() -> Database:
    """The database of this application. Raises DatabaseUnavailable."""
    return cast("Application", current_app).database


def language() -> Language:
    """The language of this request: chosen on the phone, else the browser's, else Swedish."""
    language: Language | None = g.get("language")
    if language is None:
        browsers = request.headers.get("Accept-Language", "")[:LONGEST_LANGUAGES]
        choice = cookies.language_choice() or _find_language(browsers) or DEFAULT
        language = g.language = get_language(choice)
    return language


def gettext(message: str, /, **values: object) -> str:
    """A message of ours in the language of this request, with its values."""
    return language().gettext(message, **values)


@lru_cache(maxsize=256)
def _find_language(accepted: str) -> str | None:
    """The first of our languages in Accept-Language, None for none."""
    return parse_accept_header(accepted, LanguageAccept).best_match(CODES)


def wants_fragment() -> bool:
    """Whether htmx asks for a part of a page; for its history it asks for whole ones."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def resolve_table() -> None:
    """Look up the table of this page, once for the whole request. Raises NotFound."""
    # The allowed methods of an address are the same for every link; a phone's push may open one.
    if request.method == "OPTIONS" or not request.path.startswith(OF_TABLES) or not link():
        return
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    # A program may send its own pen along.
    is_sent = request.blueprint == "api" and kind.lower() == "bearer"
    g.write = Write(link(), secret.strip() if is_sent else cookies.pen())
    g.access = find_access(db().connection, link(), g.write.pen)


def advance_table(seq: int, *, of_ledger: bool) -> None:
    """Go on with a later version of this page's table. Raises NotFound.

    A reader stays one, so that only pens are looked up again: of all that a reader's page shows
    nothing is known before `refresh_table`, but of one `of_ledger` when that last changed.
    """
    if access().writes or of_ledger:
        g.access = find_access(db().connection, link(), g.write.pen)
    else:
        g.access = replace(access(), seq=seq)


def refresh_table() -> None:
    """Read this page's table as it is by now, for a reader. Raises NotFound."""
    if not access().writes:
        newest = find_access(db().connection, link(), None)
        g.access = replace(newest, revoked=access().revoked)


def has_table() -> bool:
    """Whether the page asked for belongs to a table."""
    return "access" in g


def link() -> str:
    """The link in the address of this request; nothing where that names none."""
    return g.get("link") or ""


def read_view(number: int | None = None) -> TableView:
    """This page's table, with its newest game or game `number`. Raises NotFound."""
    return table_view.read_view(db(), link(), number)


def read_ledger(day: date | None = None) -> Ledger:
    """The ledger of this page's table, of its newest evening or another. Raises NotFound."""
    return ledger.read_ledger(db(), link(), day)


def known_names() -> set[str]:
    """The names of everybody whom this page's table knows."""
    return {*people.list_people(db(), access().id).numbers}


def table_path() -> str:
    """The address of this page's table, with which those of its pages begin."""
    return f"{prefix()}/t/{link()}"


def write() -> Write:
    """The writer of this request: its table, and the pen of this browser."""
    return cast("Write", g.write)


def access() -> Access:
    """This page's table as it was when the request came, and whether this browser writes at it."""
    return cast("Access", g.access)


def find_me() -> str | None:
    """The person at this page's table that this phone's reader has said to be, if anybody."""
    return people.find_person(db(), access(), cookies.read_me())


def currency() -> Currency:
    """The currency of this page's table; of a page without one, that which is usual."""
    return access().currency if has_table() else USUAL


def instance() -> str:
    """The name that links of tables opened here begin with; nothing where there is one server."""
    return current_app.config["INSTANCE"] or ""


def prefix() -> str:
    """The path in front of our addresses on the host that was asked for: `/chicago`, or nothing."""
    return request.script_root


def lacks_https() -> bool:
    """Whether a browser takes this page for one that anybody may have changed on its way.

    It then has no wake lock, no worker, no sharing and no clipboard. Its own machine it trusts.
    """
    config = current_app.config
    if config["PHONE"] or request.is_secure or config["URL"].startswith("https:"):
        return False
    from app.http.address import is_here

    return not is_here(re.sub(r":[0-9]*$", "", request.host).strip("[]"))


def warns_of_dark() -> bool:
    """Whether this phone is to be told that its screen may go dark."""
    return lacks_https() and not session.get("http")


def shareable_url(path: str) -> str:
    """An address of ours as other phones reach it, also when asked for on the server's screen."""
    if current_app.config["PHONE"]:
        return f"{request.scheme}://{request.host}{path}"
    return f"{_public_address().url}{path.removeprefix(prefix())}"


def picture_url(path: str) -> str:
    """An address of ours for a preview; none on a page for all that may name no host asked for."""
    if "for_all" in g and g.for_all and not current_app.config["URL"]:
        return ""
    return shareable_url(path)


def obstacle() -> Obstacle:
    """The obstacle that keeps other phones from opening an address of ours, if any."""
    return "" if current_app.config["PHONE"] else _public_address().obstacle


# What programs say of themselves that show pages in a browser of their own, which keeps its cookies
# there. On an iPhone only Safari and its like say that they are one.
_WITHIN = re.compile(
    r"FBA[NV]|FB_IAB|Instagram|Line/|MicroMessenger|Snapchat|KAKAOTALK|WhatsApp|Telegram|Viber"
    r"|Twitter|LinkedInApp|Pinterest|TikTok|musical_ly|Bytedance|GSA/|; wv\)"
)
_NOT_SAFARI = re.compile(r"\((?:iPhone|iPad|iPod).*AppleWebKit(?!.*Safari/)")


class Browser(NamedTuple):
    """The browser that a phone comes with, and an address by which it opens this page."""

    name: str
    address: str


def own_browser(*, at_home: bool = False) -> Browser | None:
    """The phone's own browser, where a chat program shows this page within itself.

    A page that may be opened `at_home` is one of an app on an iPhone's home screen, too.
    """
    agent = request.headers.get("User-Agent", "")[:LONGEST_AGENT]
    if not (_WITHIN.search(agent) or (not at_home and _NOT_SAFARI.search(agent))):
        return None
    address = shareable_url(request.full_path.rstrip("?"))
    if re.search("iPhone|iPad|iPod|Macintosh", agent):
        return Browser("Safari", f"x-safari-{address}")
    return Browser("Chrome", f"intent:{address}#Intent;end")


def _public_address() -> Address:
    """The server's address for other phones: as configured, else as this request shows it."""
    from app.http.address import Address, find_address

    config = current_app.config
    if config["URL"]:
        return Address(config["URL"])
    listening = request.environ.get("SERVER_NAME", "")
    proxied = bool(config["PROXIES"])
    # Of a Host header that names none werkzeug makes nothing.
    host = request.host or f"localhost:{request.environ['SERVER_PORT']}"
    found = find_address(request.scheme, host, listening, behind_proxy=proxied)
    return found._replace(url=f"{found.url}{prefix()}")


def _template_values() -> dict[str, object]:
    """Values that every template of a table's page may use."""
    if not has_table():
        return {}
    return {
        "link": link(),
        "at_table": table_path(),
        "writes": access().writes,
        "lost": access().revoked,
        "recovered": access().recovered,
        "currency": access().currency,
    }

"""The pages: routes, forms and view models. Everything here ends in a template."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from urllib.parse import quote

from flask import Flask, Response, make_response, redirect, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from app.http import context, cookies, security
from app.http.errors import OutOfOrder
from app.http.log import request_id
from app.rules.hands import COMMON_HANDS
from app.web import (
    change_game,
    compare,
    edit,
    evening,
    files,
    new_table,
    pens,
    picture,
    protocol,
    pwa,
    rules,
    statistics,
    table,
    templates,
)

PAGES = (
    *(new_table, edit, change_game, table, pens, protocol, compare, rules, evening, picture),
    *(statistics, files, pwa),
)

# Pages that are gone, or only answers to a form, and those that are left in their place.
MOVED: Mapping[str, str] = {
    "/sample/<preset>": "/how/<preset>",
    "/sample/<preset>/<int:number>": "/how/<preset>",
    "/t/<link>/sample": "/t/<link>/how",
    "/t/<link>/sample/<int:number>": "/t/<link>/how",
    "/mine": "/tables",
    "/t/<link>/evenings.csv": "/t/<link>/files",
    "/t/<link>/games.csv": "/t/<link>/files",
    "/t/<link>/years.csv": "/t/<link>/files",
    "/t/<link>/games/<int:number>/log": "/t/<link>/games/<int:number>",
    "/t/<link>/games/<int:number>/edit": "/t/<link>/games/<int:number>",
    "/t/<link>/games/<int:number>/mend": "/t/<link>/games/<int:number>",
    "/t/<link>/revise": "/t/<link>/edit",
    "/t/<link>/games/<int:number>/print": "/t/<link>/games/<int:number>",
}

# A sentence or a chat program leaves its marks behind a link: a full stop, a bracket, one that
# nobody sees, or a word. A link of ours has an end, so that what follows is none of it.
SENT = ("/t/", "/transfer", "/r/", "/rules", "/how", "/files", "/tables", "/install")
_BEHIND = re.compile(r"[^\w-]+\Z|[_-]+\Z", re.ASCII)
_LINK = re.compile(r"/t/([a-z0-9]{1,8}\.)?[\w-]{22,64}(?=[^\w/-])", re.ASCII)


class Token(BaseConverter):
    """What an address of ours ends with: a secret, or rules in letters."""

    regex = "[A-Za-z0-9_.-]*[A-Za-z0-9_-]"


def register(app: Flask) -> None:
    """Add the pages to the application; the database is opened with the first request."""
    context.register(app)
    app.url_map.converters["token"] = Token
    templates.register(app)
    app.add_template_global(pwa.find_bundle)
    app.jinja_env.filters.update(rules.FILTERS)
    app.jinja_env.tests["low_hand"] = COMMON_HANDS.__contains__
    security.register(app)
    for bp in (new_table.card_bp, files.erasure_bp, *(page.bp for page in PAGES)):
        app.register_blueprint(bp)
    for address in MOVED:
        app.add_url_rule(address, "moved", lead_on)
    cookies.register(app)


def lead_on(**values: object) -> Response:
    """Redirect for good from the address of a page that is gone."""
    target, values["link"] = MOVED[str(request.url_rule)], context.link()
    path = re.sub(
        r"<(?:\w+:)?(\w+)>",
        lambda name: quote(str(values[name[1]]), safe=""),
        target,
    )
    return make_response(redirect(f"{context.prefix()}{path}", HTTPStatus.MOVED_PERMANENTLY))


def error_page(error: HTTPException) -> Response:
    """The page that says why a request failed."""
    status = HTTPStatus(error.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    if status == HTTPStatus.NOT_FOUND and request.path.startswith(SENT):
        # Without what stands behind the link that was sent.
        found = _LINK.match(request.path)
        path = _BEHIND.sub("", found[0] if found else request.path)
        if path != request.path and request.method in security.SAFE_METHODS:
            asked = f"?{request.query_string.decode('ascii', 'ignore')}".rstrip("?")
            return make_response(redirect(f"{context.prefix()}{path}{asked}"))
    values = {
        "status": status,
        "request_id": request_id(),
        "out_of_order": isinstance(error, OutOfOrder),
    }
    text = render_template("error.html", fragment=context.wants_fragment(), **values)
    return make_response(text, status)

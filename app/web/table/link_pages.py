"""What every link looks like: the sheet that shows it as a code, the page that it opens."""

from __future__ import annotations

from typing import Literal

from flask import Response, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context
from app.http.cookies import remember_table
from app.http.forms import Refusal, flash_at, redirect_to
from app.web.codes import draw_code
from app.web.templates import render


def render_offer(offer: Literal["open", "recovery", "writes"]) -> Response:
    """The page of a link that gives the pen: what a tap would do on this phone."""
    return hide_address(render("table/pen_link.html", offer=offer, name=context.access().name))


def hide_address(response: Response) -> Response:
    """Let a page not tell its address, not even to our own pages."""
    # `no-referrer` would hide the form's Origin.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def lead_to_table(link: str, message: str) -> AnyResponse:
    """Lead whoever cannot have the pen by a link to where one reads, and say why there."""
    table = url_for("table.page", link=link)
    flash_at(table, message)
    return redirect_to(table)


def let_write(link: str) -> AnyResponse:
    """Lead a phone that has just got the pen to the table, and leave the secret behind."""
    # Only a server has readers.
    from app.web.table import readers

    remember_table(link)
    return readers.forget(redirect_to(url_for("table.page", link=link)))


def render_code(
    dialog: str, path: str, refusal: Refusal | None = None, **values: object
) -> Response:
    """A dialog with an address of ours as a code to scan."""
    values["address"] = address = context.shareable_url(path)
    values["code"], values["scannable"] = draw_code(address), not context.obstacle()
    page, fragment = f"dialogs/{dialog}.html", f"dialogs/_{dialog}.html"
    return render(page, fragment, refusal, **values)

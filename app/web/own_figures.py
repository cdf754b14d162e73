"""The owner's figures over all tables of a phone."""

from __future__ import annotations

from collections import Counter

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from app.http import context, cookies
from app.http.forms import redirect_to
from app.http.limits import expensive
from app.services import statistics
from app.services.lists import list_tables
from app.services.people import is_pseudonym
from app.services.statistics import add_up_figures
from app.web.statistics import COUNTS, WON
from app.web.templates import render

bp = Blueprint("own_figures", __name__, url_prefix="/mine")

# So many tables are asked about: who one is there has to fit into a cookie.
MOST = 24


@bp.get("")
@expensive
def page() -> AnyResponse:
    """The figures at each table and together, and who the phone is at each."""
    db, chosen = context.db(), cookies.own_codes()
    known = list_tables(db, cookies.pen(), cookies.tables(), MOST)
    tables = statistics.read_own_tables(db, known, chosen)
    mine = [(table, table.me) for table in tables if table.me]
    # Currencies are never added up.
    money: Counter[str] = Counter()
    for table, me in mine:
        if me.staked:
            money[table.currency] += me.ore
    return render(
        "own/page.html",
        "",
        None,
        tables=tables,
        chosen=chosen,
        mine=mine,
        together=add_up_figures([me for _, me in mine]) if mine else None,
        money=money,
        columns=WON.columns.values(),
        counts=COUNTS,
        most=MOST,
    )


@bp.post("")
def choose() -> AnyResponse:
    """Let this phone be these people from now on, or nobody."""
    codes = [code for code in request.form.getlist("me") if is_pseudonym(code)]
    cookies.choose_codes(dict.fromkeys(codes[:MOST]))
    return redirect_to(url_for("own_figures.page"))

"""The phone: the application behind plain functions, for the service worker that runs it.

The worker keeps the database file: it puts the file in place before `start`, and stores it whenever
an answer says that it changed.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import msgspec
from flask import (
    Blueprint,
    Flask,
    Request,
    Response,
    current_app,
    render_template,
    request,
    url_for,
)
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from jinja2 import ModuleLoader
from msgspec.structs import replace
from werkzeug.exceptions import BadRequest, MethodNotAllowed, NotFound
from werkzeug.test import create_environ, run_wsgi_app

from app import web
from app.http import context, cookies, errors
from app.http.application import ROOT, Application, application, make_app
from app.http.context import db
from app.http.forms import Refusal, attempt, redirect_to, tell_at_table
from app.i18n.errors import error_text
from app.i18n.language import N_
from app.offline import alone as alone_pages
from app.offline import conflicts, exchange, replicas
from app.offline.conflicts import Tried, Written
from app.offline.exchange import Pull, Pulled, Receipt
from app.offline.replicas import ConflictKind, LeftOut, Phone, Waiting, read_phone, save_phone
from app.rules.edit import ANY_STEP, place_entries
from app.services import figures, table_view
from app.services.access import NotFound as TableNotFound
from app.services.table_view import TableView
from app.store import clock
from app.store.files import (
    COMPANIONS,
    WRITE_AHEAD_LOG,
    DatabaseRefused,
    DatabaseUnavailable,
    beside,
)
from app.store.schema import migrations
from app.web.pwa import OnlyHere, draw_away
from app.web.table.protocol import sheet_address
from app.web.templates import FILTERS, render

_log = logging.getLogger(__name__)
bp = Blueprint("calls", __name__, url_prefix="/offline")

# The meaning of a refusal for the changes that wait. Any other status is no answer.
CONFLICTS: dict[int, ConflictKind] = {
    HTTPStatus.OK: "",
    HTTPStatus.CONFLICT: "stale",
    HTTPStatus.UNAUTHORIZED: "no_pen",
    HTTPStatus.NOT_FOUND: "gone",
    HTTPStatus.UNPROCESSABLE_ENTITY: "refused",
    HTTPStatus.BAD_REQUEST: "refused",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "refused",
}


def register(app: Application) -> None:
    """Add the calls, the pages, and the banner; tables are opened where its server would."""
    app.register_blueprint(bp)
    app.register_blueprint(page_bp)
    app.before_request(_ask_others)
    app.read_banner = _read_banner
    app.jinja_env.globals.update(
        only_here=find_only_here,
        is_only_here=_is_only_here,
        waiting_tables=list_waiting,
        unread_tables=list_unread,
    )


@bp.get("/status")
def status() -> Response:
    """The changes that are only on this phone, with the line for pages, and its tables."""
    rows, here = _find_waiting(), find_only_here()
    line = render_template("offline/_only_here.html", here=here) if here else ""
    return _json(
        {
            "waiting": sum(row.waiting for row in rows),
            "only_here": [row.link for row in rows if row.waiting],
            "conflicts": [row.link for row in rows if row.conflict],
            "held": [row.link for row in replicas.find_waiting(db().connection)],
            "unread": len(read_phone(db()).unread),
            "line": line,
            "schema": len(migrations.applied(db().connection)),
        }
    )


PULL, PUSH = "offline/replicas", "offline/tables/"


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call of the server: its path below the start page, and its body.

    `pulled`: a pull came before it.
    """

    path: str
    body: str
    pulled: bool = False


class Answered(Call, frozen=True):
    """A call with its answer, whose status is 0 where none came."""

    status: int = 0
    text: str = ""


@bp.post("/exchange")
def talk() -> Response:
    """Take the server's answers to the last calls, if any, and say which come next.

    Pushing comes first: it waits for no table that cannot be pulled. A browser without a pen has
    one after the pull.
    """
    answers = exchange.read(list[Answered], request.get_data())
    taken = [each for each in answers if take(each)]
    application().rendered.clear()
    done = any(each.pulled for each in answers) or any(each.path == PULL for each in taken)
    calls = [] if answers and not taken else push(done)
    if not (calls or done or any(each.path == PULL for each in answers)):
        calls = [pull()]
    return _json({"calls": calls, "done": done})


def push(pulled: bool = False) -> list[Call]:
    """The calls that push what waits; there may be more once the server has accepted these."""
    batches = replicas.collect(db())
    return [Call(f"{PUSH}{each.link}", _write(each), pulled) for each in batches]


def pull() -> Call:
    """The call that says which versions this phone has."""
    bases = {row.link: row.base for row in replicas.find_waiting(db().connection) if row.base}
    changes = exchange.find_changes(read_phone(db()).known, exchange.read_state())
    return Call(PULL, _write(Pull(bases, changes)))


def take(answered: Answered) -> bool:
    """Take the server's answer to a call; whether it is one: else the same is sent again later."""
    try:
        if answered.path == PULL:
            _follow(answered)
        else:
            _receive(answered)
    except BadRequest:
        return False
    except replicas.UNREADABLE_TABLE:
        _log.exception("an answer of the server cannot be taken")
        return False
    return True


def _receive(answered: Answered) -> None:
    """Take the answer to a batch: accepted, or a person has to decide. Raises BadRequest."""
    receipt = exchange.read(Receipt, answered.text.encode())
    if answered.status not in CONFLICTS:
        raise BadRequest
    link = answered.path.removeprefix(PUSH)
    replicas.note_receipt(db(), link, receipt, CONFLICTS[answered.status])


def _follow(answered: Answered) -> None:
    """Follow the server. Raises BadRequest."""
    pulled = exchange.read(Pulled, answered.text.encode())
    with db().transaction():
        phone = read_phone(db())
        now = replace(phone, instance=pulled.instance, zone=pulled.zone, heard=pulled.now)
        if follow_clock(now):
            # Games that were played belong to other evenings.
            figures.recount_all(db())
        came, unread = replicas.take(db(), pulled)
        for link in reversed(came):
            if link not in cookies.tables():
                cookies.remember_table(link)
        unreadable = exchange.apply(exchange.find_changes(phone.known, pulled.state))
        # Else the next pull would say that this phone has changed them.
        known = pulled.state | {key: phone.known.get(key) for key in unreadable}
        save_phone(db(), replace(now, known=known, unread=unread))


def follow_clock(phone: Phone) -> bool:
    """Tell moments in the server's time zone, none before the last that was heard of it.

    Returns whether the zone is another than before.
    """
    before = clock.zone().key
    clock.hear(phone.heard)
    with suppress(clock.UnknownZone):
        clock.set_zone(clock.find_zone(phone.zone))
    return clock.zone().key != before


def _json(body: object) -> Response:
    return Response(msgspec.json.encode(body), mimetype="application/json")


def _write(body: object) -> str:
    return msgspec.json.encode(body).decode()


COMPILED_TEMPLATES = "compiled_templates"
# A database that cannot be opened lies beside the one in use.
ASIDE = "-aside"


class Answer(msgspec.Struct, frozen=True):
    """An answer to a page; `changed`: the database file differs from before, and is whole."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    changed: bool


class PhoneSession(SessionInterface):
    """The session in the phone's own row: a service worker can neither read nor set cookies."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:  # noqa: ARG002  # Flask's signature
        """Read it."""
        return SecureCookieSession(read_phone(db()).session)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:  # noqa: ARG002  # Flask's signature
        """Save it where something in it changed."""
        if session.modified:
            save_phone(db(), replace(read_phone(db()), session=dict(session)))


def create_phone_app(database: str, **config: object) -> Application:
    """Make the application: the same pages and rules, and none of a server's guards."""
    values = {"DATABASE": database, "PHONE": True, "LANGUAGES": "", "UNREADABLE": False}
    app = make_app({**values, **config})
    web.register(app)
    app.session_interface = PhoneSession()
    register(app)
    if app.config["ALONE"]:
        app.register_blueprint(alone_pages.bp)
        app.jinja_env.globals["is_unsaved"] = alone_pages.is_unsaved
    errors.register(app, page=web.error_page, json=web.error_page)
    if (ROOT / COMPILED_TEMPLATES).exists():
        app.jinja_env.loader = ModuleLoader(ROOT / COMPILED_TEMPLATES)
    return app


_running: list[Application] = []


def start(
    database: str,
    home: str,
    alone: bool = False,
    zone: str = "",
    languages: str = "",
    unreadable: bool = False,
) -> None:
    """Begin, or begin anew, with the database file that is in place; made if there is none.

    `home` is the address of the start page, with which all of ours begin. `alone`: there is no
    server of ours behind it, and evenings are those of the browser's time zone at the first start.
    `languages` are the browser's, of which no request tells a worker. `unreadable`: there is
    another database, which cannot be opened, so that every page says that until it is put aside.

    Raises DatabaseUnavailable, as DatabaseRefused where the file is damaged, another program's, or
    a newer version's.
    """
    stop()
    app = create_phone_app(
        database, HOME=home, ALONE=alone, LANGUAGES=languages, UNREADABLE=unreadable
    )
    try:
        with app.app_context():
            (found,) = db().connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise DatabaseRefused("damaged", Path(database))
            is_new = not db().connection.table("phone").count
            phone = read_phone(db())
            if alone and is_new:
                phone = replace(phone, zone=zone)
                save_phone(db(), phone)
            follow_clock(phone)
    except BaseException:
        app.close()
        raise
    _running.append(app)


def stop() -> None:
    """Close the database, whose file may then be replaced; unsaved changes are lost."""
    while _running:
        app = _running.pop()
        app.close()
        for suffix in (*COMPANIONS, ASIDE):
            beside(Path(app.config["DATABASE"]), suffix).unlink(missing_ok=True)


def start_beside(database: str, home: str, alone: bool, zone: str, languages: str) -> None:
    """Begin with an empty database beside one that cannot be opened."""
    Path(database).replace(beside(Path(database), ASIDE))
    start(database, home, alone, zone, languages, unreadable=True)


def answer(
    method: str, url: str, headers: Sequence[tuple[str, str]] = (), body: bytes = b""
) -> Answer:
    """Answer one request as the server would (WSGI). Raises LookupError before the start."""
    app = _running[-1]
    home = app.config["HOME"]
    path = url.removeprefix(home.removesuffix("/"))
    if app.config["UNREADABLE"] and not path.startswith("/offline/"):
        method, path, body = "GET", f"/away/{DatabaseUnavailable.__name__}", b""
    sent = [("Accept-Language", app.config["LANGUAGES"]), *headers]
    environ = create_environ(path, home, method=method, headers=sent, data=bytes(body))
    found, status, answered = run_wsgi_app(app, environ, buffered=True)
    changed = _checkpoint(app) or beside(Path(app.config["DATABASE"]), ASIDE).exists()
    keeps = changed and not app.config["UNREADABLE"]
    # By which pages know an answer of ours, as a server's.
    given = [*answered, ("X-Request-Id", "phone")]
    return Answer(int(status[:3]), given, b"".join(found), keeps)


def collect_changed() -> dict[str, bytes]:
    """The files that the worker has to keep once something has changed, by their names there."""
    path = Path(_running[-1].config["DATABASE"])
    aside, files = beside(path, ASIDE), {"file": path.read_bytes()}
    if aside.exists():
        files[clock.write_time(clock.moment())] = aside.read_bytes()
        aside.unlink()
    return files


def _checkpoint(app: Application) -> bool:
    """Move commits from the write-ahead log into the database file; whether there were any."""
    log = beside(Path(app.config["DATABASE"]), WRITE_AHEAD_LOG)
    changed = False
    with suppress(FileNotFoundError), app.app_context():
        changed = log.stat().st_size > 0
        db().truncate_log()
    return changed


@bp.get("/file")
def save() -> Response:
    """The database; where it cannot be opened, as it is."""
    db().truncate_log()
    path = db().path
    content = (beside(path, ASIDE) if current_app.config["UNREADABLE"] else path).read_bytes()
    headers = {"Content-Disposition": 'attachment; filename="chicago.db"'}
    return Response(content, headers=headers, mimetype="application/octet-stream")


@bp.post("/aside")
def begin_anew() -> Response:
    """Go on with an empty database; the one that cannot be opened stays on the phone, aside."""
    current_app.config["UNREADABLE"] = False
    return redirect_to(url_for("new_table.page"))


page_bp = Blueprint("phone", __name__)

# What the worker's errors mean that are not our own: its storage failed.
FAILURES = {"QuotaExceededError": "full", DatabaseUnavailable.__name__: "unreadable"}
OUR_OWN = frozenset(
    {
        *("Error", "PythonError", "RangeError", "ReferenceError", "RuntimeError", "SyntaxError"),
        *("TypeError", "CompileError", "LinkError", "InternalError"),
    }
)


@page_bp.get("/away/<name>")
def explain(name: str) -> tuple[str, HTTPStatus]:
    """Say what an error in the worker means for who asked.

    A page's script would send the same again after the status for pages.
    """
    reason = FAILURES.get(name) or ("failed" if name in OUR_OWN else "broken")
    part = context.wants_fragment()
    status = HTTPStatus.UNPROCESSABLE_ENTITY if part else HTTPStatus.SERVICE_UNAVAILABLE
    return draw_away(reason), status


# Forms of a table that a phone carries out by itself; all others give rights to others, or erase.
FORMS = frozenset(
    {
        *("table.record", "table.undo", "table.redo", "new_table.rematch", "edit.edit"),
        *("new_table.start_next", "rules.send_next", "edit.change", "edit.change_dealer"),
        *("evening.all_paid", "evening.undo", "evening.pay_in_advance", "evening.pay"),
        *("evening.number", "evening.change_people", "new_table.rename", "phone.decide"),
    }
)
WHY: Mapping[ConflictKind, str] = {
    "stale": N_("Somebody else has written at this table while this phone was without a network."),
    "no_pen": N_("This phone may no longer write at this table: others have the pen."),
    "gone": N_("The score keeper no longer has this table."),
    "refused": N_("The score keeper did not accept what this phone has of this table."),
}


def _find_waiting() -> list[Waiting]:
    """The phone's tables, whose changes wait for a server where there is one."""
    return [] if current_app.config["ALONE"] else replicas.find_waiting(db().connection)


def find_only_here() -> OnlyHere | None:
    """The entries that are only on this phone, None when the server has acknowledged all of it."""
    rows = [row for row in _find_waiting() if row.waiting]
    if not rows:
        return None
    parted = [row.link for row in rows if row.conflict]
    return OnlyHere(
        waiting=sum(row.changes for row in rows),
        tables=len(rows),
        conflicts=len(parted),
        since=min(row.since for row in rows if row.since),
        address=f"/t/{parted[0]}/decide" if len(parted) == 1 else "/offline",
    )


def _read_banner() -> tuple[str, str] | None:
    """The banner on every page, so that no rendered page with an older one is shown again."""
    here = find_only_here()
    return (here.key, here.urgency) if here else None


def _is_only_here(link: str) -> bool:
    """Whether the server does not have a table as yet."""
    row = replicas.find(db().connection, link)
    return row is not None and row.never_pushed


def list_waiting() -> list[tuple[Waiting, TableView]]:
    """Tables of which something is only on this phone."""
    rows = _find_waiting()
    return [(row, table_view.read_view(db(), row.link)) for row in rows if row.waiting]


def list_unread() -> list[tuple[str, TableView | None]]:
    """The links of tables that the bundle here is too old for, with what there was before that."""
    held = {row.link for row in replicas.find_waiting(db().connection)}
    links = read_phone(db()).unread
    return [(link, table_view.read_view(db(), link) if link in held else None) for link in links]


def _ask_others() -> Response | None:
    """The page for features that need the network: a server's pages, and rights of others.

    Where there is no server at all, those of rights.
    """
    current_app.config["INSTANCE"] = read_phone(db()).instance
    unknown = isinstance(request.routing_exception, NotFound | MethodNotAllowed)
    of_table = request.method == "POST" and context.has_table()
    needed = unknown or (of_table and request.endpoint not in FORMS)
    if current_app.config["ALONE"]:
        needed = request.blueprint == "pens"
    if not needed:
        return None
    refusal = None if request.method == "GET" else Refusal("", HTTPStatus.UNPROCESSABLE_ENTITY)
    return render("offline/needs_network.html", "", refusal)


@page_bp.get("/t/<link>/live")
def live() -> Response:
    """Let a page wait in peace until it is told of the network."""
    return Response("retry: 60000\nevent: away\ndata: {}\n\n", mimetype="text/event-stream")


@page_bp.get("/start/<secret>")
def start_page(secret: str) -> Response:
    """Redirect an app on a home screen, which opens this each time, to the start page."""
    return redirect_to(url_for("new_table.page"))


@page_bp.get("/t/<link>/decide")
def both() -> Response:
    """What others wrote, and what comes of putting mine behind it; or what came of it."""
    return _render()


@page_bp.post("/t/<link>/decide")
def decide() -> Response:
    """Put mine behind theirs, or look at that first; undo it; let go what nobody takes."""
    outcome = attempt(lambda: _go(request.form.get("do")))
    application().rendered.clear()
    return _render(outcome) if isinstance(outcome, Refusal) else outcome


def _go(way: str | None) -> Response:
    """Do it; redirect to the next page, with its message."""
    wanted, seen = request.form.getlist("take", int), request.form.get("seen") or "none"
    match way:
        case "look":
            return _render(None, wanted, seen)
        case "add":
            with db().transaction():
                merge = conflicts.add_mine(db(), context.link(), wanted, seen)
                left_out = [_tell(each) for each in merge.mine if not each.added]
                conflicts.note_merged(db(), context.link(), merge, left_out)
            return redirect_to(url_for("phone.both"))
        case "undo":
            conflicts.undo_merge(db(), context.link())
            return tell_at_table(context.gettext("It is as the others wrote it."))
        case "drop":
            conflicts.let_go(db(), context.link())
            return redirect_to(url_for("new_table.page"))
    raise BadRequest


def _tell(tried: Tried) -> LeftOut:
    """What was left out, in words."""
    written, reason = tried.written, tried.reason
    why = error_text(reason, context.language().of_pages) if reason else ""
    return LeftOut(written.number, written.moment, _written_text(written), why)


def _written_text(written: Written) -> str:
    text = str(FILTERS["undo_text"](written.what, 0))
    is_undone = written.row.kind == "undo"
    return context.gettext("%(what)s, taken back", what=text) if is_undone else text


def _render(
    refusal: Refusal | None = None,
    wanted: list[int] | None = None,
    seen: str = "",
) -> Response:
    """What would come of a conflict; else what came of the last, or the table."""
    row = replicas.find(db().connection, context.link())
    values: dict[str, object] = {"row": row}
    if row and row.conflict:
        merge = conflicts.preview(db(), context.link(), wanted, seen)
        values |= {"merge": merge, "why": WHY[row.conflict], "text_of": _written_text}
    elif row and (merged := row.versions.merged):
        left_out = [(each, *_find_place(each)) for each in merged.left_out]
        undoable = merged.added and context.access().seq == merged.seq
        values = {"merged": merged, "left_out": left_out, "undoable": undoable}
        # A second tap is refused, and is none.
        refusal = refusal if refusal and refusal.stale else None
    else:
        return redirect_to(url_for("table.page"))
    return render("offline/decide.html", "", refusal, **values)


def _find_place(left_out: LeftOut) -> tuple[str, bool]:
    """Where something belongs: the page of the entry at its moment (True), or of what is near."""
    number, moment = left_out.number, left_out.moment
    if not number:
        return url_for("evening.newest"), False
    try:
        view = context.read_view(number)
    except TableNotFound:
        return url_for("table.page"), False
    for entry in place_entries(view.states, view.game.events):
        if moment == entry.moment and not isinstance(entry.event, ANY_STEP):
            return f"{sheet_address(number)}/entries/{entry.index}", True
    return sheet_address(number, moment.deal if moment else None), False

"""The score keeper with a small kit, not the real one, and a worker that says what it is told.

What pages do with a kit is tested with it: in a moment, and in states a real one is seldom in.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

import app as score_keeper

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FILES = {"first": b"1" * 400_000, "second": b"2" * 900_000, "third": b"3" * 3_700_000}
WORKER = """
    const status = {kit: "1", away: false, waiting: 0, since: null, only_here: [], unopened: [],
                    conflicts: [], held: [], update: false};
    async function tellAll() {
        for (const page of await clients.matchAll({includeUncontrolled: true}))
            page.postMessage({type: "status", ...status});
    }
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("message", ({data}) => {
        if (data.type === "take-over") skipWaiting();
        if (data.type === "stand") Object.assign(status, data.status);
        if (data.type === "hand-over")
            Object.assign(status, {waiting: 0, since: null, only_here: []});
        if (data.type !== "take-over") tellAll();
    });
    addEventListener("fetch", (event) => {
        const {pathname} = new URL(event.request.url);
        if (pathname === "/offline/status") event.respondWith(Response.json(status));
        if (pathname === "/offline/ping") event.respondWith(new Response("pong"));
        if (pathname.endsWith("/here"))
            event.respondWith(new Response("<li><b>Torpet</b> <a href='/files'>Fil</a></li>"));
    });
"""


def create_app() -> Flask:
    """Make the application; what is below /offline/ is the stand-in's."""
    folder = Path(tempfile.mkdtemp())
    (folder / "kit.json").write_text(json.dumps(kit_list()))
    app = score_keeper.create_app({"KIT": str(folder)})
    served = _served_first(app.wsgi_app)
    app.wsgi_app = served  # type: ignore[assignment,method-assign]  # Flask's documented place for it
    return app


def kit_list() -> dict[str, object]:
    """Return the list of what is in the kit, as the real one is written."""
    files = [
        {
            "name": name,
            "url": f"/offline/{name}",
            "sha256": hashlib.sha256(content).hexdigest(),
            "bytes": len(content),
            "download": len(content),
        }
        for name, content in FILES.items()
    ]
    size = sum(map(len, FILES.values()))
    return {"release": "1", "files": files, "bytes": size, "download": size}


def _served_first(served: WSGIApplication) -> WSGIApplication:
    answers = {f"/offline/{name}": ("application/octet-stream", FILES[name]) for name in FILES}
    answers["/offline/kit.json"] = ("application/json", json.dumps(kit_list()).encode())
    answers["/offline/worker.js"] = ("text/javascript", WORKER.encode())

    def serve(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] not in answers:
            return served(environ, start)
        kind, body = answers[environ["PATH_INFO"]]
        headers = [("Content-Type", kind), ("Content-Length", str(len(body)))]
        start("200 OK", [*headers, ("Service-Worker-Allowed", "/")])
        return [body]

    return serve

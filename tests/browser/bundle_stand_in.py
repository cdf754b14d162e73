"""The score keeper with stand-ins for the service workers, whose status a test sets.

It tests the pages with a bundle: in a moment, and in states that a real worker is rarely in.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

import app as score_keeper

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LISTING = """{
    "release": "1", "abi": "1", "schema": 1, "bytes": 1, "download": 5000000,
    "files": [{"name": "licences.txt", "url": "/offline/1/x", "type": "text/plain", "integrity": "",
        "bytes": 1, "download": 1}]
}"""
PLAIN = """
    addEventListener("install", () => skipWaiting());
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("message", ({data}) => data.type === "leave" && caches.delete("kit"));
"""
WITH_KIT = """
    const status = {kit: "1", away: false, waiting: 0, held: [], line: ""};
    async function tellAll(said) {
        for (const page of await clients.matchAll({includeUncontrolled: true}))
            page.postMessage(said);
    }
    async function install() {
        await (await caches.open("kit")).put("/offline/1/x", new Response("x"));
        for (const done of [1, 2, 3]) await tellAll({type: "taking", done, all: 4});
    }
    addEventListener("install", (event) => event.waitUntil(install()));
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("message", ({data}) => {
        if (data.type === "take-over") skipWaiting();
        if (data.type === "stand") Object.assign(status, data.status);
        tellAll({type: "status", ...status});
    });
    addEventListener("fetch", (event) => {
        const {pathname} = new URL(event.request.url);
        if (pathname === "/offline/status") event.respondWith(Response.json(status));
    });
"""


def create_app() -> Flask:
    """Make the application with the stand-in workers."""
    folder = Path(tempfile.mkdtemp())
    (folder / "kit.json").write_text(LISTING)
    app = score_keeper.create_app({"KIT": str(folder)})
    served = _served_first(app.wsgi_app)
    app.wsgi_app = served  # type: ignore[assignment,method-assign]  # Flask's documented place for it
    return app


def _served_first(served: WSGIApplication) -> WSGIApplication:
    def serve(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/worker.js":
            return served(environ, start)
        body = (WITH_KIT if environ["QUERY_STRING"] == "kit" else PLAIN).encode()
        start("200 OK", [("Content-Type", "text/javascript"), ("Content-Length", str(len(body)))])
        return [body]

    return serve

"""Browsers of older phones: Chromium without what theirs got later, in pages and in the worker."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, Response, request

import app as score_keeper

# Functions of pages and workers that an iPhone has only from a later iOS on.
LACKING: Mapping[str, str] = {
    "16": """
        AbortSignal.any AbortSignal.timeout Array.fromAsync CompressionStream
        DecompressionStream Document.parseHTMLUnsafe Element.prototype.checkVisibility
        Element.prototype.moveBefore HTMLElement.prototype.showPopover Iterator Map.groupBy
        Navigator.prototype.wakeLock Object.groupBy Promise.try Promise.withResolvers Response.json
        Set.prototype.difference Set.prototype.intersection Set.prototype.union URL.canParse
        Array.prototype.toReversed Array.prototype.toSorted Array.prototype.with
        Document.prototype.startViewTransition Window.prototype.requestIdleCallback
        requestIdleCallback navigation CookieStore cookieStore""",
    "15": """
        AbortSignal.prototype.throwIfAborted Array.prototype.at Array.prototype.findLast
        Array.prototype.findLastIndex BroadcastChannel Crypto.prototype.randomUUID
        HTMLFormElement.prototype.requestSubmit HTMLDialogElement.prototype.close
        HTMLDialogElement.prototype.open HTMLDialogElement.prototype.show
        HTMLDialogElement.prototype.showModal Navigator.prototype.locks Object.hasOwn
        ServiceWorkerRegistration.prototype.navigationPreload StorageManager.prototype.getDirectory
        StorageManager.prototype.persist StorageManager.prototype.persisted String.prototype.at
        structuredClone""",
}
# Of these two the older one lacks what the newer one does.
DELETE = """
for (const path of %s) {
  const names = path.split("."), last = names.pop();
  const owner = names.reduce((found, name) => found?.[name], globalThis);
  if (owner) delete owner[last];
}
"""
# A selector with `:has()` is none.
UNKNOWN_SELECTOR = """
for (const type of [globalThis.Document, globalThis.Element, globalThis.DocumentFragment]) {
  for (const name of ["querySelector", "querySelectorAll", "matches", "closest"]) {
    const whole = type?.prototype[name];
    if (whole) type.prototype[name] = function (selector) {
      if (String(selector).includes(":has(")) throw new SyntaxError(`No selector: ${selector}`);
      return whole.call(this, selector);
    };
  }
}
"""


def deleting(ios: str) -> str:
    """Return a script that takes from a browser what an iPhone with this iOS lacks."""
    lacking = [path for later in LACKING if later >= ios for path in LACKING[later].split()]
    return DELETE % lacking + (UNKNOWN_SELECTOR if ios == "15" else "")


def create_app() -> Flask:
    """Make the application, whose worker lacks all of it."""
    app = score_keeper.create_app()
    app.after_request(_take_away)
    return app


def _take_away(response: Response) -> Response:
    if request.path == "/worker.js":
        response.set_data(deleting("15").encode() + response.get_data())
    return response

"""What the kit carries: whose wheels, where imports begin, and what is left out on purpose."""

from __future__ import annotations

# The dependencies of the pages, by their names in requirements.txt.
PACKAGES = (
    *("babel", "blinker", "cachetools", "click", "flask", "itsdangerous", "jinja2", "markupsafe"),
    *("msgspec", "pluggy", "python-dateutil", "segno", "sqlite-fts4", "sqlite-utils", "tzdata"),
    "werkzeug",
)

# Imported by name: by Pyodide as it starts, and by codecs.
STARTS = (
    *("_pyodide._future_helper", "_pyodide.docstring", "_pyodide.jsbind"),
    *("pyodide._package_loader", "pyodide._state", "pyodide.code", "pyodide.common"),
    *("pyodide.ffi", "pyodide.webloop"),
    *("site", "_sysconfigdata__emscripten_wasm32-emscripten"),
    *("encodings.ascii", "encodings.cp437", "encodings.idna", "encodings.latin_1"),
    *("encodings.unicode_escape", "encodings.utf_8", "encodings.utf_8_sig"),
)

# Named by an import, but only where a server, a terminal or another machine runs it.
OMITTED = (
    # A server's, and its development's.
    *("app.api", "app.cli", "app.kit", "app.http.compression", "app.api.health"),
    *("app.http.address", "app.http.bodies", "app.http.startup", "app.http.startup"),
    *("app.services.transfers", "app.sync.routes", "app.web.install", "app.web.transfers"),
    *("app.services.own_figures", "app.web.own_figures"),
    # For readers, who are others: a phone that answers by itself always writes.
    *("app.http.live", "app.web.table.readers", "app.web.live"),
    "app.web.table.follow",
    *("flask_compress", "gevent", "gunicorn", "flask.testing", "werkzeug.debug", "click.testing"),
    "app.web.data.spreadsheets",
    *("app.web.evening.png", "resvg_py"),
    # To read at leisure, where there is a network.
    *("app.i18n.lessons", "app.rules.sample", "app.web.learn.sample"),
    *("rcssmin", "rjsmin", "sqlite_utils.cli", "tabulate"),
    # Reads the sources of catalogs, which the kit carries packed.
    *("babel.messages", "babel.support"),
    # For people at a prompt, programs under test, and other machines than a browser's.
    *("_pyrepl", "doctest", "pdb", "pydoc", "unittest", "multiprocessing", "tkinter", "test"),
    *("ctypes", "xmlrpc", "asyncio.windows_events", "asyncio.windows_utils", "asyncio.__main__"),
)

# Folders and pages below templates/ that only a server has.
SERVERS_PAGES = (
    *("install/", "learn/sample.html", "own/", "transfers/"),
    *("table/_whoami.html", "table/_follow.html", "table/_own.html", "table/_who.html"),
)
# Below static/: what a browser fetches by itself when there is a network, and what is for readers.
NOT_FOR_PAGES = ("icons/", "large.css", "reader.")

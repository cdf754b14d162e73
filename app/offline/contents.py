"""The bundle's contents: whose wheels, where imports begin, and what is left out on purpose."""

from __future__ import annotations

# Python for the browser, and the hash of its package as npm publishes it.
PYODIDE = "314.0.7"
PYODIDE_SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
# Its wheels are named after these: Python, and the platform with its ABI.
PYTHON = "314"
ABI = "2026_0"

# The dependencies of the pages, by their names in requirements.txt.
PACKAGES = (
    *("babel", "blinker", "cachetools", "click", "flask", "itsdangerous", "jinja2", "markupsafe"),
    *("msgspec", "pluggy", "python-dateutil", "segno", "sqlite-fts4", "sqlite-utils", "tzdata"),
    "werkzeug",
)

# Where imports begin: at the phone's application, and at what Pyodide and codecs import by name.
STARTS = (
    *("app.offline.phone", "_pyodide._future_helper", "_pyodide.docstring", "_pyodide.jsbind"),
    *("pyodide._package_loader", "pyodide._state", "pyodide.code", "pyodide.common"),
    *("pyodide.ffi", "pyodide.webloop"),
    *("site", "_sysconfigdata__emscripten_wasm32-emscripten"),
    *("encodings.ascii", "encodings.cp437", "encodings.idna", "encodings.latin_1"),
    *("encodings.unicode_escape", "encodings.utf_8", "encodings.utf_8_sig"),
)

# Modules that an import names, but only where a server, a terminal or another machine runs it.
OMITTED = (
    # A server's, and its development's.
    *(
        "app.api",
        "app.cli",
        "app.offline.files",
        "app.http.address",
        "app.http.bodies",
        "app.http.startup",
    ),
    *("app.offline.routes", "app.web.install", "app.web.transfers", "app.web.own_figures"),
    # For readers, who are others: a phone that answers by itself always writes.
    *("app.web.table.follow", "app.web.live", "app.web.table.follow"),
    *("flask_compress", "gevent", "gunicorn", "flask.testing", "werkzeug.debug", "click.testing"),
    *("app.web.data.spreadsheets", "app.web.evening.png", "resvg_py"),
    # To read at leisure, where there is a network.
    *("app.i18n.lessons", "app.rules.sample", "app.web.learn.sample"),
    *("rcssmin", "rjsmin", "sqlite_utils.cli", "tabulate"),
    # Reads the sources of catalogs, which the bundle carries packed.
    *("babel.messages", "babel.support"),
    # For people at a prompt, programs under test, and other machines than a browser's.
    *("_pyrepl", "doctest", "pdb", "pydoc", "unittest", "multiprocessing", "tkinter", "test"),
    *("ctypes", "xmlrpc", "asyncio.windows_events", "asyncio.windows_utils", "asyncio.__main__"),
)

# Below static/: what is no page's, what a browser fetches where there is a network, and readers'.
OMITTED_STATIC = ("icons/", "worker/", "large.css", "reader.", "sample.")

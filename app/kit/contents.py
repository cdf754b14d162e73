"""What the kit carries: whose wheels, where imports begin, and what is left out on purpose."""

from __future__ import annotations

# The dependencies of the pages, by their names in requirements.txt.
PACKAGES = (
    *("babel", "blinker", "click", "flask", "itsdangerous", "jinja2", "markupsafe", "msgspec"),
    *("pluggy", "python-dateutil", "segno", "sqlite-fts4", "sqlite-utils", "werkzeug"),
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
    *("app.api", "app.cli", "app.kit", "app.http.compression", "app.http.health"),
    *("app.http.request", "app.http.startup", "app.sync", "flask_compress", "gunicorn"),
    *("flask.testing", "werkzeug.debug", "click.testing"),
    *("rcssmin", "rjsmin", "sqlite_utils.cli", "tabulate"),
    # Read from the sources of catalogs, which the kit carries compiled.
    *("babel.messages.checkers", "babel.messages.extract", "babel.messages.frontend"),
    # For people at a prompt, programs under test, and other machines than a browser's.
    *("_pyrepl", "doctest", "pdb", "pydoc", "unittest", "multiprocessing", "tkinter", "test"),
    *("ctypes", "xmlrpc", "asyncio.windows_events", "asyncio.windows_utils", "asyncio.__main__"),
)

# Below static/: not for pages, or fetched by the browser itself when there is a network.
NOT_FOR_PAGES = ("offline/", "icons/", "vendor/README.md", "vendor/htmx-LICENSE", "sw.js")

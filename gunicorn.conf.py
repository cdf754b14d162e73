"""How the score keeper is served: `make run` and the Procfile's web line both read this file."""

import os
from typing import Any

bind = f"{os.environ.get('HOST') or '0.0.0.0'}:{os.environ.get('PORT') or '8000'}"

# One process: SQLite has one writer at a time anyway, and a change is handed to the phones that
# watch a table without leaving the process. More speed is not in more processes here.
workers = 1
worker_class = "gthread"
# A phone that watches a live table may hold a thread for as long as it watches. An idle thread
# costs next to nothing; having none left would stop the pen.
threads = 128

# A phone on a slow network should not have to connect anew for every tap.
keepalive = 65
# Watching phones reconnect by themselves, so a restart need not wait for them.
graceful_timeout = 3

# Nobody steers this server through a socket file, and there are no access logs: the addresses of
# shared tables are secrets.
control_socket_disable = True
accesslog = None


def when_ready(server: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Print where a phone finds the score keeper, once the port is really ours."""
    from app.serve import announce

    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    announce(host, port)

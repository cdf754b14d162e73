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
# Seconds until a server that was asked to end is made to end.
graceful_timeout = 5
# Seconds it gives the answers under way. Phones that watch a table would hold it for ever; they
# connect again by themselves.
PATIENCE = 2

# Nobody steers this server through a socket file, and there are no access logs: the addresses of
# shared tables are secrets.
control_socket_disable = True
accesslog = None


def post_worker_init(worker: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Let the worker stop waiting before the master, which would call that a failure."""
    worker.cfg.set("graceful_timeout", PATIENCE)


def worker_exit(_server: Any, worker: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """End a worker without waiting for threads that still talk to watching phones.

    The master calls this as well, for a worker it has lost; and one that could not start has yet
    to say so with its exit status.
    """
    if worker.booted and worker.pid == os.getpid():
        os._exit(0)


def when_ready(server: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Print where a phone finds the score keeper, once the port is really ours."""
    from app.serve import announce

    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    announce(host, port)

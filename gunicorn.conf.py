"""How the score keeper is served: `make run` and the Procfile's web line both read this file."""

import gc
import os
import resource
import threading
from typing import Any

from app import read_proxies, read_timezone, set_zone
from app.http.address import bracketed
from app.http.settings import read_certificate, read_url

# A setting that cannot be read ends the start here, with a sentence, and not each worker's.
_PROXIES = read_proxies(os.environ.get("CHICAGO_PROXIES") or "0")
set_zone(read_timezone())
_URL = read_url(os.environ.get("CHICAGO_URL") or "")

# HTTPS of one's own, where there is a certificate.
_FILES_OF_HTTPS = read_certificate(
    os.environ.get("CHICAGO_CERT") or "", os.environ.get("CHICAGO_KEY") or ""
)
certfile, keyfile = _FILES_OF_HTTPS or (None, None)
_SCHEME = "https" if certfile else "http"

bind = f"{bracketed(os.environ.get('HOST') or '0.0.0.0')}:{os.environ.get('PORT') or '8000'}"

# One process: SQLite has one writer at a time anyway, and a change is handed to the phones that
# watch a table without leaving the process. More speed is not in more processes here.
workers = 1
# The application is made once, before the worker is forked, so that both share its memory, and a
# worker started again serves at once. Threads and connections come when they are first needed.
preload_app = True
# gunicorn's worker of threads, with deadlines and a bound on each address's connections.
worker_class = "app.http.worker.DeadlineWorker"
# Requests at the same time; others wait for a thread. Phones that watch a table hold none
# (app/http/streams.py), but slow bodies and downloads do. A thread is made when it is first needed,
# and one that waits costs some forty kilobytes.
threads = 1200
# Connections at the same time: 5000 may watch (MAX_SUBSCRIBERS in app/http/sse.py), and the others
# are answered or kept open between two taps. Each is an open file, and often 1024 are all a process
# may have unless it asks for more. Twice the connections leave room for the database and what else
# is open; where so many are not to be had, there are fewer connections.
worker_connections = 7000
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if _soft != resource.RLIM_INFINITY and _soft < 2 * worker_connections:
    _most = 2 * worker_connections
    _files = _most if _hard == resource.RLIM_INFINITY else min(_most, _hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_files, _hard))
    worker_connections = _files // 2
# Room in which one thread's calls may nest. The usual 8 MiB, 1200 times, would be a lot to promise,
# and Linux may back anything from 2 MiB on with huge pages, which are memory. A page or a game
# nested as deeply as game files may be needs less than a quarter of this.
threading.stack_size(1024 * 1024)
# A phone on a slow network should not have to connect anew for every tap.
keepalive = 65
# Seconds until a server that was asked to end is made to end.
graceful_timeout = 5
# Seconds it gives the answers under way. Phones that watch a table would hold it for ever; they
# connect again by themselves.
PATIENCE = 2

# Every line of the log is built from listed fields; the application logs its requests itself.
logger_class = "app.http.server_log.ServerLog"

# Nobody steers this server through a socket file, and there are no access logs: the addresses of
# shared tables are secrets.
control_socket_disable = True
accesslog = None

# Only the application believes headers of servers in front, and only of as many as it was told of
# (CHICAGO_PROXIES); by itself, gunicorn would believe whoever connects from this machine.
forwarded_allow_ips = ""
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""


def on_starting(server: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Keep other servers off the database; where it cannot be served, end with status 1.

    The lock is the master's and its workers', so that a worker started again has it at once.
    """
    from app.http.startup import claim_database

    server.database_lock = claim_database(server.app.wsgi())
    # What is there by now stays: collecting garbage, the worker need not go through it again.
    gc.freeze()
    # A full collection stops every thread, for a quarter of a second where 4000 phones watch. What
    # it alone finds is little: it is due after 200 of the smaller ones, not ten.
    gc.set_threshold(*gc.get_threshold()[:2], 200)


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
    from app.http.announcement import announce, locate

    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    announce(locate(_SCHEME, host, port, _URL, behind_proxy=_PROXIES > 0), port)

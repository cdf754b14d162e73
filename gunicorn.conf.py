"""gunicorn's settings: `make run` and the Procfile's web line both read this file."""

from gevent import get_hub, monkey

monkey.patch_all()  # Before anything else is imported, so that all waiting lets others go on.

import gc
import os
import resource
import sys
from typing import Any

from app.http.address import announce, bracketed, locate
from app.http.environment import claim_database, read_certificate, read_environment
from app.http.log import configure, log_greenlet

# A setting that cannot be read ends the start here, with a sentence.
_SET = read_environment()

# HTTPS of one's own, where there is a certificate.
certfile, keyfile = read_certificate(os.environ) or (None, None)
bind = f"{bracketed(os.environ.get('HOST') or '0.0.0.0')}:{os.environ.get('PORT') or '8000'}"

# One process and one thread: SQLite has one writer at a time, and a change reaches the phones that
# watch a table without leaving the process.
worker_class = "gevent"
workers = 1
# Phones that watch hold a connection each; each is an open file, of which a process has few unless
# it asks for more.
worker_connections = 5000
_soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if _soft != resource.RLIM_INFINITY and _soft < 2 * worker_connections:
    _files = 2 * worker_connections
    _files = _files if _hard == resource.RLIM_INFINITY else min(_files, _hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_files, _hard))
# So long a head may take to arrive, and a phone be quiet between two taps.
keepalive = 65
# Seconds after which a worker that has not come round to its other work is killed and another one
# started. No request keeps others waiting for a quarter of a second, so one that does so long
# hangs for good. It is long for the sake of what only looks like that and would be killed again and
# again: a disk that stalls at each sync, a first start from the slow card of a small computer.
timeout = 120
# Phones that watch connect again by themselves: a server that is asked to end waits a second for
# answers, and has time left to end the streams before it is killed.
graceful_timeout = 5

# The application logs its requests itself, by routes: the addresses of tables are secrets.
accesslog = None
control_socket_disable = True

# Only the application believes headers of servers in front, of as many as it was told of.
forwarded_allow_ips = ""
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""


def on_starting(server: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Keep other servers off the database; where it cannot be served, end with status 1."""
    configure(server.log.error_log.handlers)
    server.database_lock = claim_database()


def post_fork(_server: Any, worker: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Let a worker of `make dev` read the program anew, of which the master has read a part."""
    if worker.cfg.reload:
        for name in [name for name in sys.modules if name.partition(".")[0] == "app"]:
            del sys.modules[name]


def post_worker_init(worker: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Keep garbage collection off what stays; of failed greenlets log no handshakes, no values."""
    worker.cfg.set("graceful_timeout", 1)
    gc.freeze()
    # A full collection takes 100 ms where a thousand phones watch, and finds little.
    gc.set_threshold(*gc.get_threshold()[:2], 2_000)
    hub = get_hub()
    hub.NOT_ERROR = (*hub.NOT_ERROR, OSError)
    hub.print_exception = log_greenlet


def when_ready(server: Any) -> None:  # noqa: ANN401 - gunicorn publishes no types
    """Print where a phone finds the score keeper, once the port is really ours."""
    scheme = "https" if certfile else "http"
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    announce(locate(scheme, host, port, str(_SET["URL"]), behind_proxy=bool(_SET["PROXIES"])), port)

"""Health check of the container: ask the server in it, exit with status 1 where it is not well."""

import os
import ssl
import sys
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection

PATIENCE = 8.0


def connect() -> HTTPConnection:
    """Connect to the server as it was told to listen, past any proxy for the outer world."""
    port = int(os.environ.get("PORT") or "8000")
    if not os.environ.get("CHICAGO_CERT"):
        return HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    # Its certificate is for the name that phones know it by.
    context = ssl._create_unverified_context()  # noqa: S323, SLF001
    return HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)


def main() -> int:
    """Return the exit status."""
    connection = connect()
    try:
        connection.request("GET", "/healthz")
        return int(connection.getresponse().status != HTTPStatus.OK)
    except (OSError, HTTPException):
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())

"""TLS for the server's own HTTPS: sockets that speak it, and have the deadlines of all others.

The handshake is part of the first bytes that are read: like them it is waited for without a thread,
and has to be over in time.
"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from app.http.deadlines import DeadlineSocket


class SecureSocket(DeadlineSocket, ssl.SSLSocket):
    """A connection by TLS. What goes wrong in it counts as a connection that is lost."""

    # A client says good-bye before it closes, and nothing else while an answer goes on.
    is_over_when_readable = True

    def recv(self, size: int, flags: int = 0, /) -> bytes:  # type: ignore[override]  # as in DeadlineSocket
        """Receive what there is, decrypted; with flags, look at what came, encrypted.

        Raises BlockingIOError where nothing waits and nothing whole has come, and TooSlow.
        """
        if flags:
            return socket.socket.recv(self, size, flags)
        with _as_lost():
            return super().recv(size)

    def sendall(self, data: bytes, flags: int = 0, /) -> None:  # type: ignore[override]  # bytes are all that is sent
        """Send all of `data`, encrypted."""
        with _as_lost():
            super().sendall(data, flags)

    def send(self, data: bytes, flags: int = 0, /) -> int:  # type: ignore[override]  # bytes are all that is sent
        """Send what can be sent of `data`, encrypted."""
        with _as_lost():
            return super().send(data, flags)

    def buffered(self) -> int:
        """How many bytes were decrypted that nobody has read: no event will tell of them."""
        return self.pending()

    def shutdown(self, how: int, /) -> None:
        """Say good-bye, and send nothing more."""
        self.setblocking(False)
        with suppress(OSError, ValueError):
            self.unwrap()
        super().shutdown(how)


@contextmanager
def _as_lost() -> Iterator[None]:
    """Raise what other sockets would, for what the server knows how to take."""
    try:
        yield
    except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as error:
        raise BlockingIOError(errno.EAGAIN, "more has to come") from error
    except ssl.SSLError as error:
        raise ConnectionResetError(errno.ECONNRESET, "the client speaks no TLS") from error


def make_context(certificate: str, key: str) -> ssl.SSLContext:
    """What connections by this certificate share. Raises OSError for files that are no such.

    A key that asks for a password is none: there is nobody to ask.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.sslsocket_class = SecureSocket
    context.load_cert_chain(certificate, key, password=lambda: b"")
    return context


def secure(context: ssl.SSLContext, connection: socket.socket) -> SecureSocket:
    """Speak TLS on a connection; nothing is read or sent yet.

    Raises OSError for a lost one, which is closed.
    """
    try:
        wrapped = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
    except OSError:
        connection.close()
        raise
    if not isinstance(wrapped, SecureSocket):
        raise TypeError
    return wrapped

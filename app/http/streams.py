"""Streams: connections that are sent messages for as long as they stay open, and hold no thread.

A few threads make the messages, and send them as far as they go at once. The rest, disconnects and
heartbeats are the event loop's. Why it is so: docs/decisions/0011-streams-without-threads.md.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Lock, Thread

from app.http.deadlines import DeadlineSocket
from app.http.event_loop import EventLoop
from app.http.in_progress import RequestsInProgress
from app.store.changes import Subscription

# A comment is sent after so long without a message, so that no proxy takes the stream for dead.
# A client that has read nothing of a message for so long is given up.
HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b": still here\n\n"
# Python's threads take turns, and whoever taps takes turns with these.
THREADS = 2
# So long a table's streams are left alone after they were sent something: somebody who plays takes
# longer from tap to tap, and a program that does not is not followed step by step.
REST_SECONDS = 0.05
# So long at most it waits until nobody waits for an answer to what they record: readers are to see
# a change within a quarter of a second.
LONGEST_WAIT_SECONDS = 0.15
# So much is sent or received at once: a record of TLS, which tells of whole ones that they went.
CHUNK = 16 * 1024
# What a client sends while it watches is thrown away, up to so much.
MAX_DISCARDED = 1024 * 1024


class Stream:
    """A connection that is sent what `messages` gives, an empty one when there is none for now.

    A client that reads slowly misses messages, never the newest. `chunked`: as HTTP/1.1 has it.
    `on_end` is called once, when the messages or the connection have ended.
    """

    def __init__(
        self,
        connection: DeadlineSocket,
        messages: Iterator[bytes],
        loop: EventLoop,
        on_end: Callable[[], None],
        *,
        chunked: bool,
    ) -> None:
        self._connection, self._messages, self._loop = connection, messages, loop
        self._on_end, self._chunked = on_end, chunked
        self._making, self._sending = Lock(), Lock()
        self._rest = self._newest = b""
        self._blocked = self._ending = self._over = False
        self._sent_at = time.monotonic()
        self._discarded = 0

    def begin(self) -> None:
        """Be told from now on what the client does."""
        self._loop.watch(self._connection, selectors.EVENT_READ, self.on_ready)

    def send_new(self) -> bool:
        """Send the messages that there are by now; False where there are none."""
        sent = False
        with self._making:
            for message in self._messages:
                if not message or self._over:
                    return sent
                self._send(message)
                sent = True
            self.end()
            return sent

    def on_tick(self, now: float) -> None:
        """Send a heartbeat where it has been quiet; give a client up that does not read."""
        if now - self._sent_at < HEARTBEAT_SECONDS:
            return
        with self._sending:
            if self._blocked:
                self._close()
            elif not self._over:
                self._newest = HEARTBEAT
                self._flush()

    def on_ready(self, events: int) -> None:
        """Send on, and notice when the client has closed the connection."""
        with self._sending:
            if events & selectors.EVENT_READ and not self._over:
                self._discard()
            if events & selectors.EVENT_WRITE and not self._over:
                self._flush()

    def end(self) -> None:
        """Let the stream end when what it is being sent has been sent."""
        with self._sending:
            self._ending = True
            if not (self._blocked or self._over):
                self._flush()

    def _send(self, message: bytes) -> None:
        with self._sending:
            self._newest = message
            if not (self._blocked or self._over):
                self._flush()

    # The lock for sending is held in all that follows.

    def _flush(self) -> None:
        """Send what can be sent at once."""
        try:
            while self._rest or self._take_next():
                sent = self._connection.send(self._rest[:CHUNK])
                self._rest = self._rest[sent:]
                self._sent_at = time.monotonic()
        except BlockingIOError:
            self._block(True)
        except OSError:
            self._close()
        else:
            self._block(False)
            if self._ending:
                self._close()

    def _take_next(self) -> bool:
        """Begin with the newest message, or with what ends the answer; False where neither is."""
        if self._newest:
            self._rest, self._newest = self._frame(self._newest), b""
        elif self._ending and self._chunked:
            self._rest, self._chunked = b"0\r\n\r\n", False
        return bool(self._rest)

    def _frame(self, message: bytes) -> bytes:
        return b"%x\r\n%b\r\n" % (len(message), message) if self._chunked else message

    def _block(self, blocked: bool) -> None:
        """Be told as well, or no more, when the client has read something."""
        if blocked is not self._blocked:
            self._blocked = blocked
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if blocked else 0)
            self._loop.watch(self._connection, events, self.on_ready)

    def _discard(self) -> None:
        """Read what the client sends, which is nothing until it closes the connection."""
        try:
            size = len(self._connection.recv(CHUNK))
        except BlockingIOError:
            return
        except OSError:
            size = 0
        self._discarded += size
        if not size or self._discarded > MAX_DISCARDED:
            self._close()

    def _close(self) -> None:
        if not self._over:
            self._over = True
            self._loop.forget(self._connection)
            self._on_end()


class Broadcaster:
    """Has the streams of a table sent what is new, by one of a few threads for all of them.

    What comes at once after that is sent together, when the table has rested.
    """

    def __init__(
        self,
        loop: EventLoop,
        recording: RequestsInProgress,
        log_error: Callable[[BaseException], None],
    ) -> None:
        self._loop, self._recording, self._log_error = loop, recording, log_error
        self._threads = ThreadPoolExecutor(THREADS, "streams")
        self._lock = Lock()
        self._streams: set[Stream] = set()
        # Of each table that is being sent or rests, which streams were woken since.
        self._woken: dict[int, list[Stream]] = {}
        self._resting: SimpleQueue[tuple[float, int]] = SimpleQueue()
        self._rests: Thread | None = None
        loop.each_second(self._tick)

    def begin(
        self,
        connection: DeadlineSocket,
        subscription: Subscription,
        messages: Iterator[bytes],
        on_end: Callable[[], None],
        *,
        chunked: bool,
    ) -> None:
        """Send a subscriber its messages from now on; `on_end` is called when that has ended."""

        def end() -> None:
            self._streams.discard(stream)
            subscription.close()
            on_end()

        stream = Stream(connection, messages, self._loop, end, chunked=chunked)
        self._streams.add(stream)
        stream.begin()
        subscription.wake = lambda: self._wake(subscription.table_id, stream)
        subscription.wake()

    def _wake(self, table_id: int, stream: Stream) -> None:
        """Let a stream be sent what is new, with the others of its table that were woken."""
        with self._lock:
            if table_id in self._woken:
                self._woken[table_id].append(stream)
            else:
                self._woken[table_id] = [stream]
                self._submit(table_id)

    def _submit(self, table_id: int) -> None:
        self._threads.submit(self._send, table_id, time.monotonic() + LONGEST_WAIT_SECONDS)

    def _send(self, table_id: int, due: float) -> None:
        """Send to the streams of a table that were woken; none waits longer than until `due`."""
        with self._lock:
            woken, self._woken[table_id] = self._woken[table_id], []
        sent = [self._send_new(stream, due) for stream in woken]
        if any(sent):
            self._rest(table_id)
        else:
            self.go_on(table_id)

    def _send_new(self, stream: Stream, due: float) -> bool:
        self._recording.wait_for_none(due)
        try:
            return stream.send_new()
        except Exception as error:  # noqa: BLE001 - nobody else would be told of it
            self._log_error(error)
            stream.end()
            return False

    def _rest(self, table_id: int) -> None:
        self._resting.put((time.monotonic() + REST_SECONDS, table_id))
        with self._lock:
            if self._rests is None:
                self._rests = Thread(target=self._end_rests, name="rests", daemon=True)
                self._rests.start()

    def _end_rests(self) -> None:
        while True:
            due, table_id = self._resting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            self.go_on(table_id)

    def go_on(self, table_id: int) -> None:
        """Send what has come since for a table, if anything has."""
        with self._lock:
            if self._woken[table_id]:
                self._submit(table_id)
            else:
                del self._woken[table_id]

    def _tick(self, now: float) -> None:
        for stream in list(self._streams):
            stream.on_tick(now)

"""Attacks of one hostile address on a server, each repeated until it is stopped."""

from __future__ import annotations

import asyncio
import io
import json
import multiprocessing
import zipfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.synchronize import Event as Signal

from tests.api.calling import PLAYERS

HOSTILE = "127.0.0.9"
PAUSE = 0.05
HALF_SENT, SLOW, IDLE, READING, UPLOADING = 1500, 200, 300, 50, 4
PATIENCE, SOON = 60.0, 2.0
FORM = (
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 60000\r\n\r\n"
)

Address = tuple[int, str]
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect(port: int) -> Connection:
    """Connect from the hostile address."""
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(HOSTILE, 0))


async def hold(port: int, head: bytes, drip: bytes = b"") -> None:
    """Send the beginning of a request, then a byte now and then, until the server hangs up."""
    reader, writer = await connect(port)
    try:
        writer.write(head)
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(1), 1)
                return
            if drip:
                writer.write(drip)
                await writer.drain()
    finally:
        writer.close()


async def ask(port: int, request: bytes) -> None:
    """Send a whole request, and read what comes."""
    reader, writer = await connect(port)
    try:
        writer.write(request)
        await asyncio.wait_for(reader.read(-1), PATIENCE)
    finally:
        writer.close()


def half_sent(address: Address) -> list[Awaitable[None]]:
    """Requests whose head never ends."""
    return [again(lambda: hold(address[0], b"GET / HTTP/1.1\r\nHost: x")) for _ in range(HALF_SENT)]


def slow_bodies(address: Address) -> list[Awaitable[None]]:
    """Forms that come a byte at a time."""
    return [again(lambda: hold(address[0], FORM, b"x")) for _ in range(SLOW)]


def flood(address: Address) -> list[Awaitable[None]]:
    """Forms that are refused before they are read, one after another."""
    head = FORM.replace(b"x-www-form-urlencoded", b"unknown")
    return [again(lambda: hold(address[0], head)) for _ in range(SLOW)]


def idle_sockets(address: Address) -> list[Awaitable[None]]:
    """Connections on which nothing is said."""
    return [again(lambda: hold(address[0], b"")) for _ in range(IDLE)]


def hostile_zips(address: Address) -> list[Awaitable[None]]:
    """Uploads as expensive as the bounds permit, and some beyond them."""
    requests = [upload(overlapping_zip()), upload(large_zip())]
    kinds = [partial(ask, address[0], request) for request in requests]
    return [again(kinds[number % 2]) for number in range(UPLOADING)]


def expensive_pages(address: Address) -> list[Awaitable[None]]:
    """The longest protocol there can be, read on many connections at once."""
    request = f"GET {address[1]} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    return [again(lambda: ask(address[0], request)) for _ in range(READING)]


ATTACKS: dict[str, Callable[[Address], list[Awaitable[None]]]] = {
    "half-sent requests": half_sent,
    "slow bodies": slow_bodies,
    "a flood": flood,
    "idle sockets": idle_sockets,
    "hostile zips": hostile_zips,
    "expensive pages": expensive_pages,
}


async def again(act: Callable[[], Awaitable[None]]) -> None:
    """Do it again and again, whatever the server says to it."""
    while True:
        with suppress(OSError, TimeoutError):
            await act()
        await asyncio.sleep(PAUSE)


@contextmanager
def attacked(names: list[str], port: int, page: str) -> Iterator[None]:
    """Attack, from a process of its own, for the length of a block."""
    context = multiprocessing.get_context("spawn")
    begun, stop = context.Event(), context.Event()
    process = context.Process(target=_attack, args=(names, (port, page), begun, stop))
    process.start()
    begun.wait(PATIENCE)
    try:
        yield
    finally:
        stop.set()
        process.join(SOON)
        # With its sockets, whatever it is still at.
        process.kill()
        process.join()


def _attack(names: list[str], address: Address, begun: Signal, stop: Signal) -> None:
    asyncio.run(_attack_until(names, address, begun, stop))


async def _attack_until(names: list[str], address: Address, begun: Signal, stop: Signal) -> None:
    tasks = [
        asyncio.ensure_future(going_on) for name in names for going_on in ATTACKS[name](address)
    ]
    begun.set()
    while not stop.is_set():
        await asyncio.sleep(PAUSE)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=SOON)


def upload(content: bytes, path: str = "/files") -> bytes:
    """Return the request that uploads a file."""
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="g.zip"\r\n\r\n'
    body += content + b"\r\n--b--\r\n"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    )
    return head.encode() + b"Content-Type: multipart/form-data; boundary=b\r\n\r\n" + body


def long_game(events: int = 2000) -> bytes:
    """Return the longest game there may be, as a game file."""
    corrected = [
        {"event": "correction", "player": PLAYERS[n % 4], "points": 1 - 2 * (n // 4 % 2)}
        for n in range(events)
    ]
    file = {"format": "chicago-game/1", "players": PLAYERS, "events": corrected}
    return json.dumps(file).encode()


def large_zip() -> bytes:
    """Return games that are almost as many and as long as an upload may hold."""
    buffer, game = io.BytesIO(), json.loads(long_game())
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(120):
            archive.writestr(f"{number}.json", json.dumps({**game, "id": f"{number}"}))
    return buffer.getvalue()


def overlapping_zip() -> bytes:
    """Return a small archive whose entries are all the same piece of it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.json", long_game().ljust(900_000))
        [entry] = archive.infolist()
        archive.filelist += [entry] * 39
    return buffer.getvalue()

"""Attacks of one hostile address on a server, each repeated until it is stopped."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.synchronize import Event as Signal

from tests.api.calling import correction
from tests.api.network import new_table

HOSTILE = "127.0.0.9"
PAUSE = 0.05
HALF_SENT, SLOW, IDLE, POURING, FOLLOWING = 1500, 200, 300, 40, 500
PATIENCE, SOON = 60.0, 2.0
FORM = (
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 60000\r\n\r\n"
)
STRAY = b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n"

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


async def pour(port: int, head: bytes) -> None:
    """Send a request whose body is as much as the server takes."""
    _, writer = await connect(port)
    try:
        writer.write(head)
        while True:
            writer.write(bytes(64 * 1024))
            await writer.drain()
    finally:
        writer.close()


async def ask(port: int, request: bytes) -> None:
    """Send a whole request, and read what comes until the end."""
    reader, writer = await connect(port)
    try:
        writer.write(request)
        while await reader.read(64 * 1024):
            pass
    finally:
        writer.close()


def half_sent(port: int) -> list[Awaitable[None]]:
    """Requests whose head never ends."""
    return [again(lambda: hold(port, b"GET / HTTP/1.1\r\nHost: x")) for _ in range(HALF_SENT)]


def slow_bodies(port: int) -> list[Awaitable[None]]:
    """Forms that come a byte at a time."""
    return [again(lambda: hold(port, FORM, b"x")) for _ in range(SLOW)]


def flood(port: int) -> list[Awaitable[None]]:
    """Forms that are refused before they are read, one after another."""
    head = FORM.replace(b"x-www-form-urlencoded", b"unknown")
    return [again(lambda: hold(port, head)) for _ in range(SLOW)]


def idle_sockets(port: int) -> list[Awaitable[None]]:
    """Connections on which nothing is said."""
    return [again(lambda: hold(port, b"")) for _ in range(IDLE)]


def stray_bodies(port: int) -> list[Awaitable[None]]:
    """Large bodies to an address that is none, and to one that takes them."""
    heads = (STRAY, STRAY.replace(b"nowhere", b"files"))
    return [again(partial(pour, port, head)) for head in heads for _ in range(POURING)]


def made_up_readers(port: int) -> list[Awaitable[None]]:
    """Streams of one table, to each of which its reader is somebody else, and taps there."""
    link, pen = new_table(port)
    body = json.dumps(correction(1)).encode()
    head = f"POST /api/tables/{link}/events HTTP/1.1\r\nAuthorization: Bearer {pen}\r\n"
    tap = f"{head}Host: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    streams = [
        f"GET /t/{link}/live?me={number:08} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        for number in range(FOLLOWING)
    ]
    return [again(partial(ask, port, request)) for request in (tap + body, *streams)]


ATTACKS: dict[str, Callable[[int], list[Awaitable[None]]]] = {
    "half-sent requests": half_sent,
    "slow bodies": slow_bodies,
    "a flood": flood,
    "idle sockets": idle_sockets,
    "stray bodies": stray_bodies,
    "made-up readers": made_up_readers,
}


async def again(act: Callable[[], Awaitable[None]]) -> None:
    """Do it again and again, whatever the server says to it."""
    while True:
        with suppress(OSError, TimeoutError):
            await act()
        await asyncio.sleep(PAUSE)


@contextmanager
def attacked(names: list[str], port: int) -> Iterator[None]:
    """Attack, from a process of its own, for the length of a block."""
    context = multiprocessing.get_context("spawn")
    begun, stop = context.Event(), context.Event()
    process = context.Process(target=_attack, args=(names, port, begun, stop))
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


def _attack(names: list[str], port: int, begun: Signal, stop: Signal) -> None:
    asyncio.run(_attack_until(names, port, begun, stop))


async def _attack_until(names: list[str], port: int, begun: Signal, stop: Signal) -> None:
    tasks = [asyncio.ensure_future(going_on) for name in names for going_on in ATTACKS[name](port)]
    begun.set()
    while not stop.is_set():
        await asyncio.sleep(PAUSE)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=SOON)

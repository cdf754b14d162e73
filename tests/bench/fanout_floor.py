"""The barest server that does the same fan-out: no game, no database, no pages."""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict

MESSAGE = b"data: " + b"x" * 8000 + b"\n\n"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
watching: dict[str, list[asyncio.StreamWriter]] = defaultdict(list)
seqs: dict[str, int] = defaultdict(int)


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one connection: `GET /t/ID/live` watches, `POST /t/ID` changes."""
    while line := await reader.readline():
        method, path, _ = line.decode().split(" ", 2)
        length = await _skip_headers(reader)
        await reader.readexactly(length)
        table = path.split("/")[2]
        if method == "GET":
            writer.write(HEAD)
            watching[table].append(writer)
        else:
            _change(table)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()


async def _skip_headers(reader: asyncio.StreamReader) -> int:
    length = 0
    while (line := await reader.readline()) != b"\r\n":
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return length


def _change(table: str) -> None:
    seqs[table] += 1
    for writer in watching[table]:
        writer.write(f"event: table\nid: {seqs[table]}\n".encode() + MESSAGE)


async def main(port: int) -> None:
    """Serve until stopped."""
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))

"""Compression of every answer, refusals and static files too, as `Accept-Encoding` allows."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, g, request
from flask_compress import Compress

from app.http.page_cache import CachedResponse

# Without TLS a browser asks for gzip and deflate alone, and some programs for gzip alone. Of a tap
# brotli makes 250 bytes less than zstd in 60 µs more: it is there sooner below 30 Mbit/s.
ALGORITHMS = ["br", "zstd", "gzip", "deflate"]

# Blueprints whose files were compressed beforehand, and further.
PRECOMPRESSED = ("kit",)


class CompressedBodies:
    """What the body that is being sent was compressed to before, by encoding (CacheBackend)."""

    def get(self, key: str) -> bytes | None:
        """The body in an encoding, None where nobody has asked for that yet."""
        bodies: dict[str, bytes] = g.compressed
        return bodies.get(key.rstrip(";"))

    def set(self, key: str, value: bytes) -> None:
        """Cache the body in an encoding."""
        g.compressed[key.rstrip(";")] = value


def register(app: Flask) -> None:
    """Compress what the application answers, and a page that is cached, or a file, once for all."""
    app.config["COMPRESS_ALGORITHM"] = app.config["COMPRESS_ALGORITHM_STREAMING"] = ALGORITHMS
    app.config["COMPRESS_BR_LEVEL"] = 5
    app.config["COMPRESS_REGISTER"] = False
    # Below, and only for whoever asks.
    app.config["COMPRESS_EVALUATE_CONDITIONAL_REQUEST"] = False
    app.config["COMPRESS_CACHE_BACKEND"] = CompressedBodies
    # It comes behind the encoding and a semicolon, and is of no use: bodies are with their page.
    app.config["COMPRESS_CACHE_KEY"] = lambda _: ""
    compress = Compress(app)
    app.after_request(lambda response: _compress(compress, response))


def _compress(compress: Compress, response: Response) -> Response:
    """Compress refusals as well, which flask-compress leaves alone: they carry the table."""
    if request.blueprint in PRECOMPRESSED:
        return response
    g.compressed = response.compressed if isinstance(response, CachedResponse) else {}
    status = response.status_code
    if status >= HTTPStatus.BAD_REQUEST:
        response.status_code = HTTPStatus.OK
    # What is streamed from a file is wrapped, and the file is nobody's then.
    close = getattr(response.response, "close", None)
    response = compress.after_request(response)
    if close is not None:
        response.call_on_close(close)
    if status >= HTTPStatus.BAD_REQUEST:
        response.status_code = status
    elif "If-None-Match" in request.headers and "ETag" in response.headers:
        # A strong tag, such as a file's, is another by now: it tells the encoding as well.
        response.make_conditional(request)
    return response

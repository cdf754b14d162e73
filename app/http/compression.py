"""Compression of every answer, refusals and static files too, as `Accept-Encoding` allows."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, request
from flask_compress import Compress

# Without TLS a browser asks for gzip and deflate alone, and some programs for gzip alone.
ALGORITHMS = ["br", "zstd", "gzip", "deflate"]

# Blueprints whose files were compressed beforehand, and further.
PRECOMPRESSED = ("kit",)


def register(app: Flask) -> None:
    """Compress what the application answers."""
    app.config["COMPRESS_ALGORITHM"] = app.config["COMPRESS_ALGORITHM_STREAMING"] = ALGORITHMS
    app.config["COMPRESS_BR_LEVEL"] = 5
    app.config["COMPRESS_REGISTER"] = False
    compress = Compress(app)
    app.after_request(lambda response: _compress(compress, response))


def _compress(compress: Compress, response: Response) -> Response:
    """Compress refusals as well, which flask-compress leaves alone: they carry the table."""
    if request.blueprint in PRECOMPRESSED:
        return response
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
    return response

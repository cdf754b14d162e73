"""Templates as they are compiled once on a phone, kept by its worker for the next start."""

from __future__ import annotations

import msgspec
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """A bytecode cache in memory; what was compiled from another source is compiled anew."""

    def __init__(self) -> None:
        self._codes: dict[str, bytes] = {}
        self._is_new = False

    def load(self, data: bytes) -> None:
        """Take what was kept; what cannot be read is as good as nothing."""
        try:
            self._codes = msgspec.msgpack.decode(data, type=dict[str, bytes])
        except msgspec.MsgspecError:
            self._codes = {}

    def dump(self) -> bytes | None:
        """All of it, to be kept; None when nothing was compiled since it was given last."""
        if not self._is_new:
            return None
        self._is_new = False
        return msgspec.msgpack.encode(self._codes)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give Jinja a template, if it is there."""
        if code := self._codes.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Take a template that Jinja has compiled."""
        self._codes[bucket.key] = bucket.bytecode_to_string()
        self._is_new = True

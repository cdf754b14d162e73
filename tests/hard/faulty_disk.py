"""A disk that fails at a chosen moment, between SQLite and the real one: an SQLite VFS.

A VFS (virtual file system) is the layer by which SQLite reaches files: a table of pointers to
functions, as is what it opens. This one is a copy of the usual one whose files count every write,
truncation and sync, and fail where they are told to. It holds for every connection of this process
that is opened after `FaultyDisk()`.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, addressof, c_char_p, c_int, c_int64, c_void_p, cast

from sqlite_utils.utils import sqlite3

# What SQLite is told: an input/output error, or that the disk is full.
IOERR, FULL = 10, 13
# sqlite3_vfs and sqlite3_io_methods, in pointers, and the places of what is put into them.
Vfs, Methods = c_void_p * 21, c_void_p * 19
NEXT, NAME, OPEN = 2, 3, 5
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
KINDS = {3: Write, 4: CFUNCTYPE(c_int, c_void_p, c_int64), 5: CFUNCTYPE(c_int, c_void_p, c_int)}


class FaultyDisk:
    """The disk of this process; it works until it is told to `fail`.

    `count`: how many writes, truncations and syncs there were since then.
    """

    def __init__(self) -> None:
        # The compiled half of the driver in use, which has an SQLite of its own.
        package = sqlite3.__name__.partition(".")[0]
        name = "_sqlite3" if package == "sqlite3" else f"{package}._sqlite3"
        compiled = importlib.import_module(name)
        self._library = ctypes.CDLL(str(compiled.__file__))
        self._library.sqlite3_vfs_find.restype = POINTER(Vfs)
        self._usual = self._library.sqlite3_vfs_find(None).contents
        self._vfs, self._name = Vfs(*self._usual), c_char_p(b"faulty")
        self._open_usual, self._callback = Open(self._usual[OPEN] or 0), Open(self._open)
        self._vfs[NEXT], self._vfs[NAME] = None, cast(self._name, c_void_p)
        self._vfs[OPEN] = cast(self._callback, c_void_p)
        # Of each kind of file: its methods here, which must live as long as SQLite may call them.
        self._methods: dict[int, tuple[object, ...]] = {}
        self.fail(IOERR, 0, 0)
        assert self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1) == 0

    def fail(self, code: int, first: int, times: int, *, torn: bool = False) -> None:
        """Fail at the one of this number, from 1, and at some after it, half written if `torn`."""
        self._code, self._torn, self.count = code, torn, 0
        self._struck = range(first, first + times)

    def _open(self, _vfs: int, path: int, file: int, flags: int, out_flags: int) -> int:
        # The usual one's own data goes along, so it must be told that it is itself.
        status = self._open_usual(addressof(self._usual), path, file, flags, out_flags)
        methods = c_void_p.from_address(file)
        if status == 0 and methods.value:
            if methods.value not in self._methods:
                self._methods[methods.value] = self._failing(Methods.from_address(methods.value))
            methods.value = addressof(self._methods[methods.value][0])  # type: ignore[arg-type]
        return int(status)

    def _failing(self, usual: ctypes.Array[c_void_p]) -> tuple[object, ...]:
        """Return the methods of a file that fails, and what must live as long."""
        methods = Methods(*usual)
        calls = {n: kind(self._or_else(kind(usual[n] or 0), n)) for n, kind in KINDS.items()}
        for number, call in calls.items():
            methods[number] = cast(call, c_void_p)
        return methods, calls

    def _or_else(self, usual: Callable[..., int], kind: int) -> Callable[..., int]:
        def call(file: int, *arguments: int) -> int:
            self.count += 1
            if self.count not in self._struck:
                return int(usual(file, *arguments))
            if self._torn and KINDS[kind] is Write:
                data, size, offset = arguments
                usual(file, data, size // 2, offset)
            return self._code

        return call

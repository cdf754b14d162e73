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

# What SQLite is told: an input/output error, with half of it written, or that the disk is full.
IOERR, FULL = 10, 13
# sqlite3_vfs and sqlite3_io_methods, in pointers, and the places of what is put into them.
Vfs, Methods = c_void_p * 21, c_void_p * 19
NEXT, NAME, OPEN, WRITE = 2, 3, 5, 3
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
KINDS = (Write, CFUNCTYPE(c_int, c_void_p, c_int64), CFUNCTYPE(c_int, c_void_p, c_int))


class FaultyDisk:
    """The disk of this process; it works until it is told to `fail`.

    `count`: how many writes, truncations and syncs there were since then.
    """

    def __init__(self) -> None:
        # The compiled half of the driver in use, which has an SQLite of its own.
        package = sqlite3.__name__.partition(".")[0]
        name = "_sqlite3" if package == "sqlite3" else f"{package}._sqlite3"
        library = ctypes.CDLL(str(importlib.import_module(name).__file__))
        library.sqlite3_vfs_find.restype = POINTER(Vfs)
        self._usual = library.sqlite3_vfs_find(None).contents
        self._open_usual, vfs = Open(self._usual[OPEN] or 0), Vfs(*self._usual)
        vfs[NEXT], vfs[NAME] = None, cast(c_char_p(b"faulty"), c_void_p)
        # What must live as long as SQLite may call it: of each kind of file, its methods here.
        self._kept, self._methods = [vfs, Open(self._open)], dict[int, ctypes.Array[c_void_p]]()
        vfs[OPEN] = cast(self._kept[-1], c_void_p)
        self.fail(IOERR, 0, 0)
        assert library.sqlite3_vfs_register(ctypes.byref(vfs), 1) == 0

    def fail(self, code: int, first: int, times: int) -> None:
        """Fail at the write, truncation or sync of this number, from 1, and at some after it."""
        self._code, self._struck, self.count = code, range(first, first + times), 0

    def _open(self, _vfs: int, path: int, file: int, flags: int, out_flags: int) -> int:
        # The usual one's own data goes along, so it must be told that it is itself.
        status = self._open_usual(addressof(self._usual), path, file, flags, out_flags)
        opened = c_void_p.from_address(file)
        if status == 0 and opened.value:
            if opened.value not in self._methods:
                self._methods[opened.value] = self._failing(Methods.from_address(opened.value))
            opened.value = addressof(self._methods[opened.value])
        return int(status)

    def _failing(self, usual: ctypes.Array[c_void_p]) -> ctypes.Array[c_void_p]:
        """Return the methods of a file that fails."""
        methods = Methods(*usual)
        for number, kind in enumerate(KINDS, WRITE):
            self._kept.append(kind(self._or_else(kind(usual[number] or 0))))
            methods[number] = cast(self._kept[-1], c_void_p)
        return methods

    def _or_else(self, usual: Callable[..., int]) -> Callable[..., int]:
        def call(file: int, *arguments: int) -> int:
            self.count += 1
            if self.count not in self._struck:
                return int(usual(file, *arguments))
            if self._code == IOERR and isinstance(usual, Write):
                data, size, offset = arguments
                usual(file, data, size // 2, offset)
            return self._code

        return call

"""A disk that fails at a chosen moment, between SQLite and the real one: an SQLite VFS.

A VFS (virtual file system) is the layer by which SQLite reaches files. This one is a copy of the
usual one whose files count every write, sync and truncation, and fail where they are told to. It
holds for every connection of this process that is opened after `FaultyDisk()`.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from enum import Enum
from types import ModuleType

from sqlite_utils.utils import sqlite3

IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE, FULL = 778, 1034, 1546, 13

Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)


class Methods(Structure):
    """Methods of an open file: `sqlite3_io_methods`."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", Write),
        ("truncate", Truncate),
        ("sync", Sync),
        ("others", c_void_p * 13),
    )


class File(Structure):
    """The beginning of every open file: `sqlite3_file`."""

    _fields_ = (("methods", POINTER(Methods)),)


class Vfs(Structure):
    """The layer itself: `sqlite3_vfs`."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
        ("others", c_void_p * 15),
    )


class Fault(Enum):
    """Kinds of failure of the disk."""

    ERROR = "input/output error"
    FULL = "disk full"
    TORN = "half written, then an error"
    KILLED = "killed"


class FaultyDisk:
    """The disk of this process; it works until `fail` is called.

    `count`: how many writes, syncs and truncations there were since `fail` or `work`.
    """

    def __init__(self) -> None:
        self._library = ctypes.CDLL(str(_extension().__file__))
        find = self._library.sqlite3_vfs_find
        find.restype = POINTER(Vfs)
        self._usual: Vfs = find(None).contents
        self._vfs = Vfs()
        ctypes.memmove(ctypes.byref(self._vfs), ctypes.byref(self._usual), ctypes.sizeof(Vfs))
        self._vfs.name, self._vfs.next = b"faulty", None
        self._open_usual = self._usual.open
        self._vfs.open = Open(self._open)
        # Of each kind of file: its methods here, which must live as long as SQLite may call them.
        self._methods: dict[int, Methods] = {}
        self.work()
        assert self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1) == 0

    def work(self) -> None:
        """Fail no longer."""
        self._fault, self._first, self._last, self.count = Fault.ERROR, 0, -1, 0

    def fail(self, fault: Fault, first: int, times: int = 1) -> None:
        """Fail at the write, sync or truncation of this number, from 1, and at some after it."""
        self._fault, self._first, self._last, self.count = fault, first, first + times - 1, 0

    def _strikes(self) -> bool:
        self.count += 1
        struck = self._first <= self.count <= self._last
        if struck and self._fault is Fault.KILLED:
            os.kill(os.getpid(), signal.SIGKILL)
        return struck

    def _open(self, _vfs: int, path: int, file: int, flags: int, out_flags: int) -> int:
        # The usual one's own data goes along, so it must be told that it is itself.
        status = self._open_usual(ctypes.addressof(self._usual), path, file, flags, out_flags)
        opened = File.from_address(file)
        if status == 0 and opened.methods:
            address = ctypes.addressof(opened.methods.contents)
            if address not in self._methods:
                self._methods[address] = self._failing(opened.methods.contents)
            opened.methods = ctypes.pointer(self._methods[address])
        return int(status)

    def _failing(self, usual: Methods) -> Methods:
        """Return the methods of a file that fails."""
        methods = Methods()
        ctypes.memmove(ctypes.byref(methods), ctypes.byref(usual), ctypes.sizeof(Methods))
        write, truncate, sync = usual.write, usual.truncate, usual.sync

        def faulty_write(file: int, data: int, size: int, offset: int) -> int:
            if not self._strikes():
                return int(write(file, data, size, offset))
            if self._fault is Fault.TORN:
                write(file, data, size // 2, offset)
            return FULL if self._fault is Fault.FULL else IOERR_WRITE

        methods.write = Write(faulty_write)
        methods.truncate = Truncate(self._or_else(truncate, IOERR_TRUNCATE))
        methods.sync = Sync(self._or_else(sync, IOERR_FSYNC))
        return methods

    def _or_else(self, usual: Callable[..., int], error: int) -> Callable[..., int]:
        return lambda *arguments: error if self._strikes() else int(usual(*arguments))


def _extension() -> ModuleType:
    """Return the compiled half of the driver in use, by which its own SQLite is reached."""
    package = sqlite3.__name__.partition(".")[0]
    return importlib.import_module("_sqlite3" if package == "sqlite3" else f"{package}._sqlite3")

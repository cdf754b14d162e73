"""A disk below SQLite that fails, forgets what was not synced, and dies: an SQLite VFS.

A VFS (virtual file system) is the layer by which SQLite reaches files: a table of pointers to
functions, as is what it opens. This one is a copy of the usual one. It counts each write,
truncation and sync of the files in one folder, and knows what of them would outlast a power cut. It
holds for every connection of this process that is opened after `Disk()`, where
no sync is really made.
"""

import ctypes
import importlib
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, addressof, c_char_p, c_int, c_int64, c_void_p, cast
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlite_utils.utils import sqlite3

# What SQLite is told: an input/output error, with half of it written, or that the disk is full.
IOERR, FULL = 10, 13
# sqlite3_vfs and sqlite3_io_methods, in pointers, and the places of what is put into them.
Vfs, Methods = c_void_p * 21, c_void_p * 19
NEXT, NAME, OPEN, WRITE = 2, 3, 5, 3
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Truncate, Sync = CFUNCTYPE(c_int, c_void_p, c_int64), CFUNCTYPE(c_int, c_void_p, c_int)
KINDS = (Write, Truncate, Sync)


@dataclass
class File:
    """What of a file is on the disk, and what was written since: bytes at a place, or an end."""

    durable: bytearray
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def settle(self, chance: Random | None = None) -> None:
        """Let all of it be on the disk, or by chance a part."""
        for place, data in self.since:
            if chance and chance.random() < 0.5:
                continue
            if data is None:
                del self.durable[place:]
            else:
                self.durable.extend(bytes(max(0, place - len(self.durable))))
                self.durable[place : place + len(data)] = data
        self.since.clear()


class Disk:
    """The disk of this process. `count`: how many writes, truncations and syncs there were."""

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
        self._paths = dict[int, str]()
        self.watch(Path("nowhere"))
        assert library.sqlite3_vfs_register(ctypes.byref(vfs), 1) == 0

    def watch(self, folder: Path) -> None:
        """Begin anew, with the files of another folder."""
        self._folder, self._files, self.count = f"{folder}/", dict[str, File](), 0
        self.work()

    def work(self) -> None:
        """Fail no more, and live again."""
        self._code, self._struck, self._dies, self.struck = 0, range(0), 10**9, False

    def fail(self, code: int, first: int, times: int) -> None:
        """Fail at a write, truncation or sync to come, the next being 1, and at some after it."""
        self._code, first = code, self.count + first
        self._struck = range(first, first + times)

    def die(self, after: int) -> None:
        """Kill the program after so many more; nothing it does from then on comes to anything."""
        self._dies = self.count + after

    @property
    def dead(self) -> bool:
        """Whether the program was killed."""
        return self.count > self._dies

    def cut(self, chance: Random) -> None:
        """Cut the power: of what was not synced anything may be left."""
        for path, file in self._files.items():
            file.settle(chance)
            if Path(path).exists():
                Path(path).write_bytes(file.durable)

    def synchronize(self, path: Path) -> None:
        """Sync as the program does by itself. Raises OSError."""
        if file := self._files.get(f"{path}"):
            if self._strikes():
                raise OSError
            file.settle()

    def _strikes(self) -> bool:
        """Count a write, truncation or sync, and say whether it fails."""
        self.count += 1
        fails = self.dead or self.count in self._struck
        self.struck |= fails
        return fails

    def _open(self, _vfs: int, path: int | None, file: int, flags: int, out_flags: int) -> int:
        # The usual one's own data goes along, so it must be told that it is itself.
        status = self._open_usual(addressof(self._usual), path, file, flags, out_flags)
        opened = c_void_p.from_address(file)
        if status == 0 and opened.value:
            name = self._paths[file] = (cast(path, c_char_p).value or b"").decode() if path else ""
            if name.startswith(self._folder):
                content = Path(name).read_bytes()
                if name not in self._files or not content:
                    self._files[name] = File(bytearray(content))
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
        def call(address: int, *arguments: int) -> int:
            file = self._files.get(self._paths[address])
            if file is None:
                return int(usual(address, *arguments))
            if self._strikes():
                if isinstance(usual, Write) and self._code == IOERR and not self.dead:
                    data, size, place = arguments
                    self._do(usual, file, address, data, size // 2, place)
                return self._code or IOERR
            return self._do(usual, file, address, *arguments)

        return call

    def _do(self, usual: Callable[..., int], file: File, address: int, *arguments: int) -> int:
        if isinstance(usual, Sync):
            file.settle()
            return 0
        if isinstance(usual, Write):
            data, size, place = arguments
            file.since.append((place, ctypes.string_at(data, size)))
        else:
            file.since.append((arguments[0], None))
        return int(usual(address, *arguments))

"""Archives as people and strangers send them: unpacked within bounds, refused in words."""

import zipfile
from io import BytesIO

import pytest

from app.rules.errors import BadFile
from app.services import import_export

GAME = b"{}"


def pack(*names: str, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of files with these names."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in names:
            archive.writestr(name, GAME)
    return buffer.getvalue()


def refusal_of(content: bytes) -> str:
    """Return the code with which an upload is refused."""
    with pytest.raises(BadFile) as fault:
        list(import_export.unpack("all.zip", content))
    return fault.value.code


def test_names_in_the_old_encoding_are_read() -> None:
    """Windows writes a Swedish name with one byte a letter, and says nothing of UTF-8."""
    content = pack("Torsdag p@ Ostgatan.json", "b.json").replace(b"p@ O", b"p\x86 \x99")
    names = [name for name, _ in import_export.unpack("all.zip", content)]
    assert names == ["Torsdag på Östgatan.json", "b.json"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_a_bound_are_refused(method: int) -> None:
    """A few bytes packed so become a gigabyte before anybody can count them."""
    assert refusal_of(pack("a.json", method=method)) == "file_unreadable"


def test_files_beside_the_games_are_left_out() -> None:
    """Some are anybody's, and so many that reading their names costs are refused unread."""
    assert len(list(import_export.unpack("all.zip", pack("a.json", "b.txt", "c/")))) == 1
    many = pack(*(f"{n}.txt" for n in range(import_export.MAX_ENTRIES)))
    assert list(import_export.unpack("all.zip", many)) == []
    more = many.replace(b"PK\x01\x02", b"PK\x01\x02" * 2, 1)
    assert refusal_of(more) == "too_many_files"

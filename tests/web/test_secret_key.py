import stat
from pathlib import Path

import pytest

from app import create_app
from app.http.cookies import load_secret_key
from tests.web.phone import Phone


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the key of this test's application will be."""
    return tmp_path / "data" / "secret-key"


def test_the_key_is_made_once(path: Path) -> None:
    """The first start makes it, every later start reads it."""
    key = load_secret_key(path)
    assert len(key) >= 32
    assert load_secret_key(path) == key
    assert path.read_bytes() == key


def test_only_its_owner_reads_the_key(path: Path) -> None:
    """The file has mode 600, and nothing else is left beside it."""
    load_secret_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]


def test_an_empty_key_is_none(path: Path) -> None:
    """What a power cut left is made anew, and then stays."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    key = load_secret_key(path)
    assert len(key) > 31
    assert load_secret_key(path) == key


def test_a_key_in_the_environment_is_used_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SECRET_KEY is read from the environment, and then no file is made."""
    monkeypatch.setenv("SECRET_KEY", "from the environment")
    monkeypatch.setenv("CHICAGO_DB", str(tmp_path / "chicago.db"))
    app = create_app()
    Phone(app.test_client()).open("/")
    assert app.secret_key == "from the environment"
    assert not (tmp_path / "secret-key").exists()

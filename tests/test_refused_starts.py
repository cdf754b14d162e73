"""The Procfile's command where it must not serve: it ends by itself, with status 1."""

import subprocess
from pathlib import Path

from tests.api.network import send
from tests.browser.serving import ROOT, Server, web_command
from tests.told import told


@told
def test_a_server_that_must_not_serve_ends_with_a_sentence(
    server: Server, tmp_path: Path, setting: str, value: str, said: str
) -> None:
    """It never listens, and a server that has the database already goes on."""
    value, said = (text.replace("SERVED", str(server.database)) for text in (value, said))
    environment = Server(tmp_path, **{setting: value}).environment() | {"LC_ALL": "en_US.UTF-8"}
    ended = subprocess.run(
        web_command(), cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    *_, line = (ended.stdout + ended.stderr).splitlines()
    assert line.startswith(said)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert "Listening" not in ended.stderr
    assert send(server.port, "GET", "/").status == 200
    assert list(tmp_path.iterdir()) == []

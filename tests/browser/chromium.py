"""Find the browser the tests drive; run as a program, install one if there is none."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Debian's browser brings no font of its own; DejaVu has Swedish letters and symbols such as ✓ ● ↶.
PACKAGES = ("chromium", "fontconfig", "fonts-dejavu-core")
MISSING = (
    "The browser tests need Chromium, and none could be found or installed: "
    "install it, or name it in the variable CHROMIUM."
)


class NoChromiumError(RuntimeError):
    """There is no browser to drive."""


def find() -> Path:
    """Return the browser that `CHROMIUM` names, or else the first one that starts.

    Raises:
        NoChromiumError: if none is found, or the one that `CHROMIUM` names does not start.
    """
    named = os.environ.get("CHROMIUM")
    if named:
        if _starts(named):
            return Path(named)
        message = f"CHROMIUM names {named}, which does not start."
        raise NoChromiumError(message)
    for candidate in _candidates():
        if _starts(candidate):
            return Path(candidate)
    raise NoChromiumError(MISSING)


def _candidates() -> Iterator[str]:
    yield from (path for name in NAMES if (path := shutil.which(name)))
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def _starts(program: str) -> bool:
    # A name on the PATH may be a mere stub that asks for something else to be installed.
    try:
        return (
            subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0
        )
    except OSError:
        return False


def install() -> None:
    """Install a browser with the system's packages where we may, else with playwright's own."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _run("apt-get", "update", "-qq")
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES)
    else:
        _run(sys.executable, "-m", "playwright", "install", "chromium")


def _run(*command: str) -> None:
    # Whether it worked is told by looking for the browser afterwards; errors go to the terminal.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)


def main() -> None:
    """Print which browser the tests will drive, installing one first if there is none."""
    try:
        chromium = find()
    except NoChromiumError:
        install()
        chromium = find()
    sys.stdout.write(f"The browser tests drive {chromium}\n")


if __name__ == "__main__":
    try:
        main()
    except NoChromiumError as error:
        sys.exit(str(error))

"""Find the browser for the tests; run as a program, install its missing parts."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# Chromium without its windows comes first: those cost more than half of the time a test takes.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Debian's browser brings no font of its own; DejaVu has Swedish letters and symbols such as ✓ ● ↶.
# Playwright's driver needs libatomic, which a small Debian lacks.
PACKAGES = ("fonts-dejavu-core", "libatomic1")
PLAYWRIGHT = (sys.executable, "-m", "playwright")
OWN_BROWSER = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
MISSING = (
    "The browser tests need Chromium, and none could be found or installed: "
    "install it, or name it in the variable CHROMIUM."
)
NO_DRIVER = "The browser tests need playwright, whose driver does not start on this machine."


class NoChromiumError(RuntimeError):
    """There is no browser to drive, or no driver for it."""


def find() -> Path:
    """Return the browser that `CHROMIUM` names, or else the first one that starts.

    Raises:
        NoChromiumError: if none is found, or the one that `CHROMIUM` names does not start.
    """
    named = os.environ.get("CHROMIUM")
    for candidate in [named] if named else _candidates():
        if _starts(candidate):
            return Path(candidate)
    raise NoChromiumError(f"CHROMIUM names {named}, which does not start." if named else MISSING)


def _candidates() -> Iterator[str]:
    yield from (path for name in NAMES if (path := shutil.which(name)))
    asked = subprocess.run(
        [sys.executable, "-c", OWN_BROWSER], capture_output=True, check=False, text=True
    )
    yield from asked.stdout.splitlines()


def _starts(*program: str) -> bool:
    # A name on the PATH may be a mere stub that asks for another installation.
    try:
        tried = subprocess.run([*program, "--version"], capture_output=True, check=False)
    except OSError:
        return False
    return tried.returncode == 0


def _ready() -> bool:
    try:
        find()
    except NoChromiumError:
        return False
    return _starts(*PLAYWRIGHT)


def install() -> None:
    """Install a browser with the system's packages if allowed, else with playwright's own."""
    if _may_install_packages():
        _run("apt-get", "update", "-qq")
        for browser in (SHELL, "chromium"):  # an older Debian has only the second
            _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", browser, *PACKAGES)
            if _ready():
                break
    else:
        _run(*PLAYWRIGHT, "install", "chromium")


def _may_install_packages() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _run(*command: str) -> None:
    # Success is checked by looking for the browser afterwards; errors go to the terminal.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)


def main() -> None:
    """Print the browser that the tests will drive; install one first if a better one can be had.

    Raises:
        NoChromiumError: if there still is none, or playwright cannot run here.
    """
    better = _may_install_packages() and not shutil.which(SHELL)
    if not os.environ.get("CHROMIUM") and (better or not _ready()):
        install()
    chromium = find()
    if not _starts(*PLAYWRIGHT):
        raise NoChromiumError(NO_DRIVER)
    sys.stdout.write(f"The browser tests drive {chromium}\n")


if __name__ == "__main__":
    try:
        main()
    except NoChromiumError as error:
        sys.exit(str(error))

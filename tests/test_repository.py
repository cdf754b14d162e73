"""The repository stands alone: nothing in it refers to the machine of its authors."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.checkout import ROOT, files

# Home folders, hosts of package registries, the options that name registries, and secrets.
FOREIGN = re.compile(
    rb"(?<![\w.-])/(?:home|root|work|Users|mnt|media)/\w"
    rb"|\b[A-Z]:\\\w"
    rb"|pypi\.(?:org|io)|pythonhosted\.org|registry\.npm|index[-]url|find[-]links|trusted[-]host"
    rb"|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:ghp|glpat|xox[bp])[-_]\w{10}",
)
# A row of the vendored files' README: the name, the version and source, and the hash.
VENDOR = ROOT / "static" / "vendor"
HASHED = re.compile(r"^\| `(?P<file>[^`]+)` \|.*\| `(?P<sha256>[0-9a-f]{64})` \|$", re.MULTILINE)
# The oldest Python that is promised, and the newest there is.
PYTHONS = ("3.11.0", "3.14.0")


def test_no_file_names_a_machine_or_a_registry_or_holds_a_secret() -> None:
    """No file has a path of a machine, a registry's host, an option for one, a key or a token."""
    names = ("/ho" + "me/anna/chicago", "https://py" + "pi.org/simple", "--index" + "-url=x")
    for name in (*names, "ghp" + "_0123456789abcdef"):
        assert FOREIGN.search(name.encode()), "what is looked for would be found"
    paths = files()
    assert {ROOT / "README.md", Path(__file__)} <= paths
    assert [path for path in paths if FOREIGN.search(path.read_bytes())] == []


def select(texts: Iterable[str], python: str, extras: Iterable[str] = ()) -> list[Requirement]:
    """Return the requirements that hold under this version of Python, on this machine."""
    version = {"python_full_version": python, "python_version": python.rpartition(".")[0]}
    environments = [{**version, "extra": extra} for extra in ("", *extras)]
    return [
        each
        for each in map(Requirement, texts)
        if each.marker is None or any(map(each.marker.evaluate, environments))
    ]


def find_unmet(locked: dict[str, str], needed: list[Requirement], python: str) -> Iterator[str]:
    """Yield each requirement without a locked version, and each version not for that Python.

    What a locked version needs is known where it is the one that is installed here.
    """
    seen: set[Requirement] = set()
    while needed:
        requirement = needed.pop()
        version = locked.get(canonicalize_name(requirement.name), "")
        if not version or version not in requirement.specifier:
            yield f"{requirement} under Python {python}"
        for found in () if requirement in seen else distributions(name=requirement.name):
            if found.version == version:
                needed += select(found.requires or [], python, requirement.extras)
                pythons = found.metadata.get_all("Requires-Python") or [""]
                if python not in SpecifierSet(*pythons):
                    yield f"{requirement.name} {version} under Python {python}"
        seen.add(requirement)


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_a_lock_holds_for_the_oldest_python_and_the_newest(name: str, python: str) -> None:
    """All that is needed under a Python has one version with hashes, which is for that Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"]]
    needed += project["optional-dependencies"]["dev"] if "dev" in name else []
    lines = re.findall(r"^[a-z0-9.-]+==.*(?= \\$)", (ROOT / name).read_text("utf-8"), re.MULTILINE)
    locked = {each.name: str(each.specifier)[2:] for each in select(lines, python)}
    assert python in SpecifierSet(project["requires-python"])
    assert [*find_unmet(locked, select([*needed, *lines], python), python)] == []


def test_what_is_vendored_is_what_was_published() -> None:
    """Every vendored file has the hash in its README, and the version that this names."""
    readme = (VENDOR / "README.md").read_text("utf-8")
    vendored = {path.name: path.read_bytes() for path in VENDOR.iterdir()}
    del vendored["README.md"]
    hashes = {name: hashlib.sha256(script).hexdigest() for name, script in vendored.items()}
    assert dict(HASHED.findall(readme)) == hashes
    (version,) = re.findall(r"(?m)^htmx ([0-9.]+),", readme)
    assert f'version="{version}"'.encode() in vendored["htmx.min.js"]

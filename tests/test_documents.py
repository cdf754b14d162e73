"""Documents match the program: their tables, examples, commands and links."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from flask import Flask

from app.rules.events import EVENTS, REMARKS
from app.rules.house import OPTIONS
from app.rules.presets import PAGAT, PRESETS, SCALES, read_rules, write_value
from tests.rules.test_every_rule_is_tested import named_values

ROOT = Path(__file__).parents[1]
RULES, FORMAT = ROOT / "app" / "rules" / "RULES.md", ROOT / "docs" / "FORMAT.md"
ARCHITECTURE, OFFLINE = ROOT / "docs" / "ARCHITECTURE.md", ROOT / "docs" / "OFFLINE.md"
README, CHANGELOG = ROOT / "README.md", ROOT / "CHANGELOG.md"
CONTRIBUTING, SECURITY = ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"
DOCUMENTS = (
    *(README, CHANGELOG, RULES, CONTRIBUTING, SECURITY),
    *sorted((ROOT / "docs").rglob("*.md")),
)
# Of the readings the last is of comparing cards, which no game asks.
READINGS = range(1, 35)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ENGLISH = {"LANG": "en_US.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}


def text(document: Path) -> str:
    """Return the text of a document."""
    return document.read_text(encoding="utf-8")


def section(document: Path, title: str) -> str:
    """Return the text under a heading, up to the next one of its rank or a higher one."""
    heading = re.search(rf"^(#+) {re.escape(title)}$", text(document), re.MULTILINE)
    assert heading, f"{document.name} has no section {title}"
    rest = text(document)[heading.end() :]
    following = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.MULTILINE)
    return rest[: following.start()] if following else rest


def rows(part: str) -> Iterator[list[str]]:
    """Yield the cells of every table row."""
    for line in part.splitlines():
        if line.startswith("|") and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def blocks(part: str, language: str) -> list[str]:
    """Return the code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)


def code(part: str) -> list[str]:
    """Return the texts between single backticks."""
    return re.findall(r"`([^`\n]+)`", part)


FIELDS = {
    code(cells[0])[0]: cells
    for cells in rows(section(RULES, "The house rules"))
    if cells[0] != "field"
}


def test_every_house_rule_is_described_once_and_in_the_order_of_options() -> None:
    """The tables of the house rules have a row for every field, and no other."""
    described = [c[0] for c in rows(section(RULES, "The house rules")) if c[0] != "field"]
    assert described == [f"`{field}`" for field in OPTIONS]


@pytest.mark.parametrize("field", OPTIONS)
def test_every_value_of_a_house_rule_is_named(field: str) -> None:
    """A row names every value of a countable kind, and marks a rule that is only shown."""
    _, values, meaning = FIELDS[field]
    countable = {json.dumps(value).strip('"') for value in named_values(OPTIONS[field].kind)}
    assert countable - set(code(values)) == set()
    assert ("*shown only:*" in meaning) == (OPTIONS[field].affects == "shown")


def test_the_first_rule_set_is_written_out_in_full() -> None:
    """The document gives pagat's value for every field, in order."""
    written = json.loads(blocks(section(RULES, "The rule sets"), "json")[0])
    assert list(written) == list(OPTIONS)
    for field, value in written.items():
        assert write_value(OPTIONS[field].read(value)) == write_value(getattr(PAGAT, field)), field


def test_the_other_rule_sets_are_written_as_what_they_change() -> None:
    """The documented changes turn pagat into the rule set, and none of them is empty."""
    written = json.loads(blocks(section(RULES, "The rule sets"), "json")[1])
    assert sorted([*written, "pagat"]) == sorted(PRESETS)
    for preset, changes in written.items():
        assert read_rules({"preset": "pagat", **changes})[1] == PRESETS[preset], preset
        for field, value in changes.items():
            one = read_rules({"preset": "pagat", field: value})[1]
            assert one != PAGAT, f"{preset} does not change {field}"


def test_the_scales_are_written_as_what_they_change() -> None:
    """The documented changes turn the main rules into the scale."""
    written = json.loads(blocks(section(RULES, "Scales of hand points"), "json")[0])
    assert [int(number) for number in written] == list(SCALES)
    for number, changes in written.items():
        rules, scale = read_rules(changes)[1], SCALES[int(number)]
        assert rules.hand_points == scale.hand_points, number
        assert rules.winning_hands == scale.winning_hands, number
        assert rules.zeroing == scale.zeroing, number


def variants() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield for each variant its name, its rule set and its changes."""
    for name, rules, *_ in rows(section(RULES, "The texts' variants as fields")):
        if name:
            preset = "huvudregler" if name in LETTERS else name.partition(":")[0]
            yield name, preset, json.loads(code(rules)[0])


@pytest.mark.parametrize(("name", "preset", "changes"), list(variants()))
def test_every_variant_is_a_change_of_its_text(
    name: str, preset: str, changes: dict[str, object]
) -> None:
    """A variant is valid house rules, and each of its fields differs from its rule set."""
    for field, value in changes.items():
        one = read_rules({"preset": preset, field: value})[1]
        assert one != PRESETS[preset], f"{name} does not change {field}"


def test_no_lettered_variant_is_missing() -> None:
    """The variants of the main rules run from A to Z."""
    assert "".join(name for name, _, _ in variants() if len(name) == 1) == LETTERS


def test_the_readings_keep_their_numbers() -> None:
    """The readings are numbered from 1, in order: the code names them by their numbers."""
    numbers = re.findall(r"^### Reading (\d+): .", text(RULES), re.MULTILINE)
    assert [int(number) for number in numbers] == list(READINGS)


def held_by(number: int) -> set[str]:
    """Return the paths of tests named under a reading."""
    title = re.search(rf"^### (Reading {number}: .*)$", text(RULES), re.MULTILINE)
    assert title
    return {path for path in code(section(RULES, title[1])) if path.startswith("tests/")}


@pytest.mark.parametrize("number", READINGS)
def test_a_reading_names_what_holds_it(number: int) -> None:
    """A reading names golden games, or what holds it in their place, and all of them exist."""
    named = held_by(number)
    assert named
    assert any(path.startswith("tests/golden/") for path in named) or number == READINGS[-1]
    assert [path for path in named if not (ROOT / path).is_file()] == []


def test_every_event_is_described_with_its_keys() -> None:
    """The table of events has a row for each kind, with exactly its keys."""
    table = {code(cells[0])[0]: cells for cells in rows(section(FORMAT, "Events"))}
    del table["event"]
    assert list(table) == list(EVENTS)
    for kind, cls in EVENTS.items():
        # The published set that rules start from is within them.
        keys = {key for key in cls.__struct_fields__ if key not in (*REMARKS, "preset")}
        assert set(code(table[kind][1])) == keys, kind


def test_the_example_game_is_the_one_on_the_page() -> None:
    """The game file of the documented commands is the first example."""
    shown = json.loads(blocks(text(FORMAT), "json")[0])
    assert json.loads(text(ROOT / "docs" / "example.json")) == shown


def printed(shown: str) -> Iterator[object]:
    """Yield consecutive JSON values."""
    rest = shown.strip()
    while rest:
        value, end = json.JSONDecoder().raw_decode(rest)
        yield value
        rest = rest[end:].strip()


def test_the_examples_of_the_formats_are_so(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each documented command prints the documented JSON, and ends with the documented status."""
    (tmp_path / "docs").mkdir()
    for name, game in re.findall(
        r"`([\w/]+\.json)`:\n\n```json\n(.*?)```", text(FORMAT), re.DOTALL
    ):
        (tmp_path / name).write_text(game, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ran, status = 0, 0
    for shown in blocks(text(FORMAT), "console"):
        for line, answer in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", shown, re.MULTILINE):
            if line == "echo $?":
                assert list(printed(answer)) == [status]
                continue
            out, status = run(app, line)
            assert list(printed(out)) == list(printed(answer)), line
            ran += 1
    assert ran == 7


def run(app: Flask, line: str) -> tuple[str, int]:
    """Run a documented command; return its output and its exit status."""
    flask, *arguments = shlex.split(line)
    assert flask.removeprefix(".venv/bin/") == "flask"
    assert arguments[:2] == ["--app", "app"]
    outcome = app.test_cli_runner().invoke(args=arguments[2:], env=ENGLISH, catch_exceptions=False)
    return outcome.stdout, outcome.exit_code


def test_a_document_gives_a_reason_for_every_dependency() -> None:
    """Each dependency of the project has a line with its purpose."""
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    reasons = {
        name: cells[1]
        for cells in rows(section(ARCHITECTURE, "What it is built on"))
        for name in code(cells[0])
    }
    names = {re.split(r"[^\w-]", requirement, maxsplit=1)[0] for requirement in needed}
    assert names == set(reasons)
    assert all(reasons.values())


def unknown(names: Iterable[str]) -> list[str]:
    """Return the names that stand nowhere in the code."""
    paths = chain((ROOT / "app").rglob("*.py"), (ROOT / "tests").rglob("*.py"))
    sources = "".join(map(text, paths))
    return [name for name in {*names} if not re.search(rf"\b{name}\b", sources)]


def test_the_glossary_is_short_and_explains_what_there_is() -> None:
    """A word more takes the place of another."""
    _, *words = rows(section(ARCHITECTURE, "Glossary"))
    assert len(words) <= 25
    assert unknown(code(section(ARCHITECTURE, "Glossary"))) == []


# A name in code of several words or in capitals, which is no file, key, route or variable.
NAME = re.compile(r"[A-Z]{3,}(?:_[A-Z]+)*|(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+")


@pytest.mark.parametrize("document", [ARCHITECTURE, CONTRIBUTING, OFFLINE], ids=lambda p: p.name)
def test_every_name_in_a_document_stands_in_the_code(document: Path) -> None:
    """What the code calls otherwise now, the documents do too."""
    named = [*filter(NAME.fullmatch, code(text(document)))]
    assert named
    assert unknown(named) == []


def anchors(document: Path) -> set[str]:
    """Return what links to the headings of a document end in."""
    headings = re.findall(r"^#+ (.*)$", text(document), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.name))
def test_every_link_leads_somewhere_in_the_repository(document: Path) -> None:
    """Links and pictures lead to existing files, and to headings that are there."""
    links = re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text(document))
    for link in (first or second for first, second in links):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_in_a_document_is_there(document: Path) -> None:
    """Each file or folder of the project that a document names exists."""
    named = re.findall(r"\b(?:app|tests|static|templates|docs)/[\w/.-]*\w", text(document))
    assert [path for path in named if not (ROOT / path).exists()] == []

"""Documents match the program: their tables, examples, commands and links."""

import json
import re
import shlex
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from flask import Flask

from app.rules.events import EVENTS, REMARKS
from app.rules.house import OPTIONS
from app.rules.presets import PAGAT, PRESETS, SCALED, SCALES, read_rules, write_value
from tests.checkout import ROOT
from tests.rules.test_every_rule_is_tested import named_values

RULES, FORMAT = ROOT / "app" / "rules" / "RULES.md", ROOT / "docs" / "FORMAT.md"
ARCHITECTURE, OFFLINE = ROOT / "docs" / "ARCHITECTURE.md", ROOT / "docs" / "OFFLINE.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
DOCUMENTS = (RULES, *sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
# Files for a server: they begin with the commands to use them.
SERVERS = (*sorted((ROOT / "deploy").iterdir()), ROOT / "compose.yaml", ROOT / "Dockerfile")
READINGS = range(1, 35)
# It is of comparing cards, which no game asks.
OF_COMPARING = "34"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ENGLISH = {"LANG": "en_US.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}


def text(document: Path) -> str:
    """Return the text of a document."""
    return document.read_text("utf-8")


def section(document: Path, title: str) -> str:
    """Return the text under a heading, up to the next one of its rank or a higher one."""
    found = re.search(
        rf"^(#+) {title}$\n(?P<part>.*?)(?=^(?!\1#)#+ |\Z)",
        text(document),
        re.MULTILINE | re.DOTALL,
    )
    assert found, f"{document.name} has no section {title}"
    return found["part"]


def rows(part: str) -> list[list[str]]:
    """Return the cells of every table row, without the headings."""
    part = re.sub(r"(?m)^\|.*\|\n(?=\| ---)", "", part)
    lines = [line for line in part.splitlines() if re.match(r"\| (?!---)", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def blocks(part: str, language: str) -> list[str]:
    """Return the code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)


def code(part: str) -> list[str]:
    """Return the texts between single backticks."""
    return re.findall(r"`([^`\n]+)`", part)


def test_every_house_rule_is_described_once_and_in_the_order_of_options() -> None:
    """A row names every value of a countable kind, and marks a rule that is only shown."""
    described = rows(section(RULES, "The house rules"))
    names = [f"`{field}`" for field in OPTIONS]
    assert [field for field, *_ in described] == names, "RULES.md, The house rules"
    for option, (_, values, meaning) in zip(OPTIONS.values(), described, strict=True):
        countable = {json.dumps(value).strip('"') for value in named_values(option.kind)}
        assert countable <= {*code(values)}, option.field
        assert ("*shown only:*" in meaning) == (option.affects == "shown"), option.field


def test_rule_sets_and_scales_are_written_as_what_they_change() -> None:
    """Of pagat every field is written, of others what makes them of it; a scale changes three."""
    pagat, others = map(json.loads, blocks(section(RULES, "The rule sets"), "json"))
    assert list(pagat) == list(OPTIONS), "RULES.md, The rule sets: pagat"
    for field, value in pagat.items():
        assert write_value(OPTIONS[field].read(value)) == write_value(getattr(PAGAT, field)), field
    assert sorted([*others, "pagat"]) == sorted(PRESETS)
    for preset, changes in others.items():
        assert read_rules({"preset": "pagat", **changes})[1] == PRESETS[preset], preset
        expect_changes(preset, "pagat", changes)
    (scales,) = map(json.loads, blocks(section(RULES, "Scales of hand points"), "json"))
    assert [*scales] == [*map(str, SCALES)]
    for scale, changes in zip(SCALES.values(), scales.values(), strict=True):
        rules = read_rules(changes)[1]
        assert [getattr(rules, f) for f in SCALED] == [getattr(scale, f) for f in SCALED], changes


def expect_changes(name: str, preset: str, changes: dict[str, object]) -> None:
    """Expect that each field is valid and differs from the rule set."""
    for field, value in changes.items():
        one = read_rules({"preset": preset, field: value})[1]
        assert one != PRESETS[preset], f"{name} does not change {field}"


def test_every_variant_is_a_change_of_its_text() -> None:
    """Those of the main rules run from A to Z."""
    variants = [row for row in rows(section(RULES, "The texts' variants as fields")) if row[0]]
    assert "".join(name for name, *_ in variants if len(name) == 1) == LETTERS
    for name, rules, *_ in variants:
        preset = "huvudregler" if name in LETTERS else name.partition(":")[0]
        expect_changes(name, preset, json.loads(code(rules)[0]))


def test_a_reading_keeps_its_number_and_names_what_holds_it() -> None:
    """It names golden games, or what holds it in their place, and all of them exist."""
    titles = re.findall(r"^### (Reading (\d+): .*)$", text(RULES), re.MULTILINE)
    assert [int(number) for _, number in titles] == [*READINGS]
    for title, number in titles:
        named = [p for p in code(section(RULES, re.escape(title))) if p.startswith("tests/")]
        golden = any(path.startswith("tests/golden/") for path in named)
        assert golden or (named and number == OF_COMPARING), title


def test_every_event_is_described_with_its_keys() -> None:
    """The table of events has a row for each kind, with exactly its keys."""
    table = {code(kind)[0]: {*code(keys)} for kind, keys, *_ in rows(section(FORMAT, "Events"))}
    # The published set that rules start from is within them.
    keys = {kind: {*cls.__struct_fields__} - {*REMARKS, "preset"} for kind, cls in EVENTS.items()}
    assert (table, [*table]) == (keys, [*EVENTS])


def test_the_examples_of_the_formats_are_so(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each documented command prints the documented JSON, and ends with the documented status."""
    (tmp_path / "docs").mkdir()
    files = re.findall(r"`([\w/]+\.json)`:\n\n```json\n(.*?)```", text(FORMAT), re.DOTALL)
    for name, game in files:
        (tmp_path / name).write_text(game, encoding="utf-8")
    example = json.loads((tmp_path / "docs" / "example.json").read_text("utf-8"))
    assert json.loads(text(ROOT / "docs" / "example.json")) == example
    monkeypatch.chdir(tmp_path)
    shown = "".join(blocks(text(FORMAT), "console"))
    lines, status = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", shown, re.MULTILINE), 0
    assert len(lines) > 7
    for line, answer in lines:
        if line == "echo $?":
            assert answer == f"{status}\n"
            continue
        _, _, _, *arguments = shlex.split(line)
        outcome = app.test_cli_runner().invoke(args=arguments, env=ENGLISH, catch_exceptions=False)
        status = outcome.exit_code
        assert "".join(outcome.stdout.split()) == "".join(answer.split()), line


def test_a_document_gives_a_reason_for_every_dependency() -> None:
    """Each dependency of the project has a line with its purpose."""
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    table = rows(section(ARCHITECTURE, "What it is built on"))
    reasons = {name: reason for names, reason in table for name in code(names)}
    assert {re.split(r"[^\w-]", each, maxsplit=1)[0] for each in needed} == {*reasons}
    assert all(reasons.values())


# A name in code of several words or in capitals, which is no file, key, route or variable.
NAME = re.compile(r"[A-Z]{3,}(?:_[A-Z]+)*|(?:[A-Z][a-z]+)+|[a-z]+(?:_[a-z]+)+")


def test_every_name_in_a_document_stands_in_the_code() -> None:
    """What the code calls otherwise now, the documents do too; a word takes another's place."""
    glossary = section(ARCHITECTURE, "Glossary")
    named = {*code(glossary)}
    for document in (ARCHITECTURE, CONTRIBUTING, OFFLINE):
        named.update(filter(NAME.fullmatch, code(text(document))))
    paths = chain((ROOT / "app").rglob("*.py"), (ROOT / "tests").rglob("*.py"))
    sources = "".join(map(text, paths))
    assert len(named) > 40
    assert [name for name in named if not re.search(rf"\b{name}\b", sources)] == []
    assert len(rows(glossary)) <= 25


def anchors(document: Path) -> set[str]:
    """Return what links to the headings of a document end in."""
    headings = re.findall(r"^#+ (.*)$", text(document), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in headings}


@pytest.mark.parametrize("document", [*DOCUMENTS, *SERVERS], ids=lambda path: path.name)
def test_every_link_and_path_leads_somewhere_in_the_repository(document: Path) -> None:
    """Links and pictures lead to files, and to headings that are there; so do paths in a text."""
    for link, picture in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", text(document)):
        path, _, anchor = (link or picture).partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link
    named = re.findall(r"\b(?:app|tests|static|templates|docs|deploy)/[\w/.-]*\w", text(document))
    assert [path for path in named if not (ROOT / path).exists()] == []

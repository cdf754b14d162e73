"""A phone carries the templates of its pages without what only people read, and what they load."""

import re
from itertools import groupby

from flask import Flask
from jinja2.lexer import Lexer

from app.kit.__main__ import ROOT
from app.kit.build import collect_static
from app.kit.contents import NOT_FOR_PAGES
from app.kit.parts import read_templates

TEMPLATES = {name: text.decode() for name, text in read_templates(ROOT).items()}
UNSAID = ("comment_begin", "comment", "comment_end", "whitespace")
ASSET = re.compile(r"asset\('([^']+)'\)")


def tell(lexer: Lexer, text: str) -> list[tuple[str, str]]:
    """Return what a template says, part by part; space is there or not, however much it is."""
    lexed = ((kind, part) for _, kind, part in lexer.tokeniter(text, None))
    said = [(kind, part) for kind, part in lexed if kind not in UNSAID]
    return [
        (kind, re.sub(r"\s+", " ", "".join(part for _, part in parts)))
        for kind, parts in groupby(said, key=lambda each: each[0])
    ]


def test_templates_say_what_they_are_written_to_say(app: Flask) -> None:
    """Without what comments say, and without lines that are set in."""
    for name, text in TEMPLATES.items():
        written = (ROOT / "templates" / name).read_text()
        assert tell(app.jinja_env.lexer, text) == tell(app.jinja_env.lexer, written), name
        assert not re.search(r"\{# |^  ", text, re.MULTILINE), name


def test_of_static_files_there_is_what_templates_load() -> None:
    """And nothing else; what is for others is left out."""
    loaded = {asset for text in TEMPLATES.values() for asset in ASSET.findall(text)}
    kept = {
        re.sub(r"^/static/|\?v=.*$", "", address) for address in collect_static(ROOT / "static")
    }
    assert kept == {name for name in loaded if not name.startswith(NOT_FOR_PAGES)}

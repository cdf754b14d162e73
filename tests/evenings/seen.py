"""The visible lines of a page, and their difference from the lines before."""

from __future__ import annotations

from difflib import unified_diff

from bs4 import Tag
from bs4.element import Comment, Doctype, NavigableString

from tests.web.pages import attributes_of

CELL, LINE = "\x1f", "\n"
UNSEEN = {"head", "template", "script", "style", "title", "datalist"}
CELLS = {"a", "button", "label", "td", "th", "input", "select", "svg"}
ROWS = {"tr", "p", "li", "button", "a", "label", "summary", "dt", "dd", "svg"}
BLOCKS = ROWS | {"h1", "h2", "h3", "div", "section", "form", "fieldset", "legend", "header"}
BLOCKS |= {"details", "ul", "ol", "dl", "table", "nav", "main", "dialog", "footer", "article"}
APART = {"span", "small", "text", "tspan"}
STATES = {"aria-disabled": "dim", "aria-current": "on", "aria-pressed": "on", "aria-invalid": "!"}


def visible(tag: Tag) -> list[str]:
    """Return the visible text, a line for each row or block."""
    lines = []
    for line in _text(tag, in_row=False).split(LINE):
        cells = [" ".join(cell.split()) for cell in line.split(CELL)]
        lines.append(" | ".join(filter(None, cells)))
    return [line for line in lines if line]


def changes(before: list[str], now: list[str]) -> list[str]:
    """Return the removed and the added lines."""
    different = list(unified_diff(before, now, n=0, lineterm=""))[2:]
    return [f"{line[0]} {line[1:]}" for line in different if not line.startswith("@@")]


def _text(tag: Tag, *, in_row: bool) -> str:
    attributes = attributes_of(tag)
    if tag.name in UNSEEN or "hidden" in attributes:
        return ""
    is_row = "row" in (attributes.get("role"), *attributes.get("class", "").split())
    is_row = is_row or tag.name in ROWS
    if tag.name in ("input", "select"):
        text = _field(tag, attributes)
    else:
        text = "".join(_part(each, in_row=in_row or is_row) for each in tag.children)
        if tag.name in ("a", "button", "svg", "img") and not text.strip():
            text = attributes.get("aria-label") or attributes.get("alt", "")
    states = [word for name, word in STATES.items() if attributes.get(name, "false") != "false"]
    text += "".join(f" ({word})" for word in states)
    is_cell = tag.name in CELLS or attributes.get("role") in ("gridcell", "rowheader")
    if tag.name in BLOCKS and not in_row:
        around = LINE
    elif is_cell or tag.name in BLOCKS:
        around = CELL
    else:
        around = " " if tag.name in APART else ""
    return f"{around}{text}{around}"


def _part(part: object, *, in_row: bool) -> str:
    if isinstance(part, Tag):
        return _text(part, in_row=in_row)
    is_text = isinstance(part, NavigableString) and not isinstance(part, Comment | Doctype)
    return " ".join(f"x{part}x".split())[1:-1] if is_text else ""


def _field(tag: Tag, attributes: dict[str, str]) -> str:
    kind = attributes.get("type", "text")
    if kind == "hidden":
        return ""
    if kind in ("checkbox", "radio"):
        return "(x)" if "checked" in attributes else "( )"
    if tag.name == "select":
        options = tag.select("option")
        chosen = next((each for each in options if "selected" in each.attrs), options[0])
        texts = [f"[{each.text}]" if each is chosen else each.text for each in options]
        return " ".join(" ".join(texts).split())
    return f"[{attributes.get('value') or attributes.get('placeholder', '')}]"

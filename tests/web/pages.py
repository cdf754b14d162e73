"""Pages as a person finds them: forms, buttons and links, by the words they carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TypeVar

_T = TypeVar("_T")

VOID = {"input", "img", "meta", "link", "br", "hr"}
TOGGLES = ("checkbox", "radio")


@dataclass
class Field:
    """One input of a form."""

    name: str
    value: str
    kind: str
    label: str
    checked: bool = False

    @property
    def sent(self) -> bool:
        """Whether a browser sends this field along."""
        return bool(self.name) and (self.checked or self.kind not in TOGGLES)


@dataclass
class Form:
    """A form with its fields, as filled in so far."""

    action: str
    method: str
    htmx: str | None
    fields: list[Field] = field(default_factory=list)

    def fill(self, name: str, value: str) -> None:
        """Type into every field of this name, or choose the option with this value."""
        toggles = [f for f in self.fields if f.name == name and f.kind in TOGGLES]
        typed = [f for f in self.fields if f.name == name and f.kind not in TOGGLES]
        if not toggles and not typed:
            raise AssertionError(f"No field is called {name}.")
        for each in typed:
            each.value = value
        if toggles and value not in [each.value for each in toggles]:
            raise AssertionError(f"{name} offers no {value}.")
        for each in toggles:
            if each.kind == "radio" or each.value == value:
                each.checked = each.value == value

    def fill_each(self, name: str, values: list[str]) -> None:
        """Type into the fields of this name, one after another."""
        fields = [each for each in self.fields if each.name == name]
        assert len(fields) >= len(values), f"There are {len(fields)} fields called {name}."
        for each, value in zip(fields, values, strict=False):
            each.value = value

    def values(self, name: str) -> list[str]:
        """Return what the fields of this name hold, or which options are chosen."""
        return [each.value for each in self.fields if each.name == name and each.sent]


@dataclass
class Button:
    """A button, and the form it sends."""

    label: str
    name: str
    value: str
    form: Form
    action: str
    htmx: str | None
    dimmed: bool
    attributes: dict[str, str | None]

    @property
    def data(self) -> list[tuple[str, str]]:
        """What a browser sends when this button is pressed."""
        sent = [(each.name, each.value) for each in self.form.fields if each.sent]
        return [*sent, (self.name, self.value)] if self.name else sent


@dataclass
class Link:
    """A link to another page."""

    label: str
    href: str
    htmx: str | None


@dataclass
class _Open:
    """An element whose end has not come yet."""

    tag: str
    attributes: dict[str, str | None]
    texts: list[str] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)


class Page(HTMLParser):
    """A page, or a part of one, taken apart."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.forms: list[Form] = []
        self.buttons: list[Button] = []
        self.links: list[Link] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[str] = []
        self._open: list[_Open] = []
        self._told: list[str] = []
        self._title = ""
        self.feed(html)
        self.close()

    @property
    def text(self) -> str:
        """Everything that can be read on it."""
        return " ".join(" ".join(self._texts).split())

    @property
    def said(self) -> str:
        """What the page tells aloud: a refusal, or that somebody was first."""
        return " ".join(self._told)

    @property
    def title(self) -> str:
        """The first main heading."""
        return self._title

    @property
    def whole(self) -> bool:
        """Whether this is a whole page rather than a part of one."""
        return any(tag == "html" for tag, _ in self.elements)

    @property
    def seq(self) -> str:
        """The version of the table that this page's forms speak of."""
        versions = {each.value for form in self.forms for each in form.fields if each.name == "seq"}
        assert len(versions) == 1, f"The page's forms speak of versions {versions}."
        return versions.pop()

    def button(self, label: str) -> Button:
        """Find the button with these words."""
        return _only([each for each in self.buttons if each.label == label], label, self._labels())

    def to(self, end: str) -> Button:
        """Find the one button whose form goes to an address with this end."""
        found = [each for each in self.buttons if each.action.endswith(end)]
        return _only(found, end, [each.action for each in self.buttons])

    def link(self, label: str) -> Link:
        """Find the link with these words."""
        found = [each for each in self.links if each.label == label]
        return _only(found, label, [each.label for each in self.links])

    def has(self, label: str) -> bool:
        """Tell whether there is a button or a link with these words."""
        return label in self._labels() or label in [each.label for each in self.links]

    def form(self, action: str) -> Form:
        """Find the form that goes to an address."""
        found = [form for form in self.forms if form.action == action]
        return _only(found, action, [form.action for form in self.forms])

    @property
    def _hidden(self) -> bool:
        """Whether a person sees what is being read now."""
        return any(
            each.tag in ("script", "style", "title", "template") or "hidden" in each.attributes
            for each in self._open
        )

    def _labels(self) -> list[str]:
        return [button.label for button in self.buttons]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag == "form":
            action, method = attributes.get("action") or "", attributes.get("method") or "get"
            self.forms.append(Form(action, method.lower(), attributes.get("hx-post")))
        if tag == "input":
            self._input(attributes)
        if tag not in VOID:
            self._open.append(_Open(tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and whatever was left open in it."""
        while self._open:
            ended = self._open.pop()
            self._ended(ended)
            if ended.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        """Take in text."""
        if not self._hidden:
            self._texts.append(data)
            for each in self._open:
                each.texts.append(data)

    def _input(self, attributes: dict[str, str | None]) -> None:
        kind = attributes.get("type") or "text"
        name, value = attributes.get("name") or "", attributes.get("value") or ""
        label = attributes.get("aria-label") or ""
        found = Field(name, value, kind, label, "checked" in attributes)
        if any(each.tag == "form" for each in self._open):
            self.forms[-1].fields.append(found)
        for each in self._open:
            each.fields.append(found)

    def _ended(self, ended: _Open) -> None:
        text = " ".join("".join(ended.texts).split())
        label = ended.attributes.get("aria-label") or ended.attributes.get("title") or text
        if ended.tag == "button":
            self._button(ended.attributes, label)
        elif ended.tag == "a":
            href, htmx = ended.attributes.get("href") or "", ended.attributes.get("hx-get")
            self.links.append(Link(label, href, htmx))
        elif ended.tag == "label":
            for each in ended.fields:
                each.label = each.label or label
        if ended.attributes.get("role") == "status" and text:
            self._told.append(text)
        if ended.tag == "h1":
            self._title = self._title or text

    def _button(self, attributes: dict[str, str | None], label: str) -> None:
        if self._hidden or "hidden" in attributes:
            return
        assert any(each.tag == "form" for each in self._open), f"{label} belongs to no form."
        form = self.forms[-1]
        self.buttons.append(
            Button(
                label=label,
                name=attributes.get("name") or "",
                value=attributes.get("value") or "",
                form=form,
                action=attributes.get("formaction") or form.action,
                htmx=attributes.get("hx-post") or form.htmx,
                dimmed=attributes.get("aria-disabled") == "true",
                attributes=attributes,
            )
        )


def _only(found: list[_T], label: str, others: list[str]) -> _T:
    assert len(found) == 1, f"{len(found)} are called {label!r}; there are {others}."
    return found[0]

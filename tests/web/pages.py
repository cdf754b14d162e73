"""Pages as a person uses them: forms, buttons and links, found by their labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from bs4 import BeautifulSoup, Tag

_T = TypeVar("_T")

TOGGLES = ("checkbox", "radio")


@dataclass
class Field:
    """One input of a form; `options` are the values of a list to choose from."""

    name: str
    value: str
    kind: str
    checked: bool
    options: list[str]

    @property
    def sent(self) -> bool:
        """Whether a browser sends this field with its form."""
        return bool(self.name) and (self.checked or self.kind not in TOGGLES)


class Form:
    """A form with the current values of its fields."""

    def __init__(self, tag: Tag) -> None:
        attributes = attributes_of(tag)
        self.tag = tag
        self.action = attributes.get("action", "")
        self.method = attributes.get("method", "get").lower()
        # One that waits for something else is sent plainly by its buttons.
        waits = "submit" not in attributes.get("hx-trigger", "submit")
        self.htmx = None if waits else attributes.get("hx-post")
        self.fields = [_field(each) for each in tag(["input", "select"])]

    def named(self, name: str) -> list[Field]:
        """Return the fields of this name."""
        return [each for each in self.fields if each.name == name]

    def fill(self, name: str, value: str) -> None:
        """Type into every field of this name, or choose the option with this value."""
        toggles = [each for each in self.named(name) if each.kind in TOGGLES]
        fields = toggles or self.named(name)
        assert fields, f"No field is called {name}."
        assert not toggles or value in [each.value for each in toggles], f"{name}: no {value}."
        for each in fields:
            assert not each.options or value in each.options, f"{name}: no {value}."
            if each.kind not in TOGGLES:
                each.value = value
            elif each.kind == "radio" or each.value == value:
                each.checked = each.value == value

    def fill_each(self, name: str, values: list[str]) -> None:
        """Type into the fields of this name, one after another."""
        fields = self.named(name)
        assert len(fields) >= len(values), f"There are {len(fields)} fields called {name}."
        for each, value in zip(fields, values, strict=False):
            each.value = value

    def values(self, name: str) -> list[str]:
        """Return the values of the fields of this name, or the chosen options."""
        return [each.value for each in self.named(name) if each.sent]

    @property
    def data(self) -> list[tuple[str, str]]:
        """Return the form data of the fields."""
        return [(each.name, each.value) for each in self.fields if each.sent]


class Button:
    """A button, and the form it sends."""

    def __init__(self, tag: Tag, form: Form) -> None:
        self.attributes = attributes_of(tag)
        self.form = form
        self.label = _label(tag)
        self.name = self.attributes.get("name", "")
        self.value = self.attributes.get("value", "")
        self.action = self.attributes.get("formaction", form.action)
        self.htmx = self.attributes.get("hx-post", form.htmx)
        self.dimmed = self.attributes.get("aria-disabled") == "true"

    @property
    def data(self) -> list[tuple[str, str]]:
        """Return the form data when this button is pressed."""
        return [*self.form.data, (self.name, self.value)] if self.name else self.form.data


class Link:
    """A link to another page."""

    def __init__(self, tag: Tag) -> None:
        self.label = _label(tag)
        self.href = attributes_of(tag).get("href", "")
        self.htmx = self.href if "data-sheet" in attributes_of(tag) else None


class Page:
    """A page or a part of one, parsed on first access."""

    def __init__(self, html: str) -> None:
        self.html = html

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The parsed elements; names are part of the texts around them."""
        soup = BeautifulSoup(self.html, "html.parser", multi_valued_attributes=None)
        for name in soup("bdi"):
            name.unwrap()
        soup.smooth()
        return soup

    @cached_property
    def forms(self) -> list[Form]:
        """The forms; they keep the values that are filled in."""
        return [Form(tag) for tag in self.soup("form")]

    @cached_property
    def buttons(self) -> list[Button]:
        """The visible buttons; each belongs to a form."""
        visible = [tag for tag in self.soup("button") if not _hidden(tag)]
        return [Button(tag, self._form_around(tag)) for tag in visible]

    @cached_property
    def links(self) -> list[Link]:
        """The links."""
        return [Link(tag) for tag in self.soup("a")]

    @property
    def text(self) -> str:
        """The visible text of the page."""
        return words(self.soup, " ")

    @property
    def announcement(self) -> str:
        """Return the announcement: a status message, an alert, or the fault of a field."""
        faults = {tag["aria-describedby"] for tag in self.soup.select("[aria-invalid=true]")}
        told = ", ".join(["[role=status]", "[role=alert]", *(f"#{fault}" for fault in faults)])
        return " ".join(filter(None, map(words, self.soup.select(told))))

    @property
    def title(self) -> str:
        """The first main heading."""
        return next(map(words, self.soup("h1")), "")

    @property
    def whole(self) -> bool:
        """Whether this is a whole page rather than a part of one."""
        return self.soup.html is not None

    @property
    def seq(self) -> str:
        """The table version in the forms of this page."""
        versions = {each.value for form in self.forms for each in form.named("seq")}
        assert len(versions) == 1, f"The page's forms speak of versions {versions}."
        return versions.pop()

    def elements(self, selector: str) -> list[dict[str, str]]:
        """Return the attributes of the elements that match a CSS selector."""
        return [attributes_of(tag) for tag in self.soup.select(selector)]

    def button(self, label: str) -> Button:
        """Find the button with this label."""
        return _only([each for each in self.buttons if each.label == label], label, self._labels())

    def to(self, end: str) -> Button:
        """Find the only button whose form's address has this end."""
        matches = [each for each in self.buttons if each.action.endswith(end)]
        return _only(matches, end, [each.action for each in self.buttons])

    def link(self, label: str) -> Link:
        """Find the link with this label."""
        matches = [each for each in self.links if each.label == label]
        return _only(matches, label, [each.label for each in self.links])

    def has(self, label: str) -> bool:
        """Tell whether a button or a link has this label."""
        return label in self._labels() or label in [each.label for each in self.links]

    def form(self, action: str) -> Form:
        """Find the form with this address."""
        matches = [form for form in self.forms if form.action == action]
        return _only(matches, action, [form.action for form in self.forms])

    def _labels(self) -> list[str]:
        return [button.label for button in self.buttons]

    def _form_around(self, tag: Tag) -> Form:
        around = tag.find_parent("form")
        return _only([form for form in self.forms if form.tag is around], "form", [str(tag)])


def attributes_of(tag: Tag) -> dict[str, str]:
    """Return an element's attributes."""
    return {name: str(value) for name, value in tag.attrs.items()}


def words(tag: Tag, between: str = "") -> str:
    """Return the visible text of an element, without its scripts and styles."""
    visible = [text for text in tag.strings if text.parent and not _hidden(text.parent)]
    return " ".join(between.join(visible).split())


def _hidden(tag: Tag) -> bool:
    around = [tag, *tag.parents]
    return any(each.name in ("template", "title") or "hidden" in each.attrs for each in around)


def _label(tag: Tag) -> str:
    attributes = attributes_of(tag)
    return attributes.get("aria-label") or attributes.get("title") or words(tag)


def _field(tag: Tag) -> Field:
    attributes = attributes_of(tag)
    options = [attributes_of(each) for each in tag("option")]
    chosen = next((each for each in options if "selected" in each), (options or [attributes])[0])
    return Field(
        name=attributes.get("name", ""),
        value=chosen.get("value", ""),
        kind=attributes.get("type", "text"),
        checked="checked" in attributes,
        options=[each["value"] for each in options],
    )


def _only(matches: list[_T], label: str, others: list[str]) -> _T:
    assert len(matches) == 1, f"{len(matches)} are called {label!r}; there are {others}."
    return matches[0]

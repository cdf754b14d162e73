"""A language in which every text stands between marks: what is not translated stands out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_uppercase

from babel.lists import format_list

from app.i18n.language import CONVENTIONS, Language
from app.rules.presets import PRESETS

# Taken apart where it is used.
LETTERS = "J Q K A"
MARKED = re.compile("⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]+")
ADDRESS = re.compile(r"https?://\S+")
# Of the game, a service, those who publish rules, and the languages; the unit of money; letters.
NAMES = {"Chicago", "Swish", "kr", *ascii_uppercase, *map(str.capitalize, PRESETS)}
NAMES |= {row.name for row in CONVENTIONS.values()}


class Marked(Language):
    """English with a mark around every text; its lists and months are Swedish."""

    def __init__(self) -> None:
        super().__init__("sv")
        months = self.locale.months["format"].values()
        known = {name.strip(".") for width in months for name in width.values()}
        known |= {format_list(["", ""], style, self.locale).strip() for style in ("standard", "or")}
        self.known = NAMES | known

    def gettext(self, message: str, /, **values: object) -> str:
        """Mark a message."""
        text = message if message == LETTERS else f"⟦{message}⟧"
        return text % values if values else text

    def ngettext(self, one: str, many: str, number: int, /, **values: object) -> str:
        """Mark a message that depends on a number."""
        form = one if number == 1 else many
        return f"⟦{form}⟧" % {"num": self.number(number), **values}

    def unmarked(self, text: str, names: Iterable[str]) -> set[str]:
        """Return the words that stand outside of all marks, but for names, months and the like."""
        text = ADDRESS.sub("", text)
        while MARKED.search(text):
            text = MARKED.sub("", text)
        return {*WORD.findall(text)} - self.known - {*WORD.findall(" ".join(names))}

"""A language that puts every text between marks, so that untranslated text stands out."""

import re
from collections.abc import Iterable
from string import ascii_uppercase

from babel.lists import format_list

from app.i18n.language import CONVENTIONS, Language
from app.rules.presets import PRESETS

# Split into letters by its caller.
LETTERS = "J Q K A"
MARKED = re.compile("⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]+")
ADDRESS = re.compile(r"https?://\S+")
# The game, a service, publishers of rules, and languages; the unit of money; letters.
NAMES = {"Chicago", "Swish", "kr", *ascii_uppercase, *map(str.capitalize, PRESETS)}
NAMES |= {row.name for row in CONVENTIONS.values()}


class Marked(Language):
    """Swedish with a mark around every text, but for lists and months."""

    def __init__(self) -> None:
        super().__init__("sv")
        months = self.locale.months["format"].values()
        known = {name.strip(".") for width in months for name in width.values()}
        known |= {format_list(["", ""], style, self.locale).strip() for style in ("standard", "or")}
        self.known = NAMES | known

    def gettext(self, message: str, /, **values: object) -> str:
        """Translate a message, with its marks."""
        text = super().gettext(message, **values)
        return message if message == LETTERS else f"⟦{text}⟧"

    def ngettext(self, one: str, many: str, number: int, /, **values: object) -> str:
        """Translate a message that depends on a number, with its marks."""
        return f"⟦{super().ngettext(one, many, number, **values)}⟧"

    def unmarked(self, text: str, names: Iterable[str]) -> set[str]:
        """Return the words outside of all marks, except names, months and the like."""
        text = ADDRESS.sub("", text)
        while MARKED.search(text):
            text = MARKED.sub("", text)
        return {*WORD.findall(text)} - self.known - {*WORD.findall(" ".join(names))}

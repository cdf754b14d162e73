"""Why a database is not opened, copied or put back, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.language import N_, Language
from app.store.connection import DatabaseRefused, DatabaseUnavailable, RefusedDatabase

_UNUSABLE = N_("%(file)s cannot be used: %(why)s.")
SENTENCES: Mapping[RefusedDatabase, str] = {
    "newer": N_(
        "%(file)s was made by a newer version of the score keeper: update this one,"
        " or name another database in CHICAGO_DB."
    ),
    "older": N_(
        "%(file)s was made by an older version of the score keeper: export each table’s games"
        " with that version, name another database in CHICAGO_DB here, and import them."
    ),
    "foreign": N_("%(file)s is not a database of the score keeper."),
    "in_use": N_("%(file)s is being served by another score keeper: stop that one first."),
    "unusable": _UNUSABLE,
    "damaged": N_("%(file)s is damaged: %(why)s."),
    "not_copied": N_("%(file)s could not be copied: %(why)s."),
    "own_file": N_("%(file)s belongs to the database itself: name another file."),
    "open_file": N_("%(file)s is open as a database in another program: name another file."),
    "not_a_file": N_("%(file)s is not a file."),
    "missing": N_("There is no database %(file)s."),
}


def describe(error: DatabaseUnavailable, file: object, language: Language) -> str:
    """Why a database cannot be used, with `file` its name where the error does not tell."""
    if isinstance(error, DatabaseRefused):
        return language.gettext(SENTENCES[error.code], file=error.file, why=error.why)
    return language.gettext(_UNUSABLE, file=file, why=str(error))

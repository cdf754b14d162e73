"""What Babel knows of the languages spoken here, without what our pages never write."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from pathlib import Path

from app.i18n.language import CODES

PROTOCOL = 4
# In a language: the names of units, currencies, zones of time, and of other languages.
UNWRITTEN = (
    *("compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns"),
    *("currency_names", "currency_names_plural", "currency_symbols", "date_fields"),
    *("datetime_skeletons", "interval_formats", "languages", "meta_zones", "scripts"),
    *("territories", "time_zones", "unit_display_names", "unit_patterns", "variants"),
)
# In general: which languages, currencies and zones there are where.
UNASKED = (
    *("all_currencies", "currency_fractions", "likely_subtags", "meta_zones", "zone_aliases"),
    *("territory_currencies", "territory_languages", "territory_zones", "windows_zone_mapping"),
    "zone_territories",
)


def locale_data(site: Path) -> dict[str, bytes]:
    """Babel's data of our languages and of what they are based on, by its place below `site`."""
    languages = ["root", *CODES]
    return {
        "babel/global.dat": _without(UNASKED, site / "babel" / "global.dat"),
        **{
            f"babel/locale-data/{name}.dat": _without(
                UNWRITTEN, site / "babel" / "locale-data" / f"{name}.dat"
            )
            for name in languages
        },
    }


def _without(keys: Iterable[str], path: Path) -> bytes:
    """The data with nothing under these keys, of which each is there. Raises KeyError."""
    data = pickle.loads(path.read_bytes())  # noqa: S301  # from a wheel whose hash is known
    for key in keys:
        data[key] = type(data[key])()
    return pickle.dumps(data, PROTOCOL)

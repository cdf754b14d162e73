"""What is told of an archive of golden games, as `archive.json` has it: winners, figures, swings.

`python -m tests.services.archive` records it anew; say why in the commit.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from app.services import evenings, statistics
from app.services.evenings import Search
from app.services.people import Merge
from tests.services.keeper import Keeper, dated_games, open_archive

FILE = Path(__file__).with_name("archive.json")
MONTHS = [statistics.ALWAYS, ("2020-02", "2020-05"), ("2020-04", "2020-04"), ("2020-06", "2030-01")]
MERGED = {"Anna": "Anders", "Bengt": "B", "C": "Bo"}


def read_games(keeper: Keeper) -> list[evenings.GameList]:
    """Return the pages of the list of games."""
    search = Search([], won=False, write_day=str)
    pages = [evenings.read_games(keeper.db, keeper.link, search)]
    while pages[-1].goes_on:
        pages.append(evenings.read_games(keeper.db, keeper.link, search, len(pages) + 1))
    return pages


def read_figures(keeper: Keeper) -> list[statistics.Statistics]:
    """Return the figures of several times."""
    return [statistics.read_statistics(keeper.db, keeper.table_id, each) for each in MONTHS]


def tell_archive(path: Path, names: list[str]) -> dict[str, Any]:
    """Return what is told of these golden games, then with some people merged, as JSON."""
    keeper = open_archive(path, dated_games(names))
    told = {"names": names, "games": read_games(keeper), "figures": read_figures(keeper)}
    for name, into in MERGED.items():
        keeper.commit(Merge(name, into))
    days = sorted({each.day for page in read_games(keeper) for each in page.evenings})
    told["merged"] = read_figures(keeper)
    told["swings"] = [statistics.read_swings(keeper.db, keeper.table_id, day) for day in days]
    keeper.db.close()
    as_json: dict[str, Any] = strip(json.loads(msgspec.json.encode(told, order="sorted")))
    return as_json


def strip(told: Any) -> Any:  # noqa: ANN401  # JSON
    """Return JSON without noughts and what is empty."""
    if isinstance(told, dict):
        return {key: strip(each) for key, each in told.items() if each}
    return [*map(strip, told)] if isinstance(told, list) else told


if __name__ == "__main__":
    names = json.loads(FILE.read_text("utf-8"))["names"]
    with tempfile.TemporaryDirectory() as folder:
        told = tell_archive(Path(folder) / "chicago.db", names)
    text = json.dumps(told, ensure_ascii=False, separators=(",\n", ": "))
    FILE.write_text(f"{text}\n", encoding="utf-8")

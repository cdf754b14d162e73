"""Weight of the keeper's page on its way to a phone: `python -m tests.bench.weight`.

Sizes are bytes of compressed bodies, as they leave the application, by content encoding.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from flask import Flask
from flask.testing import FlaskClient

from app import create_app
from tests.bench.row import Row, print_line
from tests.web.pages import Page

PAGE_GOAL, TAP_GOAL = 28_000, 2_800
ENCODINGS = ("gzip", "br")
FOUR = ("Anna", "Bo", "Cilla", "Dan")
EIGHT = (
    "Maximiliana Öberg-Fürstenwalde av Hedemo",
    "Karl-Johan Ångström i Hagalund vid Norra",
    "Wilhelmina Zetterqvist-Lönnroth Brännäsn",
    "Per-Olof Björkegren Sjöstrand från Gävle",
    "Ulla-Britt Håkansdotter Ekelöf och Vibyn",
    "Gunnar Alexandersson Fjällström den yngr",
    "Ingegerd Þórðardóttir Malmqvist i Uppåkr",
    "Sten-Åke Vänerlind af Qvarnström-Djupeda",
)

_FOUR_OF_A_KIND = {"event": "best_hand", "hand": "four_of_a_kind", "choose": "zero"}


class Weight(msgspec.Struct, frozen=True):
    """Bytes of the heaviest page with all it needs, part by part, and of the answers to taps."""

    parts: Mapping[str, int]
    taps: Mapping[str, int]

    @property
    def page(self) -> int:
        """The page with its styles and scripts."""
        return sum(self.parts.values())

    @property
    def tap(self) -> int:
        """The heaviest answer to a tap."""
        return max(self.taps.values())


def weigh(app: Flask, players: Sequence[str], encoding: str) -> Weight:
    """Weigh a keeper's page, and taps through a deal with all that a head can show."""
    client = app.test_client()
    headers = {"Accept-Encoding": encoding, "Accept-Language": "sv"}
    form = {"player": list(players), "stake": "1", "dealer": "0"}
    table = client.post("/", data=form, headers=headers).headers["Location"]
    page = Page(client.get(table).text)
    parts = {path.split("?")[0]: _size(client, path, headers) for path in styles_and_scripts(page)}
    page_sizes, taps = [_size(client, table, headers)], {}
    for name, size in _taps(client, table, players, headers):
        taps[name] = size
        page_sizes.append(_size(client, table, headers))
    return Weight({"page": max(page_sizes), **parts}, taps)


def styles_and_scripts(page: Page) -> list[str]:
    """Return the addresses of what a page needs before it is all there; icons come later."""
    styles = [found["href"] for found in page.elements("[rel=stylesheet]")]
    return styles + [found["src"] for found in page.elements("script")]


def _taps(
    client: FlaskClient, table: str, players: Sequence[str], headers: dict[str, str]
) -> Iterator[tuple[str, int]]:
    headers = headers | {"HX-Request": "true"}
    for name, event in _events(players):
        data = {"seq": _seq(client, table), "event": msgspec.json.encode(event)}
        answer = client.post(f"{table}/events", data=data, headers=headers)
        assert answer.status_code == (422 if "refused" in name else 200), answer.text
        yield name, len(answer.data)
    undone = client.post(f"{table}/undo", data={"seq": _seq(client, table)}, headers=headers)
    yield "undo", len(undone.data)


def _seq(client: FlaskClient, table: str) -> str:
    return Page(client.get(table).text).seq


def _events(players: Sequence[str]) -> list[tuple[str, dict[str, object]]]:
    first, second, third, fourth = players[:4]
    points = {**dict.fromkeys(players, 44), first: 2, second: 16, third: 31, fourth: 47}
    standing: list[tuple[str, dict[str, object]]] = [
        ("correction", {"event": "correction", "player": name, "points": n})
        for name, n in points.items()
    ]
    return [
        *standing,
        ("zeroing", {**_FOUR_OF_A_KIND, "player": first}),
        *standing,
        ("hand", {"event": "best_hand", "player": first, "hand": "three_of_a_kind"}),
        ("tie", {"event": "no_best_hand", "hand": "two_pairs", "tied": list(players)}),
        ("refused hand", {"event": "best_hand", "player": first, "hand": "pair"}),
        ("refused bid", {"event": "chicago", "player": first}),
        ("bid", {"event": "chicago", "player": second}),
        ("broken", {"event": "chicago_result", "won": False}),
    ]


def _size(client: FlaskClient, path: str, headers: dict[str, str]) -> int:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    size = len(answer.data)
    answer.close()
    return size


def first_flight(_: int) -> Iterator[Row]:
    """The keeper's page and its style sheets: what comes before a phone has to be asked again."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": str(Path(folder) / "chicago.db"), "LIMITS": False})
        weights = [weigh(app, players, "br").parts for players in (FOUR, EIGHT)]
    four, eight = (
        sum(size for name, size in parts.items() if not name.endswith(".js")) / 1000
        for parts in weights
    )
    beside = f"eight players of 40 letters: {eight:.1f} kB"
    name = "HTML and CSS of the first flight"
    yield Row(name, f"{four:.1f} kB", "nothing", four, 14.6, beside=beside)


def main() -> None:
    """Print the weight of pages and taps, and the bounds."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": str(Path(folder) / "chicago.db"), "LIMITS": False})
        for players in (FOUR, EIGHT):
            for encoding in ENCODINGS:
                weight = weigh(app, players, encoding)
                print_line(f"{len(players)} players, {encoding}")
                print_line(f"  page {weight.page:6} of {PAGE_GOAL}  {_listed(weight.parts)}")
                print_line(f"  tap  {weight.tap:6} of {TAP_GOAL:5}  {_listed(weight.taps)}")


def _listed(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name.rpartition('/')[2]} {size}" for name, size in sizes.items())


if __name__ == "__main__":
    main()

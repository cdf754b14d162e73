"""A name forgotten in a large database while others tap, and that no file holds it afterwards.

    python -m tests.hard.erasing [--megabytes 1200]

Prints how long the page that forgets takes and the slowest tap at another table meanwhile, how long
the next start takes, and what the files hold after it. Exit status 1 where a byte of the name is
left, a tap took a quarter of a second, or the server did not start.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from app.store.database import Database
from tests.api.calling import correction
from tests.api.network import send
from tests.bench.filling import cookie
from tests.hard.figures import Figures, options, served
from tests.hard.keepers import Neighbour

NAME = "Zebulonia Quist"
ENTRIES, SLOWEST = 12, 0.25
FORM = "application/x-www-form-urlencoded"
OTHERS = """CREATE TABLE others AS WITH RECURSIVE megabytes(number) AS
    (SELECT 1 UNION ALL SELECT number + 1 FROM megabytes WHERE number < ?)
    SELECT randomblob(1000000) AS filled FROM megabytes"""


def fill(folder: Path, megabytes: int) -> None:
    """Fill a database with what is nobody's."""
    db = Database(folder / "chicago.db")
    db.connection.execute(OTHERS, [megabytes])
    db.close()


def forget(port: int) -> float:
    """Play at a table with the name, and have it forgotten there; how long that took."""
    reply = send(port, "POST", "/api/tables", {"players": [NAME, "Cilla"]}).json
    for number in range(ENTRIES):
        event = {**correction(1, NAME), "note": f"{NAME} {number}"}
        send(port, "POST", f"/api/tables/{reply['table']}/events", event, reply["pen"])
    form = urlencode({"what": "name", "name": NAME, "sure": "yes"}).encode()
    headers, began = {"Content-Type": FORM, "Cookie": cookie(reply["pen"])}, time.monotonic()
    status = send(port, "POST", f"/t/{reply['table']}/forget", form, **headers).status
    assert status == 303, status
    return time.monotonic() - began


def main() -> int:
    """Forget the name in a large database while somebody taps, and start again."""
    megabytes = options(__doc__, megabytes=1200).megabytes
    figures = Figures(f"a name forgotten in a database of {megabytes} MB")
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name), megabytes)
        with served(Path(name)) as server, Neighbour(server.port) as neighbour:
            took, slowest = forget(server.port), neighbour.slowest_since(0)
        figures.add("seconds until it was said to be gone", f"{took:.2f}")
        figures.add("slowest tap meanwhile, seconds", f"{slowest:.2f}", kept=slowest < SLOWEST)
        began = time.monotonic()
        with served(Path(name)):
            figures.add("seconds that the next start took", f"{time.monotonic() - began:.1f}")
            files = Path(name).glob("chicago.db*")
            found = [file.name for file in files if NAME.encode() in file.read_bytes()]
            figures.none_of("files that hold it then", found)
    return figures.status


if __name__ == "__main__":
    sys.exit(main())

"""How much of a tap's answer is spent on replaying the game: `python -m tests.bench.replay`.

Both are measured in turns within one run, so a busy machine slows both down alike.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from werkzeug.test import EnvironBuilder, run_wsgi_app

from app import create_app
from app.rules.events import BestHand, Event, LastTrick, NoBestHand, write_event
from app.rules.game import replay
from app.rules.gamefile import read_setup
from app.rules.hands import Hand
from app.rules.state import Setup
from app.services import play, tables
from app.services.tables import Write
from app.store.database import Pool
from app.web.table.event_form import event_value
from tests.bench.weight import say

EVENTS, ROUNDS, WARM_UP = 200, 101, 5
GOAL = 0.25
# What a browser sends along when it asks for a page without TLS, as in one's own house.
PHONE = {"HX-Request": "true", "Accept-Encoding": "gzip, deflate", "Accept-Language": "sv"}
PLAYERS = ["Anna", "Bo", "Cilla", "Dan"]
HANDS = (Hand.PAIR, Hand.TWO_PAIRS, Hand.THREE_OF_A_KIND, Hand.STRAIGHT, Hand.FLUSH)


def long_game() -> tuple[Setup, list[Event]]:
    """Return a game of 200 events that is still being played: fifty deals to a far target."""
    raw: dict[str, object] = {"players": PLAYERS, "dealer": "Dan", "rules": {"target": 1000}}
    return read_setup(raw), [event for deal in range(EVENTS // 4) for event in _deal(deal)]


def _deal(number: int) -> list[Event]:
    first, second, third, fourth = (PLAYERS[(number + seat) % 4] for seat in range(4))
    tie = NoBestHand(hand=Hand.PAIR, tied=(second, third))
    return [
        BestHand(player=first, hand=HANDS[number % len(HANDS)]),
        tie if number % 3 else NoBestHand(),
        LastTrick(player=fourth),
        BestHand(player=second, hand=HANDS[number % 2]),
    ]


def measure(folder: Path) -> tuple[list[float], list[float]]:
    """Return the seconds of replays, and of requests that record the next event."""
    setup, events = long_game()
    config = {"DATABASE": str(folder / "chicago.db"), "SECRET_KEY": "bench", "LIMITS": False}
    app = create_app(config)
    pool, pen = Pool(app.config["DATABASE"]), tables.new_pen()
    link = tables.open_table(pool, setup, "", pen)
    for event in events:
        play.record(pool, Write(link, pen), write_event(event))
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie["pen"] = pen
    kept = client.get_cookie("chicago")
    assert kept

    def request() -> None:
        data = {"seq": str(tables.read_sheet(pool, link).seq), "event": event_value(NoBestHand())}
        sent = EnvironBuilder(f"/t/{link}/events", method="POST", data=data)
        sent.headers.update({"Cookie": f"chicago={kept.value}", **PHONE})
        environ = sent.get_environ()
        seconds = timed(lambda: answers.append(run_wsgi_app(app, environ, buffered=True)[1]))
        requests.append(seconds)
        play.undo(pool, Write(link, pen))

    answers: list[str] = []
    replays: list[float] = []
    requests: list[float] = []
    for _ in range(WARM_UP + ROUNDS):
        replays.append(timed(lambda: replay(setup, events)))
        request()
    pool.close()
    assert set(answers) == {"200 OK"}
    return replays[WARM_UP:], requests[WARM_UP:]


def timed(act: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> None:
    """Print the medians and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        replays, requests = measure(Path(folder))
    replayed, answered = statistics.median(replays), statistics.median(requests)
    say(f"replaying {EVENTS} events     {replayed * 1000:7.2f} ms")
    say(f"recording one more event  {answered * 1000:7.2f} ms")
    say(f"ratio                     {replayed / answered:7.3f}, goal below {GOAL}")


if __name__ == "__main__":
    main()

"""Four instances behind the real HAProxy: one hangs, crashes, and is lost with its disk.

    python -m tests.hard.instances [--tables 4] [--seconds 12] [--pause 0.2]

Keepers tap at tables of each instance, and send a tap again until it is acknowledged. It needs the
program `haproxy`, and asks only this machine. Exit status 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.bench.served import Served
from tests.hard.figures import Figures
from tests.hard.haproxy import Instance, find_misled, proxied, served
from tests.hard.instance_load import VICTIM, Phone, Run, Tap, Watcher, lost, open_tables

# So long an instance is down.
DOWN = 4.0
# How often a phone lists its tables while one hangs.
LISTS = 3
# What Litestream has not got yet is younger than this; it looks every second.
LAG = 3.0


class Programs:
    """All that runs: what it computes, and what it has in memory."""

    def __init__(self, instances: Mapping[str, Instance], proxy: Served) -> None:
        self._programs = {
            "instances": [Served(0, each.server.pid) for each in instances.values()],
            "Litestream": [each.follower for each in instances.values()],
            "HAProxy": [proxy],
        }

    def processor_seconds(self) -> dict[str, float]:
        """Return what they have computed so far, by what they are."""
        programs = self._programs.items()
        return {name: sum(each.processor_seconds() for each in kind) for name, kind in programs}

    def tell_memory(self) -> str:
        """Return what one of each has in memory, what its processes share counted once."""
        programs = self._programs.items()
        return ", ".join(f"{name} {kind[0].memory('Pss'):.0f}" for name, kind in programs)


class Course(NamedTuple):
    """What happened when: the moments in their order, and what was found meanwhile."""

    began: float
    hung: float
    stirred: float
    crashed: float
    back: float
    killed: float
    gone: float
    restored: float
    ended: float
    # Of milliseconds for each tap, by who computed.
    costs: dict[str, float]
    # How many tables a phone's list had, all well and while one was down; and how long it took
    # while one hung, in seconds.
    whole: int
    partly: int
    lists: list[float]
    lost: list[Tap]


def go_through(run: Run, programs: Programs, victim: Instance, phone: Phone, span: float) -> Course:
    """Let keepers tap while one instance hangs, then crashes, and then is lost with its disk."""
    whole = phone.list_tables()
    time.sleep(DOWN)
    began, before = time.monotonic(), programs.processor_seconds()
    time.sleep(span)
    hung, costs = time.monotonic(), programs.processor_seconds()
    taps = len(run.took(run.keepers, (began, hung)))
    with victim.hanging():
        lists = [measure_time(phone.list_tables) for _ in range(LISTS)]
        time.sleep(DOWN)
    stirred = time.monotonic()
    time.sleep(DOWN)
    crashed = time.monotonic()
    victim.kill()
    time.sleep(DOWN)
    partly, back = phone.list_tables(), time.monotonic()
    victim.start()
    time.sleep(span)
    missing, killed = [tap for _, tap in lost(run.victims)], time.monotonic()
    victim.lose()
    time.sleep(DOWN)
    gone = time.monotonic()
    victim.restore()
    restored = time.monotonic()
    time.sleep(span)
    run.stop()
    moments = (began, hung, stirred, crashed, back, killed, gone, restored, time.monotonic())
    costs = {name: 1000 * (costs[name] - before[name]) / taps for name in costs}
    return Course(*moments, costs, whole, partly, lists, missing)


def tell_victims(figures: Figures, run: Run, course: Course) -> None:
    """Tell what became of the tables of the instance that was lost."""
    figures.add("crashed: its tables written at again", seconds(run.first_back(course.back)))
    figures.none_of("crashed: lost, of what was acknowledged", course.lost)
    figures.add("lost: restored and served", seconds(course.restored - course.gone))
    figures.add("lost: its tables written at again", seconds(run.first_back(course.gone)))
    # A tap that is sent again is there again.
    missing = [tap for _, tap in lost(run.victims)]
    every = sum(len(keeper.taps) for keeper in run.victims)
    oldest = max((course.killed - tap.at for tap in missing), default=0.0)
    told = f"{len(missing)} of {every}, the oldest {oldest:.2f} s before"
    figures.add("lost: of what was acknowledged", told, kept=oldest < LAG)


def tell_others(figures: Figures, run: Run, course: Course) -> None:
    """Tell what the tables of the other instances noticed of it."""
    spans = {
        "all well": [(course.began, course.hung)],
        "while one hangs": [(course.hung, course.stirred)],
        "while one is down": [(course.crashed, course.back), (course.killed, course.gone)],
        "while it starts on the same cores": [
            (course.back, course.killed),
            (course.gone, course.ended),
        ],
    }
    for when, times in spans.items():
        figures.add(f"others, {when}: p50 / p99 / most", run.percentiles(*times))
        # A database that is not written to within a second is answered 503; so busy may two
        # processors be, on which an instance starts. One that is only away makes nobody busy.
        refused = run.refused(*times)
        away = when in ("while one hangs", "while one is down")
        figures.add(f"others, {when}: sent again", len(refused), kept=not (away and refused))
    figures.none_of("others: acknowledged and not there", [tap for _, tap in lost(run.others)])


def tell_phone(figures: Figures, run: Run, course: Course) -> None:
    """Tell what a phone saw that has tables at all of them."""
    listed = f"{course.whole} of {len(run.keepers)}, {course.partly} while one is down"
    as_told = (course.whole, course.partly) == (len(run.keepers), len(run.others))
    figures.add("tables in a phone's list", listed, kept=as_told)
    figures.add("a phone's list while one hangs, the next", ", ".join(map(seconds, course.lists)))


def measure_time(act: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    before = time.monotonic()
    act()
    return time.monotonic() - before


def seconds(duration: float) -> str:
    """Return a time as it is told."""
    return f"{duration:.1f} s"


def measure(figures: Figures, instances: dict[str, Instance], proxy: Served, args: Load) -> None:
    """Let keepers tap at tables of all instances, and tell what became of it."""
    keepers, fell = open_tables(proxy.port, args.tables, args.pause)
    tell = " ".join(f"{name} {count}" for name, count in fell.items())
    figures.add("tables of 200 addresses, by instance", tell)
    figures.none_of("led astray by the proxy", find_misled(proxy.port))
    run = Run(keepers)
    watchers = [Watcher(proxy.port, keeper) for keeper in run.others]
    programs = Programs(instances, proxy)
    figures.add("memory, MB", programs.tell_memory())
    phone = Phone(proxy.port, keepers)
    course = go_through(run, programs, instances[VICTIM], phone, args.seconds)
    costs = ", ".join(f"{name} {cost:.2f}" for name, cost in course.costs.items())
    figures.add("processor time for each tap, ms", costs)
    tell_victims(figures, run, course)
    tell_others(figures, run, course)
    figures.none_of("others: live streams that ended", [each for each in watchers if each.breaks])
    tell_phone(figures, run, course)


class Load(argparse.Namespace):
    """How much is asked."""

    tables: int
    seconds: float
    pause: float


def main() -> int:
    """Run it, print the figures, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--pause", type=float, default=0.2)
    args = parser.parse_args(namespace=Load())
    figures = Figures("Four instances behind HAProxy")
    with (
        tempfile.TemporaryDirectory() as name,
        served(Path(name)) as instances,
        proxied(Path(name), {name: each.server.port for name, each in instances.items()}) as proxy,
    ):
        measure(figures, instances, proxy, args)
    return figures.print()


if __name__ == "__main__":
    sys.exit(main())

"""A server killed under load has everything that it acknowledged, and nothing twice."""

from pathlib import Path

from tests.hard import kills

KILLS = 8


def test_killed_under_load(tmp_path: Path) -> None:
    """Every acknowledged fact is there, in its writer's order, once; the file is sound."""
    figures = kills.run(tmp_path, KILLS, seed=2)
    assert figures.kept, figures.lines

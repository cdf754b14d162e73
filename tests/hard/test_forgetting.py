"""A name that is forgotten while others play is soon in no file that is kept."""

from pathlib import Path

from tests.hard import forgetting

GAMES, SECONDS, QUIET = 20, 20.0, 0.5


def test_a_forgotten_name_is_in_no_file(tmp_path: Path) -> None:
    """Not in the database, not in its log, and not in a backup made afterwards."""
    figures = forgetting.run(tmp_path, GAMES, SECONDS, QUIET)
    broken = [name for name, _, kept in figures.lines if not kept]
    # How long a neighbour waited is for a quiet machine to say.
    assert [name for name in broken if "wait" not in name] == []

"""A server whose database is an older backup gets back what phones have of its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.http.application import application
from app.offline import conflicts
from app.store.backup import back_up, put_back
from tests.offline.phones import Phone
from tests.offline.stories import Story


def go_back(phone: Phone, folder: Path, known: bool) -> Story:
    """Play at a table, and go back to a backup of the server, by which the table is `known`."""
    files = Path(phone.server.config["DATABASE"]), folder / "backup.db"
    back_up(*files)
    story = Story(phone).tell(["open", "push 200"])
    if known:
        back_up(*files)
    story.tell(["pens", "there nobody, Bo 4", "pull"])
    with phone.server.app_context():
        application().close()
    put_back(*files)
    return story


@pytest.mark.parametrize("known", [False, True])
def test_what_came_after_the_backup_is_pushed_again(
    phone: Phone, tmp_path: Path, known: bool
) -> None:
    """Also a table of which the server knows nothing; one that was deleted is dropped."""
    story = go_back(phone, tmp_path, known)
    story.tell(["pull", "status only_here 1", "push 200", "same", "scores Bo 4"])
    story.tell(["there /forget?what=table&sure=1", "pull", "status held 0"])


def test_where_others_went_on_meanwhile_a_person_decides(phone: Phone, tmp_path: Path) -> None:
    """Nothing is mixed, and both versions are there."""
    story = go_back(phone, tmp_path, known=True)
    story.tell(["there Anna pair", "pull", "push 200 409", "scores Anna 0, Bo 4"])
    with phone.page() as db:
        conflicts.add_mine(db, story.link)
    story.tell(["push 200", "same", "scores Anna 1, Bo 4"])

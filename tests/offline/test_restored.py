"""A server whose database is an older backup gets back what phones have of its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.http.application import application
from app.offline import conflicts
from app.store.backup import back_up, put_back
from tests.offline.phones import Phone, copy_of
from tests.offline.test_replicas import send_there, tap_there


def play(phone: Phone, folder: Path, known: bool) -> str:
    """Open a table and play at it; go back to a backup, by which the table is `known`."""
    files = Path(phone.server.config["DATABASE"]), folder / "backup.db"
    back_up(*files)
    link = phone.open_table()
    phone.push()
    if known:
        back_up(*files)
    phone.there.post(f"/t/{link}/pen", data={"seq": "1"})
    tap_there(phone, link, "nobody", "Bo 4")
    phone.refresh()
    with phone.server.app_context():
        application().close()
    put_back(*files)
    return link


@pytest.mark.parametrize("known", [False, True])
def test_what_came_after_the_backup_is_pushed_again(
    phone: Phone, tmp_path: Path, known: bool
) -> None:
    """Also a table of which the server knows nothing; one that was deleted is dropped."""
    link = play(phone, tmp_path, known)
    state = phone.view(link).state
    phone.refresh()
    assert phone.status()["only_here"] == [link]
    assert phone.push() == [200]
    assert phone.server_sheet(link).state == state
    assert copy_of(phone.server, link) == copy_of(phone.app, link)
    send_there(phone, link, "/forget", what="table", sure="1")
    phone.refresh()
    assert phone.status()["held"] == []


def test_where_others_went_on_meanwhile_a_person_decides(phone: Phone, tmp_path: Path) -> None:
    """Nothing is mixed, and both versions are there."""
    link = play(phone, tmp_path, known=True)
    before = phone.view(link).state
    tap_there(phone, link, "Anna pair")
    phone.refresh()
    assert phone.push()[-1] == 409
    assert phone.view(link).state == before
    with phone.page() as db:
        conflicts.add_mine(db, link)
    assert phone.push() == [200]
    assert phone.server_sheet(link).state.scores == {"Anna": 1, "Bo": 4, "Cilla": 0}

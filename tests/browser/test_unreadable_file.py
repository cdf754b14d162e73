"""A phone's database that cannot be opened any more is reported, kept, and done without."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import AWAY
from tests.browser.keeper import PLAYERS, Keeper
from tests.browser.kit import end_workers
from tests.browser.tables import path_of

# Does something with what is kept, and gives what that asks for, once it is over.
KEPT = """async () => {
  const database = await new Promise((give, refuse) => {
    const asked = indexedDB.open("chicago");
    asked.onsuccess = () => give(asked.result);
    asked.onerror = () => refuse(asked.error);
  });
  const transaction = database.transaction("kept", "readwrite");
  const kept = transaction.objectStore("kept");
  const asked = %s;
  await new Promise((done) => { transaction.oncomplete = done; });
  database.close();
  return asked.result;
}"""
SPOIL = KEPT % 'kept.put(new Uint8Array(32768).fill(7), "file")'
# Under the time of day at which they were set aside.
ASIDE = KEPT % 'kept.getAll(IDBKeyRange.bound("0", "9999"))'


@pytest.fixture
def tolerated(tolerated: list[str]) -> list[str]:
    """Return the usual patterns, that there is no server, and that the phone cannot answer."""
    return [*tolerated, *AWAY, "server error 503", "status of 503"]


def test_a_file_that_cannot_be_opened_is_told_of_and_set_aside(alone: Keeper) -> None:
    """Nothing is removed: it can be saved, lies on the phone, and another one is begun."""
    page, table = alone.page, path_of(alone.page)
    # Whichever worker answers next has opened what was spoilt.
    page.evaluate(SPOIL)
    end_workers(page)
    page.goto(table)
    expect(page.get_by_role("status")).to_contain_text("går inte att öppna")
    with page.expect_download() as download:
        page.get_by_role("link", name="Spara filen").click()
    assert download.value.path().read_bytes()[:1] == b"\x07"
    page.get_by_role("button", name="Börja om utan den").click()
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate(f"({ASIDE})().then((files) => files.map(([first]) => first))") == [7]
    alone.open_table(*PLAYERS)
    alone.tap("pair", "Anna")

"""The pen in a browser's cookie writes over the API as it does on the pages."""

from flask import Flask

from tests.api.calling import NOBODY, PLAYERS, Caller
from tests.api.describing import DOCUMENT
from tests.told import told


@told
def test_a_browser_writes_at_its_own_tables(
    app: Flask, keeps: bool, headers: dict[str, str], status: int
) -> None:
    """The cookie that openapi.json names is enough; an answer sets none."""
    opening, name = app.test_client(), DOCUMENT["components"]["securitySchemes"]["cookie"]["name"]
    own = opening.post("/", data={"player": PLAYERS}).headers["Location"]
    pen, browser = opening.get_cookie(name), Caller(app.test_client())
    assert pen
    browser.client.set_cookie(name, pen.value)
    path = f"/api{own.replace('/t/', '/tables/')}" if keeps else browser.open().path
    got = browser.call("POST", f"{path}/events", NOBODY, headers=headers)
    assert (got.status_code, "Set-Cookie" in got.headers) == (status, False)

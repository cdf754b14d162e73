"""Serving: the web process starts, prints its address and survives a restart."""

from tests.browser.serving import Server


def test_a_server_tells_its_address_and_comes_back_there_after_a_power_cut(
    own_server: Server,
) -> None:
    """The log has the address at once, and no remains of a dead server block the next one."""
    assert f"The score keeper is at {own_server.url}/" in own_server.log.read_text()
    before = own_server.url
    own_server.kill()
    own_server.start()
    assert own_server.url == before

"""Serving: the web process starts, tells its address and survives a restart."""

from tests.browser.serving import Server


def test_the_server_prints_the_address_it_serves_on(own_server: Server) -> None:
    """Whoever starts the score keeper reads at once where it is."""
    assert f"The score keeper is at {own_server.url}/" in own_server.log.read_text()


def test_after_a_power_cut_the_server_comes_back_at_the_same_address(own_server: Server) -> None:
    """Nothing that a dead server leaves behind keeps the next one from starting."""
    before = own_server.url
    own_server.kill()
    own_server.start()
    assert own_server.url == before

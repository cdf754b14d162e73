"""Serving: the web process starts, tells its address, survives a restart and ends in peace."""

from playwright.sync_api import Page

from tests.browser.serving import Server


def test_the_server_prints_the_address_it_serves_on(own_server: Server) -> None:
    """Whoever starts the score keeper reads at once where it is."""
    assert f"The score keeper is at {own_server.url}/" in own_server.log.read_text()


def test_a_server_asked_to_end_does_so_without_complaint(own_server: Server) -> None:
    """The process ends with status 0 and logs neither a traceback nor a warning."""
    own_server.stop()


def test_after_a_power_cut_the_server_comes_back_at_the_same_address(own_server: Server) -> None:
    """Nothing that a dead server leaves behind keeps the next one from starting."""
    before = own_server.url
    own_server.kill()
    own_server.start()
    assert own_server.url == before


def test_a_phone_gets_an_answer(phone: Page) -> None:
    """A browser on a phone reaches the server."""
    answer = phone.goto("/")
    assert answer is not None
    assert answer.ok

"""Text in a terminal: how wide it is, and how names are cut so that they still differ."""

import pytest

from app.cli.terminal import page_width, plain, short_names, shorten, table, width, wrap

LONG = ["Anna-Karin Svensson den äldre", "Anna-Karin Svensson den yngre", "Bo"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("Åsa", 3),
        ("A\N{COMBINING RING ABOVE}sa", 3),
        ("山田", 4),
        ("🃏", 2),
        ("a\N{ZERO WIDTH JOINER}b", 2),
        ("7,50\N{NO-BREAK SPACE}kr", 7),
    ],
)
def test_a_text_is_as_wide_as_it_is_shown(text: str, columns: int) -> None:
    """Wide characters take two columns, combining ones none."""
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "room", "short"),
    [
        ("Anna", 4, "Anna"),
        ("Annika", 4, "Ann…"),
        ("Bo Ek", 4, "Bo…"),
        ("山田太郎", 6, "山田…"),
        ("山田太郎", 5, "山田…"),
        ("山田太郎", 4, "山…"),
    ],
)
def test_a_text_is_cut_to_its_room(text: str, room: int, short: str) -> None:
    """What is cut ends in an ellipsis and never takes more than its room."""
    assert shorten(text, room) == short
    assert width(short) <= room


def test_names_that_fit_stay_as_they_are() -> None:
    """Nothing is cut for the sake of others."""
    assert short_names(["Anna", "Bo Ek"], 5) == {"Anna": "Anna", "Bo Ek": "Bo Ek"}


def test_a_first_name_stands_for_a_long_name() -> None:
    """A first name nobody else has is better than a cut one."""
    assert (
        short_names(["Christoffer af Ugglas", "Bo"], 12)["Christoffer af Ugglas"] == "Christoffer"
    )


def test_names_that_begin_alike_are_numbered_by_seat() -> None:
    """Two names that would look the same get their seat's number."""
    assert list(short_names(LONG, 8).values()) == ["Anna-K…1", "Anna-K…2", "Bo"]


def test_short_names_always_fit_and_differ() -> None:
    """Whatever the room, no two players look the same."""
    names = [*LONG, "A" * 39 + "1", "A" * 39 + "2", "山" * 40, "山" * 39 + "田", "Anna"]
    for room in range(3, 42):
        short = short_names(names, room)
        assert len(set(short.values())) == len(names)
        assert all(width(name) <= room for name in short.values())


def test_a_line_is_broken_between_words() -> None:
    """Amounts hold together, later lines are indented."""
    sentence = "Bo betalar Anna 7,50\N{NO-BREAK SPACE}kr"
    assert wrap(sentence, 18, "  ") == ["Bo betalar Anna", "  7,50\N{NO-BREAK SPACE}kr"]


def test_columns_are_aligned_by_what_is_shown() -> None:
    """A wide name moves the next column by as much as it takes."""
    assert table([["山田", "7"], ["Bo", "12"]], "lr") == ["山田   7", "Bo    12"]


def test_what_steers_a_terminal_is_shown_instead() -> None:
    """Escape sequences and line breaks become a mark."""
    assert plain("a\x1b[1m\nb\x9b") == "a�[1m�b�"


@pytest.mark.parametrize(("columns", "page"), [("20", 40), ("100", 100), ("500", 120), ("", 80)])
def test_the_page_keeps_to_the_terminal(
    columns: str, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither too narrow for a table nor too wide to read; 80 where there is no terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    assert page_width() == page

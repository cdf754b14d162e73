"""Every story of stories.txt comes out as it is told there."""

from pathlib import Path

import pytest

from tests.offline.phones import Phone
from tests.offline.stories import Story, read_stories

STORIES = read_stories(Path(__file__).with_name("stories.txt"))


@pytest.mark.parametrize("title", STORIES)
def test_a_story(phone: Phone, title: str) -> None:
    """What the phone and the server have is compared by each line that says so."""
    Story(phone).tell(STORIES[title])

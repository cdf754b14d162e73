"""Reading the Dockerfile's steps."""

from __future__ import annotations

import re

MARK = re.compile(r"^--(\w+)=(\S+)\s+")


def read_steps(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile, each with what stands after it."""
    joined = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [(step, rest.strip()) for step, _, rest in lines]


def mark(rest: str, name: str) -> str:
    """Return what an instruction's option says, or nothing."""
    found = MARK.match(rest)
    return found[2] if found and found[1] == name else ""


def unmarked(rest: str) -> str:
    """Return what an instruction says, without its options."""
    return MARK.sub("", rest)

"""Which of several instances this is, and what is asked of the others.

A phone's tables may be at several instances. Each answers for its own, so that a use case that is
about more than one table is a call for each instance; alone, and on a phone, it is a plain call.
How it goes from one to the other: app/http/instance_calls.py, and why:
docs/decisions/0010-tables-divided-by-link.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Concatenate, ParamSpec, TypeVar, cast

from flask import current_app, g

from app.http.context import pool
from app.services.instances import instance_of
from app.store.availability import DatabaseUnavailable
from app.store.database import Pool

P = ParamSpec("P")
R = TypeVar("R")

# Calls a service at another instance, with these arguments. Raises as `call` does.
Ask = Callable[[str, Callable[..., R], tuple[object, ...], dict[str, object]], R]


class InstanceUnavailable(DatabaseUnavailable):
    """Another instance does not answer: its tables cannot be read or written to just now."""


def own() -> str:
    """The name that links of tables opened here begin with; nothing where there is one server."""
    return cast("str", current_app.config["INSTANCE"] or "")


def everyone() -> list[str]:
    """All instances, the first of them first: it has what names no instance."""
    return list(current_app.config["INSTANCES"]) or [own()]


def first() -> str:
    """The instance of links that name none, and of what phones keep besides tables."""
    return everyone()[0]


def find_instance(link: str) -> str:
    """The instance of a table: the first, where its link names none or one that is not there."""
    name = instance_of(link)
    return name if name in everyone() else first()


def divide(links: Iterable[str]) -> dict[str, list[str]]:
    """Links by the instances that have their tables, each part in the order they came."""
    parts: dict[str, list[str]] = {}
    for link in links:
        parts.setdefault(find_instance(link), []).append(link)
    return parts


def call(
    instance: str,
    act: Callable[Concatenate[Pool, P], R],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Call a service at an instance. Raises InstanceUnavailable, and what the service raises."""
    if instance == own():
        return act(pool(), *args, **kwargs)
    ask: Ask[R] = current_app.extensions["ask_instance"]
    return ask(instance, act, args, kwargs)


def gather(names: Iterable[str], ask: Callable[[str], R]) -> dict[str, R]:
    """What `ask` gets of each of these instances that answers.

    Where one does not, `g.instance_missing` lets the page say so.
    """
    answers = {}
    for name in names:
        try:
            answers[name] = ask(name)
        except InstanceUnavailable:
            g.instance_missing = True
    return answers

"""Instances: servers with a database file each, among which tables are divided by their link.

A link names the instance that has its table, `a.` before what is random; one that names none is of
the first instance, as from before there were several.
"""

from __future__ import annotations

import re

# As the pattern of the load balancer has room for.
NAME = re.compile("[a-z0-9]{1,8}", re.ASCII)


def name_link(instance: str, secret: str) -> str:
    """The link of a new table at an instance; nothing is named where there is only one."""
    return f"{instance}.{secret}" if instance else secret


def instance_of(link: str) -> str:
    """The instance that a link names, nothing where it names none."""
    name, dot, _ = link.partition(".")
    return name if dot else ""

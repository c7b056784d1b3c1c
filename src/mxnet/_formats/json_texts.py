"""Checks of JSON before it is parsed, when a few bytes can still not become many objects."""

from __future__ import annotations

from mxnet import limits

_PER_UNIT = {"graph_nodes": 20, "file_arrays": 6}
"""Lists and objects of each unit. A node has three and one for each input, which are few on
average, and those written in the texts of attributes; an array has three."""


def check_containers(limit: str, text: str | bytes, where: str) -> None:
    """Checks how many lists and objects a text has; each takes thirty times its own length.

    Args:
        limit: Name of the limit of what the text describes: nodes, arrays.
        text: The text.
        where: What it is, for the message.

    Raises:
        LimitExceededError: if there are more than so many nodes or arrays have.
    """
    if isinstance(text, str):
        count = text.count("{") + text.count("[")
    else:
        count = text.count(b"{") + text.count(b"[")
    limits.check(limit, count // _PER_UNIT[limit], f"{where}: {count:,} lists and objects")

"""Contexts of the parts of a network that are told apart by `ctx_group`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mxnet.context import Context
from mxnet.errors import InvalidArgumentError

Groups = list[dict[str, Context]]


def spread_groups(group2ctxs: Any, count: int) -> Groups | None:
    """Returns the contexts of groups for each context of a module.

    Args:
        group2ctxs: A dict from names of groups to a context or to a list of them; or a list with
            such a dict for each context of the module.
        count: Number of contexts of the module.
    """
    if group2ctxs is None:
        return None
    if isinstance(group2ctxs, (list, tuple)):
        if len(group2ctxs) != count:
            raise InvalidArgumentError(
                f"Module: group2ctxs takes a dict for each of {count} contexts, "
                f"got {len(group2ctxs)}"
            )
        return [dict(item) for item in group2ctxs]
    if not isinstance(group2ctxs, Mapping):
        raise InvalidArgumentError(f"Module: group2ctxs takes dicts by group, got {group2ctxs!r}")
    spread: Groups = [{} for _ in range(count)]
    for group, given in group2ctxs.items():
        listed = [given] if isinstance(given, Context) else list(given)
        if len(listed) == 1:
            listed *= count
        if len(listed) != count:
            raise InvalidArgumentError(
                f"Module: group2ctxs: {group!r} takes {count} contexts, got {len(listed)}"
            )
        for target, context in zip(spread, listed, strict=True):
            target[group] = context
    return spread

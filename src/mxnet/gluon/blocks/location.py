"""Where in a network an error came up: `net.features[3] (Conv2D 'conv3')`."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Protocol

from mxnet._start import is_internal
from mxnet.errors import MXNetError


class Located(Protocol):
    """What messages tell of a block."""

    @property
    def name(self) -> str:
        """Name of the block."""


class _Location:
    """The block in which an operator failed, and the message before the block was named.

    A pickled one, of an error that travels to another process, leaves the network behind.
    """

    __slots__ = ("block", "text")

    def __init__(self, block: Any, text: str) -> None:
        self.block, self.text = block, text

    def __reduce__(self) -> tuple[Any, ...]:
        return _Location, (None, self.text)


def describe(block: Located) -> str:
    """Returns the class and the name of a block."""
    return f"{type(block).__name__} {block.name!r}"


def is_located(error: BaseException) -> bool:
    """Returns whether the message names the block in which an error came up."""
    return "_location" in error.__dict__


def locate(error: MXNetError, block: Any, hint: str = "") -> None:
    """Puts the block in which an operator failed before the message; the innermost one does it.

    Args:
        error: What was raised; of a graph, it says which node failed, whose block is looked for.
        block: The block that ran.
        hint: What to add to the message.
    """
    if is_located(error):
        return
    node = getattr(error, "node", "")
    owner = (_find_owner(block, node) if node else None) or block
    error.__dict__["_location"] = location = _Location(owner, f"{error}{hint}")
    error.args = (f"{describe(owner)}: {location.text}",)
    if owner is not block:
        _name_from(error, location, block, type(block).__name__)


def move_location(source: BaseException, target: MXNetError) -> None:
    """Sets the location and the message of an error to those of another one that it stands for."""
    target.__dict__["_location"] = source.__dict__["_location"]
    target.args = source.args


def extend_location(error: BaseException, block: Any) -> None:
    """Names the block in which an error came up as seen from one around it, which it leaves.

    To be called by what runs the block, for the caller of which the block may be a variable.

    Args:
        error: The exception.
        block: The block that it leaves.
    """
    location = error.__dict__.get("_location")
    if location is None or location.block is None:
        return
    caller = sys._getframe(2)
    variable = None if is_internal(caller.f_code) else _find_variable(caller, block)
    if variable is not None or location.block is not block:
        _name_from(error, location, block, variable or type(block).__name__)


def _name_from(error: BaseException, location: _Location, root: Any, root_name: str) -> None:
    """Rewrites the message of an error with the way from a block to the one that failed."""
    way = _find_way(root, location.block)
    if way is not None:
        error.args = (f"{root_name}{way} ({describe(location.block)}): {location.text}",)


def _find_way(block: Any, target: Any) -> str | None:
    """Returns the rest of an expression that finds a block inside of another one."""
    if block is target:
        return ""
    for key, child in block._children.items():
        way = _find_way(child, target)
        if way is not None:
            is_place = key.isdigit() and hasattr(type(block), "__getitem__")
            return f"[{key}]{way}" if is_place else f".{key}{way}"
    return None


def _find_owner(block: Any, node: str) -> Any:
    """Returns the block inside whose name a node of the graph begins with."""
    inside = [
        found
        for child in getattr(block, "_children", {}).values()
        for found in (child, _find_owner(child, node))
        if found is not None and found.prefix and node.startswith(found.prefix)
    ]
    return max(inside, key=lambda found: len(found.prefix), default=None)


def _find_variable(frame: FrameType, block: Any) -> str | None:
    """Returns the variable of a function that holds a block, or the attribute of its `self`."""
    for name, value in frame.f_locals.items():
        if value is block and not name.startswith("_"):
            return name
    own = getattr(frame.f_locals.get("self"), "__dict__", {})
    return next((f"self.{name}" for name, value in own.items() if value is block), None)

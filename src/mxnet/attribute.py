"""Attributes that symbols get from the scope they are created in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from mxnet._start import public_call
from mxnet._state import Current, HasCurrent
from mxnet.errors import AttributeValueError

if TYPE_CHECKING:
    from typing_extensions import Self


class AttrScope(metaclass=HasCurrent):
    """A `with` block whose attributes are added to every symbol created inside.

    An inner block adds to the outer one, and its values win.

    Args:
        **kwargs: The attributes; values are strings.

    Example:
        >>> import mxnet as mx
        >>> with mx.AttrScope(ctx_group="stage1", lr_mult="2"), mx.AttrScope(lr_mult="3") as scope:
        ...     print(scope.get({"name": "fc"}))
        {'ctx_group': 'stage1', 'lr_mult': '3', 'name': 'fc'}
    """

    _current: Current[AttrScope]
    _subgraph_names: ClassVar[defaultdict[str, int]] = defaultdict(int)
    """How many subgraphs of loops and branches have a name; programs clear it to name anew."""

    @public_call
    def __init__(self, **kwargs: str) -> None:
        for key, value in kwargs.items():
            if not isinstance(value, str):
                raise AttributeValueError(f"AttrScope: {key} takes a string, got {value!r}")
        self._attr = kwargs

    def get(self, attr: Mapping[str, str] | None) -> dict[str, str]:
        """Returns the attributes of a symbol: the scope's, and the symbol's own, which win."""
        return {**self._attr, **(attr or {})}

    def __enter__(self) -> Self:
        self._attr = AttrScope._current.value.get(self._attr)
        AttrScope._current.enter(self)
        return self

    def __exit__(self, *_: object) -> None:
        AttrScope._current.leave()


AttrScope._current = Current(AttrScope)


def current() -> AttrScope:
    """Returns the scope whose attributes symbols get now in this thread.

    Example:
        >>> import mxnet as mx
        >>> with mx.AttrScope(group="data"):
        ...     mx.attribute.current().get(None)
        {'group': 'data'}
    """
    scope: AttrScope = AttrScope._current.value
    return scope

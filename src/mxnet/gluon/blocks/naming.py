"""Names of blocks and their parameters, on which saved files depend.

A block is called after its class and a number: `dense0_`. Inside of another block's `name_scope()`
it also gets that block's prefix, and numbers count within the scope: `net0_dense0_`.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Protocol

from mxnet._state import Current
from mxnet.gluon.parameters import ParameterDict
from mxnet.name import NameManager, Prefix, count_up


class Named(Protocol):
    """The part of a block that a scope uses."""

    @property
    def prefix(self) -> str:
        """Prefix of the names inside of the scope."""

    @property
    def params(self) -> ParameterDict:
        """Parameters of the block."""


class NameScope:
    """The context of `name_scope()`; blocks made inside are named after its block."""

    def __init__(self, block: Named, *, empty: bool) -> None:
        self._block = block
        self._empty = empty
        self._counts: dict[str, int] = {}

    def next_prefix(self, hint: str) -> str:
        """Returns the prefix of the next block of a class, such as `dense0_`."""
        return f"{hint}{count_up(self._counts, hint)}_"

    def __enter__(self) -> NameScope:
        if not self._empty:
            NameManager._current.enter(Prefix(self._block.prefix))
            _current.enter(self)
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._empty:
            NameManager._current.leave()
            _current.leave()


def _no_scope() -> NameScope | None:
    return None


_current = Current(_no_scope)


class _BlockScope(NameScope):
    """The scope of a block, as libraries make it that name blocks themselves.

    Args:
        block: The block.
    """

    _current = _current

    def __init__(self, block: Any) -> None:
        super().__init__(block, empty=block._empty_prefix)

    @staticmethod
    def create(
        prefix: str | None, params: ParameterDict | None, hint: str
    ) -> tuple[str, ParameterDict]:
        """Returns the prefix of a new block and the dictionary of its parameters."""
        return name_block(prefix, params, hint)


def name_block(
    prefix: str | None, params: ParameterDict | None, hint: str
) -> tuple[str, ParameterDict]:
    """Returns the prefix of a new block and the dictionary of its parameters.

    Args:
        prefix: Prefix that the user wants, None for an automatic one.
        params: Parameters to share.
        hint: Name of the class of the block, in lower case.
    """
    scope = _current.value
    if scope is None:
        if prefix is None:
            prefix = NameManager._current.value.get(None, hint) + "_"
        own = ParameterDict(prefix) if params is None else ParameterDict(params.prefix, params)
        return prefix, own
    if prefix is None:
        prefix = scope.next_prefix(hint)
    parent = scope._block
    if params is None:
        own = ParameterDict(parent.params.prefix + prefix, parent.params._shared)
    else:
        own = ParameterDict(params.prefix, params)
    return parent.prefix + prefix, own

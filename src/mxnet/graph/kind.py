"""Kinds of nodes: what is the same for all nodes of one operator and one set of attributes.

Networks repeat themselves: thousands of nodes of an unrolled cell are of a dozen kinds. What
follows from operator and attributes is found out once for a kind, and nodes of one kind are
recognized as alike by its identity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from mxnet._bounded import remember
from mxnet.ops.core.registry import Op, all_names

T = TypeVar("T")

_MOST_KINDS = 4096


class lazy(Generic[T]):  # noqa: N801 - used like `property`
    """Computes an attribute when it is first read.

    `functools.cached_property` takes a lock for that, which costs more than most of them; here
    two threads may both compute it.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> T:
        if instance is None:
            return self  # type: ignore[return-value]  # as a property does
        value = instance.__dict__[self._name] = self._compute(instance)
        return value


class Kind:
    """An operator with attributes.

    Args:
        op: The operator.
        parsed: Its attributes, converted; nobody may change them.
    """

    def __init__(self, op: Op, parsed: dict[str, Any]) -> None:
        self.op, self.parsed = op, parsed

    @lazy
    def settings(self) -> dict[str, Any]:
        """Attributes, completed by the defaults."""
        return self.op.with_defaults(self.parsed)

    @lazy
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs in use, unless the operator takes any number."""
        return self.op.input_names(self.parsed)

    @lazy
    def num_outputs(self) -> int:
        """Number of outputs that others can read, unless the operator is a program."""
        return self.op.count_outputs(self.parsed)

    @lazy
    def returns_one(self) -> bool:
        """Whether the kernel returns a single tensor."""
        op = self.op
        return op.count_outputs(self.parsed, visible=False) == 1 and not op.returns_tuple


_kinds: dict[tuple[Op, int], Kind] = {}
"""By operator and identity of the parsed attributes, which a kind keeps alive; `_MOST_KINDS`."""


def kind_of(op: Op, parsed: dict[str, Any]) -> Kind:
    """Returns the kind of the nodes of an operator and parsed attributes."""
    key = (op, id(parsed))
    kind = _kinds.get(key)
    if kind is None:
        kind = Kind(op, parsed)
        # Other operators belong to one node and hold its subgraphs, or read what is registered.
        if all_names().get(op.name) is op and not op.open_attrs:
            remember(_kinds, key, kind, _MOST_KINDS)
    return kind

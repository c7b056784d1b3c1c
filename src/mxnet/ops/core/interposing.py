"""The point where kernels run, at which a profiler or a hook can step in.

Whoever runs an operator asks `kernel_of` for its kernel, or looks at `interposers` and takes the
general way if there are any. Programs do that, and ask `sight_of_graphs` how much of a graph is to
be seen. Closures for the smallest operators look at `Op.detours`, which also has the rules of mixed
precision (`precision.py`). While nothing is interposed this costs a look at an empty list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias

from torch import Tensor

from mxnet.ops.core.registry import Kernel, Op, all_ops, listen


class PlannedCall(NamedTuple):
    """A call of the plan of a graph, which may do the work of several operators."""

    name: str
    """Names of the operators, with commas between them."""
    nodes: tuple[str, ...]
    """Names of their nodes in the graph."""
    variables: tuple[str, ...]
    """Names of the variables that they read, parameters mostly."""
    program: str = ""
    """Name of the user's operator, if it is one."""


Interposer: TypeAlias = Callable[
    [Any, Kernel, Sequence[Tensor | None], Mapping[str, Any]], Tensor | tuple[Tensor, ...]
]
"""Takes the `Op`, or the `PlannedCall` of a graph, then its kernel, tensors and attributes."""


class Sight(IntEnum):
    """How much of a graph an interposed function is to see; the greatest of all counts."""

    NOTHING = 0
    """Graphs run as ever, compiled or captured if they are."""
    PLANNED_CALLS = 1
    """Each call of the plan, after the passes over the graph."""
    OPERATORS = 2
    """Each operator of the graph as it was written, without any pass."""


interposers: list[_Entry] = []
"""What is called around kernels, the outermost last; `interpose` adds and removes."""


@contextmanager
def interpose(function: Interposer, graphs: Sight = Sight.OPERATORS) -> Iterator[None]:
    """Calls a function in place of every kernel that runs inside of the `with` block.

    The function runs in the thread that runs the operator, which may be any of the process. What it
    raises is raised by the operator. Operators that it calls itself come to it as well. A pass of
    autograd's backward runs no kernels; it differentiates what the kernels did.

    Args:
        function: Called with the operator, its kernel, the tensors and the keyword arguments that
            the kernel takes, defaults left out; returns what the kernel returns. It runs the
            kernel by `kernel(*tensors, **attrs)`, which goes on to functions that were interposed
            before. In the place of an operator it may get a `PlannedCall`.
        graphs: How much of graphs the function is to see.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.ops.core.interposing import interpose
        >>> names = []
        >>> def note(op, kernel, tensors, attrs):
        ...     names.append(op.name)
        ...     return kernel(*tensors, **attrs)
        >>> x = mx.nd.ones(2)
        >>> with interpose(note):
        ...     y = mx.nd.relu(x) + 1
        >>> names
        ['relu', '_plus_scalar']
    """
    entry = _Entry(function, graphs)  # one function may be interposed twice
    interposers.append(entry)
    add_detour(entry, all_ops())
    try:
        yield
    finally:
        interposers.remove(entry)
        remove_detour(entry)


def add_detour(reason: object, ops: Iterable[Op]) -> None:
    """Makes calls of operators take the general way.

    Args:
        reason: What `remove_detour` will be called with.
        ops: The operators.
    """
    for op in ops:
        op.detours.append(reason)


def remove_detour(reason: object) -> None:
    """Takes the detours back that were added for a reason."""
    for op in all_ops():
        if reason in op.detours:
            op.detours.remove(reason)


class _Newcomers:
    """Makes operators that are declared while something is interposed take the general way."""

    def add(self, op: Op) -> None:
        op.detours.extend(interposers)

    def remove(self, op: Op) -> None:
        op.detours.clear()


listen(_Newcomers())


class _Entry:
    """A function for the time of one `with` block; equal to no other."""

    __slots__ = ("_function", "graphs")

    def __init__(self, function: Interposer, graphs: Sight) -> None:
        self._function, self.graphs = function, graphs

    def __call__(
        self,
        op: Op | PlannedCall,
        kernel: Kernel,
        tensors: Sequence[Tensor | None],
        attrs: Mapping[str, Any],
    ) -> Any:
        return self._function(op, kernel, tensors, attrs)


def kernel_of(op: Op, kernel: Kernel | None = None) -> Kernel:
    """Returns the function that runs an operator at the moment.

    Args:
        op: The operator.
        kernel: What to run in place of its own kernel, such as one with attributes bound.
    """
    result = op.kernel if kernel is None else kernel
    for function in tuple(interposers):  # another thread may be adding one
        result = _around(function, op, result)
    return result


def sight_of_graphs() -> Sight:
    """Returns how much of a graph must be seen at the moment."""
    return max((entry.graphs for entry in tuple(interposers)), default=Sight.NOTHING)


def watched(call: PlannedCall, kernel: Kernel) -> Kernel:
    """Returns a kernel that goes through what is interposed at the time of each call."""

    def run(*tensors: Any, **attrs: Any) -> Any:
        result = kernel
        for entry in tuple(interposers):
            if entry.graphs is not Sight.NOTHING:
                result = _around(entry, call, result)
        return result(*tensors, **attrs)

    return run


def _around(function: Interposer, op: Op | PlannedCall, kernel: Kernel) -> Kernel:
    def run(*tensors: Tensor | None, **attrs: Any) -> Any:
        return function(op, kernel, tensors, attrs)

    return run

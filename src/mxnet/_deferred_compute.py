"""Deferred computation of MXNet 2: arrays are computed, and what is computed becomes a graph.

While `context()` is on, each operator runs at once and adds a node to a graph. `set_variable` says
which arrays are the inputs of the graph, `get_symbol` returns the part of it that leads to arrays.

    >>> import mxnet as mx
    >>> import mxnet._deferred_compute as dc
    >>> x, data = mx.nd.ones((2, 3)), mx.sym.var("data")
    >>> dc.set_variable(x, data)
    >>> with dc.context():
    ...     y = (x * 2).sum()
    >>> dc.get_symbol(y).list_inputs()
    ['data']
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from mxnet._arrays.array import Array
from mxnet._arrays.invoke import invoke
from mxnet._frontend.array_trace import ArrayTracer, Noting, make_node, note_operators
from mxnet._frontend.dialect import in_dialect
from mxnet._state import modes
from mxnet.context import Context, intern
from mxnet.errors import MXNetError, UnsupportedTypeError
from mxnet.graph.ir import Entry
from mxnet.ndarray import NDArray
from mxnet.numpy import ndarray
from mxnet.ops.core.registry import Op, get_op
from mxnet.symbol import Symbol

__all__: list[str] = []  # as in the original: names are taken from the module

S = TypeVar("S", bound=Symbol)


class _Thread(threading.local):
    """The arrays of a thread that have a place in a graph."""

    def __init__(self) -> None:
        self.arrays: list[weakref.ref[NDArray]] = []


_thread = _Thread()


class _Recorder(ArrayTracer):
    """Runs operators, and adds each to the graph."""

    adds_control_flow = False  # there are values, by which a program takes its branches and steps

    def __init__(self) -> None:
        super().__init__({})

    def entry_of(self, array: Array) -> Entry:
        """Returns the graph entry of an array, which must be a variable or a recorded result."""
        return _entry_of(array, "an operator reads")

    def stand_in(self, array: NDArray, parameter: Any) -> NDArray:
        """Returns the value of a parameter as an array that the parameter's variable stands for."""
        value = in_dialect(array, array._dialect_class)
        _mark(value, parameter.var()._heads[0])
        return value

    def refuse(self, what: str) -> None:
        """Allows it: there are values."""

    def call(
        self,
        op: Op,
        inputs: Sequence[Array | None],
        attrs: Mapping[str, Any],
        ctx: Context | None = None,
        out: Any = None,
        cls: type[Array] = NDArray,
    ) -> Any:
        """Runs an operator and returns its results, which are outputs of a new node."""
        targets = [] if out is None else [out] if isinstance(out, Array) else list(out)
        if any(hasattr(target, "_entry") for target in targets):
            raise _in_place_error()
        given = [None if item is None else self.entry_of(item) for item in inputs]
        before, modes.tracer = modes.tracer, None
        try:
            results = invoke(op, inputs, attrs, cls._dialect_class, out=out, ctx=ctx)
        finally:
            modes.tracer = before
        node = make_node(op, given, attrs)
        for index, result in enumerate(results if isinstance(results, list) else [results]):
            _mark(result, Entry(node, index))
        return results


class _Deferred(Noting):
    """An array with a place in a graph, while its operations are recorded."""

    __slots__ = ()

    def as_in_context(self, context: Context) -> Any:
        """Returns the array on a context; the graph has a copy in the place of a move."""
        return self if intern(context) is self._ctx else self.copyto(context)

    def copyto(self, other: NDArray | Context) -> Any:
        """Copies to a context; arrays that are there already cannot be written to."""
        if isinstance(other, NDArray):
            raise _in_place_error()
        copy = self._dialect_class.copyto(in_dialect(self, self._dialect_class), other)
        _mark(copy, Entry(make_node(get_op("_copy"), [self._entry], {}), 0))
        return copy

    def as_nd_ndarray(self) -> Any:
        """Returns the array in the classic dialect, as the same output."""
        return self._in_dialect(NDArray)

    def as_np_ndarray(self) -> Any:
        """Returns the array in the NumPy dialect, as the same output."""
        return self._in_dialect(ndarray)

    def _in_dialect(self, cls: type[NDArray]) -> Any:
        if self._dialect_class is cls:
            return self
        converted = in_dialect(self, cls)
        _mark(converted, self._entry)
        return converted

    def _refuse_change(self, *_: Any) -> Any:
        raise _in_place_error()

    __setitem__ = _refuse_change  # type: ignore[assignment]  # it takes anything


class _DeferredArray(_Deferred):
    """An array of `mx.nd` that is recorded."""

    __slots__ = ()


class _DeferredNumpyArray(_Deferred, ndarray):  # type: ignore[misc]  # NumPy's signatures
    """An array of `mx.np` that is recorded."""

    __slots__ = ()


note_operators(_DeferredArray, _DeferredNumpyArray)
_CLASSES: dict[type, type[_Deferred]] = {NDArray: _DeferredArray, ndarray: _DeferredNumpyArray}
"""Classes that arrays have while operations are recorded, by those that they have otherwise."""


def _in_place_error() -> MXNetError:
    return MXNetError(
        "deferred compute: an array that has a place in the graph is changed in place "
        "(+=, x[...] = or out=), which a graph cannot express; compute a new array"
    )


def _entry_of(array: Array, what: str) -> Entry:
    entry: Entry | None = getattr(array, "_entry", None)
    if entry is None:
        raise MXNetError(
            f"deferred compute: {what} an array of shape {tuple(array._plain.shape)} that is "
            "neither a variable nor a recorded result\n"
            "  Name it by set_variable, or compute it inside of context()."
        )
    return entry


def _mark(array: Array, entry: Entry) -> None:
    """Gives an array its place in the graph, and the class that records while this is on."""
    if type(array) not in (*_CLASSES, *_CLASSES.values()):
        raise UnsupportedTypeError(
            f"deferred compute: takes dense arrays, got {type(array).__name__}"
        )
    array._entry = entry
    _thread.arrays.append(weakref.ref(array))  # type: ignore[arg-type]  # its class is a key
    if isinstance(modes.tracer, _Recorder):
        array.__class__ = _CLASSES[array._dialect_class]


def _switch(tracer: Any) -> None:
    """Makes a tracer that of the thread, and lets arrays have the classes that go with it."""
    modes.tracer = tracer
    records = isinstance(tracer, _Recorder)
    live = [reference for reference in _thread.arrays if reference() is not None]
    for reference in live:
        array = reference()
        if array is not None and hasattr(array, "_entry"):
            cls = array._dialect_class
            array.__class__ = _CLASSES[cls] if records else cls
    _thread.arrays = live


def is_deferred_compute() -> bool:
    """Returns whether the thread records operations, as `context()` and hybridized calls do.

    Example:
        >>> import mxnet._deferred_compute as dc
        >>> dc.is_deferred_compute()
        False
    """
    return modes.tracer is not None


def set_deferred_compute(state: bool) -> bool:
    """Starts or stops recording in this thread, and returns whether it was on.

    Args:
        state: Whether to record.

    Example:
        >>> import mxnet._deferred_compute as dc
        >>> dc.set_deferred_compute(True), dc.set_deferred_compute(False)
        (False, True)
    """
    before = is_deferred_compute()
    if before is not bool(state):
        _switch(_Recorder() if state else None)
    return before


@contextmanager
def context(state: bool = True) -> Iterator[None]:
    """Records operations inside of a `with` block, or leaves off recording.

    Args:
        state: Whether to record.

    Example:
        >>> import mxnet as mx
        >>> import mxnet._deferred_compute as dc
        >>> with dc.context():
        ...     x = mx.np.arange(4) + 1
        ...     with dc.context(False):
        ...         y = x + 1
        >>> dc.get_symbol(x, sym_cls=mx.sym.np._Symbol).list_inputs(), y
        ([], array([2., 3., 4., 5.]))
    """
    before = modes.tracer
    if state is not is_deferred_compute():
        _switch(_Recorder() if state else None)
    try:
        yield
    finally:
        if modes.tracer is not before:
            _switch(before)


def get_symbol(output_arrays: Any, *, sym_cls: type[S] = Symbol) -> S:  # type: ignore[assignment]
    """Returns the graph that computes arrays.

    Args:
        output_arrays: An array or a list of them.
        sym_cls: Class of the symbol.

    Raises:
        MXNetError: if an array is neither a variable nor a recorded result.

    Example:
        >>> import mxnet as mx
        >>> import mxnet._deferred_compute as dc
        >>> x = mx.nd.ones(2)
        >>> dc.set_variable([x], [mx.sym.var("x")])
        >>> with dc.context():
        ...     y = mx.nd.exp(x[0])
        >>> print(dc.get_symbol([y]).eval(x=mx.nd.array([1, 5]))[0].asnumpy())
        [2.7182817]
    """
    return sym_cls([_entry_of(item, "an output is") for item in _as_list(output_arrays)])


def set_variable(arrays: Any, variables: Any) -> None:
    """Makes arrays inputs of the graph.

    Args:
        arrays: An array or a list of them.
        variables: As many variables.

    Raises:
        MXNetError: if one of `variables` is no variable, or an array has another place already.

    Example:
        >>> import mxnet as mx
        >>> import mxnet._deferred_compute as dc
        >>> x = mx.nd.ones(2)
        >>> dc.set_variable(x, mx.sym.var("x"))
        >>> dc.get_symbol(x).list_inputs()
        ['x']
    """
    for array, variable in zip(_as_list(arrays), _as_list(variables), strict=True):
        heads = variable._heads
        if len(heads) != 1 or heads[0].node.op is not None:
            raise MXNetError(f"set_variable: {variable!r} is not a variable")
        before: Entry | None = getattr(array, "_entry", None)
        if before is not None and before.node is not heads[0].node:
            raise MXNetError(
                f"set_variable: the array is {before.node.name!r} in the graph already; "
                "call clear first"
            )
        if before is None:
            _mark(array, heads[0])


def clear(arrays: Any) -> None:
    """Takes arrays out of the graph: they become arrays like others.

    Args:
        arrays: An array or a list of them.

    Example:
        >>> import mxnet as mx
        >>> import mxnet._deferred_compute as dc
        >>> x = mx.nd.ones(2)
        >>> dc.set_variable(x, mx.sym.var("x"))
        >>> dc.clear(x)
        >>> dc.set_variable(x, mx.sym.var("y"))
    """
    for array in _as_list(arrays):
        if hasattr(array, "_entry"):
            del array._entry
            array.__class__ = array._dialect_class


def _as_list(items: Any) -> list[Any]:
    return list(items) if isinstance(items, (list, tuple)) else [items]

"""Graphs of programs on arrays: a `forward` is called with arrays that note what is done to them.

Such an array has a shape and a type but no data. Operators on it become nodes of a graph; what
needs its values cannot be traced and raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mxnet import _dtypes
from mxnet._array import Array
from mxnet._modes import modes
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.gluon._parameter import Parameter
from mxnet.gluon._tracing import Trace, leaves_of, replace_leaves, structure_of
from mxnet.graph.node import Entry, Node
from mxnet.name import NameManager
from mxnet.ndarray import NDArray
from mxnet.ndarray._operators import NUMBERS, PAIRS
from mxnet.ops.inference import infer
from mxnet.ops.registry import Op, get_op
from mxnet.symbol import Group, Symbol


class UntraceableError(MXNetError, TypeError):
    """A program does something to arrays that a graph cannot express."""


class _Recorder:
    """The graph in the making: what stands for arrays that are not computed."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._known: dict[int, Entry] = {}
        self._kept: list[NDArray] = []
        self.captured: dict[str, NDArray] = {}
        for parameter in parameters:
            for array in parameter._data or ():
                self._known[id(array)] = Entry(parameter.var()._heads[0].node)

    def entry_of(self, array: Array) -> Entry:
        """Gives the output of a node that an array is, a new variable for one from outside."""
        if isinstance(array, TracedArray):
            return array._entry
        found = self._known.get(id(array))
        if found is None:
            if type(array) is not NDArray:
                raise UntraceableError("a sparse array is part of the computation")
            name = f"_captured{len(self.captured)}"
            found = self._known[id(array)] = Entry(Node(None, name))
            self.captured[name] = array
        return found

    def wants(self, op: Op, inputs: Sequence[Array | None]) -> bool:
        """Tells whether a call is part of the graph: it reads a traced array, or is random."""
        if any(isinstance(item, TracedArray) for item in inputs):
            return True
        return not inputs and "generator" in op.supplied

    def call(
        self,
        op: Op,
        inputs: Sequence[Array | None],
        attrs: dict[str, Any],
        ctx: Context | None = None,
        out: Any = None,
    ) -> Any:
        """Notes the call of an operator and gives arrays for its outputs."""
        if out is not None:
            raise UntraceableError(
                f"{op.name}: writes into an array (out=, or an operator like +=)"
            )
        if ctx is None:
            ctx = next(item._ctx for item in inputs if item is not None)
        return self._add(op, inputs, attrs, ctx)

    def _add(
        self, op: Op, inputs: Sequence[Array | None], attrs: dict[str, Any], ctx: Context
    ) -> Any:
        node = Node(op, NameManager._current.value.get(None, op.name.lower().strip("_")), {})
        node.attrs.update((key, _write(value)) for key, value in attrs.items())
        node.__dict__["parsed"] = attrs
        given = [None if item is None else self.entry_of(item) for item in inputs]
        if op.variadic:
            node.inputs = [entry for entry in given if entry is not None]
            node.attrs.setdefault("num_args", str(len(node.inputs)))
        else:
            named = dict(zip((item.name for item in op.inputs), given, strict=False))
            node.inputs = [entry for name in node.input_names if (entry := named.get(name))]
        tensors = [None if item is None else item._plain for item in inputs]
        found = infer(
            op,
            [None if item is None else tuple(item.shape) for item in tensors],
            [None if item is None else item.dtype for item in tensors],
            attrs,
            training=modes.training,
        )
        outputs = [
            TracedArray._of(Entry(node, index), shape, dtype, ctx)
            for index, (shape, dtype) in enumerate(found[: node.num_outputs])
        ]
        return outputs[0] if len(outputs) == 1 else outputs


def _write(value: Any) -> str:
    return _dtypes.name_of(value) if isinstance(value, torch.dtype) else str(value)


def _run(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: dict[str, Any],
    cls: type[Array],
    *,
    out: Any = None,
    ctx: Context | None = None,
) -> Any:
    """Runs an operator on arrays of which some are traced, or in a traced program."""
    del cls
    recorder = modes.tracer
    if not isinstance(recorder, _Recorder):
        raise UntraceableError(f"{op.name}: an array of a trace is used after it")
    return recorder.call(op, inputs, attrs, ctx, out)


class TracedArray(NDArray):
    """An array without data that notes what is done to it."""

    __slots__ = ("_entry",)

    _entry: Entry
    _override = staticmethod(_run)

    @classmethod
    def _of(
        cls, entry: Entry, shape: Sequence[int], dtype: torch.dtype, ctx: Context
    ) -> TracedArray:
        array = cls._wrap(torch.empty(tuple(shape), dtype=dtype, device="meta"), ctx)
        array._entry = entry
        return array

    def _apply(self, name: str, **attrs: Any) -> Any:
        op = get_op(name)
        return _run(op, (self,), op.parse_attrs(attrs), NDArray)

    def _share(self, tensor: torch.Tensor) -> Any:
        """Gives what has been computed as a view, by its shape."""
        return self._apply("Reshape", shape=tuple(tensor.shape))

    def __getitem__(self, key: Any) -> Any:
        """Reads a part; see `NDArray.__getitem__`."""
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(item, Array) for item in keys):
            if len(keys) > 1:
                raise UntraceableError("indexing by several keys of which one is an array")
            return _run(
                get_op("take"), (self, keys[0]), {"axis": 0, "mode": "clip"}, NDArray
            )
        if not all(item is None or item is Ellipsis or type(item) in (int, slice) for item in keys):
            raise UntraceableError(f"indexing by {key!r}")
        part = NDArray._wrap(self._plain, self._ctx)[key]
        return self._slice(keys)._apply("Reshape", shape=part.shape)

    def _slice(self, keys: Sequence[Any]) -> TracedArray:
        """Takes the part that a basic index selects, with all axes."""
        places = [item for item in keys if item is not None]
        if Ellipsis in places:
            at = places.index(Ellipsis)
            rest = self.ndim - (len(places) - 1)
            places[at : at + 1] = [slice(None)] * rest
        begin, end, step = [], [], []
        for item, length in zip(places, self.shape, strict=False):
            if isinstance(item, int):
                item = slice(item % length, item % length + 1)  # noqa: PLW2901
            begin.append(item.start)
            end.append(item.stop)
            step.append(item.step)
        if not begin:
            return self
        found: TracedArray = self._apply(
            "slice", begin=tuple(begin), end=tuple(end), step=tuple(step)
        )
        return found

    def detach(self) -> Any:
        """Gives the array cut off from gradients."""
        return self._apply("BlockGrad")

    def copy(self) -> Any:
        """Gives a copy."""
        return self._apply("_copy")

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """Converts to another element type."""
        del copy
        return self._apply("Cast", dtype=_dtypes.element_type(dtype).name)

    def as_in_context(self, context: Context) -> Any:
        """Gives the array itself; a graph runs on one context."""
        if context != self._ctx:
            raise UntraceableError(f"the array moves from {self._ctx} to {context}")
        return self

    def wait_to_read(self) -> None:
        """Does nothing: there is nothing to wait for."""

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise UntraceableError("the program asks for the values of an array, which a graph has not")

    def _refuse_change(self, *args: Any, **kwargs: Any) -> Any:
        raise UntraceableError("the program changes an array in place")

    asnumpy = asscalar = __bool__ = __float__ = __int__ = __index__ = __array__ = _refuse
    to_torch = to_dlpack_for_read = to_dlpack_for_write = copyto = backward = _refuse
    __reduce__ = __deepcopy__ = __copy__ = tostype = _refuse
    __setitem__ = attach_grad = _refuse_change


def _install_operators() -> None:
    """Gives the class Python's operators, which the base class computes without dispatch."""

    def make(arrays: Op, scalar: Op, is_reflected: bool) -> Any:
        def operate(self: TracedArray, other: Any) -> Any:
            if isinstance(other, NUMBERS):
                return _run(scalar, (self,), {"scalar": float(other)}, NDArray)
            if isinstance(other, NDArray):
                pair = (other, self) if is_reflected else (self, other)
                return _run(arrays, pair, {}, NDArray)
            return NotImplemented

        return operate

    for row in PAIRS:
        if row.method is None:
            continue
        arrays, scalar, reflected = (
            get_op(name) for name in (row.arrays, row.scalar, row.reflected)
        )
        setattr(TracedArray, f"__{row.method}__", make(arrays, scalar, False))
        if row.function in ("add", "subtract", "multiply", "divide", "modulo", "power"):
            setattr(TracedArray, f"__r{row.method}__", make(arrays, reflected, True))
            setattr(TracedArray, f"__i{row.method}__", TracedArray._refuse_change)
    TracedArray.__neg__ = lambda self: _run(  # type: ignore[method-assign]
        get_op("_mul_scalar"), (self,), {"scalar": -1.0}, NDArray
    )
    TracedArray.__hash__ = object.__hash__  # type: ignore[method-assign]  # not with __eq__


_install_operators()


def by_arrays(block: Any, structure: Sequence[Any], args: Sequence[Any]) -> Trace:
    """Calls a block with arrays that note what is done to them."""
    del structure
    arrays = [item for item in leaves_of(args) if isinstance(item, NDArray)]
    names = ["data"] if len(arrays) == 1 else [f"data{i}" for i in range(len(arrays))]
    recorder = _Recorder(list(block.collect_params().values()))
    traced = iter(
        TracedArray._of(Entry(Node(None, name)), array.shape, array._plain.dtype, array._ctx)
        for name, array in zip(names, arrays, strict=True)
    )
    arguments = replace_leaves(
        args, lambda item: next(traced) if isinstance(item, NDArray) else item
    )
    before, modes.tracer = modes.tracer, recorder
    try:
        result = block.forward(*arguments)
    finally:
        modes.tracer = before
    found = list(leaves_of(result))
    if not found or not all(isinstance(item, NDArray) for item in found):
        raise UntraceableError(f"the output is {result!r}, not arrays")
    heads = [Symbol([recorder.entry_of(item)]) for item in found]
    graph = heads[0] if len(heads) == 1 else Group(heads)
    return Trace(graph, names, structure_of(result), recorder.captured, of_shapes=True)

"""Traces programs on arrays to graphs: `forward` is called with arrays that note each operation.

Such an array has a shape and a dtype but no data. Operators on it become nodes of a graph; code
that needs its values cannot be traced and raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from mxnet._arrays.array import Array, Origin, is_operand
from mxnet._arrays.invoke import follow_policy
from mxnet._arrays.operators import NUMBERS, Operator
from mxnet._formats import element_types
from mxnet._state import modes
from mxnet.attribute import AttrScope
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.graph.ir import Entry, Node
from mxnet.graph.run import flatten, read_limit, regroup
from mxnet.name import NameManager
from mxnet.ndarray import NDArray
from mxnet.numpy import ndarray
from mxnet.ops.core.precision import AMP_CAST, in_force
from mxnet.ops.core.public import install_operators
from mxnet.ops.core.registry import Op, get_op
from mxnet.ops.core.scalars import as_number
from mxnet.ops.core.spellings import CLASSIC, NUMPY, Binary
from mxnet.ops.meta import infer
from mxnet.symbol import Symbol, contrib

Function: TypeAlias = Callable[..., Any]
SUBGRAPH = "__subgraph_name__"
"""Attribute of nodes by which those of a branch or a loop are told from others."""


class UntraceableError(MXNetError, TypeError):
    """A program does something to arrays that a graph cannot express."""


class ArrayTracer:
    """Builds a graph from the operators that a program calls.

    Args:
        known: Variables of the arrays known in advance, by the identity of the array. Other arrays
            from outside become variables when they are first used.
    """

    def __init__(self, known: dict[int, Entry]) -> None:
        self._known = known
        self.held: dict[str, Any] = {}

    def entry_of(self, array: Array) -> Entry:
        """Returns the graph entry of an array; one from outside becomes a new variable."""
        if isinstance(array, _Traced):
            traced: Entry = array._entry
            return traced
        entry = self._known.get(id(array))
        if entry is None:
            if type(array) not in _TRACED_CLASSES:
                raise UntraceableError("a sparse array is part of the computation")
            name = f"_captured{len(self.held)}"
            entry = self._known[id(array)] = Entry(Node(None, name))
            self.held[name] = array
        return entry

    def stand_in(self, array: NDArray, parameter: object) -> NDArray:
        """Returns the traced array of a parameter's value, any other array unchanged."""
        del parameter  # known are those of the block alone
        entry = self._known.get(id(array))
        if entry is None or isinstance(array, _Traced):
            return array
        return traced_like(array, entry)

    adds_control_flow: ClassVar[bool] = True
    """Whether conditions and loops become nodes; otherwise programs run them by themselves."""

    def cond(self, pred: NDArray, then_func: Function, else_func: Function, name: str) -> Any:
        """Adds a node that runs one of two functions; see `mx.npx.cond`."""
        branches: list[tuple[list[NDArray], Any]] = []

        def trace(function: Function) -> list[Symbol]:
            arrays, form = flatten(function(), NDArray, "cond: output")
            branches.append((arrays, form))
            return self._symbols_of(arrays)

        (chosen,) = self._symbols_of([pred])
        symbols = contrib.cond(chosen, lambda: trace(then_func), lambda: trace(else_func), name)
        arrays, form = branches[0]
        return regroup(_outputs_like(arrays, symbols), form)

    def while_loop(
        self,
        condition: Function,
        func: Function,
        loop_vars: Any,
        max_iterations: int | None,
        name: str,
    ) -> tuple[Any, Any]:
        """Adds a node that repeats a function while a condition holds; see `mx.npx.while_loop`."""
        first, first_form = flatten(loop_vars, NDArray, "while_loop: loop_vars")
        steps: list[tuple[list[NDArray], Any]] = []

        def decide(*variables: Symbol) -> Symbol:
            return self._symbols_of([condition(*_outputs_like(first, variables))])[0]

        def step(*variables: Symbol) -> tuple[list[Symbol], list[Symbol]]:
            outputs, new_vars = func(*_outputs_like(first, variables))
            arrays, form = flatten([] if outputs is None else outputs, NDArray, "while_loop")
            new, _ = flatten([] if new_vars is None else new_vars, NDArray, "while_loop")
            steps.append((arrays, form))
            return self._symbols_of(arrays), self._symbols_of(new)

        outputs, last = contrib.while_loop(
            decide, step, self._symbols_of(first), max_iterations, name
        )
        arrays, form = steps[0]
        stacked = _outputs_like(arrays, outputs, (read_limit(max_iterations),))
        return regroup(stacked, form), regroup(_outputs_like(first, last), first_form)

    def _symbols_of(self, arrays: Sequence[NDArray]) -> list[Symbol]:
        """Returns the places that arrays have in the graph."""
        return [Symbol([self.entry_of(array)]) for array in arrays]

    def refuse(self, what: str) -> None:
        """Raises, because the program does something that cannot be traced."""
        raise UntraceableError(f"the program {what}")

    def call(
        self,
        op: Op,
        inputs: Sequence[Array | None],
        attrs: Mapping[str, Any],
        ctx: Context | None = None,
        out: Any = None,
        cls: type[Array] = NDArray,
    ) -> Any:
        """Adds the call of an operator to the graph and returns arrays for its outputs."""
        if out is not None:
            raise UntraceableError(
                f"{op.name}: writes into an array (out=, or an operator like +=)"
            )
        if ctx is None:
            ctx = next(item for item in inputs if item is not None)._ctx.results
        if in_force:
            inputs, attrs = follow_policy(op, inputs, attrs, self._cast)
        return self._add(op, inputs, attrs, ctx, cls)

    def _cast(self, array: Array, dtype: torch.dtype) -> Array:
        """Adds a conversion of mixed precision to the graph."""
        attrs, ctx = {"dtype": dtype}, array._ctx.results
        cast: Array = self._add(AMP_CAST, (array,), attrs, ctx, array._dialect_class)
        return cast

    def _add(
        self,
        op: Op,
        inputs: Sequence[Array | None],
        attrs: Mapping[str, Any],
        ctx: Context,
        cls: type[Array],
    ) -> Any:
        given = [None if item is None else self.entry_of(item) for item in inputs]
        node = make_node(op, given, attrs)
        tensors = [None if item is None else item._plain for item in inputs]
        before, modes.tracer = (modes.tracer, None)  # a kernel's own calls are not traced
        try:
            results = infer(
                op,
                [None if item is None else tuple(item.shape) for item in tensors],
                [None if item is None else item.dtype for item in tensors],
                attrs,
                training=modes.training,
            )
        finally:
            modes.tracer = before
        outputs = [
            _TRACED_CLASSES[cls._dialect_class].of(Entry(node, index), shape, dtype, ctx)
            for index, (shape, dtype) in enumerate(results[: node.num_outputs])
        ]
        return outputs[0] if len(outputs) == 1 else outputs


def make_node(op: Op, given: Sequence[Entry | None], attrs: Mapping[str, Any]) -> Node:
    """Returns the node of a call of an operator.

    Args:
        op: The operator.
        given: What it reads, None for a missing optional input.
        attrs: Parsed attributes.
    """
    node = Node(op, NameManager._current.value.get(None, op.name.lower().strip("_")), {})
    node.attrs.update((key, _write(value)) for key, value in attrs.items())
    node.__dict__["parsed"] = attrs
    scope = AttrScope._current.value.get(None).get(SUBGRAPH)
    if scope is not None:
        node.attrs[SUBGRAPH] = scope
    if op.variadic:
        node.inputs = [entry for entry in given if entry is not None]
        node.attrs.setdefault("num_args", str(len(node.inputs)))
    else:
        named = dict(zip((item.name for item in op.inputs), given, strict=False))
        node.inputs = [entry for name in node.input_names if (entry := named.get(name))]
    return node


def _write(value: Any) -> str:
    return element_types.name_of(value) if isinstance(value, torch.dtype) else str(value)


def _run(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: dict[str, Any],
    cls: type[Array],
    *,
    out: Any = None,
    ctx: Context | None = None,
) -> Any:
    """Runs an operator where an input is traced or a trace is active."""
    tracer = modes.tracer
    if not isinstance(tracer, ArrayTracer):
        raise UntraceableError(f"{op.name}: an array of a trace is used after it")
    return tracer.call(op, inputs, attrs, ctx, out, cls)


_ALLOWED = frozenset({torch.ops.aten.detach.default, torch.ops.aten.alias.default})
"""What reading a recorded array runs."""


class WatchTensors(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Refuses to compute with data while a program is traced.

    The result would become a constant of the graph, without a gradient and without later changes of
    the arrays that it was computed from.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # importing it takes two seconds

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Runs an operator of torch, or raises if it computes with data."""
        del types
        named = kwargs or {}
        if modes.tracer is not None and func not in _ALLOWED and _has_data(args, named):
            raise UntraceableError(
                f"the program computes ({func.name()}) with an array that is neither an argument "
                "nor a parameter; make it a parameter, or a Constant"
            )
        return func(*args, **named)


def _has_data(args: Sequence[Any], named: Mapping[str, Any]) -> bool:
    """Returns whether a call reads or makes tensors with data."""
    tensors = [item for item in tree_leaves((args, named)) if isinstance(item, torch.Tensor)]
    if tensors:
        return not all(item.is_meta for item in tensors)
    return torch.device(named.get("device") or "cpu").type != "meta"


def _spell_out(keys: Sequence[Any], ndim: int) -> list[Any]:
    """Returns a basic index with a slice for each axis that an ellipsis stands for."""
    if Ellipsis not in keys:
        return [*keys]
    at, used = keys.index(Ellipsis), sum([item is not None for item in keys]) - 1
    return [*keys[:at], *[slice(None)] * (ndim - used), *keys[at + 1 :]]


class Noting(NDArray):
    """An array whose operations are added to a graph: also those that are views elsewhere."""

    __slots__ = ()

    def _apply(self, name: str, **attrs: Any) -> Any:
        op = get_op(name)
        return _run(op, (self,), op.parse_attrs(attrs), self._dialect_class)

    def _reshape_to(self, shape: Sequence[int]) -> Any:
        if self._is_np:
            return self._apply("_np_reshape", newshape=tuple(shape))
        return self._apply("Reshape", shape=tuple(shape))

    def _share(self, tensor: torch.Tensor, origin: Origin | None = None) -> Any:
        """Returns the result of a view, as a reshape to its shape."""
        del origin  # the graph holds this already
        return self._reshape_to(tensor.shape)

    def __getitem__(self, key: Any) -> Any:
        """Returns the part that a key selects, for the keys that a graph can express."""
        keys = key if isinstance(key, tuple) else (key,)
        keys = tuple(int(item) if isinstance(item, np.integer) else item for item in keys)
        if any(isinstance(item, Array) for item in keys):
            if len(keys) > 1:
                raise UntraceableError("indexing by several keys of which one is an array")
            if keys[0].dtype == np.bool_:
                return self._choose(keys[0])
            attrs = {"axis": 0, "mode": "wrap"}
            return _run(get_op("take"), (self, keys[0]), attrs, self._dialect_class)
        if not all(item is None or item is Ellipsis or type(item) in (int, slice) for item in keys):
            raise UntraceableError(f"indexing by {key!r}")
        self._as_plain()[keys]  # which refuses what does not fit
        spelled = _spell_out(keys, self.ndim)
        places = [item for item in spelled if item is not None]
        part = self._slice(places)._drop([type(item) is int for item in places])
        for axis, item in enumerate([item for item in spelled if type(item) is not int]):
            if item is None:
                part = part._apply("expand_dims", axis=axis)
        return part

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """Returns the array in another shape, by the codes that are given: sizes may differ."""
        if self._is_np:
            return self._dialect_class.reshape(self, *shape, **kwargs)
        self._as_plain().reshape(*shape, **kwargs)  # which refuses what does not fit
        wanted = shape[0] if len(shape) == 1 else shape or kwargs["shape"]
        wanted = (wanted,) if isinstance(wanted, int) else tuple(wanted)
        return self._apply("Reshape", shape=wanted, reverse=bool(kwargs.get("reverse", False)))

    def _as_plain(self) -> Any:
        """Returns the array without a trace."""
        return self._dialect_class._wrap(self._plain, self._ctx)

    def _drop(self, dropped: Sequence[bool]) -> Any:
        """Leaves some axes out, which have length 1, whatever the lengths of the others are."""
        if not any(dropped):
            return self
        if self._is_np:
            codes = (*(-3 if item else -2 for item in dropped), -4)
            return self._apply("_npx_reshape", newshape=codes)
        return self._apply("squeeze", axis=tuple(i for i, item in enumerate(dropped) if item))

    def _choose(self, mask: Any) -> Any:
        """Returns the elements, or parts along the first axes, where a mask is true."""
        rows = self
        if mask.ndim != 1:
            rows = self._reshape_to((mask.size, *self.shape[mask.ndim :]))
            mask = mask.reshape((-1,))
        return _run(get_op("_contrib_boolean_mask"), (rows, mask), {}, self._dialect_class)

    def _slice(self, places: Sequence[Any]) -> Any:
        """Applies a basic index of the first axes as a slice that keeps all axes."""
        begin, end, step = [], [], []
        for item in places:
            if type(item) is int:
                item = slice(item, item + 1 or None)  # of the last axis, the end is none
            begin.append(item.start)
            end.append(item.stop)
            step.append(item.step)
        if not begin:
            return self
        return self._apply("slice", begin=tuple(begin), end=tuple(end), step=tuple(step))

    def __neg__(self) -> Any:
        """Returns the array times -1."""
        return self * -1.0

    def detach(self) -> Any:
        """Returns the array detached from gradients."""
        return self._apply("BlockGrad")

    def copy(self, order: str = "C") -> Any:
        """Returns a copy."""
        del order
        return self._apply("_copy")

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """Converts to another element type."""
        del args, kwargs
        return self._apply("Cast", dtype=element_types.element_type(dtype).name)


class _Traced(Noting):
    """An array without data; operations on it are added to the graph."""

    __slots__ = ()

    _override = staticmethod(_run)

    @classmethod
    def of(cls, entry: Entry, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> Any:
        """Makes the array of an output of a node."""
        array = cls._wrap(torch.empty(tuple(shape), dtype=dtype, device="meta"), ctx)
        array._entry = entry
        return array

    def as_in_context(self, context: Context) -> Any:
        """Returns the array itself; a graph runs on one context."""
        if context != self._ctx:
            raise UntraceableError(f"the array moves from {self._ctx} to {context}")
        return self

    def as_nd_ndarray(self) -> Any:
        """Returns the array in the classic dialect, as an output of the same node."""
        return TracedArray.of(self._entry, self.shape, self._plain.dtype, self._ctx)

    def as_np_ndarray(self) -> Any:
        """Returns the array in the NumPy dialect, as an output of the same node."""
        return TracedNumpyArray.of(self._entry, self.shape, self._plain.dtype, self._ctx)

    def wait_to_read(self) -> None:
        """Does nothing: there is nothing to wait for."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise UntraceableError(
            "the program asks for the values of an array, which are not available while tracing"
        )

    def _refuse_change(self, *_: Any, **__: Any) -> Any:
        raise UntraceableError("the program changes an array in place")

    asnumpy = asscalar = __bool__ = __float__ = __int__ = __index__ = __array__ = _refuse
    to_torch = to_dlpack_for_read = to_dlpack_for_write = copyto = backward = _refuse
    __reduce__ = __deepcopy__ = __copy__ = tostype = _refuse
    __setitem__ = attach_grad = _refuse_change


class TracedArray(_Traced):
    """A traced array of `mx.nd`."""

    __slots__ = ()
    __hash__ = NDArray.__hash__


class TracedNumpyArray(_Traced, ndarray):  # type: ignore[misc]  # NumPy's signatures
    """A traced array of `mx.np`."""

    __slots__ = ()
    item = tolist = __complex__ = __format__ = _Traced._refuse
    __iand__ = __ior__ = __ixor__ = __imatmul__ = sort = _Traced._refuse_change


_TRACED_CLASSES: dict[type, type[_Traced]] = {NDArray: TracedArray, ndarray: TracedNumpyArray}
"""Classes of traced arrays by those of the arrays that they stand for."""


def traced_like(array: NDArray, entry: Entry) -> NDArray:
    """Returns a traced array for the output of a node, like an array in all but its data."""
    cls = _TRACED_CLASSES[array._dialect_class]
    traced: NDArray = cls.of(entry, array.shape, array._plain.dtype, array._ctx)
    return traced


def _outputs_like(
    arrays: Sequence[NDArray], symbols: Sequence[Symbol], rows: tuple[int, ...] = ()
) -> list[NDArray]:
    """Returns traced arrays for outputs of nodes.

    Args:
        arrays: What they are like.
        symbols: The outputs.
        rows: Lengths of axes in front of those of the arrays.
    """
    return [
        _TRACED_CLASSES[array._dialect_class].of(
            symbol._heads[0], (*rows, *array.shape), array._plain.dtype, array._ctx
        )
        for symbol, array in zip(symbols, arrays, strict=True)
    ]


class _Maker:
    """Makes the Python operators of traced arrays; those of the base class bypass tracing."""

    def plain(self, row: Binary) -> Operator | None:
        names = row.arrays
        return names and _operator(get_op(names.pair), get_op(names.scalar), False)

    def reflected(self, row: Binary) -> Operator | None:
        names = row.arrays
        return names and _operator(get_op(names.pair), get_op(names.reflected), True)

    def in_place(self, row: Binary) -> Operator | None:
        if not hasattr(NDArray, f"__i{row.python}__"):  # Python calls the plain method then
            return None
        return lambda self, other: self._refuse_change(other)


def _operator(arrays: Op, scalar: Op, is_reflected: bool) -> Operator:
    def operate(self: Noting, other: Any) -> Any:
        cls = self._dialect_class
        if isinstance(other, NUMBERS):
            return _run(scalar, (self,), {"scalar": as_number(other)}, cls)
        if is_operand(other, cls):
            pair = (other, self) if is_reflected else (self, other)
            return _run(arrays, pair, {}, cls)
        return NotImplemented

    return operate


def note_operators(classic: type[Noting], numpy: type[Noting]) -> None:
    """Adds Python's operators to the classes of both dialects, which add them to graphs."""
    install_operators(classic, CLASSIC.binary, _Maker())
    install_operators(numpy, NUMPY.binary, _Maker())


note_operators(TracedArray, TracedNumpyArray)

"""What converters build with: values of an ONNX graph and the nodes that compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from mxnet._formats import element_types
from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import UNKNOWN, Shape, shape_is_known
from mxnet.ops.core.scalars import as_element

Number: TypeAlias = int | float | bool
Operand: TypeAlias = "Value | Number"
Options: TypeAlias = dict[str, Any]
"""Attributes of a node."""

FLOATS = ("float16", "float32", "float64")
_NARROW = ("bool", "int8", "uint8", "int16", "uint16")


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A value of the graph in the making.

    Operators of Python write the nodes of arithmetic; a number gets the dtype of the other operand.

    Attributes:
        builder: The graph.
        name: Its name there.
        dtype: Name of its dtype.
        shape: Its shape, lengths that are not known being `UNKNOWN`; None if nothing is known.
        array: Its elements, if it is a constant.
    """

    builder: Builder = field(repr=False)
    name: str
    dtype: str
    shape: Shape | None = None
    array: np.ndarray[Any, Any] | None = field(default=None, repr=False)

    @property
    def ndim(self) -> int:
        """Number of axes.

        Raises:
            MXNetError: if it is not known.
        """
        if self.shape is None:
            raise MXNetError(f"the number of axes of {self.name!r} is not known")
        return len(self.shape)

    @property
    def is_float(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.dtype in FLOATS

    def length(self, axis: int) -> int:
        """Returns the length of an axis, which must be known.

        Raises:
            MXNetError: if it is not.
        """
        if self.shape is None or self.shape[axis] == UNKNOWN:
            raise MXNetError(
                f"the length of axis {axis} of {self.name!r} must be known; "
                "give it in in_shapes or dynamic_input_shapes"
            )
        return self.shape[axis]

    def __add__(self, other: Operand) -> Value:
        return self.builder.binary("Add", self, other)

    def __radd__(self, other: Operand) -> Value:
        return self.builder.binary("Add", other, self)

    def __sub__(self, other: Operand) -> Value:
        return self.builder.binary("Sub", self, other)

    def __rsub__(self, other: Operand) -> Value:
        return self.builder.binary("Sub", other, self)

    def __mul__(self, other: Operand) -> Value:
        return self.builder.binary("Mul", self, other)

    def __rmul__(self, other: Operand) -> Value:
        return self.builder.binary("Mul", other, self)

    def __truediv__(self, other: Operand) -> Value:
        return self.builder.binary("Div", self, other)

    def __rtruediv__(self, other: Operand) -> Value:
        return self.builder.binary("Div", other, self)

    def __neg__(self) -> Value:
        return self.builder.op("Neg", self)


@dataclass(slots=True)
class NodeRecord:
    """A node of the ONNX graph before it is written."""

    op_type: str
    inputs: list[str]
    outputs: list[str]
    attrs: dict[str, Any]
    name: str


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A graph in an attribute of a node: the body of a loop or a branch."""

    nodes: Sequence[NodeRecord]
    inputs: Sequence[Value]
    outputs: Sequence[Value]


class Builder:
    """An ONNX graph in the making.

    Args:
        opset: Version of ONNX's operators.
    """

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self.nodes: list[NodeRecord] = []
        self.constants: dict[str, np.ndarray[Any, Any]] = {}
        self._names: dict[str, int] = {}  # with how many others were made of it
        self._kept: dict[tuple[str, tuple[int, ...], bytes], Value] = {}
        self._scope = ""

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Lets what is written inside be named after a node of the exported graph."""
        before, self._scope = self._scope, name
        try:
            yield
        finally:
            self._scope = before

    def new_name(self, wanted: str) -> str:
        """Returns a name that nothing else in the graph has."""
        name = wanted
        while name in self._names:
            count = self._names[wanted] = self._names[wanted] + 1
            name = f"{wanted}_{count}"
        self._names[name] = 0
        return name

    def op(
        self,
        op_type: str,
        *inputs: Value | None,
        dtype: str | None = None,
        shape: Shape | None = None,
        **attrs: Any,
    ) -> Value:
        """Writes a node with one output.

        Args:
            op_type: Name of ONNX's operator.
            *inputs: What it reads; None for an optional input that is missing.
            dtype: Dtype of the output, by default that of the first input.
            shape: Shape of the output, if a later step has to know it.
            **attrs: Attributes; None leaves one out. A name may end in `_`, so that it differs from
                those above.
        """
        return self.ops(op_type, *inputs, dtypes=(dtype,), shapes=(shape,), **attrs)[0]

    def ops(
        self,
        op_type: str,
        *inputs: Value | None,
        dtypes: Sequence[str | None],
        shapes: Sequence[Shape | None] | None = None,
        **attrs: Any,
    ) -> list[Value]:
        """Writes a node with an output for each dtype; None is that of the first input."""
        given = list(inputs)
        while given and given[-1] is None:
            given.pop()
        label = f"{self._scope}/{op_type}" if self._scope else op_type
        first = next((item.dtype for item in given if item is not None), "float32")
        results = [
            Value(self, self.new_name(f"{label}_out"), dtype or first, shape)
            for dtype, shape in zip(dtypes, shapes or [None] * len(dtypes), strict=True)
        ]
        self.nodes.append(
            NodeRecord(
                op_type,
                ["" if item is None else item.name for item in given],
                [item.name for item in results],
                {key.rstrip("_"): value for key, value in attrs.items() if value is not None},
                self.new_name(label),
            )
        )
        return results

    def rename(self, value: Value, wanted: str, start: int) -> Value:
        """Renames the output of one of the nodes since `start`, if there is one."""
        nodes = self.nodes[start:]
        if not any(value.name in node.outputs for node in nodes):
            return value
        name = self.new_name(wanted)
        for node in nodes:
            node.inputs = [name if item == value.name else item for item in node.inputs]
            node.outputs = [name if item == value.name else item for item in node.outputs]
        return Value(self, name, value.dtype, value.shape)

    def constant(self, data: Any, dtype: str) -> Value:
        """Returns a constant; equal ones are written once.

        A number that the dtype cannot hold becomes what the package makes of it elsewhere.
        """
        if isinstance(data, (int, float)):
            data = as_element(data, element_types.to_torch(dtype))
        array = np.asarray(data, dtype=dtype)
        key = dtype, array.shape, array.tobytes()
        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = self.parameter(self.new_name("constant"), array)
        return known

    def parameter(self, name: str, array: np.ndarray[Any, Any]) -> Value:
        """Returns a constant with a name that `new_name` has returned."""
        self.constants[name] = array
        return Value(self, name, array.dtype.name, array.shape, array)

    def need(self, opset: int, what: str) -> None:
        """Checks that the file may have an operator of ONNX.

        Raises:
            MXNetError: if it is to be written in an older version of ONNX's operators.
        """
        if self.opset < opset:
            raise MXNetError(f"{what} needs opset_version={opset} or later, got {self.opset}")

    def widen(self, value: Value) -> Value:
        """Converts booleans and narrow integers, which few operators of ONNX Runtime take."""
        return self.cast(value, "int32") if value.dtype in _NARROW else value

    def full(self, shape: Value, number: Number, dtype: str) -> Value:
        """Returns an array of one value."""
        return self.op("Expand", self.constant(number, dtype), shape)

    def ints(self, values: Any) -> Value:
        """Returns a constant of 64-bit integers, as ONNX takes shapes and axes."""
        return self.constant(values, "int64")

    def binary(self, op_type: str, left: Operand, right: Operand) -> Value:
        """Writes arithmetic of two operands, at least one of which is a value."""
        dtype = left.dtype if isinstance(left, Value) else getattr(right, "dtype", "float32")
        return self.op(op_type, self.as_value(left, dtype), self.as_value(right, dtype))

    def as_value(self, operand: Operand, dtype: str) -> Value:
        """Returns an operand as a value: numbers as constants of a dtype."""
        return operand if isinstance(operand, Value) else self.constant(operand, dtype)

    def compare(self, op_type: str, left: Value, right: Operand) -> Value:
        """Writes a comparison, whose result is boolean."""
        return self.op(op_type, left, self.as_value(right, left.dtype), dtype="bool")

    def where(self, condition: Value, left: Operand, right: Operand, dtype: str) -> Value:
        """Chooses between two operands of a dtype by a boolean condition."""
        operands = [self.as_value(item, dtype) for item in (left, right)]
        if dtype == "bool":  # which ONNX Runtime does not choose between
            operands = [self.cast(item, "uint8") for item in operands]
        return self.cast(self.op("Where", condition, *operands, dtype=operands[0].dtype), dtype)

    def cast(self, value: Value, dtype: str) -> Value:
        """Converts a value to a dtype; nothing is written if it has that."""
        if value.dtype == dtype:
            return value
        if value.array is not None and value.array.size == 1:
            return self.constant(value.array.astype(dtype), dtype)
        return self.op("Cast", value, dtype=dtype, shape=value.shape, to=onnx_type(dtype))

    def reshape(self, value: Value, shape: Sequence[int] | Value) -> Value:
        """Reshapes a value; -1 is what is left over, 0 the length of the same axis."""
        if isinstance(shape, Value):
            return self.op("Reshape", value, shape)
        if value.array is not None and 0 not in shape:
            return self.parameter(self.new_name(value.name), value.array.reshape(tuple(shape)))
        return self.op("Reshape", value, self.ints(list(shape)))

    def reshape_exactly(self, value: Value, shape: Sequence[int]) -> Value:
        """Reshapes a value to a shape in which 0 is a length; one length may be -1."""
        if 0 not in shape:
            return self.reshape(value, shape)
        self.need(14, "an array of length 0")
        return self.op("Reshape", value, self.ints(list(shape)), allowzero=1)

    def transpose(self, value: Value, axes: Sequence[int]) -> Value:
        """Permutes axes; nothing is written if they stay."""
        if list(axes) == list(range(len(axes))):
            return value
        shape = None if value.shape is None else tuple(value.shape[axis] for axis in axes)
        return self.op("Transpose", value, perm=list(axes), shape=shape)

    def squeeze(self, value: Value, axes: Sequence[int]) -> Value:
        """Removes axes of length 1."""
        return self.op("Squeeze", value, self.ints(list(axes))) if axes else value

    def unsqueeze(self, value: Value, axes: Sequence[int]) -> Value:
        """Inserts axes of length 1 at places of the result."""
        return self.op("Unsqueeze", value, self.ints(list(axes))) if axes else value

    def concat(self, values: Sequence[Value], axis: int) -> Value:
        """Joins values along an axis; of constants it is a constant."""
        arrays = [item.array for item in values if item.array is not None]
        if len(arrays) == len(values) > 1:
            return self.parameter(self.new_name(values[0].name), np.concatenate(arrays, axis))
        return values[0] if len(values) == 1 else self.op("Concat", *values, axis=axis)

    def slice(
        self,
        value: Value,
        starts: Sequence[int],
        ends: Sequence[int],
        axes: Sequence[int],
        steps: Sequence[int] | None = None,
    ) -> Value:
        """Cuts a part out along some axes."""
        parts = [self.ints(list(item)) for item in (starts, ends, axes)]
        return self.op("Slice", value, *parts, None if steps is None else self.ints(list(steps)))

    def gather(self, value: Value, indices: Value | int, axis: int) -> Value:
        """Takes elements along an axis; one index removes the axis."""
        places = indices if isinstance(indices, Value) else self.ints(indices)
        return self.op("Gather", value, places, axis=axis)

    def split(self, value: Value, sizes: Sequence[int], axis: int) -> list[Value]:
        """Splits a value into parts of given lengths."""
        if len(sizes) == 1:
            return [value]
        return self.ops(
            "Split", value, self.ints(list(sizes)), dtypes=[None] * len(sizes), axis=axis
        )

    def reduce(
        self, op_type: str, value: Value, axes: Sequence[int] | None, keepdims: bool
    ) -> Value:
        """Reduces some axes, None for all; `op_type` is such as `ReduceSum`.

        Axes were an attribute at first and are an input since some version of each operator.
        """
        keep = int(keepdims)
        if axes is None:
            return self.op(op_type, value, keepdims=keep)
        if self.opset >= (13 if op_type == "ReduceSum" else 18):
            return self.op(op_type, value, self.ints(list(axes)), keepdims=keep)
        return self.op(op_type, value, axes=list(axes), keepdims=keep)

    def range(self, count: Value) -> Value:
        """Returns the numbers from 0 up to a length, which is a vector of one element."""
        ends = self.ints(0), self.squeeze(count, [0]), self.ints(1)
        return self.op("Range", *ends, dtype="int64")

    def shape_of(self, value: Value) -> Value:
        """Returns the shape as a vector of 64-bit integers, a constant if it is known."""
        if shape_is_known(value.shape):
            return self.ints(list(value.shape or ()))
        return self.op("Shape", value, dtype="int64")

    def lengths(self, value: Value, axes: Sequence[int]) -> Value:
        """Returns the lengths of some axes as a vector, a constant if they are known."""
        if value.shape is not None and all(value.shape[axis] != UNKNOWN for axis in axes):
            return self.ints([value.shape[axis] for axis in axes])
        return self.gather(self.op("Shape", value, dtype="int64"), self.ints(list(axes)), 0)


_TYPES = {
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7,
    "bool": 9, "float16": 10, "float64": 11,
}  # fmt: skip
"""Numbers of dtypes in ONNX files."""


def onnx_type(dtype: str) -> int:
    """Returns ONNX's number of a dtype.

    Raises:
        MXNetError: if it has none that we can write.
    """
    if dtype not in _TYPES:
        raise MXNetError(f"onnx: dtype {dtype} cannot be exported; cast to float32 before")
    return _TYPES[dtype]


def write_body(
    b: Builder, inputs: Sequence[Value], write: Callable[[], Sequence[Value]]
) -> Subgraph:
    """Returns what a function writes as a graph of its own, which may read values outside of it.

    Args:
        b: The graph.
        inputs: What the body is given in each run.
        write: Writes the nodes and returns the outputs.
    """
    outer, b.nodes = b.nodes, []
    try:
        # An output has to be computed inside.
        outputs = [b.op("Identity", item, shape=item.shape) for item in write()]
        return Subgraph(b.nodes, inputs, outputs)
    finally:
        b.nodes = outer


def placeholder(b: Builder, name: str, dtype: str, shape: Shape | None) -> Value:
    """Returns an input of a body."""
    return Value(b, b.new_name(name), dtype, shape)


def repeat_until_settled(
    b: Builder, start: Value, step: Callable[[Value], tuple[Value, Value]]
) -> Value:
    """Repeats a step until it says that nothing has changed.

    Args:
        b: The graph.
        start: What the first step is given.
        step: Returns whether something has changed, and what the next step is given.
    """
    counter = placeholder(b, "iteration", "int64", ())
    proceed = placeholder(b, "proceed", "bool", ())
    state = placeholder(b, "state", start.dtype, start.shape)
    body = write_body(b, [counter, proceed, state], lambda: step(state))
    go = b.constant(True, "bool")
    return b.op("Loop", None, go, start, dtype=start.dtype, body=body)

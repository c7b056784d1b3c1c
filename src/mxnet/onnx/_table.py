"""The table: which operator of ours is which of ONNX's, for both directions.

Operators that are one to one are rows (`ROWS`, `PAIRS`, `BITS` and below), from which both
converters are derived. All others have functions: `converts` enters one that writes an operator of
ours as nodes of ONNX, `imports` one that makes symbols of a node of ONNX. Where a row has
conditions, a function is entered beside it for the rest.

A function that exports is declared as an operator is. After the builder its positional parameters
are the array inputs of the operator, keyword-only ones are the attributes that it reads, parsed and
completed by the defaults. Where they are many, a parameter `attrs` gets all of them. `out` gets
what is known of the outputs. A function that
imports takes the node and its inputs, None for one that is left out, and returns a symbol of either
dialect, a value, or a list of these for the outputs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from mxnet.errors import MXNetError
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._import import nodes
from mxnet.onnx._import.nodes import Node
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import all_names

Attrs: TypeAlias = SimpleNamespace
"""All attributes of a call."""
Convert: TypeAlias = Callable[..., Any]
Function = TypeVar("Function", bound=Convert)

OLDEST_OPSET, NEWEST_OPSET, DEFAULT_OPSET = 13, 21, 21
"""Versions of ONNX's operators that files can be written for. Of the next one ONNX Runtime 1.31
lacks kernels: of regions of interest and random numbers."""


class NotExportableError(MXNetError, NotImplementedError):
    """Raised by a converter for attributes or inputs that ONNX has no words for."""


class Out(NamedTuple):
    """What is known of the outputs of a node.

    Attributes:
        shapes: Shapes, None where nothing is known.
        dtypes: Names of the dtypes.
    """

    shapes: tuple[Shape | None, ...]
    dtypes: tuple[str, ...]

    @property
    def shape(self) -> Shape | None:
        """Shape of the first output."""
        return self.shapes[0]

    @property
    def dtype(self) -> str:
        """Dtype of the first output."""
        return self.dtypes[0]

    @property
    def ndim(self) -> int:
        """Number of axes of the first output."""
        if self.shape is None:
            raise NotExportableError("the number of axes of the output is not known")
        return len(self.shape)


class Attr(NamedTuple):
    """An attribute that both operators have.

    Attributes:
        ours: Its name here.
        theirs: Its name in ONNX.
        default: What ONNX assumes where a file leaves it out; a node must have one of its type.
    """

    ours: str
    theirs: str
    default: Any


def as_float(b: Builder, data: Value) -> Value:
    """Converts integers to float32, floats stay."""
    return data if data.is_float else b.cast(data, "float32")


def _as_bool(b: Builder, data: Value) -> Value:
    return b.cast(data, "bool")


@dataclass(frozen=True, slots=True)
class Row:
    """Two operators that are one to one, with conditions where they are that for some calls alone.

    Attributes:
        theirs: The operator of ONNX.
        ours: Canonical names of operators of ours that it stands for, with blanks between. A node
            becomes the first one.
        takes: Converts the first input, if it has to be; further ones get its dtype.
        gives: Dtype of the output, None for that of the first input.
        inputs: Number of inputs of both, in the same order.
        attrs: Attributes of both.
        chosen: Attributes of ours for which they are the same.
        fixed: Attributes of ONNX for which they are the same, which are written.
        when: Further conditions on a node that is read, and on its inputs.
        since: First version of ONNX's operators that has it.
        keeps_integers: Whether ours leaves integers as they are, which ONNX's does not take.
    """

    theirs: str
    ours: str
    takes: Callable[[Builder, Value], Value] | None = None
    gives: str | None = None
    inputs: int = 1
    attrs: tuple[Attr, ...] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    when: Callable[..., bool] | None = None
    since: int = OLDEST_OPSET
    keeps_integers: bool = False

    def is_written(self, attrs: Mapping[str, Any], opset: int) -> bool:
        """Returns whether a call of an operator of ours is this operator of ONNX."""
        same = all(attrs[name] == value for name, value in self.chosen.items())
        return same and opset >= self.since

    def write(self, b: Builder, data: Value, *others: Value | None, **attrs: Any) -> Value:
        """Writes the node of a call."""
        if self.keeps_integers and not data.is_float:
            return data
        first = data if self.takes is None else self.takes(b, data)
        rest = [b.cast(item, first.dtype) for item in others if item is not None]
        options = {attr.theirs: attrs[attr.ours] for attr in self.attrs}
        return b.op(self.theirs, first, *rest, dtype=self.gives, **options, **self.fixed)

    def is_read(self, node: Node, inputs: Sequence[nodes.Value]) -> bool:
        """Returns whether a node is the operator of ours."""
        same = all(node.get(name, value) == value for name, value in self.fixed.items())
        return same and (self.when is None or self.when(node, *inputs))

    def read(self, node: Node, *inputs: nodes.Value) -> Any:
        """Makes the symbol of a node."""
        if len(inputs) != self.inputs:
            raise node.error(f"takes {self.inputs} inputs, got {len(inputs)}")
        given = [node.need(place) for place in range(self.inputs)]
        options = {attr.ours: node.get(attr.theirs, attr.default) for attr in self.attrs}
        name = self.ours.split()[0]
        if name.startswith("_npi_"):
            function = getattr(nodes.np, name.removeprefix("_npi_"))
            return function(*[item.np for item in given], **options)
        function = getattr(nodes.sym, name)
        return function(*[item.sym for item in given], **options, **self.chosen)


def _slope(default: float) -> Attr:
    return Attr("slope", "alpha", default)


def _is_exact(node: Node, *inputs: nodes.Value) -> bool:
    return len(inputs) == 1 and node.get("approximate", "none") != "tanh"


def _has_depth_first(node: Node, _: nodes.Value) -> bool:
    return bool(node.get("mode", "DCR") == "DCR")


_LINE = (Attr("alpha", "alpha", 0.2), Attr("beta", "beta", 0.5))
_BLOCK = Attr("block_size", "blocksize", 1)

ROWS = (
    Row("Abs", "_npi_absolute abs", Builder.widen),
    Row("Neg", "_npi_negative negative", Builder.widen),
    Row("Sign", "_npi_sign sign", Builder.widen),
    Row("Relu", "relu _npx_relu", Builder.widen, when=lambda _, x: x.is_float),
    Row("Ceil", "_npi_ceil ceil", keeps_integers=True),
    Row("Floor", "_npi_floor floor", keeps_integers=True),
    Row("Sqrt", "_npi_sqrt sqrt", as_float),
    Row("Exp", "_npi_exp exp", as_float),
    Row("Log", "_npi_log log", as_float),
    Row("Sin", "_npi_sin sin", as_float),
    Row("Cos", "_npi_cos cos", as_float),
    Row("Tan", "_npi_tan tan", as_float),
    Row("Asin", "_npi_arcsin arcsin", as_float),
    Row("Acos", "_npi_arccos arccos", as_float),
    Row("Atan", "_npi_arctan arctan", as_float),
    Row("Sinh", "_npi_sinh sinh", as_float),
    Row("Cosh", "_npi_cosh cosh", as_float),
    Row("Tanh", "_npi_tanh tanh", as_float),
    Row("Asinh", "_npi_arcsinh arcsinh", as_float),
    Row("Acosh", "_npi_arccosh arccosh", as_float),
    Row("Atanh", "_npi_arctanh arctanh", as_float),
    Row("Reciprocal", "_npi_reciprocal reciprocal", as_float),
    Row("Erf", "erf", as_float),
    Row("Sigmoid", "sigmoid _npx_sigmoid", as_float),
    Row("Softsign", "softsign", as_float),
    Row("IsNaN", "_npi_isnan", as_float, "bool"),
    Row("Not", "_npi_logical_not logical_not", _as_bool),
    Row("Softplus", "Activation", chosen={"act_type": "softrelu"}),
    Row("LeakyRelu", "LeakyReLU", attrs=(_slope(0.01),), chosen={"act_type": "leaky"}),
    Row("Elu", "LeakyReLU", attrs=(_slope(1.0),), chosen={"act_type": "elu"}),
    Row("Gelu", "LeakyReLU", chosen={"act_type": "gelu"}, since=20, when=_is_exact),
    Row("HardSigmoid", "hard_sigmoid", attrs=_LINE),
    Row("InstanceNormalization", "InstanceNorm", inputs=3, attrs=(Attr("eps", "epsilon", 1e-5),)),
    Row("DepthToSpace", "depth_to_space", attrs=(_BLOCK,), fixed={"mode": "DCR"}),
    Row("SpaceToDepth", "space_to_depth", attrs=(_BLOCK,), when=_has_depth_first),
)
"""Operators of one array, some with parameters of a layer beside it."""


class Pair(NamedTuple):
    """An operator of two arrays, or of an array and a number, that broadcasts.

    Attributes:
        theirs: The operator of ONNX.
        numpy: The function of NumPy and of its dialect.
        classic: Operators of the classic dialect on arrays, with blanks between.
        scalar: Operators on an array and a number, beside that of the NumPy dialect.
        is_test: Whether its results are true or false.
    """

    theirs: str
    numpy: str
    classic: str
    scalar: str
    is_test: bool = False

    @property
    def ours(self) -> list[str]:
        """All operators of ours; the names of those that take a number end in `_scalar`."""
        names = f"{self.classic} {self.scalar} _npi_{self.numpy} _npi_{self.numpy}_scalar"
        return names.split()


def _test(theirs: str, numpy: str, classic: str) -> Pair:
    return Pair(theirs, numpy, f"broadcast_{classic} _{classic}", f"_{classic}_scalar", True)


PAIRS = (
    Pair("Add", "add", "broadcast_add elemwise_add _grad_add", "_plus_scalar _scatter_plus_scalar"),
    Pair(
        *("Sub", "subtract", "broadcast_sub elemwise_sub"),
        "_minus_scalar _scatter_minus_scalar _rminus_scalar _npi_rsubtract_scalar",
    ),
    Pair("Mul", "multiply", "broadcast_mul elemwise_mul", "_mul_scalar"),
    Pair(
        *("Div", "true_divide", "broadcast_div elemwise_div _scatter_elemwise_div"),
        "_div_scalar _rdiv_scalar _npi_rtrue_divide_scalar",
    ),
    Pair(
        *("Pow", "power", "broadcast_power _power"),
        "_power_scalar _rpower_scalar _npi_rpower_scalar",
    ),
    _test("Equal", "equal", "equal"),
    _test("Greater", "greater", "greater"),
    _test("GreaterOrEqual", "greater_equal", "greater_equal"),
    _test("Less", "less", "lesser"),
    _test("LessOrEqual", "less_equal", "lesser_equal"),
)

BITS = {"And": "bitwise_and", "Or": "bitwise_or", "Xor": "bitwise_xor"}
"""Operators on booleans; those on integers have `Bitwise` before their names."""

REDUCTIONS = {
    "ReduceSum": "sum",
    "ReduceProd": "prod",
    "ReduceMax": "max",
    "ReduceMin": "min",
    "ReduceMean": "mean",
}
"""Reductions of ONNX, and what both dialects and NumPy call them."""

RANDOM = {
    "Uniform": (Attr("low", "low", 0.0), Attr("high", "high", 1.0)),
    "Normal": (Attr("loc", "mean", 0.0), Attr("scale", "scale", 1.0)),
}
"""Distributions: `RandomNormal` and `RandomNormalLike` of ONNX are `normal` and `normal_like`."""


@dataclass(frozen=True, slots=True)
class Converter:
    """What writes an operator of ours.

    Attributes:
        function: Writes the nodes and returns the outputs.
        options: What it is given beside inputs: names of attributes, `attrs` or `out`.
        ignores: Inputs that it does not read, such as labels.
        rows: Rows of the table for some values of attributes, which come before the function.
    """

    function: Convert
    options: Sequence[str]
    ignores: Sequence[str] = ()
    rows: tuple[Row, ...] = ()

    def run(
        self, builder: Builder, inputs: Sequence[Any], attrs: Mapping[str, Any], out: Out
    ) -> tuple[Value, ...]:
        """Writes the nodes of one call and returns the outputs."""
        for row in self.rows:
            if row.is_written(attrs, builder.opset):
                return (row.write(builder, *inputs, **attrs),)
        given = {**attrs, "attrs": Attrs(**attrs), "out": out}
        results = self.function(builder, *inputs, **{name: given[name] for name in self.options})
        return (results,) if isinstance(results, Value) else tuple(results)


EXPORTS: dict[str, Converter] = {}
"""What writes operators of ours, by their canonical names."""

IMPORTS: dict[str, Convert] = {}
"""Functions that make symbols of a node, by the operator's name in ONNX."""


def converts(*names: str, ignores: Sequence[str] = ()) -> Callable[[Function], Function]:
    """Enters the decorated function in the table.

    Args:
        names: Canonical names of the operators that it converts.
        ignores: Names of inputs that it does not read. If nothing else reads a variable either, it
            is no input of the model.
    """

    def enter(function: Function) -> Function:
        options = [
            item.name
            for item in inspect.signature(function).parameters.values()
            if item.kind is item.KEYWORD_ONLY
        ]
        for name in names:
            if name in EXPORTS:
                raise MXNetError(f"onnx: operator {name!r} has two converters")
            rows = tuple(row for row in ROWS if row.chosen and name in row.ours.split())
            EXPORTS[name] = Converter(function, options, ignores, rows)
        return function

    return enter


def imports(*op_types: str) -> Callable[[Function], Function]:
    """Enters the decorated function in the table.

    Args:
        *op_types: Names of the operators of ONNX that it converts.
    """

    def enter(function: Function) -> Function:
        for op_type in op_types:
            if op_type in IMPORTS:
                raise MXNetError(f"onnx: there are two converters for {op_type}")
            row = next((row for row in ROWS if row.theirs == op_type), None)
            IMPORTS[op_type] = function if row is None else _read_row_or(row, function)
        return function

    return enter


def _read_row_or(row: Row, function: Convert) -> Convert:
    """Returns a converter of nodes that the row is for, and by a function of others."""

    def convert(node: Node, *inputs: Any) -> Any:
        return (row.read if row.is_read(node, inputs) else function)(node, *inputs)

    return convert


def _enter(row: Row) -> None:
    """Derives converters; where a row has conditions, a function is entered beside it."""
    if row.when is None and not row.fixed:
        IMPORTS[row.theirs] = row.read
    if not row.chosen:
        names = tuple(attr.ours for attr in row.attrs)
        EXPORTS.update(dict.fromkeys(row.ours.split(), Converter(row.write, names)))


for _row in ROWS:
    _enter(_row)


def check_opset(opset_version: int | None) -> int:
    """Returns the version of ONNX's operators to write.

    Raises:
        MXNetError: if it is not one of those that can be written.
    """
    version = DEFAULT_OPSET if opset_version is None else opset_version
    if not isinstance(version, int) or not OLDEST_OPSET <= version <= NEWEST_OPSET:
        raise MXNetError(
            f"opset_version: expected a number from {OLDEST_OPSET} to {NEWEST_OPSET}, "
            f"got {opset_version!r}"
        )
    return version


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """Lists the operators that can be exported.

    Args:
        opset_version: Version of ONNX's operators, 21 by default. All versions that can be written
            have the same list.

    Returns:
        Names of operators, aliases included, in alphabetic order.

    Raises:
        MXNetError: if the version is not one that can be written.
    """
    check_opset(opset_version)
    names = all_names()
    return sorted(name for name, op in names.items() if op.name in EXPORTS)

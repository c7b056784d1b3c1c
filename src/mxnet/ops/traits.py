"""What graphs and frontends know of an operator beside its signature.

A declaration says it once, `@op("name", traits=Traits(...))`; operators of a family share a record,
and `dataclasses.replace` makes one that differs in a field. No other code tests the name of an
operator: a fact that is missing here is to become a field. `tools/list_operator_names.py` looks for
names elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from mxnet.ops.attrs import Shape
from mxnet.ops.drawing import PLAIN, Drawing
from mxnet.ops.flops import FlopRule
from mxnet.ops.misfits import Misfit
from mxnet.ops.quantizing import Quantization

Settings: TypeAlias = Mapping[str, Any]
"""All attributes of a node by name, converted and completed by the defaults."""
Known: TypeAlias = Sequence[Shape | None]
"""Shapes as far as they are known."""
QuickShape: TypeAlias = Callable[[Sequence[Shape], Settings], Shape | None]
InputShapes: TypeAlias = Callable[[Known, Known, Settings], list[Shape | None]]
EarlyShape: TypeAlias = Callable[[Known, Settings], Shape | None]
Attrs: TypeAlias = Mapping[str, Any]
"""The attributes that are given, converted."""
Dtypes: TypeAlias = Sequence[torch.dtype | None]
"""Element types as far as they are known."""
TypeRule: TypeAlias = Callable[[Sequence[str], Dtypes, Settings], tuple[Dtypes, Dtypes]]
StorageRule: TypeAlias = Callable[[Sequence[str], Attrs], str]
GradientStorageRule: TypeAlias = Callable[[int, Sequence[str], Attrs, str], str | None]
Activation: TypeAlias = tuple[str, tuple[float, ...]]
"""An activation of oneDNN: its name and its numbers."""
Role: TypeAlias = Literal[
    "addition",
    "arrangement",
    "broadcast_addition",
    "comparison",
    "convolution",
    "dense",
    "dropping",
    "multiplication",
    "normalization",
    "ones",
    "pooling",
    "selection",
    "separation",
    "soft_maximum",
]
Precision: TypeAlias = Literal["any", "full", "low"]
SparseAlgorithm: TypeAlias = Literal[
    "broadcast",
    "combine",
    "concat",
    "convert",
    "count_stored",
    "divide_stored",
    "find_edges",
    "lazy_update",
    "lookup",
    "matrix_product",
    "mean",
    "merge_rows",
    "multiply",
    "norm",
    "slice",
    "square_sum",
    "sum",
    "take",
    "zeros",
]
"""Ways to compute from what sparse arrays store; `ndarray/_sparse_dispatch.py` has them."""
Upgrade: TypeAlias = Callable[[int, dict[str, str]], None]
Arrange: TypeAlias = Callable[[Sequence[Tensor | None], Attrs], Sequence[Tensor | None]]
CombineOut: TypeAlias = Callable[[Tensor, Tensor, Attrs], Tensor]

PARAMETERS = frozenset({"weight", "bias", "gamma", "beta", "moving_mean", "moving_var"})
"""What operators call inputs that keep their values for many calls."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Storage:
    """What is known of the storage type of results, which is `default` if nothing is.

    Attributes:
        result: Storage type of the first output from those of the inputs; see `storage_types.py`.
        gradient: Storage type of the gradient of the input at a position, from those of the
            inputs and, last, of the gradient that arrives. By default it is the latter if the
            kernel is applied to stored elements, and otherwise `default`. None if there is no
            gradient.
        on_stored: Whether the kernel is applied to the elements that are stored alone.
        from_attrs: Whether dense inputs may have a sparse result, by the attributes.
        algorithm: How arrays are computed without the dense form of sparse inputs; None if there
            is no other way than `on_stored`.
    """

    result: StorageRule | None = None
    gradient: GradientStorageRule | None = None
    on_stored: Literal["", "always", "if zero stays"] = ""
    from_attrs: bool = False
    algorithm: SparseAlgorithm | None = None


DENSE = Storage()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Monitoring:
    """How the original labels what monitors and hooks of blocks are shown.

    Attributes:
        names_inputs: Whether a single input has its own name, not `input0`.
        names_outputs: Whether hooks of blocks call outputs by their names, not by numbers.
        gradient: What the gradients of inputs are called.
        shows_gradient: Whether gradients are shown; those that are handed on unchanged are not.
    """

    names_inputs: bool = False
    names_outputs: bool = False
    gradient: str = "output"
    shows_gradient: bool = True


NUMBERED = Monitoring()
NAMED_INPUTS = Monitoring(names_inputs=True)
NAMED_OUTPUTS = Monitoring(names_outputs=True)
NAMED = Monitoring(names_inputs=True, names_outputs=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attention:
    """What part of attention a product of matrices can be; the functions take its attributes too.

    Attributes:
        split_scores: Queries and keys of shape `(..., length, size)` and the factor of their
            products, from the inputs; None if the result is no array of scores.
        weights: Position of the input that can be weights, from the attributes; None if there is
            none.
        split_values: Values of shape `(..., length, size)` from the other input.
        join: The result from the sums of values, of shape `(..., length, size)`.
    """

    split_scores: Callable[..., tuple[Tensor, Tensor, float]] | None = None
    weights: Callable[..., int | None] | None = None
    split_values: Callable[..., Tensor] | None = None
    join: Callable[..., Tensor] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """Facts about an operator that its kernel does not tell.

    Functions among them take the attributes of a node by name, completed by the defaults.

    Attributes:
        same_shape: Names of the inputs that have the shape of the output, True for all inputs.
        same_dtype: Whether floating-point inputs of one dtype give an output of that dtype.
        quick_shape: Shape of the output from those of the inputs, None if the kernel is to be
            asked; see `quick_shapes.py`.
        input_shapes: Shapes of the inputs as far as those of inputs and outputs tell them.
        early_shape: Shape of the output, as far as it follows from inputs that are not all known;
            None to run the kernel with lengths that stand for those that are not known.
        keeps_batch: Whether the output has the first length of the first input.
        exact_shapes: Whether inputs have the shapes that `fill_shapes` tells, and no others;
            otherwise the kernel decides, which may broadcast them.
        open_lengths: Whether a length of 0 or below in its attribute `shape` is one to find out
            from where the result is used, as that of first states in the classic dialect.
        statistics: Inputs whose dtype says nothing of that of the data. If the operator has
            auxiliary states, they are float32 beside data of half precision.
        assumed_dtype: Inputs of any dtype that get the dtype of the data if nothing says another.
        dtype_input: Input that has the dtype of the attribute `dtype` and of the output.
        type_rule: Element types of the inputs in use and of the outputs, from the names of the
            inputs, their types as far as they are known and the attributes; raises if they do not
            fit. None if inputs share a type and the kernel tells that of the outputs.
        output_names: Names of the outputs that files count, hidden ones included; outputs
            without a name have numbers.
        parameters: Names of inputs that are parameters, not data.
        fixed_inputs: Inputs whose values are 1 if an attribute says so, with its name.
        initializers: How variables that are made for inputs are initialized, as files have it.
        upgrade: Brings the attributes of a node of an older file to today's form, from the
            version of the file and the attributes.
        ignores_head: Whether the gradient of the inputs is that of a loss, which does not depend
            on the gradient of the output.
        runs_program: Whether a program of the user computes the outputs and knows their number,
            names, shapes and dtypes (`custom.py`).
        precision: What mixed precision is to compute in: `low` where that is fast and harmless
            (products of matrices), `full` where sums or exponentials need it.
        storage: Storage types of results and gradients.
        passes_through: Whether the result is the first input, unless gradients are asked for.
        role: What passes over graphs may treat it as. They rely on the inputs and attributes
            that `elemwise_add`, `Convolution`, `FullyConnected`, `BatchNorm`, `Pooling`,
            `softmax`, `Dropout`, `where`, `SliceChannel` or `ones_like` has. A comparison returns
            ones and zeros; an arrangement returns elements of its first input, moved, repeated or
            left out.
        factor: Number by which the result is a multiple of the first input, None if it is not.
        attention: What part of attention it can be.
        keeps_layout: Whether data with the channels last in memory give such a result and are not
            reordered. Where inputs and output have one shape, it is so.
        arrange: Returns the inputs of an imperative call with its attributes in the order of memory
            in which their device computes fastest. Graphs have a pass for that.
        opaque: Whether a compiler of torch is to leave it to the library that computes it.
        activation: The activation that it is, which may be computed together with a convolution.
        monitoring: How monitors label it.
        drawing: How networks are drawn and summarized.
        combine_out: Computes what is written to `out` from the result, what `out` holds and the
            attributes; None for the result itself.
        numpy_twin: Operator that is meant by its name in files of the NumPy dialect, in which some
            operators of both dialects have one name, but return scalars of shape `()`.
        converts: Whether the result has the elements of the only input in another dtype.
        casts_precision: Whether all it does is to change the precision, each output being the
            input at the same place; graphs are saved without it.
        flops: Floating-point operations from the shapes of inputs and outputs and the attributes,
            see `flops.py`; None for one for each element, or none if it only moves elements.
        draws_seldom: Whether the kernel draws random numbers under few attributes only, and holds
            `_rng.drawing()` itself then; others that take a generator hold it all the time.
        misfit: Says what is wrong with the shapes of inputs, when the kernel has failed, and what
            to do (`misfits.py`); None if all that is known is what the kernel has raised.
        quantization: How graphs compute it on integers; None if they do not.
    """

    same_shape: bool | tuple[str, ...] = False
    same_dtype: bool = False
    quick_shape: QuickShape | None = None
    input_shapes: InputShapes | None = None
    early_shape: EarlyShape | None = None
    keeps_batch: bool = False
    exact_shapes: bool = False
    open_lengths: bool = False
    statistics: tuple[str, ...] = ()
    assumed_dtype: tuple[str, ...] = ()
    dtype_input: str | None = None
    type_rule: TypeRule | None = None
    output_names: tuple[str, ...] | Callable[..., tuple[str, ...]] = ()
    parameters: frozenset[str] = PARAMETERS
    fixed_inputs: Mapping[str, str] = field(default_factory=dict)
    initializers: Mapping[str, str] = field(default_factory=dict)
    upgrade: Upgrade | None = None
    ignores_head: bool | Callable[..., bool] = False
    runs_program: bool = False
    precision: Precision = "any"
    storage: Storage = DENSE
    passes_through: bool | Callable[..., bool] = False
    role: Role | None = None
    factor: Callable[..., float | None] | None = None
    attention: Attention | None = None
    keeps_layout: bool = False
    arrange: Arrange | None = None
    opaque: bool = False
    activation: Activation | Callable[..., Activation | None] | None = None
    monitoring: Monitoring = NUMBERED
    drawing: Drawing = PLAIN
    combine_out: CombineOut | None = None
    numpy_twin: str | None = None
    converts: bool = False
    casts_precision: bool = False
    flops: FlopRule | None = None
    draws_seldom: bool = False
    misfit: Callable[[Known, Settings], Misfit | None] | None = None
    quantization: Quantization | None = None


NO_TRAITS = Traits()
ELEMENTWISE = Traits(same_shape=True, same_dtype=True)
"""Inputs and output of one shape and one floating-point dtype."""

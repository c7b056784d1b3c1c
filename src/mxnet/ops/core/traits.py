"""What graphs and frontends know of an operator beside its signature.

A declaration says it once, `@op("name", traits=Traits(...))`; operators of a family share a record,
and `dataclasses.replace` makes one that differs in a field. No other code asks for an operator by
its name: a fact that is missing here is to become a field. `tools/list_operator_names.py` finds
names elsewhere. Facts are grouped by what reads them: inference of shapes, inference of types,
passes over graphs, whatever shows a network, and files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor

from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.carriers import Slopes
from mxnet.ops.rules.drawing import PLAIN, Drawing
from mxnet.ops.rules.flops import FlopRule
from mxnet.ops.rules.misfits import Misfit
from mxnet.ops.rules.quantizing import Quantization

Settings: TypeAlias = Mapping[str, Any]
"""All attributes of a node by name, converted and completed by the defaults."""
Known: TypeAlias = Sequence[Shape | None]
"""Shapes as far as they are known."""
QuickShape: TypeAlias = Callable[[Sequence[Shape], Settings], Shape | None]
InputShapes: TypeAlias = Callable[[Known, Known, Settings], list[Shape | None]]
Completion: TypeAlias = Callable[[int, Settings], dict[str, Any] | None]
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
    "addition", "broadcast_addition", "comparison", "concatenation", "convolution",
    "deconvolution", "dense", "division", "dropout", "movement", "multiplication", "normalization",
    "ones", "pooling", "selection", "sequence_mask", "softmax", "split", "subtraction",
]  # fmt: skip
SparseAlgorithm: TypeAlias = Literal[
    "broadcast", "combine", "concat", "convert", "count_stored", "divide_stored", "find_edges",
    "lazy_update", "lookup", "map_matrix", "matrix_product", "mean", "merge_rows", "multiply",
    "norm", "slice", "square_sum", "sum", "take", "zeros",
]  # fmt: skip
"""Ways to compute from what sparse arrays store; `ndarray/_sparse_dispatch.py` has them."""
Upgrade: TypeAlias = Callable[[int, dict[str, str]], None]
Arrange: TypeAlias = Callable[[Sequence[Tensor | None], Attrs], Sequence[Tensor | None]]
CombineOut: TypeAlias = Callable[[Tensor, Tensor, Attrs], Tensor]

PARAMETERS = frozenset({"weight", "bias", "gamma", "beta", "moving_mean", "moving_var"})
"""What operators call inputs that keep their values for many calls."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shapes:
    """How the shapes of inputs and outputs follow from each other.

    Attributes:
        same: Names of the inputs that have the shape of the output, True for all inputs.
        quick: Shape of the output from those of the inputs, None if the kernel is to be asked;
            see `shape_rules.py`.
        inputs: Shapes of the inputs as far as those of inputs and outputs tell them.
        early: Shape of the output, as far as it follows from inputs that are not all known; None
            to run the kernel with lengths that stand for those that are not known.
        partial: Shape of the output from inputs that are known in part, where the kernel would tell
            too much from lengths that stand for those that are not known.
        ready: Whether the inputs tell enough to infer anything; always, if not given.
        asked: Names of the inputs of which nothing but the shape, type and device is read.
        keeps_batch: Whether the output has the first length of the first input.
        exact: Whether inputs have the shapes that `fill_shapes` tells, and no others; otherwise
            the kernel decides, which may broadcast them.
        open_lengths: Whether a length of 0 or below in its attribute `shape` is one to find out
            from where the result is used, as that of first states in the classic dialect. So is
            the whole shape if it is missing or `()`.
        complete: For a constant with one axis and open length that has no attribute `shape`: its
            attributes, from the length that its use asks for and those given; None if these tell
            the length.
        of_values: Whether the shape of the output depends on elements of the inputs.
        misfit: Says what is wrong with the shapes of inputs, when the kernel has failed, and what
            to do (`misfits.py`); None if all that is known is what the kernel has raised.
    """

    same: bool | tuple[str, ...] = False
    quick: QuickShape | None = None
    inputs: InputShapes | None = None
    early: EarlyShape | None = None
    partial: EarlyShape | None = None
    ready: Callable[[Known, Settings], bool] | None = None
    asked: tuple[str, ...] = ()
    keeps_batch: bool = False
    exact: bool = False
    open_lengths: bool = False
    complete: Completion | None = None
    of_values: bool = False
    misfit: Callable[[Known, Settings], Misfit | None] | None = None


FROM_KERNEL = Shapes()
SAME_SHAPE = Shapes(same=True)
EXACT_SHAPES = Shapes(exact=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Types:
    """How the element types of inputs and outputs follow from each other.

    Attributes:
        same: Whether floating-point inputs of one dtype give an output of that dtype.
        statistics: Inputs whose dtype says nothing of that of the data. If the operator has
            auxiliary states, they are float32 beside data of half precision.
        assumed: Inputs of any dtype that get the dtype of the data if nothing says another.
        dtype_input: Input that has the dtype of the attribute `dtype` and of the output.
        rule: Element types of the inputs in use and of the outputs, from the names of the inputs,
            their types as far as they are known and the attributes; raises if they do not fit.
            None if inputs share a type and the kernel tells that of the outputs.
        converts: Whether the result has the elements of the only input in another dtype.
        casts_precision: Whether all it does is to change the precision, each output being the
            input at the same place; graphs are saved without it.
        integer_slopes: How a gradient passes integers; see `carriers.py`.
    """

    same: bool = False
    statistics: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    dtype_input: str | None = None
    rule: TypeRule | None = None
    converts: bool = False
    casts_precision: bool = False
    integer_slopes: Slopes = "of arrays"


ONE_TYPE = Types()
SAME_DTYPE = Types(same=True)
OF_ELEMENTS = Types(same=True, integer_slopes="of elements")
"""Each element of the result is a function of those at its place in the inputs."""


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
class Labels:
    """How outputs are called, and how the original labels what monitors and hooks are shown.

    Attributes:
        outputs: Names of the outputs that files count, hidden ones included; outputs without a
            name have numbers.
        names_inputs: Whether a single input has its own name for a monitor, not `input0`.
        names_outputs: Whether hooks of blocks call outputs by their names, not by numbers.
        gradient: What the gradients of inputs are called.
        shows_gradient: Whether gradients are shown; those that are handed on unchanged are not.
    """

    outputs: tuple[str, ...] | Callable[..., tuple[str, ...]] = ()
    names_inputs: bool = False
    names_outputs: bool = False
    gradient: str = "output"
    shows_gradient: bool = True

    def of(self, *outputs: str) -> Labels:
        """Returns such labels for outputs that have these names."""
        return replace(self, outputs=outputs)


NUMBERED = Labels()
NAMED_INPUTS = Labels(names_inputs=True)
NAMED_OUTPUTS = Labels(names_outputs=True)
NAMED = Labels(names_inputs=True, names_outputs=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attention:
    """What part of attention a product of matrices can be.

    The functions take its attributes too; the last two also `place`, the position of the weights.

    Attributes:
        split_scores: Queries and keys of shape `(..., length, size)` and the factor of their
            products, from the inputs; None if the result is no array of scores.
        weights: Positions of the inputs that can be weights, from the attributes; None if there
            are none.
        split_values: Values of shape `(..., length, size)` from the other input.
        join: The result from the sums of values, of shape `(..., length, size)`.
    """

    split_scores: Callable[..., tuple[Tensor, Tensor, float]] | None = None
    weights: Callable[..., tuple[int, ...]] | None = None
    split_values: Callable[..., Tensor] | None = None
    join: Callable[..., Tensor] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fusion:
    """What passes over graphs and compilers may do with it.

    Functions take the attributes of a node by name, completed by the defaults.

    Attributes:
        attention: What part of attention it can be.
        activation: The activation that it is, which may be computed together with a convolution.
        factor: Number by which the result is a multiple of the first input, None if it is not.
        uniform: Number that all elements of the result are.
        replaces: Which elements of the second input a number replaces: whether those where the
            first one is not zero, and the number.
        clears: Whether elements of the first input stay at their place, or become zero.
        keeps_layout: Whether data with the channels last in memory give such a result and are not
            reordered. Where inputs and output have one shape, it is so.
        arrange: Returns the inputs of an imperative call with its attributes in the order of memory
            in which their device computes fastest. Graphs have a pass for that.
        opaque: Whether a compiler of torch is to leave it to the library that computes it.
        passes_through: Whether the result is the first input, unless gradients are asked for.
    """

    attention: Attention | None = None
    activation: Activation | Callable[..., Activation | None] | None = None
    factor: Callable[..., float | None] | None = None
    uniform: Callable[..., float] | None = None
    replaces: Callable[..., tuple[bool, float]] | None = None
    clears: bool = False
    keeps_layout: bool = False
    arrange: Arrange | None = None
    opaque: bool = False
    passes_through: bool | Callable[..., bool] = False


NOT_FUSED = Fusion()
PASSES_THROUGH = Fusion(passes_through=True)
KEEPS_LAYOUT = Fusion(keeps_layout=True)
OPAQUE = Fusion(opaque=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variables:
    """What is known of variables that are inputs.

    Attributes:
        parameters: Names of inputs that are parameters, not data.
        fixed: Inputs whose values are 1 if an attribute says so, with its name.
        initializers: How variables that are made for inputs are initialized, as files have it.
    """

    parameters: frozenset[str] = PARAMETERS
    fixed: Mapping[str, str] = field(default_factory=dict)
    initializers: Mapping[str, str] = field(default_factory=dict)


PLAIN_VARIABLES = Variables()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Files:
    """How nodes of files that other releases or dialects have written are read.

    Attributes:
        upgrade: Brings the attributes of a node of an older file to today's form, from the
            version of the file and the attributes.
        numpy_twin: Operator that is meant by its name in files of the NumPy dialect, in which some
            operators of both dialects have one name, but return scalars of shape `()`.
    """

    upgrade: Upgrade | None = None
    numpy_twin: str | None = None


READ_AS_IS = Files()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traits:
    """Facts about an operator that its kernel does not tell.

    Attributes:
        shapes: How shapes are inferred.
        types: How element types are inferred.
        storage: Storage types of results and gradients.
        labels: Names of outputs, and what monitors show.
        fusion: What passes over graphs and compilers may do with it.
        variables: What is known of variables that are inputs.
        files: How nodes of older files and of the NumPy dialect are read.
        role: What passes over graphs may treat it as. They rely on the inputs and attributes
            that `elemwise_add`, `Concat`, `Convolution`, `FullyConnected`, `BatchNorm`, `Pooling`,
            `softmax`, `Dropout`, `where`, `SliceChannel` or `ones_like` has. A comparison returns
            ones and zeros; a movement returns elements of its first input, moved, repeated or
            left out.
        low_precision: Whether mixed precision computes it in the low precision, where the lists of
            the original (`contrib/amp/lists`) do not say in which.
        quantization: How graphs compute it on integers; None if they do not.
        drawing: How networks are drawn and summarized.
        flops: Floating-point operations from the shapes of inputs and outputs and the attributes,
            see `flops.py`; None for one for each element, or none if it only moves elements.
        ignores_head: Whether the gradient of the inputs is that of a loss, which does not depend
            on the gradient of the output; may be a function of the attributes.
        runs_program: Whether a program of the user computes the outputs and knows their number,
            names, shapes and dtypes (`custom.py`).
        combine_out: Computes what is written to `out` from the result, what `out` holds and the
            attributes; None for the result itself.
        draws_seldom: Whether the kernel draws random numbers under few attributes only, and holds
            `_rng.drawing()` itself then; others that take a generator hold it all the time.
        in_graphs: Kernel of graphs, where these take inputs that calls on arrays refuse; None for
            the one of calls.
    """

    shapes: Shapes = FROM_KERNEL
    types: Types = ONE_TYPE
    storage: Storage = DENSE
    labels: Labels = NUMBERED
    fusion: Fusion = NOT_FUSED
    variables: Variables = PLAIN_VARIABLES
    files: Files = READ_AS_IS
    role: Role | None = None
    low_precision: bool = False
    quantization: Quantization | None = None
    drawing: Drawing = PLAIN
    flops: FlopRule | None = None
    ignores_head: bool | Callable[..., bool] = False
    runs_program: bool = False
    combine_out: CombineOut | None = None
    draws_seldom: bool = False
    in_graphs: Callable[..., Any] | None = None


NO_TRAITS = Traits()
ELEMENTWISE = Traits(shapes=SAME_SHAPE, types=OF_ELEMENTS)
"""Inputs and output of one shape and one floating-point dtype."""


# MXNet 2 has other names for some operators, in its functions and symbol files, and more
# attributes. The names are aliases, so that files of both versions are read, and functions of
# `mx.npx` that only MXNet 2 has are found by the names of their operators.

_LATER_CONTRIB = (
    *("bipartite_matching", "box_decode", "box_encode", "box_iou", "box_nms"),
    *("interleaved_matmul_encdec_qk", "interleaved_matmul_encdec_valatt"),
    *("interleaved_matmul_selfatt_qk", "interleaved_matmul_selfatt_valatt"),
    *("quantized_act", "quantized_conv", "quantized_elemwise_add", "quantized_elemwise_mul"),
    *("quantized_embedding", "quantized_flatten", "quantized_fully_connected"),
    *("quantized_pooling", "requantize", "round_ste", "sign_ste"),
)
_LATER_CLASSIC = ("add_n", "broadcast_greater", "broadcast_like", "norm", "slice_like", "softsign")
_LATER_NUMPY = (
    *("all", "any", "atleast_1d", "atleast_2d", "atleast_3d", "copy", "cumsum", "diag"),
    *("diagflat", "diagonal", "dot", "moveaxis", "prod", "roll", "squeeze", "sum", "trace"),
    "transpose",
)

LATER_NAMES: dict[str, tuple[str, ...]] = {
    **{f"_contrib_{name}": (f"_npx_{name}",) for name in _LATER_CONTRIB},
    **{name: (f"_npx_{name}",) for name in _LATER_CLASSIC},
    "_contrib_quantized_transpose": ("_npx_quantized_transpose", "quantized_transpose"),
    **{f"_np_{name}": (f"_npi_{name}",) for name in _LATER_NUMPY},
    "BlockGrad": ("_npx_stop_gradient",),
    "CTCLoss": ("_npx_ctc_loss",),
    "InstanceNorm": ("_npx_instance_norm",),
    "Pad": ("_npx_pad",),
    "SequenceLast": ("_npx_sequence_last",),
    "SequenceReverse": ("_npx_sequence_reverse",),
    "SliceChannel": ("_npx_slice_channel",),
    "_contrib_BatchNormWithReLU": ("_npx_batch_norm_with_relu",),
    "_contrib_DeformableConvolution": ("_npx_deformable_convolution",),
    "_contrib_ModulatedDeformableConvolution": ("_npx_modulated_deformable_convolution",),
    "_contrib_SyncBatchNorm": ("_npx_sync_batch_norm",),
    "_contrib_calibrate_entropy": ("_npx_contrib_calibrate_entropy",),
    "_contrib_quantize": ("_npx_contrib_quantize",),
    "_contrib_quantize_v2": ("_npx_contrib_quantize_v2",),
    "_contrib_quantized_reshape": ("quantized_reshape",),
    "_random_poisson": ("_npx_scalar_poisson",),
    "_sample_poisson": ("_npx_tensor_poisson",),
    "_sample_multinomial": (
        *("_sample_categorical", "sample_categorical"),
        "_npx__random_categorical",
    ),
    "_np_max": ("_npi_max", "_npi_amax"),
    "_np_min": ("_npi_min", "_npi_amin"),
    "_unravel_index": ("_npi_unravel_index",),
    "all_finite": ("_npi_all_finite",),
    "amp_cast": ("_npi_amp_cast",),
    "amp_multicast": ("_npi_amp_multicast",),
    "multi_all_finite": ("_npi_multi_all_finite",),
    "repeat": ("_npi_repeat",),
}
"""The names by those that the operators are declared with."""

_LATER_POOLING = ("global_pool", "cudnn_off", "pooling_convention", "stride", "pad", "p_value")

LATER_ATTRIBUTES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("Pooling", "_contrib_quantized_pooling"), frozenset({"output_size"})),
    **dict.fromkeys(
        ("_image_random_flip_left_right", "_image_random_flip_top_bottom"), frozenset({"p"})
    ),
    "_contrib_AdaptiveAvgPooling2D": frozenset(
        {"kernel", "pool_type", *_LATER_POOLING, "count_include_pad", "layout"}
    ),
    "rmsprop_update": frozenset({"rho"}),
    "rmspropalex_update": frozenset({"rho", "momentum"}),
}
"""Attributes that only MXNet 2 has, by operators, of which they are the last. The classic dialect
takes them by name without saying so, since `out` follows the others by position."""

"""Functions of `mx.npx`, its `random` and `image`, and the `F` of layers in the NumPy dialect.

Most of the functions are operators as they are. Layers of Gluon are written on operators such as
`F.FullyConnected`, which are the same in both dialects; here they take and return arrays or
symbols of the NumPy dialect.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from mxnet._np_functions.random import draw
from mxnet._np_functions.table import (
    NPX,
    NPX_IMAGE,
    NPX_RANDOM,
    Operators,
    add_operator,
    forward,
    np_function,
)
from mxnet.errors import ArgumentValueError
from mxnet.ops.core.registry import all_names

_OPERATORS = (
    *("activation", "arange_like", "batch_dot", "batch_flatten", "batch_norm", "cast"),
    *("convolution", "deconvolution", "dropout", "embedding", "erf", "erfinv", "fully_connected"),
    *("gamma", "gammaln", "gather_nd", "layer_norm", "leaky_relu", "log_softmax"),
    *("multibox_detection", "multibox_prior", "multibox_target", "one_hot", "pick", "pooling"),
    *("relu", "reshape_like", "rnn", "roi_pooling", "sequence_mask", "shape_array", "sigmoid"),
    *("slice", "smooth_l1", "softmax", "topk"),
)
_IMAGE_OPERATORS = (
    *("adjust_lighting", "crop", "flip_left_right", "flip_top_bottom", "normalize"),
    *("random_brightness", "random_color_jitter", "random_contrast", "random_crop"),
    *("random_flip_left_right", "random_flip_top_bottom", "random_hue", "random_lighting"),
    *("random_resized_crop", "random_saturation", "resize", "to_tensor"),
)

_LATER_OPERATORS = (
    *("add_n", "batch_norm_with_relu", "bipartite_matching", "box_decode", "box_encode"),
    *("box_iou", "box_nms", "broadcast_greater", "broadcast_like", "contrib_calibrate_entropy"),
    *("contrib_quantize", "contrib_quantize_v2", "ctc_loss", "deformable_convolution", "digamma"),
    *("group_norm", "index_add", "index_update", "instance_norm"),
    *("interleaved_matmul_encdec_qk", "interleaved_matmul_encdec_valatt"),
    *("interleaved_matmul_selfatt_qk", "interleaved_matmul_selfatt_valatt"),
    *("intgemm_fully_connected", "intgemm_maxabsolute", "intgemm_prepare_data"),
    *("intgemm_prepare_weight", "intgemm_take_weight", "log_sigmoid", "masked_log_softmax"),
    *("masked_softmax", "mish", "modulated_deformable_convolution", "norm", "pad"),
    *("quantized_act", "quantized_conv", "quantized_elemwise_add", "quantized_elemwise_mul"),
    *("quantized_embedding", "quantized_flatten", "quantized_fully_connected"),
    *("quantized_pooling", "quantized_reshape", "quantized_transpose", "requantize"),
    *("round_ste", "scalar_poisson", "sequence_last", "sequence_reverse", "sign_ste"),
    *("sldwin_atten_context", "sldwin_atten_mask_like", "sldwin_atten_score", "slice_channel"),
    *("slice_like", "softsign", "stop_gradient", "sync_batch_norm", "tensor_poisson"),
)
"""Functions that MXNet 2 adds."""

for _name in _OPERATORS:
    add_operator(NPX, _name, f"_npx_{_name}")
for _name in _LATER_OPERATORS:
    add_operator(NPX, _name, f"_npx_{_name}", late=True)
for _name in ("categorical", "multinomial"):
    add_operator(NPX_RANDOM, _name, f"_npx__random_{_name}")
for _name in _IMAGE_OPERATORS:
    add_operator(NPX_IMAGE, _name, f"_npx__image_{_name}")
add_operator(NPX_IMAGE, "copyMakeBorder", "_cvcopyMakeBorder")


@forward("_npx_reshape", NPX)
def reshape(a: Any, newshape: Any, reverse: bool = False, order: str = "C") -> Any:
    """Returns an array with another shape, which may copy, split and join axes.

    Args:
        a: The array.
        newshape: Length of each axis, or a code: -1 for what is left, -2 for the axis at this
            place, -3 to leave out an axis of length 1, -4 for all axes that are left, -5 for the
            product of two axes, -6 followed by two lengths to split an axis.
        reverse: Whether to match axes from the last one.
        order: Only `"C"`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.np.zeros((2, 3, 4))
        >>> mx.npx.reshape(x, (-2, -1)).shape
        (2, 12)
        >>> mx.npx.reshape(x, (-5, 4)).shape
        (6, 4)
    """


@forward("_npx_nonzero", NPX)
def nonzero(a: Any) -> Any:
    """Returns the indices of elements that are not zero, one row for each.

    Args:
        a: The array.

    Example:
        >>> import mxnet as mx
        >>> mx.npx.nonzero(mx.np.array([[1, 0], [0, 2]]))
        array([[0, 0],
               [1, 1]], dtype=int64)
    """


@forward("_npx_constraint_check", NPX)
def constraint_check(x: Any, msg: str) -> Any:
    """Returns true if all elements are true, and raises a `ValueError` otherwise.

    Args:
        x: Truth values.
        msg: What the error says.

    Example:
        >>> import mxnet as mx
        >>> mx.npx.constraint_check(mx.np.array([1, 2]) > 0, "must be positive")
        array(True)
    """


_PREFIXES = {
    "contrib": "_contrib_",
    "linalg": "_linalg_",
    "image": "_image_",
    "random": "_random_",
    "_internal": "",
}
_OPERANDS = {
    "maximum": "maximum",
    "minimum": "minimum",
    "power": "power",
    "broadcast_add": "add",
    "broadcast_sub": "subtract",
    "broadcast_mul": "multiply",
    "broadcast_div": "true_divide",
}
"""Functions of two operands by the names that layers call: those of NumPy, which promote dtypes."""


class OperatorModule(ModuleType):
    """A module of operators, whose functions are made when they are first asked for.

    Args:
        name: Name of the module.
        operators: Makes the functions of operators.
        written: What is not the function of an operator.
        prefix: What the names of its operators begin with.
    """

    def __init__(
        self, name: str, operators: Operators, written: Mapping[str, Any], prefix: str = ""
    ) -> None:
        super().__init__(name, f"Operators `{prefix}*`, without that prefix.")
        self.__dict__.update(written)
        self._operators, self._prefix = operators, prefix

    def __getattr__(self, name: str) -> Any:
        if name in _PREFIXES and not self._prefix:
            value: Any = OperatorModule(
                f"{self.__name__}.{name}", self._operators, {}, _PREFIXES[name]
            )
        elif name in _OPERANDS and not self._prefix:
            value = getattr(self._operators, _OPERANDS[name])
        elif self._prefix + name in all_names():
            value = self._operators.make_raw(self._prefix + name)
        else:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        prefix = self._prefix
        operators = (name for name in all_names() if name.startswith(prefix))
        return sorted({*self.__dict__, *(name.removeprefix(prefix) for name in operators)})


@np_function(NPX_RANDOM)
def bernoulli(
    F: Operators,
    prob: Any = None,
    logit: Any = None,
    size: Any = None,
    dtype: Any = None,
    ctx: Any = None,
    out: Any = None,
) -> Any:
    """Draws ones by their probability, and zeros otherwise.

    Args:
        F: Operators of the frontend.
        prob: Probability of a one, a number or an array.
        logit: Logarithm of the odds of a one, in place of `prob`.
        size: Shape of the result, by default that of the parameter.
        dtype: Type of the result: floats, bool, int32 or uint8.
        ctx: Context, the current one if not given.
        out: Array to write the result into.

    Example:
        >>> import mxnet as mx
        >>> x = mx.npx.random.bernoulli(prob=0.3, size=4)
        >>> x.shape, set(x.tolist()) <= {0, 1}
        ((4,), True)
    """
    if (prob is None) == (logit is None):
        raise ArgumentValueError(
            f"bernoulli: expected either prob or logit, got prob={prob}, logit={logit}"
        )
    options = {"is_logit": prob is None, "size": size, "dtype": dtype or "float32", "out": out}
    return draw(F, F._npi_bernoulli, {"prob": prob, "logit": logit}, ctx, **options)


@np_function(NPX_RANDOM)
def normal_n(
    F: Operators,
    loc: Any = 0.0,
    scale: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Any = None,
) -> Any:
    """Draws from a normal distribution, `batch_shape` times for each set of parameters.

    Args:
        F: Operators of the frontend.
        loc: Mean, a number or an array.
        scale: Standard deviation, a number or an array.
        batch_shape: Shape of the draws, before that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.npx.random.normal_n(mx.np.array([0, 100]), 1, batch_shape=(3,)).shape
        (3, 2)
    """
    parameters, dtype = {"loc": loc, "scale": scale}, dtype or "float32"
    return draw(F, F._npi_normal_n, parameters, ctx, size=batch_shape, dtype=dtype)


@np_function(NPX_RANDOM)
def uniform_n(
    F: Operators,
    low: Any = 0.0,
    high: Any = 1.0,
    batch_shape: Any = None,
    dtype: Any = None,
    ctx: Any = None,
) -> Any:
    """Draws from the uniform distribution on `[low, high)`, for each set of parameters.

    Args:
        F: Operators of the frontend.
        low: Least value, a number or an array.
        high: End of the range, a number or an array.
        batch_shape: Shape of the draws, before that of the parameters.
        dtype: Floating-point type of the result.
        ctx: Context, the current one if not given.

    Example:
        >>> import mxnet as mx
        >>> mx.npx.random.uniform_n(mx.np.array([0, 100]), 200, batch_shape=(3,)).shape
        (3, 2)
    """
    parameters, dtype = {"low": low, "high": high}, dtype or "float32"
    return draw(F, F._npi_uniform_n, parameters, ctx, size=batch_shape, dtype=dtype)

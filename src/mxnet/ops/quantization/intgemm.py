"""Products of signed bytes by the names of MXNet 2's intgemm operators.

There a library for processors of Intel multiplies the bytes; here the products are computed with
floating-point numbers that hold all sums exactly, on any device. Weights keep their order, where
that library has one of its own: prepared weights are not for files that others read.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Count
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Dtypes, Settings, Traits, Types
from mxnet.ops.nn.layouts import require_floating, require_input, require_shape
from mxnet.ops.quantization.conversion import INT8_LARGEST, require_dtype, rule
from mxnet.ops.quantization.kernels import multiply_to_int32

_DATA, _WEIGHT = "_contrib_intgemm_prepare_data", "_contrib_intgemm_prepare_weight"
_DENSE, _TAKE = "_contrib_intgemm_fully_connected", "_contrib_intgemm_take_weight"


@op(
    "_contrib_intgemm_maxabsolute",
    aliases=("_npx_intgemm_maxabsolute",),
    fresh=True,
    differentiable=False,
)
def largest_magnitude(data: Tensor) -> Tensor:
    """Returns the largest magnitude of all elements, by which bytes are scaled.

    Args:
        data: Array of floats.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.intgemm_maxabsolute(mx.nd.array([1, -3, 2])).asnumpy())
        [3.]
    """
    require_floating("_contrib_intgemm_maxabsolute", data)
    return data.abs().amax().reshape(1) if data.numel() else data.new_zeros(1)


def _to_bytes(name: str, data: Tensor, maxabs: Tensor) -> Tensor:
    require_floating(name, data)
    if maxabs.numel() != 1:
        raise MXNetError(f"{name}: expected one largest magnitude, got {tuple(maxabs.shape)}")
    scaled = data.float() * (INT8_LARGEST / maxabs.reshape(()).float())
    return scaled.round().clamp(-INT8_LARGEST, INT8_LARGEST).to(torch.int8)


@op(
    _DATA,
    aliases=("_npx_intgemm_prepare_data",),
    differentiable=False,
    traits=Traits(types=Types(rule=rule(_DATA, {}, [torch.int8]))),
)
def prepare_data(data: Tensor, maxabs: Tensor) -> Tensor:
    """Scales floats to signed bytes, the largest magnitude to 127.

    Args:
        data: Array of floats.
        maxabs: The largest magnitude, of shape `(1,)`; what is larger is cut off.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, -2, 0.5])
        >>> print(mx.nd.contrib.intgemm_prepare_data(x, mx.nd.array([2])).asnumpy())
        [  64 -127   32]
    """
    return _to_bytes(_DATA, data, maxabs)


def _weight_inputs(*, already_quantized: bool) -> tuple[str, ...]:
    return ("weight",) if already_quantized else ("weight", "maxabs")


@op(
    _WEIGHT,
    aliases=("_npx_intgemm_prepare_weight",),
    differentiable=False,
    active_inputs=_weight_inputs,
    traits=Traits(types=Types(rule=rule(_WEIGHT, {}, [torch.int8]))),
)
def prepare_weight(
    weight: Tensor, maxabs: Tensor | None = None, *, already_quantized: bool = False
) -> Tensor:
    """Scales weights to signed bytes, unless they are bytes already.

    Args:
        weight: Weights of shape `(units, inputs)`.
        maxabs: The largest magnitude, of shape `(1,)`.
        already_quantized: Whether the weights are bytes.

    Example:
        >>> import mxnet as mx
        >>> weight = mx.nd.array([[1, -2]])
        >>> print(mx.nd.contrib.intgemm_prepare_weight(weight, mx.nd.array([2])).asnumpy())
        [[  64 -127]]
    """
    if already_quantized:
        require_dtype(_WEIGHT, "weight", weight, torch.int8)
        return weight.clone()
    return _to_bytes(_WEIGHT, weight, require_input(_WEIGHT, "maxabs", maxabs, "floats"))


@op(_TAKE, aliases=("_npx_intgemm_take_weight",), any_dtype=("indices",), differentiable=False)
def take_weight(weight: Tensor, indices: Tensor) -> Tensor:
    """Takes rows of prepared weights.

    Args:
        weight: Prepared weights of shape `(units, inputs)`.
        indices: Vector of the rows.

    Example:
        >>> import mxnet as mx
        >>> weight = mx.nd.array([[1, 2], [3, 4]], dtype="int8")
        >>> rows = mx.nd.contrib.intgemm_take_weight(weight, mx.nd.array([1], dtype="int32"))
        >>> print(rows.asnumpy())
        [[3 4]]
    """
    return weight.index_select(0, indices.long())


def _dense_inputs(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    return ("data", "weight", "scaling", *(() if no_bias else ("bias",)))


def _dense_dtypes(known: Dtypes, settings: Settings) -> Dtypes:
    del known  # bytes or floats become what is asked for
    return [torch.int32 if settings["out_type"] == "int32" else torch.float32]


@op(
    _DENSE,
    aliases=("_npx_intgemm_fully_connected",),
    strict_dtypes=True,
    active_inputs=_dense_inputs,
    differentiable=False,
    traits=Traits(types=Types(rule=rule(_DENSE, {"weight": (torch.int8,)}, _dense_dtypes))),
)
def dense(
    data: Tensor,
    weight: Tensor,
    scaling: Tensor | None = None,
    bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
    out_type: Literal["float32", "int32"] = "float32",
) -> Tensor:
    """Multiplies bytes with prepared weights.

    Args:
        data: Bytes of shape `(batch, inputs)`; floats are scaled by their largest magnitude.
        weight: Prepared weights of shape `(units, inputs)`.
        scaling: What the sums are multiplied with, of shape `(1,)`; for `float32` results.
        bias: Vector that is added to `float32` results.
        num_hidden: Number of units.
        no_bias: Whether there is no bias.
        flatten: Whether all axes of the data but the first are folded into one.
        out_type: `float32`, or `int32` for the sums themselves.

    Example:
        >>> import mxnet as mx
        >>> data, weight = mx.nd.ones((1, 3), dtype="int8"), mx.nd.ones((2, 3), dtype="int8")
        >>> half, run = mx.nd.array([0.5]), mx.nd.contrib.intgemm_fully_connected
        >>> print(run(data, weight, half, num_hidden=2, no_bias=True).asnumpy())
        [[1.5 1.5]]
    """
    require_dtype(_DENSE, "weight", weight, torch.int8)
    factor = None
    if data.is_floating_point():
        largest = largest_magnitude(data)
        data, factor = _to_bytes(_DENSE, data, largest), largest.reshape(()) / INT8_LARGEST
    rows = data.flatten(start_dim=1) if flatten else data
    require_shape(_DENSE, "weight", weight, (num_hidden, rows.shape[-1]))
    sums = multiply_to_int32(rows.reshape(-1, rows.shape[-1]), weight)
    sums = sums.reshape(*rows.shape[:-1], num_hidden)
    if out_type == "int32":
        return sums
    scale = require_input(_DENSE, "scaling", scaling, "out_type='float32'")
    result = sums.float() * scale.reshape(()).float()
    result = result if factor is None else result * factor
    return result if bias is None else result + bias

"""Affine maps."""

from __future__ import annotations

from math import prod

import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops import drawing, flops, misfits, quantizing, quick_shapes
from mxnet.ops.attrs import Count, Shape
from mxnet.ops.registry import op
from mxnet.ops.traits import NAMED_OUTPUTS, SAME_DTYPE, Shapes, Traits


def bias_unless_off(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    """Inputs of a layer whose bias can be switched off."""
    return ("data", "weight") if no_bias else ("data", "weight", "bias")


def _fill_fully_connected(
    data: Shape, *, num_hidden: int, flatten: bool, **_: object
) -> dict[str, Shape]:
    in_units = prod(data[1:]) if flatten else data[-1]
    return {"weight": (num_hidden, in_units), "bias": (num_hidden,)}


@op(
    "FullyConnected",
    aliases=("_npx_fully_connected",),
    fresh=True,
    fill_shapes=_fill_fully_connected,
    active_inputs=bias_unless_off,
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(
            quick=quick_shapes.fully_connected,
            keeps_batch=True,
            exact=True,
            misfit=misfits.fully_connected,
        ),
        labels=NAMED_OUTPUTS,
        drawing=drawing.DENSE,
        role="dense",
        flops=flops.dense,
        quantization=quantizing.DENSE,
    ),
)
def fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> Tensor:
    """Computes the affine map ``data @ weight.T + bias``.

    Args:
        data: Input of shape `(batch, ...)`.
        weight: Weights of shape `(num_hidden, in_units)`.
        bias: Offsets of shape `(num_hidden,)`.
        num_hidden: Size of the output.
        no_bias: Whether to leave the bias out.
        flatten: Whether to fold all axes but the first into one; otherwise the map applies to the
            last axis.

    Example:
        >>> import mxnet as mx
        >>> data, weight = mx.nd.ones((2, 3)), mx.nd.ones((4, 3))
        >>> print(mx.nd.FullyConnected(data, weight, mx.nd.arange(4), num_hidden=4).asnumpy())
        [[3. 4. 5. 6.]
         [3. 4. 5. 6.]]
    """
    if flatten and data.ndim != 2:
        # a vector is a batch of single features
        data = data.flatten(start_dim=1) if data.ndim > 1 else data.unsqueeze(1)
    if weight.shape[0] != num_hidden:
        raise MXNetError(
            f"FullyConnected: `weight` of {num_hidden} rows expected, "
            f"got shape {tuple(weight.shape)}"
        )
    return F.linear(data, weight, None if no_bias else bias)

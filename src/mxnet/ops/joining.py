"""Operators that join arrays."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.ops import (
    drawing,
    flops,
    input_shapes,
    misfits,
    quantizing,
    quick_shapes,
    storage_types,
)
from mxnet.ops.registry import op
from mxnet.ops.traits import KEEPS_LAYOUT, NAMED, NAMED_INPUTS, SAME_DTYPE, Shapes, Storage, Traits


@op(
    "Concat",
    aliases=("concat",),
    traits=Traits(
        types=SAME_DTYPE,
        shapes=Shapes(
            quick=quick_shapes.concat, inputs=input_shapes.join, misfit=misfits.concatenation
        ),
        fusion=KEEPS_LAYOUT,
        labels=NAMED,
        drawing=drawing.SHAPING,
        storage=Storage(
            result=storage_types.only_all("csr", lambda attrs: attrs.get("dim") == 0),
            algorithm="concat",
        ),
        flops=flops.nothing,
        quantization=quantizing.JOINING,
    ),
)
def concat(*data: Tensor, dim: int = 1) -> Tensor:
    """Joins arrays along an axis; their other axes have equal sizes.

    Args:
        data: Arrays to join.
        dim: The axis.

    Example:
        >>> import mxnet as mx
        >>> left, right = mx.nd.zeros((2, 1)), mx.nd.ones((2, 2))
        >>> print(mx.nd.concat(left, right, dim=1).asnumpy())
        [[0. 1. 1.]
         [0. 1. 1.]]
    """
    return torch.cat(data, dim)


op(
    "_rnn_param_concat",
    aliases=("_npi_rnn_param_concat",),
    traits=Traits(flops=flops.nothing),
    summary="Joins the parameters of a recurrent layer, which files name apart from other arrays.",
)(concat)


@op(
    "stack",
    traits=Traits(
        labels=NAMED_INPUTS, flops=flops.nothing, shapes=Shapes(early=input_shapes.stacked)
    ),
)
def stack(*data: Tensor, axis: int = 0) -> Tensor:
    """Joins arrays of one shape along a new axis.

    Args:
        data: Arrays to join.
        axis: Position of the new axis in the result.

    Example:
        >>> import mxnet as mx
        >>> first, second = mx.nd.array([1, 2]), mx.nd.array([3, 4])
        >>> print(mx.nd.stack(first, second, axis=1).asnumpy())
        [[1. 3.]
         [2. 4.]]
    """
    return torch.stack(data, axis)

"""Storage types in graphs, where every array is dense."""

from __future__ import annotations

from typing import Literal

from torch import Tensor

from mxnet.ops.registry import op


@op("cast_storage", fresh=True)
def cast_storage(data: Tensor, *, stype: Literal["csr", "default", "row_sparse"]) -> Tensor:
    """Copies an array; a graph keeps the dense form of it, whatever storage type is asked for.

    Args:
        data: Any array.
        stype: Storage type: dense (`default`), or one that stores only what is not zero.
    """
    return data.clone()

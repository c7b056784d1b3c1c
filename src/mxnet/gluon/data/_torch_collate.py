"""Lets torch's `DataLoader` make batches of datasets whose samples are arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor
from torch.utils.data._utils.collate import default_collate_fn_map

from mxnet.ndarray import NDArray


def collate_arrays(batch: Sequence[NDArray], *, collate_fn_map: dict[Any, Any]) -> Tensor:
    """Stacks arrays to a tensor, as torch does with tensors.

    Args:
        batch: The arrays of the samples, of one shape and dtype.
        collate_fn_map: How samples of other classes are joined.
    """
    tensors = [array.to_torch().detach() for array in batch]
    stacked: Tensor = collate_fn_map[Tensor](tensors, collate_fn_map=collate_fn_map)
    return stacked


default_collate_fn_map[NDArray] = collate_arrays

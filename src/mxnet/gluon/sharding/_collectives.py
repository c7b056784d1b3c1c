"""The exchanges of torch.distributed that sharding needs, by the names that this release has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, distributed

from mxnet.ops.core.allocation import explain_shortage


def _run(new: str, old: str, *tensors: Tensor, async_op: bool = False) -> Any:
    """Calls a function by its new name if this release has it, else by the old one."""
    function: Callable[..., Any] = getattr(distributed, new, None) or getattr(distributed, old)
    try:
        return function(*tensors, async_op=async_op)
    except RuntimeError as error:
        shortage = explain_shortage(new, error)  # of this rank, not a matter of the others
        if shortage is None:
            raise
        raise shortage from error


def begin_all_gather(gathered: Tensor, sent: Tensor) -> Any:
    """Has a tensor filled with what all ranks send, in their order; `wait` of the result waits."""
    return _run("all_gather_single", "all_gather_into_tensor", gathered, sent, async_op=True)


def reduce_scatter(received: Tensor, sent: Tensor) -> None:
    """Fills a tensor with this rank's part of the sum of what all ranks send."""
    _run("reduce_scatter_single", "reduce_scatter_tensor", received, sent)


def broadcast(tensor: Tensor) -> None:
    """Copies a tensor from the first rank to all."""
    distributed.broadcast(tensor, 0)


def add_up(tensor: Tensor) -> None:
    """Replaces a tensor by its sum over ranks."""
    distributed.all_reduce(tensor)

"""A network as a module of torch that holds its parameters."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from torch import Tensor, nn

import mxnet as mx
from mxnet.ndarray import NDArray


class TorchModule(nn.Module):
    """A network as it predicts.

    Args:
        block: The network, whose parameters are known.
        data: Arrays to trace it with.
    """

    def __init__(self, block: mx.gluon.HybridBlock, data: Sequence[NDArray]) -> None:
        super().__init__()
        program = block.to_fx(*data)
        self._program = copy.deepcopy(program).requires_grad_(False)  # on memory of its own

    def forward(self, *data: Tensor) -> tuple[Tensor, ...]:
        """Computes the outputs."""
        return tuple(self._program(*data))

"""A network as a module of torch that holds its parameters."""

from __future__ import annotations

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
        self._program = block.to_fx(*data)
        self._names: list[str] = []
        for parameter in block.collect_params().values():  # the order of the program's inputs
            self._names.append(f"weight_{len(self._names)}")
            self.register_buffer(self._names[-1], parameter.data().to_torch().clone())

    def forward(self, *data: Tensor) -> tuple[Tensor, ...]:
        """Computes the outputs."""
        weights = [self.get_buffer(name) for name in self._names]
        outputs = self._program(*data, *weights)
        return tuple(outputs)

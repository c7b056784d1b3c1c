"""A network as a module of torch that predicts, with parameters named as in its file."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

import mxnet as mx
from mxnet.graph.lower import safe_word
from mxnet.ndarray import NDArray


class TorchModule(nn.Module):
    """A network as it predicts, in one graph.

    `Block.to_torch` is for modules that train and are looked into, with a module for each block.

    Args:
        block: The network, whose parameters are known.
        data: Arrays to trace it with.
    """

    def __init__(self, block: mx.gluon.HybridBlock, data: Sequence[NDArray]) -> None:
        super().__init__()
        self._program = block.to_fx(*data, hold_parameters=False)
        self._names: list[str] = []
        for name, parameter in block.collect_params().items():  # the order of program inputs
            tensor = parameter.data().to_torch().clone()
            self._names.append(self._add(name, nn.Parameter(tensor, requires_grad=False)))

    def _add(self, name: str, parameter: nn.Parameter) -> str:
        """Adds a parameter and returns its name."""
        plain = safe_word(name.replace(".", "_"), dir(self))
        self.register_parameter(plain, parameter)
        return plain

    def forward(self, *data: Tensor) -> tuple[Tensor, ...]:
        """Computes the outputs."""
        weights = [self.get_parameter(name) for name in self._names]
        return tuple(self._program(*data, *weights))

"""What the table of networks shares: a problem, which Gluon and torch solve by the same network.

Both sides of a problem have parameters of the same shapes in the same order, so that those of
Gluon can be copied to torch and results be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

import mxnet as mx
from mxnet import gluon, nd

_RANDOM = np.random.default_rng(0)
Numbers = np.ndarray[Any, Any]


def normal(*shape: int) -> Numbers:
    """Returns random data, such as images."""
    return _RANDOM.normal(size=shape).astype("float32")


def uniform(*shape: int) -> Numbers:
    """Returns numbers between 0 and 1."""
    return _RANDOM.uniform(size=shape).astype("float32")


def integers(most: int, *shape: int) -> Numbers:
    """Returns classes or words."""
    return _RANDOM.integers(0, most, size=shape)


@dataclass(frozen=True)
class Stage:
    """A part of a training step that ends in an update.

    Attributes:
        loss: Returns the loss of inputs and labels.
        trained: Block or module with the parameters that are updated.
    """

    loss: Any
    trained: Any


@dataclass(frozen=True)
class Side:
    """What a package computes.

    Attributes:
        net: Block or module with all parameters, which predicts from the inputs.
        stages: Parts of a training step.
    """

    net: Any
    stages: Sequence[Stage]


@dataclass(frozen=True)
class Problem:
    """A network with its data.

    Attributes:
        inputs: Arguments of the network.
        labels: Further arguments of the losses.
        gluon: Makes the side of Gluon.
        torch: Makes the side of torch.
        sparse: Whether gradients of tables are sparse, and the update is plain SGD.
        tolerance: How far results may differ, relative to the largest.
    """

    inputs: list[Numbers]
    labels: list[Numbers]
    gluon: Callable[[], Side]
    torch: Callable[[], Side]
    sparse: bool = False
    tolerance: float = 1e-3
    classes: dict[str, Any] = field(default_factory=dict)


class GluonLoss(gluon.HybridBlock):
    """A network with its loss.

    Args:
        net: The network.
        loss: Called with what the network returns, and the labels.
        count: Number of inputs of the network; what follows are labels.
    """

    def __init__(self, net: Any, loss: Any, count: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.net, self.loss, self._count = net, loss, count

    def hybrid_forward(self, F: Any, *args: Any) -> Any:  # noqa: ARG002 - the interface
        """Returns the mean loss."""
        results = self.net(*args[: self._count])
        listed = results if isinstance(results, (list, tuple)) else (results,)
        return self.loss(*listed, *args[self._count :]).mean()


class TorchLoss(torch.nn.Module):
    """As `GluonLoss`, of modules."""

    def __init__(self, net: Any, loss: Any, count: int) -> None:
        super().__init__()
        self.net, self.loss, self._count = net, loss, count

    def forward(self, *args: Tensor) -> Tensor:
        """Returns the mean loss."""
        results = self.net(*args[: self._count])
        listed = results if isinstance(results, (list, tuple)) else (results,)
        return self.loss(*listed, *args[self._count :]).mean()


class _ByFunction(gluon.HybridBlock):
    """A loss that is a function of `F` and what a loss gets."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._function = function

    def hybrid_forward(self, F: Any, *args: Any) -> Any:
        """Returns the loss."""
        return self._function(F, *args)


def pair(
    inputs: list[Numbers],
    labels: list[Numbers],
    nets: tuple[Callable[[], Any], Callable[[], Any]],
    losses: tuple[Any, Any],
    **options: Any,
) -> Problem:
    """Returns the problem of one network and one loss.

    Args:
        inputs: Arguments of the network.
        labels: Further arguments of the loss.
        nets: Make the network of Gluon and that of torch.
        losses: A loss of Gluon or a function that begins with `F`; and one of torch.
        options: Further fields of the problem.
    """
    ours, theirs = losses

    def make_gluon() -> Side:
        net = nets[0]()
        loss = ours() if isinstance(ours, type) else _ByFunction(ours)
        return Side(net, [Stage(GluonLoss(net, loss, len(inputs)), net)])

    def make_torch() -> Side:
        net = nets[1]()
        return Side(net, [Stage(TorchLoss(net, theirs, len(inputs)), net)])

    return Problem(inputs, labels, make_gluon, make_torch, **options)


CLASSES = (gluon.loss.SoftmaxCrossEntropyLoss, torch.nn.functional.cross_entropy)
"""Losses of one class for each sample."""


def gluon_chain(*layers: Any) -> Any:
    """Returns layers one behind the other."""
    net = gluon.nn.HybridSequential()
    net.add(*layers)
    return net


def to_gluon(data: Sequence[Numbers], ctx: mx.Context) -> list[nd.NDArray]:
    """Returns data as programs for MXNet have it, all of it in float32."""
    return [nd.array(item, dtype="float32", ctx=ctx) for item in data]


def to_torch(data: Sequence[Numbers], device: str) -> list[Tensor]:
    """Returns data as programs for torch have it, classes in int64."""
    return [torch.as_tensor(item).to(device) for item in data]


def copy_weights(source: Any, target: torch.nn.Module) -> None:
    """Copies the parameters of a block to a module.

    Raises:
        ValueError: if they do not have the same shapes in the same order.
    """
    ours = [item.data() for item in source.collect_params().values()]
    theirs = [item for name, item in target.state_dict().items() if not name.endswith("_tracked")]
    shapes = [tuple(item.shape) for item in ours], [tuple(item.shape) for item in theirs]
    if shapes[0] != shapes[1]:
        first = next(
            (number for number, (a, b) in enumerate(zip(*shapes, strict=False)) if a != b), -1
        )
        places = [item[first] if item else None for item in shapes]
        raise ValueError(f"parameters differ: {len(ours)}, {len(theirs)}; at {first}: {places}")
    with torch.no_grad():
        for one, other in zip(ours, theirs, strict=True):
            other.copy_(one.to_torch())

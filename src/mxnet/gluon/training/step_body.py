"""What a training step does, written once for the loop and for its capture.

A hybridized network and its loss run as one graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import torch

from mxnet import autograd
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet.context import Context
from mxnet.errors import ArgumentTypeError, ArgumentValueError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.blocks.block import Block
from mxnet.gluon.hybrid.forward import HybridForward, by_symbols
from mxnet.gluon.hybrid.tracing import leaves_of, replace_leaves
from mxnet.gluon.parameters import Parameter
from mxnet.gluon.parts import PartsTogether, need_all_parts
from mxnet.gluon.trainer import Trainer
from mxnet.gluon.training.gradients import Column
from mxnet.gluon.utils import clip_global_norm
from mxnet.graph.run import Options
from mxnet.ndarray import NDArray
from mxnet.ops.optimizer.rules import Number

Loss: TypeAlias = Callable[..., Any] | Sequence[Callable[..., Any]] | None


class Batch:
    """The arguments of a step on one context.

    Args:
        inputs: Arguments of the network.
        labels: Other arguments of the loss.

    Attributes:
        arrays: All arrays among the arguments, those in lists included.
        is_flat: Whether the arguments are arrays alone.
    """

    __slots__ = ("arrays", "inputs", "is_flat", "labels")

    def __init__(self, inputs: tuple[Any, ...], labels: tuple[Any, ...]) -> None:
        self.inputs, self.labels = inputs, labels
        items = [*inputs, *labels]
        self.arrays: list[NDArray] = [item for item in items if isinstance(item, NDArray)]
        self.is_flat = len(self.arrays) == len(items)
        if not self.is_flat:
            self.arrays = [item for item in leaves_of(items) if isinstance(item, NDArray)]

    def with_arrays(self, arrays: Iterable[NDArray]) -> Batch:
        """Returns the batch with other arrays in the place of its own."""
        following = iter(arrays)
        parts = replace_leaves(
            (self.inputs, self.labels),
            lambda item: next(following) if isinstance(item, NDArray) else item,
        )
        return Batch(*map(tuple, parts))


class Results(NamedTuple):
    """What the passes of a step on one context computed."""

    loss: Any
    """An array, or a list of them."""
    output: Any
    """What the network returned, None if it was not asked for."""


def _filled_like(array: NDArray, scale: Number) -> NDArray:
    """Returns an array of one number, on the device of another one."""
    return type(array)._wrap(torch.zeros_like(array._plain) + scale, array._ctx)


class StepBody:
    """The parts of a training step.

    Args:
        net: The network.
        loss: See `TrainStep`.
        trainer: The trainer.
        max_norm: Limit of the norm of all gradients together, None for no limit.
        ignore_stale_grad: Whether parameters without a new gradient are left alone.
        returns_outputs: Whether the output of the network is a result.
        options: How a graph of network and loss is run, None for as the network was hybridized.
    """

    def __init__(
        self,
        net: Callable[..., Any],
        loss: Loss,
        trainer: Trainer,
        max_norm: float | None,
        ignore_stale_grad: bool,
        returns_outputs: bool,
        options: Options | None,
    ) -> None:
        self.net, self.loss, self.trainer = net, loss, trainer
        self.ignores_stale, self.returns_outputs = ignore_stale_grad, returns_outputs
        self._max_norm = max_norm
        self._joined = Joined(net, loss, options, returns_outputs)
        self._together = PartsTogether()
        self.updated: list[int] = []
        """Positions of the parameters that the last step in the loop updated on one context."""

    def rescale(self, size: float) -> None:
        """Sets what captured updates multiply gradients with; the loss scale is not part of it."""
        trainer = self.trainer
        unscaled = trainer._amp_loss_scaler is None
        scale = trainer._scale if unscaled else trainer._amp_original_scale
        trainer._optimizer.rescale_grad = scale / size

    def contexts(self) -> list[Context]:
        """Returns the contexts of the parameters."""
        parameters = self.trainer._params
        return parameters[0].list_ctx() if parameters else []

    def blocks(self) -> list[Block]:
        """Returns the blocks that a step calls."""
        losses = self.loss if isinstance(self.loss, (list, tuple)) else (self.loss,)
        return [item for item in (self.net, *losses) if isinstance(item, Block)]

    def parameters(self) -> list[Parameter]:
        """Returns all parameters that a step reads or writes."""
        found = {id(item): item for item in self.trainer._params}
        for block in self.blocks():
            for parameter in block.collect_params().values():
                found[id(parameter)] = parameter
        return list(found.values())

    def run(self, batches: Sequence[Batch], size: float) -> list[Results]:
        """Makes a step on one batch for each context, as the ordinary loop does."""
        trainer, scale = self.trainer, None
        if trainer._amp_loss_scaler is not None:
            scale = trainer._amp_loss_scaler.loss_scale
            trainer._scale = trainer._amp_original_scale / scale
        results = self.run_passes(batches, scale)
        self.update(size)
        return results

    def run_passes(self, batches: Sequence[Batch], scale: Number | None = None) -> list[Results]:
        """Computes losses and gradients.

        Args:
            batches: One batch for each context.
            scale: Factor of the gradients.
        """
        with autograd.record():
            if len(batches) > 1 and need_all_parts(self.blocks()):
                shapes = [array.shape for array in batches[0].arrays]
                tasks = [partial(self._compute_apart, batch) for batch in batches]
                results = self._together.compute(self.blocks(), shapes, tasks)
            else:
                results = [self._compute(batch) for batch in batches]
        heads = [head for result in results for head in leaves_of(result.loss)]
        gradients = None if scale is None else [_filled_like(head, scale) for head in heads]
        autograd.backward(heads, gradients)
        return results

    def _compute(self, batch: Batch) -> Results:
        joined = self._joined.find(batch.inputs, batch.labels)
        if joined is not None:
            results = joined(*batch.inputs, *batch.labels)
            return Results(*results) if self.returns_outputs else Results(results, None)
        return self._compute_apart(batch)

    def _compute_apart(self, batch: Batch) -> Results:
        """Calls the network and the loss one after the other."""
        output = self.net(*batch.inputs)
        losses = self._compute_losses(output, batch.labels)
        for item in losses if isinstance(losses, list) else (losses,):
            if not isinstance(item, NDArray):
                raise ArgumentTypeError(
                    "TrainStep: expected the loss to be an NDArray or a list of them, "
                    f"got {type(item).__name__}"
                )
        return Results(losses, output if self.returns_outputs else None)

    def _compute_losses(self, output: Any, labels: tuple[Any, ...]) -> Any:
        if self.loss is None:
            losses = output
        elif callable(self.loss):
            losses = self.loss(output, *labels)
        else:
            outputs = output if isinstance(output, (list, tuple)) else [output] * len(self.loss)
            if not len(outputs) == len(self.loss) == len(labels):
                raise ArgumentValueError(
                    f"TrainStep: {len(self.loss)} losses need as many outputs and labels, "
                    f"got {len(outputs)} and {len(labels)}"
                )
            losses = [
                function(item, label)
                for function, item, label in zip(self.loss, outputs, labels, strict=True)
            ]
        return list(losses) if isinstance(losses, (list, tuple)) else losses

    def update(self, size: float) -> None:
        """Updates the parameters by gradients that the passes computed."""
        trainer = self.trainer
        if self.ignores_stale:
            self.updated = [
                position
                for position, gradient in enumerate(trainer._current().columns[0].gradients)
                if gradient._fresh
            ]
        if self._max_norm is None:
            trainer.step(size, self.ignores_stale)
            return
        trainer.allreduce_grads()
        scaler = trainer._amp_loss_scaler
        for column in trainer._current().columns:
            self.clip(column, 1.0 if scaler is None else scaler.loss_scale)
        trainer.update(size, self.ignores_stale)

    def clip(self, column: Column, scale: Number) -> None:
        """Limits the norm of the new gradients of a context, if that is asked for.

        Args:
            column: The gradients.
            scale: What they are too large by.
        """
        gradients = [gradient for gradient in column.gradients if gradient._fresh]
        if self._max_norm is not None and gradients:
            max_norm: Any = self._max_norm * scale
            clip_global_norm(gradients, max_norm, check_isfinite=False)

    def reduce(self) -> None:
        """Adds gradients up over workers, where the trainer has a store."""
        self.trainer._allreduce_grads()

    def column(self) -> Column:
        """Returns what a step updates on the first context."""
        column = self.trainer._current().columns[0]
        if not self.ignores_stale:
            return column
        keys, gradients, weights = column
        return Column(
            [keys[position] for position in self.updated],
            [gradients[position] for position in self.updated],
            [weights[position] for position in self.updated],
        )


class NetWithLoss(HybridBlock):
    """Computes the loss of a network, and its output if that is asked for.

    Args:
        net: The network.
        loss: The loss.
        num_inputs: Number of arguments that go to the network; the others are labels.
        options: How the graph is run.
        returns_outputs: Whether the output is a result.
    """

    def __init__(
        self,
        net: HybridBlock,
        loss: HybridBlock,
        num_inputs: int,
        options: Options,
        returns_outputs: bool,
    ) -> None:
        super().__init__(prefix="")
        self.net, self.loss = net, loss
        self._num_inputs, self._returns_outputs = num_inputs, returns_outputs
        # `hybridize` would make the graphs of the network and the loss anew as well.
        self._active, self._mx_hybrid = True, HybridForward(self, options, (by_symbols,))

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:  # noqa: ARG002 - the interface
        """Computes the loss, or loss and output."""
        values = (x, *args)
        output = self.net(*values[: self._num_inputs])
        loss = self.loss(output, *values[self._num_inputs :])
        return (loss, output) if self._returns_outputs else loss


class Joined:
    """The graph of a network with its loss, as long as it does what calling both would do.

    It is used from the second step on: the first one initializes parameters and shows whether the
    network can become a graph.

    Args:
        net: The network.
        loss: The loss.
        options: How the graph is run; None is as the network was hybridized, if it was.
        returns_outputs: Whether the output is a result.
    """

    def __init__(self, net: Any, loss: Any, options: Options | None, returns_outputs: bool) -> None:
        self._returns_outputs = returns_outputs
        self._net, self._loss, self._options = net, loss, options
        self._may_join = _is_plain(net) and _is_plain(loss)
        self._seen: list[Any] = []
        """What the graph was made of; compares by identity."""
        self._block: NetWithLoss | None = None
        self._is_first = True

    def find(self, inputs: Sequence[Any], labels: Sequence[Any]) -> NetWithLoss | None:
        """Returns the block to call with inputs and labels, None to call both one by one."""
        if not self._may_join:
            return None
        if self._is_first or not all(type(item) in ARRAY_DIALECTS for item in (*inputs, *labels)):
            self._is_first = False
            return None
        forward = self._net._mx_hybrid
        options = self._options
        if options is None:
            # Without a graph it was not called yet since it changed, and None cannot become one.
            if forward is None or not forward._graphs or None in forward._graphs.values():
                self._block = None
                return None
            options = forward.options
        if _has_hooks(self._net) or _has_hooks(self._loss) or self._net._mx_remembers():
            return None
        seen = [forward, *self._net._children.values()]
        if self._block is None or self._seen != seen:
            self._seen = seen
            self._block = NetWithLoss(
                self._net, self._loss, len(inputs), options, self._returns_outputs
            )
        return self._block if self._block._num_inputs == len(inputs) else None


def _is_plain(block: Any) -> bool:
    """Returns whether calling a block is nothing but its `hybrid_forward`."""
    if not isinstance(block, HybridBlock):
        return False
    cls = type(block)
    is_replaced = "forward" in vars(block)  # as in sharded networks
    return cls.forward is HybridBlock.forward and cls.__call__ is Block.__call__ and not is_replaced


def _has_hooks(block: HybridBlock) -> bool:
    return bool(block._forward_hooks or block._forward_pre_hooks or block._mx_op_hook)

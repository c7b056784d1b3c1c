"""`TrainStep`: a training step as one unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxnet._arrays.capture import CudaEngine
from mxnet._start import public_methods
from mxnet.context import Context, torch_device
from mxnet.errors import ArgumentTypeError, ArgumentValueError
from mxnet.gluon.hybrid.forward import make_options
from mxnet.gluon.trainer import Trainer
from mxnet.gluon.training.step_body import Batch, Loss, Results, StepBody
from mxnet.gluon.training.step_captures import StepCaptures
from mxnet.gluon.training.step_captures import UncapturedStepWarning as UncapturedStepWarning
from mxnet.gluon.utils import split_and_load
from mxnet.graph.run import Options

_ENGINE = CudaEngine()


@public_methods("__init__", "__call__")
class TrainStep:
    """A training step as one function: a batch in, its loss out.

    It does what this loop does, and leaves parameters, gradients, states of the optimizer and
    random generators as the loop leaves them::

        with autograd.record():
            l = loss(net(data), label)
        l.backward()
        trainer.step(batch_size)

    On a GPU the whole step, update included, is captured as a CUDA graph after a few steps and
    then replayed by one launch. Learning rates and schedules may change, so may the shapes of
    batches and everything of the parameters; the step is captured again where that is needed. What
    the network does in Python, such as printing, is done when it is captured and not in each step.
    A step that cannot be captured says why, once, and runs as the loop does.

    With parameters on several contexts, a batch is split among them, as
    `gluon.utils.split_and_load` does it, and the losses are a list.

    Args:
        net: The network.
        loss: Called with the output of the network and the labels; returns an array, or a list of
            arrays, which are differentiated together. A list of losses takes one output and one
            label each. None if the network returns the loss.
        trainer: Updates the parameters.
        batch_axis: Axis of the samples in the arguments.
        clip_global_norm: Limits the norm of all gradients together, as
            `gluon.utils.clip_global_norm` does it between `backward` and `trainer.step`.
        ignore_stale_grad: Whether parameters without a new gradient are left as they are.
        return_outputs: Whether a call returns what the network returned, too.
        backend: Compiler of the graph of network and loss, as `hybridize` takes it: `"inductor"`.
            None leaves the network as it is; if it is hybridized, the loss becomes a part of its
            graph.
        backend_options: Other arguments for the compiler.
        strict: Whether a step on a GPU that cannot be captured as a whole raises.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> net = gluon.nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        >>> step = gluon.TrainStep(net, gluon.loss.L2Loss(), trainer)
        >>> data, label = mx.nd.ones((4, 2)), mx.nd.zeros((4, 1))
        >>> for _ in range(3):
        ...     print(f"{step(data, label).mean().asscalar():.2f}")
        2.00
        0.98
        0.48
    """

    def __init__(
        self,
        net: Callable[..., Any],
        loss: Loss,
        trainer: Trainer,
        *,
        batch_axis: int = 0,
        clip_global_norm: float | None = None,
        ignore_stale_grad: bool = False,
        return_outputs: bool = False,
        backend: str | None = None,
        backend_options: dict[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        if not isinstance(trainer, Trainer):
            raise ArgumentTypeError(
                f"TrainStep: trainer takes a gluon.Trainer, got {type(trainer).__name__}"
            )
        if loss is not None and not callable(loss) and not isinstance(loss, (list, tuple)):
            raise ArgumentTypeError(
                f"TrainStep: loss takes a function or a list of them, got {type(loss).__name__}"
            )
        options = None
        if backend is not None:
            options = make_options(backend, backend_options or {}, Options(strict=strict))
        self._body = StepBody(
            net, loss, trainer, clip_global_norm, ignore_stale_grad, return_outputs, options
        )
        self._batch_axis, self._strict = batch_axis, strict
        self._engine = _ENGINE
        self._captures = StepCaptures(self._body, self._engine, self._strict)
        self._is_sharded = any(item._is_sharded for item in trainer._params)

    def reset(self) -> None:
        """Forgets what was captured, for a network whose Python has changed."""
        self._captures.settle()
        self._captures = StepCaptures(self._body, self._engine, self._strict)

    def __call__(self, data: Any, label: Any = None, batch_size: float | None = None) -> Any:
        """Makes a step.

        Args:
            data: Argument of the network, or a list of its arguments.
            label: Label, or a list of labels; None if there is none.
            batch_size: What gradients are divided by, by default the length of the first array
                along the batch axis.

        Returns:
            The loss as the loss function returned it, a list for each context if there are
            several; with `return_outputs` a pair of it and the output.
        """
        batch = Batch(_as_tuple(data), () if label is None else _as_tuple(label))
        arrays = batch.arrays
        if not arrays:
            raise ArgumentTypeError("TrainStep: expected an NDArray among the data, got none")
        size = arrays[0].shape[self._batch_axis] if batch_size is None else batch_size
        contexts = self._body.contexts()
        if not contexts:
            raise ArgumentValueError("TrainStep: the trainer has no parameters")
        if len(contexts) > 1:
            parts = _split(batch, contexts, self._batch_axis)
            results = self._body.run(parts, size)
            return self._returned(Results(*map(list, zip(*results, strict=True))))
        (ctx,) = contexts
        for item in arrays:
            if item._ctx is not ctx and item._ctx != ctx:
                batch = batch.with_arrays([item.as_in_context(ctx) for item in arrays])
                break
        if self._engine.covers(torch_device(ctx)) and not self._is_sharded:
            return self._returned(self._captures.run(batch, size))
        return self._returned(self._body.run([batch], size)[0])

    def _returned(self, results: Results) -> Any:
        return tuple(results) if self._body.returns_outputs else results.loss


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _split(batch: Batch, contexts: Sequence[Context], axis: int) -> list[Batch]:
    """Returns the part of a batch for each context."""
    columns = [split_and_load(item, contexts, axis, even_split=False) for item in batch.arrays]
    return [batch.with_arrays(arrays) for arrays in zip(*columns, strict=True)]

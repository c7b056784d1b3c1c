"""Mixed precision in training: trainers, and the scale of losses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mxnet import optimizer as opt
from mxnet.contrib.amp._initialization import initialized
from mxnet.errors import CheckFailedError, UnsupportedTypeError
from mxnet.gluon import Trainer


def init_trainer(optimizer_or_trainer: Trainer) -> None:
    """Makes a trainer follow a loss scale: it skips steps whose gradients are not finite.

    Args:
        optimizer_or_trainer: The trainer; optimizers are refused, as in the original.

    Raises:
        CheckFailedError: if `init` was not called.
        UnsupportedTypeError: if it is not a trainer.
    """
    scaler = initialized.scaler_for_trainer()
    if scaler is None:
        raise CheckFailedError("init_trainer: mixed precision is not on; call amp.init() before")
    trainer = _require_trainer(optimizer_or_trainer, "init_trainer")
    trainer._amp_loss_scaler = scaler
    trainer._amp_original_scale = trainer._scale


@contextmanager
def scale_loss(loss: Any, optimizer_or_trainer: Trainer) -> Iterator[Any]:
    """Multiplies a loss, or each of a list, by the scale of a trainer.

    The trainer divides by it in its next step.

    Args:
        loss: An array, or a list of arrays.
        optimizer_or_trainer: A trainer for which `init_trainer` was called.

    Raises:
        CheckFailedError: if it was not.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.contrib import amp
        >>> def step(net, trainer, data, labels, loss):
        ...     with mx.autograd.record():
        ...         error = loss(net(data), labels)
        ...         with amp.scale_loss(error, trainer) as scaled:
        ...             mx.autograd.backward(scaled)
        ...     trainer.step(len(data))
    """
    scaler = getattr(optimizer_or_trainer, "_amp_loss_scaler", None)
    if scaler is None:
        raise CheckFailedError(
            "scale_loss: the trainer has no scale; call amp.init_trainer() before"
        )
    scale = scaler.loss_scale
    optimizer_or_trainer._scale = optimizer_or_trainer._amp_original_scale / scale
    if isinstance(loss, (list, tuple)):
        yield [item * scale for item in loss]
    else:
        yield scale * loss


def unscale(optimizer_or_trainer: Trainer) -> None:
    """Divides the gradients of a trainer by the scale of the loss, for code that looks at them.

    Args:
        optimizer_or_trainer: The trainer, after a backward pass of `scale_loss`.

    Raises:
        UnsupportedTypeError: if it is not a trainer.
    """
    trainer = _require_trainer(optimizer_or_trainer, "unscale")
    for parameter in trainer._params:
        for gradient in parameter._grad or ():
            gradient[:] *= trainer._scale
    trainer._scale = 1.0


def _require_trainer(value: Any, where: str) -> Trainer:
    if isinstance(value, Trainer):
        return value
    if isinstance(value, opt.Optimizer):
        raise UnsupportedTypeError(f"{where}: takes a gluon Trainer, optimizers are not supported")
    raise UnsupportedTypeError(f"{where}: takes a gluon Trainer, got {type(value)}")

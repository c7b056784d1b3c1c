"""Training with gradients of all processes, as Horovod does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mxnet import gluon, kvstore
from mxnet import optimizer as opt
from mxnet._state import processes
from mxnet.contrib.horovod._operations import broadcast_arrays, grouped_allreduce_, require_init
from mxnet.errors import ArgumentTypeError, ArgumentValueError
from mxnet.gluon.parameter import DeferredInitializationError, Parameter
from mxnet.gluon.trainer import Trainer
from mxnet.ndarray import NDArray


class Compression:
    """How gradients travel between processes.

    Attributes:
        none: In their own precision.
        fp16: In half precision.
    """

    none = "none"
    fp16 = "fp16"


class DistributedTrainer(Trainer):
    """A trainer that uses the mean of the gradients of all processes.

    Args:
        params: Parameters.
        optimizer: An optimizer or its name.
        optimizer_params: Arguments of the optimizer.
        compression: `Compression.none` or `Compression.fp16`.
        gradient_predivide_factor: What gradients in half precision are divided by on their way, so
            that sums do not overflow; others need not be.
        prefix: Accepted for compatibility.
        num_groups: Accepted for compatibility: gradients travel in buckets.
    """

    def __init__(
        self,
        params: Any,
        optimizer: Any,
        optimizer_params: Mapping[str, Any] | None = None,
        compression: Any = Compression.none,
        gradient_predivide_factor: float = 1.0,
        prefix: str | None = None,
        num_groups: int = 0,
    ) -> None:
        del prefix, num_groups
        require_init("DistributedTrainer")
        if compression not in (Compression.none, Compression.fp16):
            raise ArgumentValueError(
                "horovod.DistributedTrainer: compression takes Compression.none or "
                f"Compression.fp16, got {compression!r}"
            )
        if not gradient_predivide_factor > 0:
            raise ArgumentValueError(
                "horovod.DistributedTrainer: gradient_predivide_factor is above 0, got "
                f"{gradient_predivide_factor}"
            )
        if isinstance(optimizer, _Reducing):
            raise ArgumentTypeError(
                "horovod.DistributedTrainer: takes the optimizer itself, not a "
                "DistributedOptimizer, which would add gradients up twice"
            )
        store = kvstore.create("horovod")
        if compression == Compression.fp16:
            store.send_in_half_precision(gradient_predivide_factor)
        super().__init__(params, optimizer, optimizer_params, store, update_on_kvstore=False)
        self._scale /= processes.size()


class _Reducing:
    """What makes an optimizer use the mean of the gradients of all processes."""

    _is_reduced = False

    @contextmanager
    def _reduced(self, index: Any, grads: Sequence[NDArray]) -> Iterator[None]:
        """Adds gradients up over processes, once for calls that contain others."""
        if self._is_reduced:
            yield
            return
        grouped_allreduce_(grads, average=False, name=str(index))
        self._is_reduced = True
        try:
            yield
        finally:
            self._is_reduced = False

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        with self._reduced(index, grad if isinstance(grad, (list, tuple)) else [grad]):
            super().update(index, weight, grad, state)  # type: ignore[misc]  # of the optimizer

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        with self._reduced(index, grad if isinstance(grad, (list, tuple)) else [grad]):
            super().update_multi_precision(index, weight, grad, state)  # type: ignore[misc]

    def update_many(
        self, indices: Sequence[Any], weights: Any, grads: Sequence[NDArray], states: Any
    ) -> None:
        with self._reduced(list(indices), grads):
            super().update_many(indices, weights, grads, states)  # type: ignore[misc]


def DistributedOptimizer(  # noqa: N802 - Horovod's name
    optimizer: opt.Optimizer, gradient_predivide_factor: float = 1.0, num_groups: int = 0
) -> Any:
    """Makes an optimizer that uses the mean of the gradients of all processes.

    Args:
        optimizer: The optimizer, which is not to be used by itself from now on.
        gradient_predivide_factor: Accepted for compatibility.
        num_groups: Accepted for compatibility.
    """
    del gradient_predivide_factor, num_groups
    require_init("DistributedOptimizer")
    if not isinstance(optimizer, opt.Optimizer):
        raise ArgumentTypeError(
            f"horovod.DistributedOptimizer: takes an Optimizer, got {type(optimizer).__name__}"
        )
    if isinstance(optimizer, _Reducing):
        raise ArgumentTypeError("horovod.DistributedOptimizer: takes an optimizer that is not one")
    own = type(optimizer)
    made: Any = object.__new__(type(own.__name__, (_Reducing, own), {"__doc__": own.__doc__}))
    vars(made).update(vars(optimizer))
    made.rescale_grad /= processes.size()
    return made


def broadcast_parameters(params: Any, root_rank: int = 0, prefix: str | None = None) -> None:
    """Replaces parameters by those of one process; others that wait for their shape then.

    Args:
        params: Those of a block (`net.collect_params()`), or a dictionary of arrays or Parameters.
        root_rank: Number of the process whose parameters count.
        prefix: Begin of the names of the exchange.
    """
    require_init("broadcast_parameters")
    if not isinstance(params, (Mapping, gluon.ParameterDict)):
        raise ArgumentTypeError(
            "horovod.broadcast_parameters: takes a dictionary of parameters, got "
            f"{type(params).__name__}"
        )
    arrays: list[NDArray] = []
    for _, item in sorted(params.items()):
        if isinstance(item, Parameter):
            try:
                arrays += item.list_data()
            except DeferredInitializationError:
                _broadcast_when_ready(item, root_rank, prefix)
        else:
            arrays.append(item)
    broadcast_arrays(arrays, root_rank, prefix)


def _broadcast_when_ready(parameter: Parameter, root_rank: int, prefix: str | None) -> None:
    """Has the value of a parameter replaced as soon as its shape is known and it gets one."""
    set_value = parameter._init_impl

    def set_and_broadcast(*args: Any) -> None:
        set_value(*args)
        del vars(parameter)["_init_impl"]
        broadcast_arrays(parameter.list_data(), root_rank, f"{prefix or ''}{parameter.name}")

    vars(parameter)["_init_impl"] = set_and_broadcast

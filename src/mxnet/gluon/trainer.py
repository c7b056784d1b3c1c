"""The trainer: applies an optimizer to the parameters of a network."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mxnet import optimizer as opt
from mxnet._files import write_atomically
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.gluon.parameter import Parameter, ParameterDict, ParameterError


class StaleGradientError(MXNetError, UserWarning):
    """A gradient has not been computed since the last update."""


class Trainer:
    """Updates parameters by their gradients.

    Args:
        params: Parameters, as `net.collect_params()` gives them, or a list of them.
        optimizer: An optimizer or its name.
        optimizer_params: Arguments of the optimizer, such as `{"learning_rate": 0.1}`.
        kvstore: How gradients of several contexts are added up: `"device"`, `"local"` or None.
        compression_params: Accepted for compatibility; gradients are exchanged exactly.
        update_on_kvstore: Accepted for compatibility; updates happen where parameters are.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import Trainer, nn
        >>> net = nn.Dense(1, in_units=2)
        >>> net.initialize(mx.init.One())
        >>> trainer = Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        >>> with mx.autograd.record():
        ...     loss = net(mx.nd.ones((4, 2))).sum()
        >>> loss.backward()
        >>> trainer.step(batch_size=4)
        >>> print(net.weight.data().asnumpy())
        [[0.9 0.9]]
    """

    def __init__(
        self,
        params: ParameterDict | Mapping[str, Parameter] | Sequence[Parameter],
        optimizer: str | opt.Optimizer,
        optimizer_params: Mapping[str, Any] | None = None,
        kvstore: Any = "device",
        compression_params: Mapping[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ) -> None:
        self._params = _as_parameters(params)
        self._param2idx = {parameter.name: i for i, parameter in enumerate(self._params)}
        for parameter in self._params:
            parameter._trainer = self
        self._compression_params = compression_params
        self._update_on_kvstore = update_on_kvstore
        self._kvstore = kvstore
        self._optimizer = _make_optimizer(optimizer, optimizer_params, self._params)
        self._scale = self._optimizer.rescale_grad
        self._updaters: list[opt.Updater] = []
        self._contexts: list[Context] | None = None

    @property
    def optimizer(self) -> opt.Optimizer:
        """The optimizer."""
        return self._optimizer

    @property
    def learning_rate(self) -> float:
        """The learning rate, that of the schedule if there is one."""
        return self._optimizer.learning_rate

    def set_learning_rate(self, lr: float) -> None:
        """Sets the learning rate."""
        self._optimizer.set_learning_rate(lr)

    def _prepare(self) -> None:
        """Finds the contexts and makes an updater for each, once."""
        if self._contexts is not None:
            return
        contexts: list[Context] | None = None
        for parameter in self._params:
            found = parameter.list_ctx()
            if contexts is not None and contexts != found:
                raise ParameterError(
                    "Trainer: all Parameters must be initialized on the same set of contexts, but "
                    f"Parameter {parameter.name!r} is on {found} while previous ones are on "
                    f"{contexts}"
                )
            contexts = found
        self._contexts = contexts or []
        if not self._updaters:
            self._updaters = [opt.get_updater(self._optimizer) for _ in self._contexts]

    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Adds gradients up over contexts and updates all parameters.

        Args:
            batch_size: Number of samples that the gradients were summed over.
            ignore_stale_grad: Whether parameters without a new gradient are passed over.

        Raises:
            StaleGradientError: if a gradient was not computed since the last step.
        """
        self._prepare()
        self._optimizer.rescale_grad = self._scale / batch_size
        self._allreduce_grads()
        self._update(ignore_stale_grad)

    def allreduce_grads(self) -> None:
        """Adds gradients up over contexts, for code that changes them before `update`."""
        self._prepare()
        self._allreduce_grads()

    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Updates all parameters by gradients that are added up already; see `step`."""
        self._prepare()
        self._optimizer.rescale_grad = self._scale / batch_size
        self._update(ignore_stale_grad)

    def _allreduce_grads(self) -> None:
        if self._kvstore is None or len(self._contexts or ()) < 2:
            return
        for parameter in self._params:
            if parameter.grad_req == "null":
                continue
            gradients = [gradient._writable() for gradient in parameter.list_grad()]
            total = gradients[0]
            for other in gradients[1:]:
                total += other.to(total.device)
            for other in gradients[1:]:
                other.copy_(total)

    def _update(self, ignore_stale_grad: bool) -> None:
        for position, updater in enumerate(self._updaters):
            indices, gradients, weights = [], [], []
            for index, parameter in enumerate(self._params):
                if parameter.grad_req == "null":
                    continue
                weight = parameter.list_data()[position]
                if weight._fresh_grad:
                    indices.append(index)
                    gradients.append(parameter.list_grad()[position])
                    weights.append(weight)
                    weight._fresh_grad = False
                elif not ignore_stale_grad:
                    raise StaleGradientError(_STALE.format(parameter.name, weight.context))
            if indices:
                updater(indices, gradients, weights)

    def save_states(self, fname: str | os.PathLike[str]) -> None:
        """Saves the state of the optimizer, in the original's format."""
        self._prepare()
        write_atomically(fname, [self._updaters[0].get_states(dump_optimizer=True)])

    def load_states(self, fname: str | os.PathLike[str]) -> None:
        """Loads what `save_states` of this or of the original has saved."""
        self._prepare()
        content = Path(fname).read_bytes()
        for updater in self._updaters:
            updater.set_states(content)
            updater.optimizer = self._updaters[0].optimizer
        self._optimizer = self._updaters[0].optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))


_STALE = (
    "Gradient of Parameter `{}` on context {} has not been updated by backward since last `step`: "
    "either the parameter was not used in the forward pass, or backward was not called. To update "
    "only parameters with new gradients, call step with ignore_stale_grad=True."
)


def _as_parameters(params: Any) -> list[Parameter]:
    if isinstance(params, (dict, ParameterDict)):
        listed = [params[name] for name in sorted(params.keys())]
    elif isinstance(params, (list, tuple)):
        listed = list(params)
    else:
        raise ParameterError(
            f"Trainer: first argument must be a list or dict of Parameters, got {type(params)}"
        )
    for parameter in listed:
        if not isinstance(parameter, Parameter):
            raise ParameterError(
                "Trainer: first argument must be a list or dict of Parameters, "
                f"got list of {type(parameter)}"
            )
    return listed


def _make_optimizer(
    optimizer: str | opt.Optimizer,
    optimizer_params: Mapping[str, Any] | None,
    parameters: Sequence[Parameter],
) -> opt.Optimizer:
    param_dict = dict(enumerate(parameters))
    if isinstance(optimizer, opt.Optimizer):
        if optimizer_params:
            raise ParameterError(
                "Trainer: optimizer_params must be None if optimizer is an Optimizer"
            )
        optimizer.param_dict = param_dict
        return optimizer
    return opt.create(optimizer, param_dict=param_dict, **dict(optimizer_params or {}))

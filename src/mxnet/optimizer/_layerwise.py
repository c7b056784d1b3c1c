"""Optimizers with a rate for each layer, and for large batches: LARS, LAMB, LANS, LBSGD."""

from __future__ import annotations

import logging
import math
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import torch

from mxnet._start import docstrings
from mxnet._state import as_in_mxnet2
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import layer_rules, rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, choose_formula, zeros_like
from mxnet.optimizer._descent import MasterLast
from mxnet.optimizer._rule import Group, Rule, RuleOptimizer

_UNSCALED = ("_gamma", "_beta", "_bias")


@Optimizer.register
class LARS(MasterLast):
    """SGD with a learning rate for each layer, in proportion to its weight over its gradient.

    Parameters whose name ends in gamma, beta or bias keep the common rate.

    Args:
        momentum: Share of the last step that is repeated.
        lazy_update: Whether sparse gradients only touch the rows that they have.
        eta: Ratio of a step to the weight.
        eps: Added to the divisor of the rate.
        momentum_correction: Whether to scale the momentum as the learning rate changes, which
            MXNet 2 never does.
        epsilon: `eps` under its name in MXNet 2.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LARS(learning_rate=0.1, eta=0.5)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9684 1.0632]
    """

    _decaying: ClassVar[tuple[str, ...]] = ("_weight",)
    _tensor_fields = ("lr",)
    _history = ("last_lr", "cur_lr")

    @as_in_mxnet2(
        learning_rate=0.1,
        momentum=0.0,
        eta=0.001,
        epsilon=1e-8,
        lazy_update=False,
        use_fused_step=True,
        aggregate_num=1,
    )
    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        *,
        epsilon: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**{"aggregate_num": 4, **choose_formula(kwargs, epsilon)})
        self.momentum = momentum
        self.momentum_correction = momentum_correction
        self.lazy_update = lazy_update
        self.eta = eta
        self.eps = eps
        self.epsilon = eps if epsilon is None else epsilon
        self.skip = 0
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        """Returns the learning rate of each parameter and notes how the common one changes."""
        rate = self.learning_rate
        self.last_lr = rate if self.cur_lr is None else self.cur_lr
        self.cur_lr = rate
        return super()._get_lrs(indices)

    def _common(self, indices: Sequence[Any]) -> Sequence[Hashable]:
        """Returns whether each parameter has a rate of its own."""
        names = (str(self.idx2name.get(index, index)) for index in indices)
        return [not name.endswith(_UNSCALED) for name in names]

    def _correct(self, group: Group) -> Group:
        """Returns a group with the momentum of this step."""
        momentum = self.momentum
        is_new = self.use_fused_step is not None
        if self.momentum_correction and self.last_lr and not is_new:
            momentum *= (self.cur_lr or 0.0) / self.last_lr
        return group._replace(factors=(momentum,))

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        steps = rules.rescaled(grads, self.rescale_grad, self._limit(), weights, group.wd)
        if group.common:
            norms = rules.norms_of(weights)
            lengths = rules.norms_of(grads)
            rates = layer_rules.lars_rates(
                torch.stack(norms).float(),
                torch.stack(lengths).float(),
                group.lr,
                group.wd,
                eta=self.eta,
                eps=self.eps if self.use_fused_step is None else self.epsilon,
                rescale_grad=self.rescale_grad,
            )
            torch._foreach_mul_(steps, [r.to(s.dtype) for r, s in zip(rates, steps, strict=True)])
        else:
            torch._foreach_mul_(steps, group.lr)
        if states:
            torch._foreach_mul_(states[0], group.factors[0])
            torch._foreach_sub_(states[0], steps)
            torch._foreach_add_(weights, states[0])
        else:
            torch._foreach_sub_(weights, steps)


@Optimizer.register
class LAMB(RuleOptimizer):
    """Steps in the direction of Adam's, as long as a share of the weight.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        lower_bound: Least value taken for the norm of a weight; None is no limit.
        upper_bound: Largest value taken for the norm of a weight; None is no limit.
        bias_correction: Whether to correct the averages for the number of steps.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LAMB(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _rule = Rule(
        layer_rules.lamb,
        "beta1 beta2 epsilon bias_correction",
        group="lr wd count=number",
        num_states=2,
    )
    _tensor_fields = ("lr", "number")

    @as_in_mxnet2(
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-6,
        lower_bound=None,
        upper_bound=None,
        bias_correction=True,
        aggregate_num=4,
        use_fused_step=True,
    )
    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **{"aggregate_num": 45, **kwargs})
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction

    def _rule_options(self, group: Group) -> dict[str, Any]:
        bounds = {"lower_bound": self.lower_bound or -1.0, "upper_bound": self.upper_bound or -1.0}
        return {**super()._rule_options(group), **bounds}


@Optimizer.register
class LANS(RuleOptimizer):
    """LAMB on gradients of length 1, each step of which has a second one along the gradient.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept, and of the first of both steps.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        lower_bound: Least value taken for the norm of a weight; None is no limit.
        upper_bound: Largest value taken for the norm of a weight; None is no limit.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LANS(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _rule = Rule(layer_rules.lans, "beta1 beta2 epsilon", group="lr wd count=number", num_states=2)
    _tensor_fields = ("lr", "number")

    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        aggregate_num: int | None = 4,
        use_fused_step: bool = True,
        **kwargs: Any,
    ) -> None:
        kwargs.update(aggregate_num=aggregate_num, use_fused_step=use_fused_step)
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound

    def _rule_options(self, group: Group) -> dict[str, Any]:
        bounds = {"lower_bound": self.lower_bound or -1.0, "upper_bound": self.upper_bound or -1.0}
        one_by_one = not self.use_fused_step
        return {**super()._rule_options(group), **bounds, "one_by_one": one_by_one}


@Optimizer.register
class LBSGD(Optimizer):
    """SGD that gathers several gradients into one update and warms its learning rate up.

    Args:
        momentum: Share of the last step that is repeated.
        warmup_strategy: How the rate grows to `batch_scale` times itself: `"linear"`, `"power2"`,
            `"sqrt"`; or `"lars"`, a rate in proportion to the weight over its gradient.
        warmup_epochs: Length of the warm-up.
        batch_scale: Number of gradients in an update.
        updates_per_epoch: Number of gradients in an epoch.
        begin_epoch: Epoch to begin with.
        num_epochs: Number of epochs.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LBSGD(learning_rate=0.1, batch_scale=2)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8988 1.2025]
    """

    _takes_parts = False

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(multi_precision=multi_precision, **kwargs)
        logging.info(
            "LBSGD: %d gradients in an update, warm-up %s of %d epochs",
            batch_scale,
            warmup_strategy,
            warmup_epochs,
        )
        self.momentum = momentum
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        self.lbmult = 1
        self.cumgrads: dict[Any, dict[str, Any]] = {}
        self.adaptive = False
        self.admult = 1

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Adds a gradient to those gathered and updates the weight when they are complete."""
        lr, wd = self._get_lr(index), self._get_wd(index)
        self._update_count(index)
        gathered, number = self._gather(index, grad)
        if number % self.batch_scale:
            self.cumgrads[index] = {"cum_grad": gathered, "num_cums": number}
            return
        self.cumgrads[index] = {"cum_grad": 0, "num_cums": number}
        mean = gathered._plain / self.batch_scale
        target = weight._writable()
        if self.warmup_strategy == "lars":
            lr *= _layer_rate(target, mean, wd)
        else:
            lr *= self._warmup(number)
        options: dict[str, Any] = {
            "lr": lr,
            "wd": wd,
            "rescale_grad": self.rescale_grad,
            "clip_gradient": self.clip_gradient or -1.0,
        }
        if state is None:
            rules.sgd([target], [mean], **options)
        else:
            rules.sgd_momentum([target], [mean], [state._plain], momentum=self.momentum, **options)

    def _gather(self, index: Any, grad: NDArray) -> tuple[NDArray, int]:
        """Returns the sum of the gradients since the last update, and the number of all."""
        before = self.cumgrads.get(index, {"cum_grad": 0, "num_cums": self.init_updates})
        # A copy, because the next backward writes into the array of the gradient.
        total = grad.copy() if isinstance(before["cum_grad"], int) else before["cum_grad"] + grad
        return total, before["num_cums"] + 1

    def _warmup(self, number: int) -> float:
        """Returns the factor of the learning rate at a gradient."""
        length = self.warmup_epochs * self.updates_per_epoch
        if number >= length:
            return float(self.batch_scale)
        if length <= 1:
            return 1.0
        share = number / length
        shapes = {"linear": share, "power2": share * share, "sqrt": math.sqrt(share)}
        return 1.0 + (self.batch_scale - 1) * shapes.get(self.warmup_strategy, 0.0)


def _layer_rate(weight: torch.Tensor, grad: torch.Tensor, wd: float) -> float:
    weight_square = float(weight.float().square().sum())
    grad_square = float(grad.float().square().sum())
    ratio = math.sqrt(weight_square / (grad_square + wd * weight_square + 1e-18))
    return min(max(ratio, 0.01), 100.0)


docstrings.inherit(globals())

"""Gradient descent: plain, with momentum, with noise, by signs; and `Test`, for tests of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch

from mxnet._arrays.array import Array
from mxnet._start import docstrings
from mxnet._state import as_in_mxnet2, generator_for
from mxnet.context import context_of
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, Rule, RuleOptimizer


class MasterLast(RuleOptimizer):
    """Base of the optimizers whose state has the master copy at the end, but not in MXNet 2."""

    def _join_master(self, master: NDArray, state: Any) -> Any:
        return (state, master) if self.use_fused_step is None else (master, state)

    def _split_master(self, state: Any) -> tuple[NDArray, Any]:
        return (state[1], state[0]) if self.use_fused_step is None else (state[0], state[1])

    def _split_masters(self, states: Sequence[Any]) -> tuple[list[NDArray], list[Any]]:
        last = int(self.use_fused_step is None)
        return [state[last] for state in states], [state[1 - last] for state in states]


class Momentum(MasterLast):
    """Gradient descent that repeats a share of the last step, by a rule of the subclass.

    Args:
        momentum: Share of the last step that is repeated.
    """

    _momentum_rule: ClassVar[Callable[..., None]]
    _overwrites: ClassVar[bool] = False
    """Whether the rule is faster if it may overwrite gradients."""

    _repeats = True
    _tensor_fields = ("lr",)

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        options: dict[str, Any] = {  # not by a call: small networks spend their time on calls
            "lr": group.lr,
            "wd": group.wd,
            "rescale_grad": 1.0 if group.ready else self.rescale_grad,
            "clip_gradient": -1.0 if group.ready else self.clip_gradient or -1.0,
        }
        if states:
            if group.mixed and self._overwrites:
                options["owns_grads"] = True  # they are copies in single precision
            rule = type(self)._momentum_rule
            rule(weights, grads, states[0], momentum=self.momentum, **options)
        else:
            rules.sgd(weights, grads, **options)


@Optimizer.register
class SGD(Momentum):
    """Gradient descent, on request with momentum.

    ``step = momentum * step - lr * (clip(rescale_grad * grad) + wd * weight)``, which is added to
    the weight.

    Args:
        lazy_update: Whether sparse gradients only touch the rows that they have.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.SGD(learning_rate=0.1, momentum=0.9)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.71 1.58]
    """

    _momentum_rule = staticmethod(rules.sgd_momentum)
    _overwrites = True

    @as_in_mxnet2(
        learning_rate=0.1,
        momentum=0.0,
        lazy_update=False,
        multi_precision=False,
        use_fused_step=True,
        aggregate_num=1,
    )
    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum=momentum, **{"aggregate_num": 4, **kwargs})
        self.lazy_update = lazy_update

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.lazy_update


@Optimizer.register
class ccSGD(SGD):  # noqa: N801 - the name is the original's
    """SGD under its oldest name.

    Args:
        *args: Arguments of `SGD`.
        **kwargs: Arguments of `SGD` by name.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.ccSGD(learning_rate=0.5)
        >>> weight = mx.nd.ones(2)
        >>> optimizer.update(0, weight, mx.nd.ones(2), optimizer.create_state(0, weight))
        >>> print(weight.asnumpy())
        [0.5 0.5]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


@Optimizer.register
class NAG(Momentum):
    """Gradient descent with Nesterov's momentum.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.NAG(learning_rate=0.1, momentum=0.9)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.81 1.38]
    """

    _momentum_rule = staticmethod(rules.nag)
    _decays_first = (False, True)

    @as_in_mxnet2(learning_rate=0.1, momentum=0.9, multi_precision=False, use_fused_step=True)
    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(momentum=momentum, **kwargs)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.momentum == 0.0


@Optimizer.register
class Signum(RuleOptimizer):
    """Steps of one size in the direction of the sign of the momentum, or of the gradient.

    Args:
        learning_rate: Size of the steps.
        momentum: Share of the average gradient that is kept; 0 takes the gradient itself.
        wd_lh: Weight decay beside the gradient.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Signum(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _repeats = True
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=0.01, momentum=0.9, wd_lh=0.0, use_fused_step=True)
    def __init__(
        self,
        learning_rate: float | None = 0.01,
        momentum: float = 0.9,
        wd_lh: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum = momentum
        self.wd_lh = wd_lh

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the average gradient, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        if not states:
            beside = 0.0 if self.use_fused_step is None else self.wd_lh  # 1.9.1 forgets it
            rules.signsgd(weights, grads, lr=group.lr, wd=group.wd + beside)
            return
        options = self._common_options(group)
        if self.use_fused_step is False:  # clips before the weight decay, not after it
            limit = self._limit(zero_clips=True)
            grads = rules.rescaled(grads, self.rescale_grad, limit, weights, group.wd)
            options.update(rescale_grad=1.0, clip_gradient=-1.0, wd=0.0)
        rules.signum(weights, grads, *states, momentum=self.momentum, wd_lh=self.wd_lh, **options)


@Optimizer.register
class DCASGD(RuleOptimizer):
    """Gradient descent that makes up for weights that moved since the gradient was computed.

    Args:
        momentum: Share of the last step that is repeated.
        lamda: Strength of the compensation.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.DCASGD(learning_rate=0.1, momentum=0.9)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.7104 1.5768]
    """

    _decays_first = (False, True)
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=0.1, momentum=0.0, lamda=0.04, use_fused_step=False)
    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.weight_previous: dict[Any, NDArray] = {}
        self.lamda = lamda

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step, None without momentum, and the weight before it."""
        return (zeros_like(weight) if self.momentum != 0.0 else None), weight.copy()

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        *momenta, previous = states
        options = self._common_options(group, zero_clips=True)
        options.update(momentum=self.momentum, lamda=self.lamda)
        rules.dcasgd(weights, grads, previous, momenta[0] if momenta else (), **options)


@Optimizer.register
class SGLD(RuleOptimizer):
    """Gradient descent by half the learning rate, with noise of that variance.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> optimizer = mx.optimizer.SGLD(learning_rate=0.01)
        >>> weight = mx.nd.ones(1000)
        >>> optimizer.update(0, weight, mx.nd.ones(1000), optimizer.create_state(0, weight))
        >>> print(weight.asnumpy().std().round(1))
        0.1
    """

    _is_random = True
    _rule = Rule(rules.sgd, zero_clips=True)
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=0.1, use_fused_step=False)
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        super()._step(group._replace(lr=group.lr / 2), weights, grads, states)
        for weight in weights:
            context = context_of(weight)
            generator = generator_for(context.device_type, context.device_id)
            noise = torch.empty_like(weight).normal_(generator=generator)
            weight.add_(noise.mul_(group.lr**0.5))


@Optimizer.register
class Test(Optimizer):
    """Adds the gradient to the weight, and has a copy of the weight as its state.

    In MXNet 2 it is gradient descent, with a state that stays zero.

    Args:
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Test(rescale_grad=0.5)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [1.5 0. ]
    """

    __test__ = False  # keeps pytest from taking it for a test case

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes a state of zeros."""
        return zeros_like(weight)

    def _defines_step(self) -> bool:
        return self.use_fused_step is not None

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Adds the scaled gradient to the weight."""
        if self.use_fused_step is not None:
            super().update(index, weight, grad, state)
            return
        target = weight._writable()
        target.add_(grad._plain, alpha=self.rescale_grad)
        state._plain.copy_(target)

    def step(self, indices: Any, weights: Any, grads: Any, states: Any) -> None:  # noqa: ARG002
        """Descends by the scaled gradients, as in MXNet 2."""
        for index, weight, grad in zip(indices, weights, grads, strict=True):
            self._update_count(index)
            target, rate = weight._writable(), self._get_lr(index)
            target.mul_(1 - rate * self._get_wd(index))
            target.add_(grad._plain, alpha=-rate * self.rescale_grad)


docstrings.inherit(globals())

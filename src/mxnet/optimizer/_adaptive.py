"""Optimizers that scale each element by its past gradients: Adam, AdaGrad and their relatives."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from mxnet._arrays.array import Array
from mxnet._start import docstrings
from mxnet._state import as_in_mxnet2
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import RowSparseNDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, choose_formula, zeros_like
from mxnet.optimizer._rule_optimizer import Group, Rule, RuleOptimizer


@Optimizer.register
class AdaGrad(RuleOptimizer):
    """Steps by the gradient over the root of the sum of all squares.

    Args:
        eps: Added under the root.
        epsilon: Added to the root, by the formula of MXNet 2, in which the gradient has the weight
            decay in it; takes the place of `eps`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.AdaGrad(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8293 1.1707]
    """

    _rule = Rule(rules.adagrad, num_states=1, zero_clips=True)
    _decays_first = (False, True)
    _repeats = True
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=0.01, epsilon=1e-6, use_fused_step=True)
    def __init__(self, eps: float = 1e-7, *, epsilon: float | None = None, **kwargs: Any) -> None:
        super().__init__(**choose_formula(kwargs, epsilon))
        self.float_stable_eps = eps
        self.epsilon = eps if epsilon is None else epsilon

    def _rule_options(self, group: Group) -> dict[str, Any]:
        epsilon = self.float_stable_eps if self.use_fused_step is None else self.epsilon
        beside = self.use_fused_step is not None
        return {**super()._rule_options(group), "epsilon": epsilon, "beside_root": beside}

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return wd == 0


@Optimizer.register
class AdaDelta(RuleOptimizer):
    """Steps by the gradient times the ratio of past steps to past gradients.

    It has a learning rate in MXNet 2 alone.

    Args:
        rho: Share of both averages that is kept.
        epsilon: Added under both roots.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.AdaDelta()
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.99 1.01]
    """

    _rule = Rule(rules.adadelta, "rho epsilon", group="wd", num_states=2, zero_clips=True)
    _decays_first = (False, True)
    _repeats = True
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=1.0, rho=0.9, epsilon=1e-6, use_fused_step=False)
    def __init__(self, rho: float = 0.90, epsilon: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rho = rho
        self.epsilon = epsilon

    def _rule_options(self, group: Group) -> dict[str, Any]:
        rate = 1.0 if self.use_fused_step is None else group.lr
        return {**super()._rule_options(group), "lr": rate}


@Optimizer.register
class RMSProp(RuleOptimizer):
    """Steps by the gradient over the root of the average square.

    Args:
        learning_rate: Learning rate.
        gamma1: Share of the averages that is kept.
        gamma2: Share of the last step that is repeated, if `centered`.
        epsilon: Added under the root.
        centered: Whether to divide by the deviation of gradients from their average.
        clip_weights: Largest size of an element of a weight; None is no limit.
        rho: `gamma1` under its name in MXNet 2.
        momentum: `gamma2` under its name in MXNet 2.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.RMSProp(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.6838 1.3162]
    """

    _decays_first = (False, True)
    _repeats = True
    _tensor_fields = ("lr",)

    @as_in_mxnet2(
        learning_rate=0.001,
        rho=0.9,
        momentum=0.9,
        epsilon=1e-8,
        centered=False,
        clip_weights=None,
        use_fused_step=True,
    )
    def __init__(
        self,
        learning_rate: float | None = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        *,
        rho: float | None = None,
        momentum: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **choose_formula(kwargs, rho, momentum))
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.rho = gamma1 if rho is None else rho
        self.momentum = gamma2 if momentum is None else momentum
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the average square; if centered, the average and the last step, too."""
        return tuple(zeros_like(weight) for _ in range(3 if self.centered else 1))

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        options = self._common_options(group)
        is_new = self.use_fused_step is not None
        gammas = (self.rho, self.momentum) if is_new else (self.gamma1, self.gamma2)
        options.update(gamma1=gammas[0], epsilon=self.epsilon)
        options["clip_weights"] = self.clip_weights or -1.0
        if self.centered:
            averages = states[1::-1] if is_new else states[:2]
            rules.rmsprop_centered(
                weights, grads, *averages, states[2], gamma2=gammas[1], **options
            )
        else:
            rules.rmsprop(weights, grads, states[0], beside_root=is_new, **options)


@Optimizer.register
class Adam(RuleOptimizer):
    """Adam: steps by the average gradient over the root of the average square.

    Weight decay is part of the gradient and clipped with it.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        lazy_update: Whether sparse gradients only touch the rows that they have.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Adam(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _rule = Rule(rules.adam, "beta1 beta2 epsilon", group="lr wd owns_grads=mixed", num_states=2)
    _decays_first = (False, True)
    _tensor_fields = ("lr",)

    @as_in_mxnet2(
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        lazy_update=False,
        use_fused_step=True,
    )
    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lazy_update = lazy_update

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.lazy_update

    def _correct(self, group: Group) -> Group:
        correction = math.sqrt(1.0 - self.beta2**group.number) / (1.0 - self.beta1**group.number)
        return group._replace(lr=group.lr * correction)


class _Corrected(RuleOptimizer):
    """Adam's relatives that only MXNet 2 has, with the same arguments.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        correct_bias: Whether to correct the averages for the number of steps.
    """

    _tensor_fields = ("lr",)

    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        correct_bias: bool = True,
        use_fused_step: bool = True,
        **kwargs: Any,
    ) -> None:
        options = {"aggregate_num": 4, "use_fused_step": use_fused_step, **kwargs}
        super().__init__(learning_rate=learning_rate, **options)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.correct_bias = correct_bias

    def _correct(self, group: Group) -> Group:
        if not self.correct_bias:
            return group
        correction = math.sqrt(1.0 - self.beta2**group.number) / (1.0 - self.beta1**group.number)
        return group._replace(lr=group.lr * correction)


@Optimizer.register
class AdamW(_Corrected):
    """Adam with weight decay beside the gradient, in proportion to the corrected rate.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.AdamW(learning_rate=0.1, wd=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8968 1.0968]
    """

    _rule = Rule(rules.adamw_unscaled, "beta1 beta2 epsilon", num_states=2)

    def _rule_options(self, group: Group) -> dict[str, Any]:
        return {**super()._rule_options(group), "decays_last": not self.use_fused_step}


@Optimizer.register
class AdaBelief(_Corrected):
    """Adam by squares of what gradients differ from their average.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.AdaBelief(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.889  1.1111]
    """

    _rule = Rule(rules.adabelief, "beta1 beta2 epsilon", num_states=2)


@Optimizer.register
class Adamax(RuleOptimizer):
    """Adam with the largest gradient, slowly forgotten, in place of the average square.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the largest gradient that is kept.
        epsilon: Added to the divisor, in MXNet 2.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Adamax(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _rule = Rule(
        rules.adamax,
        "beta1 beta2 epsilon",
        group="lr wd count=number",
        num_states=2,
        zero_clips=True,
    )
    _decays_first = (False, True)
    _tensor_fields = ("lr", "number")

    @as_in_mxnet2(learning_rate=0.002, beta1=0.9, beta2=0.999, epsilon=1e-8, use_fused_step=False)
    def __init__(
        self,
        learning_rate: float | None = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        *,
        epsilon: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon


@Optimizer.register
class Nadam(RuleOptimizer):
    """Adam with Nesterov's momentum, which grows by a schedule.

    The schedule advances with every update of every weight, as it does in the original.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        schedule_decay: Speed of the schedule.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Nadam(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8944 1.1056]
    """

    _rule = Rule(
        rules.nadam,
        "beta1 beta2 epsilon",
        group="lr wd count=number factors",
        num_states=2,
        zero_clips=True,
    )
    _tensor_fields = ("lr", "number")
    _history = ("m_schedule",)
    _decays_first = (False, True)

    @as_in_mxnet2(
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        schedule_decay=0.004,
        use_fused_step=False,
    )
    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.schedule_decay = schedule_decay
        self.m_schedule = 1.0

    def _common(self, indices: Sequence[Any]) -> Sequence[Hashable]:
        return indices  # the momentum of no two weights is the same

    def _momentum(self, count: int) -> float:
        return self.beta1 * (1.0 - 0.5 * math.pow(0.96, count * self.schedule_decay))

    def _correct(self, group: Group) -> Group:
        """Returns a group with the factors of its gradients and of their averages."""
        now, later = self._momentum(group.number), self._momentum(group.number + 1)
        self.m_schedule *= now
        of_gradients = (1 - now) / (1 - self.m_schedule)
        return group._replace(factors=(of_gradients, later / (1 - self.m_schedule * later)))


@Optimizer.register
class FTML(RuleOptimizer):
    """Follows the moving leader.

    Args:
        beta1: Share of the leader that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.FTML(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _rule = Rule(rules.ftml, "beta1 beta2 epsilon", group="lr wd count=number", num_states=3)
    _decays_first = (False, True)
    _tensor_fields = ("lr", "number")

    @as_in_mxnet2(learning_rate=0.0025, beta1=0.6, beta2=0.999, epsilon=1e-8, use_fused_step=True)
    def __init__(
        self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-8, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon


@Optimizer.register
class Ftrl(RuleOptimizer):
    """Follows the regularized leader, which sets weights that matter little to zero.

    Args:
        lamda1: Strength of the pull to zero.
        learning_rate: Learning rate.
        beta: Added to the root of the sum of squares.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Ftrl(learning_rate=0.5, lamda1=1.5)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.   0.75]
    """

    _rule = Rule(rules.ftrl, "lamda1 beta", num_states=2)
    _repeats = True
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=0.1, lamda1=0.01, beta=1.0, use_fused_step=True)
    def __init__(
        self,
        lamda1: float = 0.01,
        learning_rate: float | None = 0.1,
        beta: float = 1,
        **kwargs: Any,
    ) -> None:
        if kwargs.get("use_fused_step") is None:
            super().__init__(**kwargs)
            self.lr = learning_rate  # unlike elsewhere, a schedule keeps its own rate
        else:
            super().__init__(learning_rate=learning_rate, **kwargs)
        self.lamda1 = lamda1
        self.beta = beta

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return isinstance(weight, RowSparseNDArray)


docstrings.inherit(globals())

"""What gradient descent and its variants with momentum share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import zeros_like
from mxnet.optimizer._rule import Group, MasterLast


class Momentum(MasterLast):
    """Gradient descent that repeats a share of the last step, by a rule of the subclass.

    Args:
        momentum: Share of the last step that is repeated.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.
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
        options: dict[str, Any] = {
            "lr": group.lr,
            "wd": group.wd,
            "rescale_grad": self.rescale_grad,
            "clip_gradient": self._clip,
        }
        if states:
            if group.mixed and self._overwrites:
                options["owns_grads"] = True  # they are copies in single precision
            rule = type(self)._momentum_rule
            rule(weights, grads, states[0], momentum=self.momentum, **options)
        else:
            rules.sgd(weights, grads, **options)

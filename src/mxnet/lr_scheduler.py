"""Learning rate schedules: the rate as a function of the number of updates.

Every schedule can begin with a warm-up, during which the rate rises (`"linear"`) or stays low
(`"constant"`).
"""

from __future__ import annotations

import logging
import math
from typing import Any

from mxnet._start import tracebacks
from mxnet.errors import ArgumentTypeError, AttributeValueError

WARMUP_MODES = ("linear", "constant")

_FAR = 100_000
"""Number of changes of a rate from which they are not made one by one."""


@tracebacks.public_methods("get_warmup_lr")
class LRScheduler(tracebacks.PublicInit):
    """Base of the schedules; a subclass defines `__call__(num_update)`.

    Args:
        base_lr: Learning rate to start from, after the warm-up.
        warmup_steps: Number of updates of the warm-up.
        warmup_begin_lr: Rate at which the warm-up begins.
        warmup_mode: `"linear"` or `"constant"`.

    Example:
        >>> import mxnet as mx
        >>> class Halved(mx.lr_scheduler.LRScheduler):
        ...     def __call__(self, num_update):
        ...         return self.base_lr / 2 ** (num_update // 10)
        >>> schedule = Halved(base_lr=0.4)
        >>> [schedule(update) for update in (0, 10, 20)]
        [0.4, 0.2, 0.1]
    """

    def __init__(
        self,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        self.base_lr = base_lr
        _require_int("warmup_steps", warmup_steps)
        self.warmup_steps = warmup_steps
        self.warmup_final_lr = base_lr
        self.warmup_begin_lr = warmup_begin_lr
        if warmup_begin_lr > base_lr:
            raise AttributeValueError(
                f"lr_scheduler: `warmup_begin_lr` takes at most base_lr={base_lr}, "
                f"got {warmup_begin_lr}"
            )
        if warmup_steps < 0:
            raise AttributeValueError(
                f"lr_scheduler: `warmup_steps` takes 0 or more, got {warmup_steps}"
            )
        if warmup_mode not in WARMUP_MODES:
            raise AttributeValueError(
                f"lr_scheduler: `warmup_mode` takes one of {', '.join(WARMUP_MODES)}, "
                f"got {warmup_mode!r}"
            )
        self.warmup_mode = warmup_mode

    def get_warmup_lr(self, num_update: int) -> float:
        """Returns the rate at an update of the warm-up."""
        if num_update >= self.warmup_steps:
            raise ArgumentTypeError(
                f"get_warmup_lr: the warm-up ends after {self.warmup_steps} updates, "
                f"got update {num_update}"
            )
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        rise = self.warmup_final_lr - self.warmup_begin_lr
        return self.warmup_begin_lr + rise * float(num_update) / float(self.warmup_steps)

    def __call__(self, num_update: int) -> float:
        """Returns the learning rate after a number of updates."""
        raise NotImplementedError(f"{type(self).__name__} does not define __call__(num_update)")


class FactorScheduler(LRScheduler):
    """Multiplies the rate by a factor every so many updates.

    Args:
        step: Number of updates after which the rate changes.
        factor: What the rate is multiplied by, at most 1.
        stop_factor_lr: The rate does not fall below this.
        base_lr: Learning rate to start from, after the warm-up.
        warmup_steps: Number of updates of the warm-up.
        warmup_begin_lr: Rate at which the warm-up begins.
        warmup_mode: `"linear"` or `"constant"`.

    Example:
        >>> import mxnet as mx
        >>> schedule = mx.lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=1)
        >>> [schedule(update) for update in range(6)]
        [1, 1, 1, 0.5, 0.5, 0.25]
    """

    def __init__(
        self,
        step: int,
        factor: float = 1,
        stop_factor_lr: float = 1e-8,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        _require_update("step", step)
        _require_shrinking(factor)
        self.step = step
        self.factor = factor
        self.stop_factor_lr = stop_factor_lr
        self.count = 0

    def __call__(self, num_update: int) -> float:
        """Returns the learning rate after a number of updates."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        if num_update - self.count > _FAR * self.step:
            self._catch_up(num_update)
        # base_lr itself changes, because an optimizer or a user may set it between two updates.
        while num_update > self.count + self.step:
            self.count += self.step
            self.base_lr = max(self.base_lr * self.factor, self.stop_factor_lr)
            logging.info("update %d: learning rate is %.5e", num_update, self.base_lr)
        return self.base_lr

    def _catch_up(self, num_update: int) -> None:
        """Makes very many changes of the rate at once, as after loading counts from a file."""
        changes = int((num_update - self.count) // self.step) - 1
        self.count += changes * self.step
        factor = max(self.factor, 0) ** changes
        self.base_lr = max(self.base_lr * factor, self.stop_factor_lr)


class MultiFactorScheduler(LRScheduler):
    """Multiplies the rate by a factor after each of a list of updates.

    Args:
        step: Updates after which the rate changes, increasing.
        factor: What the rate is multiplied by, at most 1.
        base_lr: Learning rate to start from, after the warm-up.
        warmup_steps: Number of updates of the warm-up.
        warmup_begin_lr: Rate at which the warm-up begins.
        warmup_mode: `"linear"` or `"constant"`.

    Example:
        >>> import mxnet as mx
        >>> schedule = mx.lr_scheduler.MultiFactorScheduler(step=[10, 20], factor=0.1, base_lr=1)
        >>> [round(schedule(update), 4) for update in (1, 10, 11, 20, 21)]
        [1, 1, 0.1, 0.1, 0.01]
    """

    def __init__(
        self,
        step: list[int],
        factor: float = 1,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not isinstance(step, list) or not step:
            raise ArgumentTypeError(
                f"lr_scheduler: `step` takes a list with at least one update, got {step!r}"
            )
        for position, update in enumerate(step):
            if position and update <= step[position - 1]:
                raise AttributeValueError(
                    f"lr_scheduler: `step` takes increasing updates, got {step}"
                )
            _require_update("step", update)
        _require_shrinking(factor)
        self.step = step
        self.cur_step_ind = 0
        self.factor = factor
        self.count = 0

    def __call__(self, num_update: int) -> float:
        """Returns the learning rate after a number of updates."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            self.base_lr *= self.factor
            logging.info("update %d: learning rate is %.5e", num_update, self.base_lr)
        return self.base_lr


class _DecayScheduler(LRScheduler):
    """A rate that goes down to `final_lr` at update `max_update` and stays there."""

    def __init__(
        self,
        max_update: int,
        base_lr: float,
        final_lr: float,
        warmup_steps: int,
        warmup_begin_lr: float,
        warmup_mode: str,
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        _require_int("max_update", max_update)
        _require_update("max_update", max_update)
        self.base_lr_orig = self.base_lr
        self.max_update = max_update
        self.final_lr = final_lr
        self.max_steps = max_update - warmup_steps

    def _above_final(self, height: float, done: int) -> float:
        """Returns what is left of the height above the final rate after so many updates."""
        raise NotImplementedError

    def __call__(self, num_update: int) -> float:
        """Returns the learning rate after a number of updates."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        if num_update <= self.max_update:
            height = self.base_lr_orig - self.final_lr
            done = num_update - self.warmup_steps
            self.base_lr = self.final_lr + self._above_final(height, done)
        return self.base_lr


class PolyScheduler(_DecayScheduler):
    """Lets the rate fall to its final value by a power of the updates that are left.

    Args:
        max_update: Update at which the final rate is reached.
        base_lr: Learning rate to start from, after the warm-up.
        pwr: The power.
        final_lr: The final rate.
        warmup_steps: Number of updates of the warm-up.
        warmup_begin_lr: Rate at which the warm-up begins.
        warmup_mode: `"linear"` or `"constant"`.

    Example:
        >>> import mxnet as mx
        >>> schedule = mx.lr_scheduler.PolyScheduler(max_update=100, base_lr=1, pwr=2)
        >>> [round(schedule(update), 4) for update in (0, 50, 100, 200)]
        [1.0, 0.25, 0.0, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        pwr: float = 2,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        self.power = pwr

    def _above_final(self, height: float, done: int) -> float:
        return height * math.pow(1 - float(done) / float(self.max_steps), self.power)


class CosineScheduler(_DecayScheduler):
    """Lets the rate fall to its final value along half a wave of the cosine.

    Args:
        max_update: Update at which the final rate is reached.
        base_lr: Learning rate to start from, after the warm-up.
        final_lr: The final rate.
        warmup_steps: Number of updates of the warm-up.
        warmup_begin_lr: Rate at which the warm-up begins.
        warmup_mode: `"linear"` or `"constant"`.

    Example:
        >>> import mxnet as mx
        >>> schedule = mx.lr_scheduler.CosineScheduler(max_update=100, base_lr=1, warmup_steps=10)
        >>> [round(schedule(update), 4) for update in (0, 5, 10, 55, 100)]
        [0.0, 0.5, 1.0, 0.5, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)

    def _above_final(self, height: float, done: int) -> float:
        return height * (1 + math.cos(math.pi * done / self.max_steps)) / 2


def _require_int(name: str, value: Any) -> None:
    if not isinstance(value, int):
        raise ArgumentTypeError(f"lr_scheduler: `{name}` takes an int, got {value!r}")


def _require_update(name: str, value: float) -> None:
    if value < 1:
        raise AttributeValueError(f"lr_scheduler: `{name}` takes 1 or more, got {value}")


def _require_shrinking(factor: float) -> None:
    if factor > 1.0:
        raise AttributeValueError(f"lr_scheduler: `factor` takes at most 1, got {factor}")

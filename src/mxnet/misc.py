"""Schedules of learning rates from before `mx.lr_scheduler`, kept for programs that import them."""

from __future__ import annotations

import logging

from mxnet.errors import ArgumentValueError, UndefinedMethodError


class LearningRateScheduler:
    """Base of the schedules: an object that is called with the number of an iteration.

    Attributes:
        base_lr: Learning rate at the start, which training sets.
    """

    def __init__(self) -> None:
        self.base_lr = 0.01

    def __call__(self, iteration: int) -> float:
        """Returns the learning rate of an iteration.

        Args:
            iteration: Number of the iteration, from 0.

        Raises:
            UndefinedMethodError: unless the class defines it.
        """
        raise UndefinedMethodError(
            f"{type(self).__name__}: expected a class that defines __call__, which is asked for "
            f"the learning rate of iteration {iteration}"
        )


class FactorScheduler(LearningRateScheduler):
    """Multiplies the learning rate by a factor after every so many iterations.

    Args:
        step: Number of iterations between two changes.
        factor: What the rate is multiplied by, less than 1.

    Raises:
        ArgumentValueError: if `step` is less than 1, or `factor` is not less than 1.
    """

    def __init__(self, step: int, factor: float = 0.1) -> None:
        super().__init__()
        if step < 1:
            raise ArgumentValueError(f"FactorScheduler: expected a step of at least 1, got {step}")
        if factor >= 1.0:
            raise ArgumentValueError(
                f"FactorScheduler: expected a factor less than 1, got {factor}; the rate must fall"
            )
        self.step, self.factor = step, factor
        self.old_lr = self.base_lr
        self.init = False

    def __call__(self, iteration: int) -> float:
        """Returns the learning rate of an iteration, and logs it when it changes.

        Args:
            iteration: Number of the iteration, from 0.
        """
        if not self.init:  # training sets `base_lr` after the schedule was made
            self.init, self.old_lr = True, self.base_lr
        rate = self.base_lr * self.factor ** int(iteration / self.step)
        if rate != self.old_lr:
            self.old_lr = rate
            logging.info("Iteration [%d]: the learning rate is now %.5f", iteration, rate)
        return rate

"""The moments of a training at which handlers are called."""

from __future__ import annotations

from typing import Any

from mxnet._start.tracebacks import PublicInit


class EventHandler(PublicInit):
    """Base of all handlers.

    Handlers with a smaller `priority` are called first, those without one count as 0.
    """


class TrainBegin(EventHandler):
    """Handler of the moment before training."""

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called before training."""


class TrainEnd(EventHandler):
    """Handler of the moment after training."""

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called after training."""


class EpochBegin(EventHandler):
    """Handler of the moment before an epoch."""

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called before an epoch."""


class EpochEnd(EventHandler):
    """Handler of the moment after an epoch."""

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Is called after an epoch, and returns True to end the training."""
        return False


class BatchBegin(EventHandler):
    """Handler of the moment before a batch."""

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Is called before a batch, which is `kwargs["batch"]`."""


class BatchEnd(EventHandler):
    """Handler of the moment after a batch."""

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Is called after a batch, and returns True to end the epoch.

        `kwargs` has `batch`, and `label`, `pred` and `loss` with an array for each context.
        """
        return False

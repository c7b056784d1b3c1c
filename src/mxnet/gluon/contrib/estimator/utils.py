"""What estimators and handlers find out about metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from mxnet import metric
from mxnet.errors import ArgumentValueError
from mxnet.gluon import loss as gluon_loss


def check_metrics(metrics: Any) -> list[metric.EvalMetric]:
    """Returns a metric, or a list of metrics, as a list; those of a composite one by one.

    Raises:
        ValueError: if there is something else among them.
    """
    if isinstance(metrics, metric.CompositeEvalMetric):
        metrics = metrics.metrics
    listed = list(metrics) if isinstance(metrics, (list, tuple)) else [metrics]
    if not all(isinstance(item, metric.EvalMetric) for item in listed):
        raise ArgumentValueError(
            f"metrics: expected a metric of mx.metric or a list of them, got {metrics!r}"
        )
    return listed


def suggest_metrics(loss: gluon_loss.Loss) -> list[metric.EvalMetric]:
    """Returns metrics for the training by a loss: itself, and what goes with it."""
    fitting: list[metric.EvalMetric] = []
    if isinstance(loss, gluon_loss.SoftmaxCrossEntropyLoss):
        fitting.append(metric.Accuracy())
    return [*fitting, metric.Loss(loss.name.rstrip("0123456789"))]


def name_for(phase: str, metrics: Iterable[metric.EvalMetric]) -> None:
    """Puts the phase, `"training"` or `"validation"`, before the names of metrics."""
    for item in metrics:
        item.name = f"{phase} {item.name}"


def copy_for_validation(metrics: Sequence[metric.EvalMetric]) -> list[metric.EvalMetric]:
    """Returns metrics for validation data that are like those for training."""
    copies = []
    for item in metrics:
        copied = deepcopy(item)
        copied.name = item.name.replace("training", "validation")
        copied.reset()
        copies.append(copied)
    return copies


def check_known(handler: Any, known: Sequence[metric.EvalMetric]) -> None:
    """Checks that a handler of an estimator's metrics has no other ones.

    Raises:
        ValueError: if one of them is another, which would never be updated.
    """
    for item in getattr(handler, "metrics", None) or ():
        if not any(item is other for other in known):
            raise ArgumentValueError(
                f"{type(handler).__name__}: expected metrics of estimator.train_metrics or "
                f"estimator.val_metrics, which training updates, got {item.name!r}"
            )

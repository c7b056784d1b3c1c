"""What estimators and handlers find out about metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from mxnet import metric
from mxnet._state import rules
from mxnet.errors import ArgumentValueError
from mxnet.gluon import loss as gluon_loss
from mxnet.gluon import metric as gluon_metric


def check_metrics(metrics: Any) -> list[metric.EvalMetric]:
    """Returns a metric, or a list of metrics, as a list; those of a composite one by one.

    Raises:
        ValueError: if there is something else among them.
    """
    if isinstance(metrics, metric.CompositeEvalMetric):
        return [part for item in metrics.metrics for part in check_metrics(item)]
    listed = list(metrics) if isinstance(metrics, (list, tuple)) else [metrics]
    if not all(isinstance(item, metric.EvalMetric) for item in listed):
        raise ArgumentValueError(
            f"metrics: expected a metric of mx.metric or a list of them, got {metrics!r}"
        )
    return listed


def suggest_metrics(loss: gluon_loss.Loss) -> list[metric.EvalMetric]:
    """Returns metrics for the training by a loss: itself, and what goes with it."""
    metrics: Any = metric if rules.version == 1 else gluon_metric
    fitting: list[metric.EvalMetric] = []
    if isinstance(loss, gluon_loss.SoftmaxCrossEntropyLoss):
        fitting.append(metrics.Accuracy())
    return [*fitting, metrics.Loss(loss.name.rstrip("0123456789"))]


def name_for(phase: str, metrics: Iterable[metric.EvalMetric]) -> None:
    """Puts the phase before the names of metrics, `"validation"` in place of `"training"`."""
    for item in metrics:
        if phase == "validation" and "training" in item.name:
            item.name = item.name.replace("training", phase)
        else:
            item.name = f"{phase} {item.name}"


def copy_metrics(metrics: Sequence[metric.EvalMetric]) -> list[metric.EvalMetric]:
    """Returns copies of metrics that have seen nothing yet."""
    copies = [*map(deepcopy, metrics)]
    for item in copies:
        item.reset()
    return copies


def check_known(handler: Any, known: Sequence[metric.EvalMetric]) -> None:
    """Checks that a handler of an estimator's metrics has no other ones.

    Raises:
        ValueError: if one of them is another, which would never be updated.
    """
    named = [value for name, value in vars(handler).items() if "metric" in name]
    listed = [item for value in named for item in (value if isinstance(value, list) else [value])]
    for item in listed:
        if isinstance(item, metric.EvalMetric) and not any(item is other for other in known):
            raise ArgumentValueError(
                f"{type(handler).__name__}: expected metrics of estimator.train_metrics or "
                f"estimator.val_metrics, which training updates, got {item.name!r}"
            )

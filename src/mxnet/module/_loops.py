"""The loops over data that all modules share: training, scoring and predicting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from mxnet import metric
from mxnet import ndarray as nd
from mxnet.base import _as_list as as_list
from mxnet.errors import ArgumentValueError, InvalidArgumentError, MXNetError
from mxnet.io import DataBatch, DataIter
from mxnet.module._checkpoints import BatchEndParam
from mxnet.ndarray import NDArray

if TYPE_CHECKING:
    from mxnet.module.base_module import BaseModule


def as_metric(eval_metric: Any) -> metric.EvalMetric:
    """Returns a metric as it is, or makes it from what `mx.metric.create` takes."""
    if isinstance(eval_metric, metric.EvalMetric):
        return eval_metric
    made: metric.EvalMetric = metric.create(eval_metric)
    return made


def notify(callbacks: Any, *arguments: Any) -> None:
    """Calls one function, or each in a list."""
    if callbacks is not None:
        for callback in as_list(callbacks):
            callback(*arguments)


def train_epoch(module: BaseModule, scope: dict[str, Any]) -> None:
    """Trains one epoch, evaluates it and logs both.

    Args:
        module: The module, bound and with an optimizer.
        scope: The arguments of `fit` and `epoch`; callbacks see them as `locals`.
    """
    epoch, eval_metric = scope["epoch"], scope["eval_metric"]
    begin = scope["tic"] = time.time()
    eval_metric.reset()
    for name, value in _train_batches(module, scope):
        module.logger.info("Epoch[%d] Train-%s=%f", epoch, name, value)
    module.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - begin)
    arguments, states = module.get_params()
    module.set_params(arguments, states)  # contexts may differ in the states of normalizations
    notify(scope["epoch_end_callback"], epoch, module.symbol, arguments, states)
    if scope["eval_data"] is not None:
        results = module.score(
            scope["eval_data"],
            scope["validation_metric"],
            score_end_callback=scope["eval_end_callback"],
            batch_end_callback=scope["eval_batch_end_callback"],
            epoch=epoch,
        )
        for name, value in results:
            module.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, value)
    scope["train_data"].reset()


def _train_batches(module: BaseModule, scope: dict[str, Any]) -> list[tuple[str, float]]:
    """Trains on all batches, preparing the next one early; gives the metric of the epoch."""
    eval_metric, monitor = scope["eval_metric"], scope["monitor"]
    batches = scope["data_iter"] = iter(scope["train_data"])
    upcoming = next(batches, None)
    if upcoming is None:
        raise MXNetError("fit: train_data has no batch")
    results: list[tuple[str, float]] = []
    for nbatch in _count():
        batch, upcoming = upcoming, None
        if monitor is not None:
            monitor.tic()
        module.forward_backward(batch)
        module.update()
        _update_metric(module, eval_metric, batch)
        upcoming = next(batches, None)
        if upcoming is not None:
            module.prepare(upcoming, sparse_row_id_fn=scope["sparse_row_id_fn"])
        if monitor is not None:
            monitor.toc_print()
        if upcoming is None:
            results = module._read_metric(eval_metric)
        if scope["batch_end_callback"] is not None:
            scope |= {"nbatch": nbatch, "data_batch": batch, "next_data_batch": upcoming}
            scope["end_of_batch"] = upcoming is None
            param = BatchEndParam(scope["epoch"], nbatch, eval_metric, dict(scope))
            notify(scope["batch_end_callback"], param)
        if upcoming is None:
            break
    return results


def _count() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def _update_metric(module: BaseModule, eval_metric: metric.EvalMetric, batch: Any) -> None:
    if isinstance(batch, list):
        module.update_metric(eval_metric, [item.label for item in batch], pre_sliced=True)
    else:
        module.update_metric(eval_metric, batch.label)


def score(module: BaseModule, scope: dict[str, Any]) -> list[tuple[str, float]]:
    """Evaluates a metric on data; scope holds the arguments of `BaseModule.score`."""
    eval_data, limit = scope["eval_data"], scope["num_batch"]
    if scope["reset"]:
        eval_data.reset()
    eval_metric = scope["eval_metric"] = as_metric(scope["eval_metric"])
    eval_metric.reset()
    done = 0
    for nbatch, batch in enumerate(eval_data):
        if nbatch == limit:
            break
        module.prepare(batch, sparse_row_id_fn=scope["sparse_row_id_fn"])
        module.forward(batch, is_train=False)
        _update_metric(module, eval_metric, batch)
        done = nbatch + 1
        if scope["batch_end_callback"] is not None:
            scope |= {"nbatch": nbatch, "eval_batch": batch, "actual_num_batch": done}
            param = BatchEndParam(scope["epoch"], nbatch, eval_metric, dict(scope))
            notify(scope["batch_end_callback"], param)
    if scope["score_end_callback"] is not None:
        scope["actual_num_batch"] = done
        param = BatchEndParam(scope["epoch"], done, eval_metric, dict(scope))
        notify(scope["score_end_callback"], param)
    return eval_metric.get_name_value()


def iterate_outputs(
    module: BaseModule, eval_data: Any, num_batch: int | None, reset: bool, row_ids: Any
) -> Iterator[tuple[list[NDArray], int, Any]]:
    """Computes batch by batch; gives outputs without padding, number and batch."""
    if reset:
        eval_data.reset()
    for nbatch, batch in enumerate(eval_data):
        if nbatch == num_batch:
            return
        module.prepare(batch, sparse_row_id_fn=row_ids)
        module.forward(batch, is_train=False)
        padding = getattr(batch, "pad", None) or 0
        outputs = [output[: output.shape[0] - padding] for output in module.get_outputs()]
        yield outputs, nbatch, batch


def predict(module: BaseModule, scope: dict[str, Any]) -> Any:
    """Computes the outputs of data; scope holds the arguments of `BaseModule.predict`."""
    eval_data = scope["eval_data"]
    if isinstance(eval_data, (NDArray, np.ndarray)):
        array = eval_data if isinstance(eval_data, NDArray) else nd.array(eval_data)
        module.forward(DataBatch([array]), is_train=False)
        return module.get_outputs()[0]
    if not isinstance(eval_data, DataIter):
        raise ArgumentValueError(
            f"predict: eval_data takes an array or a DataIter, got {type(eval_data).__name__}"
        )
    batches = [
        [output.copy() for output in outputs]
        for outputs, *_ in iterate_outputs(
            module, eval_data, scope["num_batch"], scope["reset"], scope["sparse_row_id_fn"]
        )
    ]
    if not batches or not scope["merge_batches"]:
        return batches
    if any(len(outputs) != len(batches[0]) for outputs in batches):
        raise InvalidArgumentError(
            "predict: the number of outputs differs from batch to batch, as in buckets; "
            "give merge_batches=False"
        )
    merged = [nd.concat(*column, dim=0) for column in zip(*batches, strict=True)]
    if len(merged) == 1 and not scope["always_output_list"]:
        return merged[0]
    return merged

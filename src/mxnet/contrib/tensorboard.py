"""Metrics as curves in TensorBoard: `mx.contrib.tensorboard`."""

from __future__ import annotations

import importlib
import os
from typing import Any

from mxnet.errors import MissingLibraryError

__all__ = ["LogMetricsCallback"]

_WRITERS = ("mxboard", "torch.utils.tensorboard")
"""Modules with a `SummaryWriter`: the original's, and torch's, which needs `tensorboard`."""


class LogMetricsCallback:
    """Callback that writes the values of a metric where TensorBoard finds them.

    It is called at the end of a batch or of an epoch, by `Module.fit` or by a loop of one's own,
    and adds a point to the curve of each value of the metric, at the number of the epoch. The
    curves are written by `mxboard` if it is installed, else by torch, which needs
    `pip install glueball[tensorboard]`.

    Args:
        logging_dir: Folder of the event files, which `tensorboard --logdir` shows.
        prefix: What the name of a curve begins with, followed by a hyphen; so training and
            evaluation have curves of their own in one folder.

    Raises:
        MissingLibraryError: if there is no module that writes event files.

    Example:
        >>> import tempfile
        >>> import mxnet as mx
        >>> log = mx.contrib.tensorboard.LogMetricsCallback(tempfile.mkdtemp(), prefix="train")
        >>> metric = mx.metric.Accuracy()
        >>> metric.update(mx.nd.array([1]), mx.nd.array([[0.2, 0.8]]))
        >>> log(mx.model.BatchEndParam(epoch=0, nbatch=1, eval_metric=metric, locals=None))
    """

    def __init__(self, logging_dir: str | os.PathLike[str], prefix: str | None = None) -> None:
        self.prefix = prefix
        self.summary_writer = open_writer("LogMetricsCallback", os.fspath(logging_dir))

    def __call__(self, param: Any) -> None:
        """Adds a point to each curve.

        Args:
            param: What `Module.fit` hands to its callbacks: an object with `epoch` and
                `eval_metric`.
        """
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            curve = name if self.prefix is None else f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(curve, value, global_step=param.epoch)
        self.summary_writer.flush()


def open_writer(where: str, folder: str) -> Any:
    """Returns an object with `add_scalar` and `flush` that writes event files into a folder.

    Args:
        where: What needs it, for the message of the error.
        folder: The folder.

    Raises:
        MissingLibraryError: if nothing is installed that writes such files.
    """
    for name in _WRITERS:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return module.SummaryWriter(folder)
    raise MissingLibraryError(
        f"{where}: nothing is installed that writes files for TensorBoard; "
        "pip install glueball[tensorboard]"
    )

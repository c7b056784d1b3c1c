"""Names that are here and behave differently on purpose, where a program may notice it.

`docs/differences.md` has all that differs; most of it cannot break a program that worked. Here are
the names for which results, numbers or timing change.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_MOVING = "moving statistics change in the training forward pass, not in backward"
_TRACED = "a `forward` on arrays is traced too, and BatchNorm is folded into weights in prediction"
_SEED = "repeatable, but other numbers than those of the original: the generator is torch's"
_DIST = "stores of several processes have no servers; `dist_async` waits for all ranks"
_FLOATS = "values are Python floats, not NumPy scalars"

DIFFERENCES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "mxnet.autograd.Function": ("autograd", "a Function cannot be differentiated twice"),
        "mxnet.autograd.grad": ("autograd", "the same head given twice counts twice"),
        "mxnet.contrib.amp.init": (
            "mixed-precision",
            "functions that were taken from mx.nd before are converted too, on every device",
        ),
        "mxnet.gluon.HybridBlock": ("hybridized-blocks", _TRACED),
        "mxnet.gluon.SymbolBlock": ("hybridized-blocks", _TRACED),
        "mxnet.gluon.contrib.nn.SyncBatchNorm": (
            "gluon-optimizers-metrics",
            "contexts of one process are normalized together only in a `TrainStep`",
        ),
        "mxnet.gluon.nn.BatchNorm": ("operators", _MOVING),
        "mxnet.ndarray.BatchNorm": ("operators", _MOVING),
        "mxnet.symbol.BatchNorm": ("operators", _MOVING),
        "F.BatchNorm": ("operators", _MOVING),
        "mxnet.kvstore.create": ("modules-and-key-value-stores", _DIST),
        "mxnet.metric.Accuracy": ("gluon-optimizers-metrics", _FLOATS),
        "mxnet.metric.create": ("gluon-optimizers-metrics", _FLOATS),
        "mxnet.monitor.Monitor": ("executors", "it is shown visible outputs alone, as NDArrays"),
        "mxnet.profiler.set_config": (
            "the-profiler",
            "the table has blocks and memory, and none of the functions of the C interface",
        ),
        "mxnet.random.seed": ("everywhere", _SEED),
        "mxnet.rnn.BucketSentenceIter": (
            "control-flow-and-cells",
            "logs how many sentences are too long in place of printing it",
        ),
        "mxnet.symbol.contrib.while_loop": (
            "control-flow-and-cells",
            "rows after the last step are zeros, and steps are limited by mx.limits",
        ),
    }
)
"""Section of the page and what is different, by name."""

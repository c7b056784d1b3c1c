"""Metrics: what a model is judged by during training and evaluation.

Example:
    >>> import mxnet as mx
    >>> accuracy = mx.metric.create("acc")
    >>> accuracy.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [0.8, 0.2]])])
    >>> print(accuracy)
    EvalMetric: {'accuracy': 0.5}
"""

from typing import TYPE_CHECKING

from mxnet import ndarray as ndarray
from mxnet._start import make_getattr, tracebacks
from mxnet.metric._base import EvalMetric, alias, check_label_shapes, register
from mxnet.metric._classification import F1, MCC, PCC, Accuracy, TopKAccuracy
from mxnet.metric._classification import (
    _BinaryClassificationMetrics as _BinaryClassificationMetrics,
)
from mxnet.metric._continuous import (
    MAE,
    MSE,
    RMSE,
    CrossEntropy,
    NegativeLogLikelihood,
    PearsonCorrelation,
    Perplexity,
)
from mxnet.metric._custom import Caffe, CompositeEvalMetric, CustomMetric, Loss, Torch, create, np

__all__ = [
    "F1",
    "MAE",
    "MCC",
    "MSE",
    "PCC",
    "RMSE",
    "Accuracy",
    "Caffe",
    "CompositeEvalMetric",
    "CrossEntropy",
    "CustomMetric",
    "EvalMetric",
    "Loss",
    "NegativeLogLikelihood",
    "PearsonCorrelation",
    "Perplexity",
    "TopKAccuracy",
    "Torch",
    "alias",
    "check_label_shapes",
    "create",
    "np",
    "register",
]

for _name in __all__:  # where programs and pickles find them, as in the original
    globals()[_name].__module__ = __name__

if not TYPE_CHECKING:
    __getattr__ = make_getattr(__name__, globals())

tracebacks.public_functions(globals())

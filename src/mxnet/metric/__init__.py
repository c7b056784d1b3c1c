"""Metrics: what a model is judged by during training and evaluation.

Example:
    >>> import mxnet as mx
    >>> accuracy = mx.metric.create("acc")
    >>> accuracy.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [0.8, 0.2]])])
    >>> print(accuracy)
    EvalMetric: {'accuracy': 0.5}
"""

from mxnet._start import publish_classes, tracebacks
from mxnet.metric._base import EvalMetric as EvalMetric
from mxnet.metric._base import alias as alias
from mxnet.metric._base import check_label_shapes as check_label_shapes
from mxnet.metric._base import register as register
from mxnet.metric._classification import F1 as F1
from mxnet.metric._classification import MCC as MCC
from mxnet.metric._classification import PCC as PCC
from mxnet.metric._classification import Accuracy as Accuracy
from mxnet.metric._classification import TopKAccuracy as TopKAccuracy
from mxnet.metric._classification import (
    _BinaryClassificationMetrics as _BinaryClassificationMetrics,
)
from mxnet.metric._continuous import MAE as MAE
from mxnet.metric._continuous import MSE as MSE
from mxnet.metric._continuous import RMSE as RMSE
from mxnet.metric._continuous import CrossEntropy as CrossEntropy
from mxnet.metric._continuous import NegativeLogLikelihood as NegativeLogLikelihood
from mxnet.metric._continuous import PearsonCorrelation as PearsonCorrelation
from mxnet.metric._continuous import Perplexity as Perplexity
from mxnet.metric._custom import Caffe as Caffe
from mxnet.metric._custom import CompositeEvalMetric as CompositeEvalMetric
from mxnet.metric._custom import CustomMetric as CustomMetric
from mxnet.metric._custom import Loss as Loss
from mxnet.metric._custom import Torch as Torch
from mxnet.metric._custom import create as create
from mxnet.metric._custom import np as np

publish_classes(globals())
tracebacks.public_functions(globals())

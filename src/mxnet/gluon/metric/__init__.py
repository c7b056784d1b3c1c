"""Metrics of MXNet 2: those of `mx.metric` with its arguments, and some that only it has.

They have a registry of their own: `create("f1")` of this module makes an `F1` of this module.

Example:
    >>> import mxnet as mx
    >>> metric = mx.gluon.metric.BinaryAccuracy(threshold=0.6)
    >>> metric.update(mx.np.array([0, 1, 0]), mx.np.array([0.7, 1, 0.55]))
    >>> name, value = metric.get()
    >>> name, round(value, 4)
    ('binary_accuracy', 0.6667)
"""

from mxnet._start import publish_classes, tracebacks
from mxnet.gluon.metric._base import CompositeEvalMetric as CompositeEvalMetric
from mxnet.gluon.metric._base import CustomMetric as CustomMetric
from mxnet.gluon.metric._base import EvalMetric as EvalMetric
from mxnet.gluon.metric._base import alias as alias
from mxnet.gluon.metric._base import create as create
from mxnet.gluon.metric._base import np as np
from mxnet.gluon.metric._base import register as register
from mxnet.gluon.metric._classification import F1 as F1
from mxnet.gluon.metric._classification import MCC as MCC
from mxnet.gluon.metric._classification import PCC as PCC
from mxnet.gluon.metric._classification import Accuracy as Accuracy
from mxnet.gluon.metric._classification import BinaryAccuracy as BinaryAccuracy
from mxnet.gluon.metric._classification import Fbeta as Fbeta
from mxnet.gluon.metric._classification import TopKAccuracy as TopKAccuracy
from mxnet.gluon.metric._classification import one_hot as one_hot
from mxnet.gluon.metric._classification import predict_with_threshold as predict_with_threshold
from mxnet.gluon.metric._continuous import MAE as MAE
from mxnet.gluon.metric._continuous import MSE as MSE
from mxnet.gluon.metric._continuous import RMSE as RMSE
from mxnet.gluon.metric._continuous import CrossEntropy as CrossEntropy
from mxnet.gluon.metric._continuous import Loss as Loss
from mxnet.gluon.metric._continuous import MeanCosineSimilarity as MeanCosineSimilarity
from mxnet.gluon.metric._continuous import MeanPairwiseDistance as MeanPairwiseDistance
from mxnet.gluon.metric._continuous import PearsonCorrelation as PearsonCorrelation
from mxnet.gluon.metric._continuous import Perplexity as Perplexity
from mxnet.gluon.metric._continuous import Torch as Torch
from mxnet.metric import check_label_shapes as check_label_shapes

publish_classes(globals())
tracebacks.public_functions(globals())

"""All handlers of events, under the name of the original's module."""

from mxnet.gluon.contrib.estimator._checkpoints import CheckpointHandler as CheckpointHandler
from mxnet.gluon.contrib.estimator._events import BatchBegin as BatchBegin
from mxnet.gluon.contrib.estimator._events import BatchEnd as BatchEnd
from mxnet.gluon.contrib.estimator._events import EpochBegin as EpochBegin
from mxnet.gluon.contrib.estimator._events import EpochEnd as EpochEnd
from mxnet.gluon.contrib.estimator._events import EventHandler as EventHandler
from mxnet.gluon.contrib.estimator._events import TrainBegin as TrainBegin
from mxnet.gluon.contrib.estimator._events import TrainEnd as TrainEnd
from mxnet.gluon.contrib.estimator._logging import LoggingHandler as LoggingHandler
from mxnet.gluon.contrib.estimator._monitoring import EarlyStoppingHandler as EarlyStoppingHandler
from mxnet.gluon.contrib.estimator._steps import GradientUpdateHandler as GradientUpdateHandler
from mxnet.gluon.contrib.estimator._steps import MetricHandler as MetricHandler
from mxnet.gluon.contrib.estimator._steps import StoppingHandler as StoppingHandler
from mxnet.gluon.contrib.estimator._steps import ValidationHandler as ValidationHandler

__all__ = [
    "BatchBegin",
    "BatchEnd",
    "CheckpointHandler",
    "EarlyStoppingHandler",
    "EpochBegin",
    "EpochEnd",
    "GradientUpdateHandler",
    "LoggingHandler",
    "MetricHandler",
    "StoppingHandler",
    "TrainBegin",
    "TrainEnd",
    "ValidationHandler",
]

"""All handlers of events, under the name of the original's module."""

from mxnet.gluon.contrib.estimator._checkpoints import CheckpointHandler as CheckpointHandler
from mxnet.gluon.contrib.estimator._handlers import BatchBegin as BatchBegin
from mxnet.gluon.contrib.estimator._handlers import BatchEnd as BatchEnd
from mxnet.gluon.contrib.estimator._handlers import BatchesHandler as BatchesHandler
from mxnet.gluon.contrib.estimator._handlers import EarlyStoppingHandler as EarlyStoppingHandler
from mxnet.gluon.contrib.estimator._handlers import EpochBegin as EpochBegin
from mxnet.gluon.contrib.estimator._handlers import EpochEnd as EpochEnd
from mxnet.gluon.contrib.estimator._handlers import EventHandler as EventHandler
from mxnet.gluon.contrib.estimator._handlers import GradientUpdateHandler as GradientUpdateHandler
from mxnet.gluon.contrib.estimator._handlers import LoggingHandler as LoggingHandler
from mxnet.gluon.contrib.estimator._handlers import MetricHandler as MetricHandler
from mxnet.gluon.contrib.estimator._handlers import StoppingHandler as StoppingHandler
from mxnet.gluon.contrib.estimator._handlers import TrainBegin as TrainBegin
from mxnet.gluon.contrib.estimator._handlers import TrainEnd as TrainEnd
from mxnet.gluon.contrib.estimator._handlers import ValidationHandler as ValidationHandler

"""Training and evaluation in one call, with handlers for what happens on the way."""

from mxnet._start import make_getattr
from mxnet.gluon.contrib.estimator import batch_processor as batch_processor
from mxnet.gluon.contrib.estimator import estimator as estimator
from mxnet.gluon.contrib.estimator import event_handler as event_handler
from mxnet.gluon.contrib.estimator import utils as utils
from mxnet.gluon.contrib.estimator.batch_processor import BatchProcessor as BatchProcessor
from mxnet.gluon.contrib.estimator.batch_processor import (
    MixedPrecisionProcessor as MixedPrecisionProcessor,
)
from mxnet.gluon.contrib.estimator.batch_processor import TrainStepProcessor as TrainStepProcessor
from mxnet.gluon.contrib.estimator.estimator import Estimator as Estimator
from mxnet.gluon.contrib.estimator.event_handler import BatchBegin as BatchBegin
from mxnet.gluon.contrib.estimator.event_handler import BatchEnd as BatchEnd
from mxnet.gluon.contrib.estimator.event_handler import BatchesHandler as BatchesHandler
from mxnet.gluon.contrib.estimator.event_handler import CheckpointHandler as CheckpointHandler
from mxnet.gluon.contrib.estimator.event_handler import EarlyStoppingHandler as EarlyStoppingHandler
from mxnet.gluon.contrib.estimator.event_handler import EpochBegin as EpochBegin
from mxnet.gluon.contrib.estimator.event_handler import EpochEnd as EpochEnd
from mxnet.gluon.contrib.estimator.event_handler import (
    GradientUpdateHandler as GradientUpdateHandler,
)
from mxnet.gluon.contrib.estimator.event_handler import LoggingHandler as LoggingHandler
from mxnet.gluon.contrib.estimator.event_handler import MetricHandler as MetricHandler
from mxnet.gluon.contrib.estimator.event_handler import StoppingHandler as StoppingHandler
from mxnet.gluon.contrib.estimator.event_handler import TrainBegin as TrainBegin
from mxnet.gluon.contrib.estimator.event_handler import TrainEnd as TrainEnd
from mxnet.gluon.contrib.estimator.event_handler import ValidationHandler as ValidationHandler

_RECORDS = "mxnet.gluon.contrib.estimator._records"
_LATE = {
    "ProgressBarHandler": f"{_RECORDS}:ProgressBarHandler",
    "ResumeHandler": "mxnet.gluon.contrib.estimator._resuming:ResumeHandler",
    "RunFolder": f"{_RECORDS}:RunFolder",
    "TensorBoardHandler": f"{_RECORDS}:TensorBoardHandler",
}
"""Handlers that need what most trainings do without."""

__getattr__ = make_getattr(__name__, globals(), _LATE)
